// SPDX-License-Identifier: Apache-2.0
import Core
import TestSupport
import Testing

@testable import Console
@testable import Wire

@Suite struct RequestTests {
    private func parse(_ line: String) -> Request { Request(line: Array(line.utf8)[...]) }

    @Test func wordsAndQuotes() {
        let request = parse("add  bare\t\"two words\" \"q\\\"b\\\\s\" \"\" it's\r")
        #expect(request.name == "add")
        #expect(request.arguments == ["bare", "two words", "q\"b\\s", "", "it's"])
        #expect(request.failure == nil)
    }

    @Test(arguments: [
        ("", 5, "No command given"), ("   ", 5, "No command given"), ("1play", 5, "Letter expected"),
        ("\"play\"", 5, "Letter expected"), ("pl-ay", 5, "Invalid word character"),
        ("play\"x", 5, "Invalid word character"),
        ("play \"x", 2, "Missing closing '\"'"), ("play \"x\\", 2, "Missing closing '\"'"),
        ("play \"x\"y", 2, "Space expected after closing '\"'"),
        ("play x\"y\"", 2, "Space expected before opening '\"'"),
        ("play a\u{1}b", 5, "Control character in the command"), ("play\0", 5, "Control character in the command"),
        ("add \u{1B}[2J", 5, "Control character in the command"),
        ("add \"a\0b\"", 5, "Control character in the command"),
    ])
    func refused(line: String, code: Int, message: String) {
        let request = parse(line)
        #expect(request.failure?.code.rawValue == code)
        #expect(request.failure?.message == message)
    }

    /// A file's name may be made of any bytes but the newline and 0, and is named back by them.
    @Test(arguments: [
        [0x61, 0x09, 0x62], [0x61, 0x1B, 0x5B, 0x32, 0x4A], [0x7F], [0x6C, 0xE9], [0xED, 0xA0, 0x80], [0xC0, 0x80],
        [0xEF, 0x9E, 0x80], [0x0A, 0x61], [0xE2, 0x80, 0xA8, 0x22, 0x5C],
    ])
    func namesComeBackAsTheyWentOut(name: [UInt8]) throws {
        var response = ResponseBuffer()
        response.field("file", path: String(pathBytes: name))
        let told = response.bytes.dropFirst("file: ".utf8.count).dropLast()
        #expect(!told.contains(.newline))
        var line = Array("add \"".utf8)
        for byte in told {
            if byte == .quote || byte == .backslash { line.append(.backslash) }
            line.append(byte)
        }
        let request = Request(line: (line + [.quote])[...])
        #expect(request.failure == nil)
        #expect(request.arguments.first?.pathBytes == name)
    }

    @Test func anyNameIsValidTextOnTheWireAndComesBack() {
        var random = SeededGenerator(seed: 3)
        let pieces: [[UInt8]] = [
            [0xE9], [0xEF], [0x9C], [0x9E], [0x9F], [0x8A], [0xA9], Array("é".utf8), Array("\u{F7E9}".utf8),
            Array("\u{F70A}".utf8),
            Array("\u{F705}".utf8), Array("\u{F77F}".utf8), Array("a/b %C3 ".utf8), [0x0A], [0x5C], [0x22], [0x1B],
        ]
        var all: [[UInt8]: [UInt8]] = [:]
        for _ in 0..<20_000 {
            var name: [UInt8] = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                name +=
                    Bool.random(using: &random)
                    ? pieces.randomElement(using: &random)! : [.random(in: 1...255, using: &random)]
            }
            var response = ResponseBuffer()
            response.field("file", path: String(pathBytes: name))
            let told = Array(response.bytes.dropFirst("file: ".utf8.count).dropLast())
            let text = String(validating: told, as: UTF8.self)
            #expect(text != nil && !told.contains(.newline))
            #expect(all.updateValue(name, forKey: told) ?? name == name)
            let line = "add " + (text ?? "").quotedArgument
            #expect(Request(line: Array(line.utf8)[...]).arguments.first?.pathBytes == name)
            // Plain ones stay as they are.
            if let plain = String(validating: name, as: UTF8.self), !name.contains(0x0A),
                !plain.unicodeScalars.contains(where: { (0xF700...0xF7FF).contains($0.value) })
            {
                #expect(told == name)
            }
        }
    }

    /// To a person at a terminal names are text without control characters, which comes back as well.
    @Test func namesOnATerminalComeBack() throws {
        let names: [[UInt8]] = [[0x61, 0x09, 0x62], [0x61, 0x1B, 0x5B, 0x32, 0x4A], [0x7F], [0x6C, 0xE9], [0x0A]]
        for name in names {
            var response = ResponseBuffer()
            response.isForTerminal = true
            response.field("file", path: String(pathBytes: name))
            let told = response.bytes.dropFirst("file: ".utf8.count).dropLast()
            #expect(!told.contains { $0.isControl })
            #expect(String(validating: told, as: UTF8.self) != nil)
            let request = Request(line: (Array("add ".utf8) + told)[...])
            #expect(request.arguments.first?.pathBytes == name)
        }
    }

    @Test func tooManyArguments() {
        #expect(parse("find" + String(repeating: " a", count: 64)).failure == nil)
        #expect(
            parse("find" + String(repeating: " a", count: 65)).failure == ConsoleError(.argument, "Too many arguments"))
    }

    /// Quoting preserves any text of an argument.
    @Test func quotingRoundTrip() {
        var random = SeededGenerator(seed: 1)
        let scalars = Array(" \t\"\\'aZ09_:;()é中😀\u{301}\u{2028}".unicodeScalars)
        for _ in 0..<3000 {
            var arguments: [String] = []
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                var text = String.UnicodeScalarView()
                for _ in 0..<Int.random(in: 0...12, using: &random) {
                    text.append(scalars.randomElement(using: &random)!)
                }
                arguments.append(String(text))
            }
            let request = parse("find " + arguments.map { $0.quotedArgument }.joined(separator: " "))
            #expect(request.failure == nil)
            #expect(request.arguments.map { Array($0.utf8) } == arguments.map { Array($0.utf8) })
        }
    }

    @Test func anyBytesAreTakenApartOrRefused() {
        var random = SeededGenerator(seed: 2)
        let samples = [
            "play 1", "find \"(Artist == \\\"a\\\")\" sort Title window 0:3", "seekcur -10.5", "idle player",
        ]
        for round in 0..<20_000 {
            var bytes = Array(samples[round % samples.count].utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: 0..<max(1, bytes.count), using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0 where !bytes.isEmpty: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1 where !bytes.isEmpty: bytes.remove(at: index)
                default:
                    bytes.insert(
                        [0x22, 0x5C, 0x20, 0, 0xFF, 0x28].randomElement(using: &random)!, at: min(index, bytes.count))
                }
            }
            let request = expectCost(CostBound(bytesPerByte: 16), inputBytes: bytes.count) {
                Request(line: bytes[...])
            }
            if request.failure == nil {
                #expect(!request.name.isEmpty)
                #expect(request.name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == .underscore })
            }
        }
    }
}

/// The longest line that a client may send, and more: twice as much takes twice as long and no longer.
@Suite struct LongRequestTests {
    @Test(arguments: [
        "a", " ", "\"", "\\", "\\\"", "a ", "\"a\" ", "a\"", "\u{E9}", "\u{1}", "\t x", "\"\\\\\" ", "a\r",
    ])
    func linesOfOneKind(piece: String) {
        for start in ["add ", "add \"", ""] {
            expectLinear(smallBytes: 10_000, "\(start)\(piece)…") { bytes in
                Array(start.utf8) + Array(repeating: Array(piece.utf8), count: bytes / piece.utf8.count).joined()
            } work: { line in
                let request = Request(line: line[...])
                #expect(request.arguments.count <= Request.maximumArguments)
            }
        }
    }

    private func read(_ text: String, _ kind: Int) throws(ConsoleError) {
        switch kind {
        case 0: _ = try Argument.integer(text)
        case 1: _ = try Argument.range(text)
        case 2: _ = try Argument.milliseconds(text)
        default: _ = try Argument.boolean(text)
        }
    }

    @Test(arguments: ["9", "+", "0", "9:", ".", "1.", "\u{E9}", ":", "-1"])
    func numbersOfOneKind(piece: String) {
        expectLinear(smallBytes: 10_000, "\(piece)…") { bytes in
            String(repeating: piece, count: bytes / piece.utf8.count)
        } work: { text in
            for kind in 0..<4 {
                do throws(ConsoleError) { try read(text, kind) } catch { #expect(error.message.utf8.count < 400) }
            }
        }
    }
}

@Suite struct ArgumentTests {
    @Test func integers() throws {
        #expect(try Argument.integer("42") == 42)
        #expect(try Argument.integer("+5") == 5)
        #expect(try Argument.integer("-5") == -5)
        #expect(try Argument.integer("2147483647") == 2_147_483_647)
        for text in ["", "-", "+", "1x", " 1", "0x1", "1.5", "２"] {
            #expect(throws: ConsoleError(.argument, "Integer expected: \(text)")) { try Argument.integer(text) }
        }
        for text in ["2147483648", "9223372036854775808", String(repeating: "9", count: 50)] {
            #expect(throws: ConsoleError(.argument, "Number too large: \(text)")) { try Argument.integer(text) }
        }
    }

    @Test func longArgumentsAreCutInMessages() {
        let text = String(repeating: "é", count: 5000)
        #expect(throws: ConsoleError(.argument, "Integer expected: " + String(repeating: "é", count: 60) + "…")) {
            try Argument.integer(text)
        }
    }

    @Test func ranges() throws {
        #expect(try Argument.range("3") == 3..<4)
        #expect(try Argument.range("3:7") == 3..<7)
        #expect(try Argument.range("3:3") == 3..<3)
        #expect(try Argument.range("3:") == 3..<Argument.maximum)
        #expect(try Argument.range("0:99999999999999999999999") == 0..<Argument.maximum)
        for text in ["", ":", ":3", "a", "3:b", "3:2", "-1:3", "1:-3", "1:2:3", "99999999999"] {
            #expect(throws: ConsoleError.self) { try Argument.range(text) }
        }
    }

    @Test func timesRoundTrip() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<5000 {
            let milliseconds = Int.random(in: 0...2_000_000_000, using: &random)
            let text = Seconds.text(milliseconds)
            #expect(try Argument.milliseconds(text) == milliseconds)
            #expect(try Argument.milliseconds("-" + text) == -milliseconds)
            #expect(try Argument.milliseconds("+" + text) == milliseconds)
        }
        #expect(try Argument.milliseconds("10") == 10_000)
        #expect(try Argument.milliseconds(".5") == 500)
        #expect(try Argument.milliseconds("5.") == 5000)
        #expect(try Argument.milliseconds("1.23456789012345678901234567890") == 1234)
        for text in [
            "", ".", "+", "-.", "1:60", ":30", "1:", "1:2:3:4", "1.5:00", "1:005", "1:.5", "1.2.3", "1e5", "nan", "inf",
            "--1", "1 ", "９",
        ] {
            #expect(throws: ConsoleError(.argument, "Float expected: \(text)")) { try Argument.milliseconds(text) }
        }
        for (text, seconds) in [("1:30", 90), ("+1:30", 90), ("-1:02:03", -3723), ("0:5", 5), ("90:00", 5400)] {
            #expect(try Argument.milliseconds(text) == seconds * 1000)
        }
        #expect(try Argument.milliseconds("1:02:03.25") == 3_723_250)
        #expect(throws: ConsoleError.self) { try Argument.milliseconds("600:00:00") }
        #expect(throws: ConsoleError(.argument, "Float expected: 1:30")) { try Argument.thousandths("1:30") }
        #expect(throws: ConsoleError.self) { try Argument.milliseconds(String(repeating: "9", count: 400)) }
    }
}
