// SPDX-License-Identifier: Apache-2.0
import Posix
import Testing
import Text

@testable import Household

/// The answers of a server or a speaker, in any state.
@Suite struct JSONAnswersTests {
    private static let record =
        #"{"kind":"favourite","key":"00000000deadbeef-5000","value":{"added":5},"time":"0000000000000005","device":"00000000000000aa","name":"a } \" {"}"#

    private func page(_ text: String) -> RowPage? { try? RowPage(Array(text.utf8)) }

    @Test func rowsAreTakenAsTheyStand() throws {
        let row = "{\"revision\":7, \"value\" : null,\"key\":\"k}\",\"device\":\"d\",\n\t\"x\":[{\"revision\":9}]}"
        let text = " [\(row) ,\n\(Self.record)]"
        let page = try #require(self.page(text))
        #expect(page.rows.count == 2 && page.skipped == 0)
        #expect(page.rows[0].text == row.replacing("\n\t", with: "  "))
        #expect(page.rows[0].revision == 7 && page.rows[0].device == "d")
        #expect(page.rows[1].text == Self.record)
        #expect(page.rows[1].revision == nil && page.rows[1].device == "00000000000000aa")
        #expect(page.lastRevision == 7)
    }

    @Test func theSameRecordIsKnownHoweverItIsWritten() throws {
        let other = Self.record.replacing(":", with: " : ").dropLast() + #", "revision": 12}"#
        let one = try #require(page("[\(Self.record)]")?.rows.first)
        let same = try #require(page("[\(other)]")?.rows.first)
        #expect(one.identity == same.identity)
        for (old, new) in [
            ("favourite", "bookmark"), ("beef-5000", "beef-500"), ("0005\"", "0006\""), ("aa\"", "ab\""),
        ] {
            #expect(page("[\(Self.record.replacing(old, with: new))]")?.rows.first?.identity != one.identity, "\(old)")
        }
    }

    @Test(arguments: [
        "", " ", "{}", "[", "[{}", "[{}}", "[[]]", "[1]", "[null,\"x\"]", "\"x\"", "<html>502 Bad Gateway</html>",
        "[{\"a\":}]",
        #"{"message":"permission denied"}"#, "[{},[{}]]", "[{}] trailing",
    ])
    func whatIsNoListOfRecordsIsRefused(text: String) { #expect(page(text) == nil) }

    @Test func nothingIsTakenOfHalfAnAnswer() {
        let whole = Array(("[" + Self.record + "," + Self.record + "]").utf8)
        for count in 0..<whole.count { #expect((try? RowPage(Array(whole[..<count]))) == nil, "\(count)") }
    }

    @Test func oddRevisionsAreNone() {
        for odd in ["-1", "0", "1e300", "9007199254740993", "null", "\"7\"", "true", "[7]", "{\"revision\":7}"] {
            #expect(page("[{\"revision\":\(odd)}]")?.rows.first?.revision == nil, "\(odd)")
        }
        #expect(page("[{\"revision\":9007199254740991}]")?.lastRevision == 9_007_199_254_740_991)
        #expect(page("[]")?.lastRevision == nil)
    }

    @Test func whatIsTooLongIsLeftOut() throws {
        let long = "{\"revision\":8,\"name\":\"" + String(repeating: "x", count: 9000) + "\"}"
        let page = try #require(self.page("[\(long),\(Self.record),\(long)]"))
        #expect(page.rows.count == 1 && page.skipped == 2 && page.lastRevision == 8)
        #expect(page.rows[0].text == Self.record)
    }

    @Test func nobodyEndsTheProcess() {
        var random = SystemRandomNumberGenerator()
        let whole = Array(("[" + Self.record + "," + Self.record + "]").utf8)
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: at)
                default: bytes.insert(Array("{}[]\",:\\".utf8).randomElement(using: &random)!, at: at)
                }
            }
            if let page = try? RowPage(bytes) {
                for row in page.rows { #expect(!row.text.utf8.contains { $0 < 0x20 }) }
            }
            _ = try? FieldReader.read(bytes)
        }
    }

    @Test func fieldsAreOfTheOutermostObject() throws {
        let text = #"{"user":{"access_token":"inner"},"access_token":"outer","list":["access_token","x"],"n":5}"#
        #expect(try FieldReader.read(Array(text.utf8)).value("access_token") == "outer")
        #expect(try FieldReader.read(Array("\"alone\"".utf8)).value("") == "alone")
        #expect(try FieldReader.read(Array("null".utf8)).value("") == nil)
    }

    @Test func textsAreWrittenAsJSONHasThem() throws {
        for text in ["", "a \"b\" \\c", "\u{1}\u{1F}\n\t", "Märchen 夜 🦉", "\u{7F}"] {
            let read = try FieldReader.read(Array(text.json.utf8)).value("")
            #expect(read == text, "\(text)")
        }
    }
}
