// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Console
@testable import Wire

/// The letters that a keyboard offers for titles without an alphabet.
@Suite struct LettersTests {
    private let desk = Desk()

    private func fill(_ titles: [String]) {
        for (index, title) in titles.enumerated() { desk.shelve("\(index).mp3", title: title, artist: "Ada") }
    }

    private func letters(_ arguments: String = "") -> String {
        let told = answer(desk, "letters " + arguments)
        return told.split(separator: "\n").dropLast().map { $0.dropFirst("letter: ".count) }.joined()
    }

    @Test func thoseThatMostHaveComeFirst() {
        fill(["红楼梦", "红与黑", "红红火火", "与人", "Emma", "Ζορμπάς", "Мир", "naïve ễ", "「、。々あア한글ไทย🌙", ""])
        desk.shelve("tea.mp3", title: "Tea", artist: "老舍", album: "茶馆")
        #expect(letters().hasPrefix("红与"))
        #expect(Set(letters()) == Set("红与楼梦黑火人々あア한글ไทย老舍茶馆"))
        #expect(letters("红") == "与楼火红".sortedByCode)
        #expect(letters("红楼") == "梦" && letters("楼红") == "" && letters("梦") == "")
        #expect(letters("\"\" 0:2") == "红与" && letters("\"\" 99:100") == "" && letters("红 1:2").count == 1)
        #expect(answer(desk, "letters a b c").hasPrefix("ACK [2@0] {letters}"))
        #expect(answer(desk, "letters a 5:2").hasPrefix("ACK [2@0] {letters}"))
    }

    /// For any title, each letter is offered after those before it.
    @Test func everyTitleCanBeWritten() {
        var random = SeededGenerator(seed: 5)
        let titles = (0..<500).map { _ in
            String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 1...9, using: &random)).map { _ in
                        // Some are frequent, most are not.
                        let step = UInt32.random(in: 0...60, using: &random)
                        return Unicode.Scalar(0x4E00 + step * step)!
                    }))
        }
        fill(titles)
        for title in titles.prefix(10) {
            let scalars = Array(title.unicodeScalars)
            for count in scalars.indices {
                let before = String(String.UnicodeScalarView(scalars[..<count]))
                let isOffered = letters("\"\(before)\"").unicodeScalars.contains(scalars[count])
                #expect(isOffered, "\(title) \(count)")
            }
        }
    }
}

extension String {
    fileprivate var sortedByCode: String {
        String(String.UnicodeScalarView(unicodeScalars.sorted { $0.value < $1.value }))
    }
}
