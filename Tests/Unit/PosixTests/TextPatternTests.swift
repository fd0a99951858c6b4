// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Posix

@Suite struct TextPatternTests {
    @Test(
        arguments: [
            ("^Ada", "Ada Reader", true), ("^Reader", "Ada Reader", false), ("r$", "Ada Reader", true), ("", "", true),
            ("a.a", "Ada", false), ("\\d\\d", "Chapter 12", true), ("\\D", "12", false), ("[\\d]", "d", true),
            ("[]x]\\d", "]7", true), ("[^]]", "]", false), ("a{2}", "aa", true), ("a{2}", "a", false),
            ("(a|b)+c", "abac", true),
            ("é", "Émile né", true), ("^.mile", "Émile", true), ("\\.", "a.b", true), ("\\", "", nil), ("[", "", nil),
            ("(a)\\1", "aa", nil), ("((a{16}){16}){2}", "", nil), ("a{257}", "", nil), ("*", "", nil),
        ] as [(String, String, Bool?)])
    func finds(pattern: String, text: String, expected: Bool?) {
        #expect((try? TextPattern(pattern, foldsCase: false))?.isFound(in: text) == expected, "\(pattern) in \(text)")
    }

    @Test func foldsCase() throws {
        #expect(try TextPattern("ÉMILE", foldsCase: true).isFound(in: "émile"))
        #expect(try !TextPattern("ÉMILE", foldsCase: false).isFound(in: "émile"))
    }

    /// Any pattern at all is compiled and looked for at once, or refused.
    @Test func anyPatternIsBounded() {
        var random = SeededGenerator(seed: 8)
        let parts = [
            "(", ")", "[", "]", "{9}", "{1,", "}", "a", ".", "*", "+", "?", "|", "\\", "^", "$", "{99,}", "[:alpha:]",
        ]
        for _ in 0..<2000 {
            var pattern = ""
            for _ in 0..<Int.random(in: 1...40, using: &random) { pattern += parts.randomElement(using: &random)! }
            expectCost(CostBound(nanosecondsPerByte: 1_000_000, bytesPerByte: 65_536), inputBytes: pattern.utf8.count) {
                _ = (try? TextPattern(pattern, foldsCase: false))?.isFound(in: String(repeating: "aab", count: 50))
            }
        }
    }
}
