// SPDX-License-Identifier: Apache-2.0
import Testing
import Text

/// The texts without a language are English; black-box tests show the translations.
@Suite struct TranslationTests {
    @Test func anEnglishTextIsItself() {
        #expect(translated("Paused") == "Paused")
        #expect(translated("100 % and %3 %") == "100 % and %3 %")
        #expect(translated("off", as: "timer") == "off")
        #expect(Translation.Words("xx", folder: "/nowhere") == nil && translated("Paused") == "Paused")
    }

    @Test func valuesStandWhereTheirNumbersAre() {
        #expect(translated("%1 of %2", "3", "24") == "3 of 24")
        #expect(translated("%2: %1%", "a", "b") == "b: a%")
        #expect(translated("%%1%1", "%2", "x") == "%%2%2", "a value is not looked into")
        #expect(translated("%1 ß %1", "ä\u{1F319}") == "ä\u{1F319} ß ä\u{1F319}")
        #expect(translated("%1", "") == "" && translated("", "a") == "")
    }

    @Test func oneIsSaidOtherwise() {
        let words = { (count: Int64) in translated("%1 hour", plural: "%1 hours", count) }
        #expect([0, 1, 2, 21].map(words) == ["0 hours", "1 hour", "2 hours", "21 hours"])
        #expect(words(.max) == "9223372036854775807 hours")
    }

    @Test func numbersHaveTheirSigns() {
        #expect(
            [0, 7, 999, 1000, 12_345, 1_234_567].map(grouped) == ["0", "7", "999", "1,000", "12,345", "1,234,567"])
        #expect(grouped(-5) == "0" && grouped(.max).utf8.count == 25)
        #expect(["0.4", "12", "1.25"].map(withDecimalSign) == ["0.4", "12", "1.25"])
    }
}
