// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Library

@Suite struct NaturalOrderTests {
    private func precedes(_ a: String, _ b: String) -> Bool {
        naturalKey(a).lexicographicallyPrecedes(naturalKey(b))
    }

    @Test(arguments: [
        ["Chapter 1", "Chapter 2", "Chapter 10", "Chapter 100"],
        ["a1b2", "a1b10", "a2b1", "a10b1"],
        ["book/1.mp3", "book/2.mp3", "book 2/1.mp3", "book 10/1.mp3"],
        ["a/é/9", "a/é/10", "a/z", "b"],
        ["eclair", "Élan", "elf"],
        ["1", "1a", "2", "10", "a"],
        ["", "0", "1", "a"],
        ["x", "x1", "x1.5", "x2"],
        ["99999999999999999999998", "99999999999999999999999", "100000000000000000000000"],
        ["Глава 2", "Глава 10"],
        ["第2章", "第10章"],
    ])
    func sortsAsAPersonWould(texts: [String]) {
        for (index, text) in texts.enumerated() {
            for later in texts[(index + 1)...] {
                #expect(precedes(text, later), "\(text) before \(later)")
                #expect(!precedes(later, text))
            }
        }
    }

    @Test func capitalsAccentsAndLeadingZerosAreEqual() {
        #expect(naturalKey("CHAPTER 007") == naturalKey("chapter 7"))
        #expect(naturalKey("ÀÉÎÕÜ ñ Ç") == naturalKey("aeiou n c"))
        #expect(naturalKey("e\u{301}lan") == naturalKey("élan"))
        #expect(naturalKey("Straße") == naturalKey("strase"))
        #expect(naturalKey("Łódź Žižkov Ÿ Œ ſ") == naturalKey("lodz zizkov y o s"))
    }

    @Test func numbersSortByValue() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<2000 {
            let a = UInt64.random(in: 0...(1 << UInt64.random(in: 0...63, using: &random)), using: &random)
            let b = UInt64.random(in: 0...(1 << UInt64.random(in: 0...63, using: &random)), using: &random)
            let zeros = String(repeating: "0", count: Int.random(in: 0...3, using: &random))
            #expect(precedes("Part \(zeros)\(a) x", "Part \(b) x") == (a < b))
        }
    }

    /// The listing of a folder is a range of keys.
    @Test func aFoldersKeyBeginsTheKeysOfAllInIt() {
        var random = SeededGenerator(seed: 10)
        let alphabet = Array("aB09é/ .-第\u{301}\u{0}\u{7F}")
        func text() -> String {
            String((0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
        }
        for _ in 0..<3000 {
            let folder = text() + "/"
            #expect(naturalKey(folder + text()).starts(with: naturalKey(folder)))
        }
    }

    @Test func anEndlessNumberIsNoTrouble() {
        for count in [254, 255, 256, 257, 510, 511, 5000] {
            let nines = String(repeating: "9", count: count)
            #expect(naturalKey(nines).count >= count)
            #expect(naturalKey(String(repeating: "0", count: count)) == naturalKey("0"))
        }
    }
}
