// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Wire

/// Counts the letters in titles and names that belong to no alphabet, such as Chinese ones: a keyboard cannot show all of them, only those
/// that lead to a match.
private struct LetterCounts {
    /// The text behind which names count.
    let before: [UInt32]
    private var counts: [UInt32: Int] = [:]

    init(after before: String) { self.before = before.unicodeScalars.map { $0.value } }

    /// The letters, the most frequent first.
    var sorted: [UInt32] {
        var sorted = counts.map { ($0.key, $0.value) }
        sorted.sort { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 > $1.1 }
        return sorted.map { $0.0 }
    }

    /// Counts each letter once for each text, even if that has it several times.
    mutating func count(_ text: String) {
        if !text.utf8.contains(where: { $0 >= 0xE0 }) { return }
        let letters = text.unicodeScalars.map { $0.value }
        var seen: Set<UInt32> = []
        for place in letters.indices.dropFirst(before.count) {
            let letter = letters[place]
            if !LetterCounts.isOfNoAlphabet(letter) { continue }
            if !before.isEmpty && !letters[(place - before.count)..<place].elementsEqual(before) { continue }
            if seen.insert(letter).inserted { counts[letter, default: 0] += 1 }
        }
    }

    /// Returns whether a letter is beyond the scripts that a keyboard shows; neither a mark, a sign, a picture nor an accented letter.
    private static func isOfNoAlphabet(_ letter: UInt32) -> Bool {
        switch letter {
        case 0x1E00...0x2E7F, 0x3000...0x3004, 0x3007...0x3020, 0x302A...0x3030, 0x303D...0x303F, 0x3099...0x309C,
            0x30FB, 0xD800...0xF8FF, 0xFB00...0xFF65, 0xFFE0...0xFFFF, 0x1_F000...0x1_FFFF, 0xE_0000...:
            false
        default: letter >= 0x0980
        }
    }
}

extension Portions {
    /// Lists the first letters of titles and names, after counting all.
    /// - Parameter before: the text behind which names count.
    static func letters(_ host: ConsoleHost, after before: String, window: Range<Int>) -> Portions {
        var listings: [Pages<[String]>] = [Tag.title, .album, .artist].map {
            host.values(of: [$0], matching: .and([]))
        }
        var counts = LetterCounts(after: before)
        return Portions { budget, response in
            if let listing = listings.last {
                let values = listing(max(1, budget.left))
                budget.take(WorkBudget.pageCost)
                if values == nil { listings.removeLast() }
                for value in values ?? [] { counts.count(value[0]) }
                return false
            }
            let sorted = counts.sorted
            for letter in sorted[window.clamped(to: 0..<sorted.count)] {
                guard let scalar = Unicode.Scalar(letter) else { continue }
                var text = String.UnicodeScalarView()
                text.append(scalar)
                response.field("letter", String(text))
            }
            return true
        }
    }
}
