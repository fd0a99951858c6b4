// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Console
@testable import Wire

@Suite struct LineEditorTests {
    /// Types `keys` and gives what came of it.
    private func type(_ keys: String) -> (lines: [String], interrupts: Int, echo: String) {
        var editor = LineEditor()
        var echo = ResponseBuffer()
        var lines: [String] = []
        var interrupts = 0
        for byte in keys.utf8 {
            switch editor.receive(byte, echo: &echo) {
            case .line(let bytes): lines.append(String(decoding: bytes, as: UTF8.self))
            case .interrupt: interrupts += 1
            case .end, .listed, nil: break
            }
        }
        return (lines, interrupts, String(decoding: echo.bytes, as: UTF8.self))
    }

    @Test(arguments: [
        ("play\r", ["play"]), ("play\n", ["play"]), ("play\r\nstop\r\n", ["play", "stop"]), ("\r\r", ["", ""]),
        ("plax\u{7F}y\r", ["play"]), ("plax\u{8}y\r", ["play"]), ("\u{7F}\u{7F}a\r", ["a"]),
        ("é中\u{7F}\u{7F}x\r", ["x"]),
        ("rubbish\u{15}play\r", ["play"]), ("add old  \u{17}new\r", ["add new"]), ("play\u{3}stop\r", ["stop"]),
        ("say a\tb\r", ["say a b"]), ("ply\u{1B}[Da\r", ["play"]), ("pl\u{1B}OCay\r", ["play"]),
        ("ly\u{1B}[Hp\u{1B}[1;5Ca\r", ["play"]), ("la\u{1}p\u{5}y\r", ["play"]), ("la\u{1B}[1~p\u{1B}[4~y\r", ["play"]),
        ("setv\t50\r", ["setvol 50"]), ("pla\ty\r", ["play"]), ("xyz\t\r", ["xyz"]), ("\u{1}\tstop\r", ["stop"]),
        ("pl\u{1B}[3~ay\r", ["play"]), ("pl\u{1B}\ray\r", ["pl", "ay"]), ("pl\u{1B}[\ray\r", ["pl", "ay"]),
        ("first\rsecond\u{1B}[A\r", ["first", "first"]), ("\u{1B}[Ax\r", ["x"]), ("a\u{0}\u{4}b\r", ["ab"]),
    ])
    func lines(keys: String, expected: [String]) {
        #expect(type(keys).lines == expected)
    }

    @Test func whatTheTerminalShows() {
        #expect(type("plax\u{7F}y\r").echo == "plax\u{8} \u{8}y\n")
        #expect(type("ab\u{15}").echo == "ab\u{8}\u{8}  \u{8}\u{8}")
        #expect(type("ab\u{3}").echo == "ab^C\n")
        #expect(type("ab\u{3}").interrupts == 1)
        // A control sequence typed, pasted or sent by noise is never echoed.
        #expect(!type("a\u{1B}[2Jb\u{1B}]0;x\u{7}").echo.utf8.contains(0x1B))
    }

    @Test func tabShowsWhatBeginsSo() {
        var editor = LineEditor()
        var echo = ResponseBuffer()
        for byte in "setx".utf8 { _ = editor.receive(byte, echo: &echo) }
        _ = editor.receive(0x7F, echo: &echo)
        for byte in "\u{1}play\u{5}".utf8 { _ = editor.receive(byte, echo: &echo) }
        #expect(editor.receive(.tab, echo: &echo) == nil)
        _ = editor.receive(0x15, echo: &echo)
        for byte in "playlistx".utf8 { _ = editor.receive(byte, echo: &echo) }
        for byte in "\u{1B}[D".utf8 { _ = editor.receive(byte, echo: &echo) }
        echo.removeAll()
        #expect(editor.receive(.tab, echo: &echo) == .listed)
        var words = ProtocolCommand.names { $0.name.hasPrefix("playlist") }
        #expect(words.count > 5)
        let shown = String(decoding: echo.bytes, as: UTF8.self)
        #expect(shown.hasPrefix("\n") && shown.hasSuffix("\n"))
        words.removeAll { shown.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init).contains($0) }
        #expect(words.isEmpty)
        echo.removeAll()
        editor.redraw(&echo)
        #expect(String(decoding: echo.bytes, as: UTF8.self) == "playlistx\u{8}")
    }

    @Test func controlDEndsWhereNothingIsTyped() {
        var editor = LineEditor()
        var echo = ResponseBuffer()
        #expect(editor.receive(0x04, echo: &echo) == .end)
        _ = editor.receive(0x61, echo: &echo)
        #expect(editor.receive(0x04, echo: &echo) == nil)
    }

    /// The meaning of a person's keys, and the terminal's picture of it.
    private struct Model {
        var line: [Character] = []
        var cursor = 0
        var earlier: [[Character]] = []
        var place = 0
        var newLine: [Character] = []
        var screen: [Character] = []
        var column = 0

        mutating func type(_ key: String) -> [Character]? {
            switch key {
            case "\r":
                let finished = line
                if !line.isEmpty && line != earlier.last {
                    earlier = (earlier + [line]).suffix(LineEditor.mostEarlierLines)
                }
                (line, cursor, place) = ([], 0, earlier.count)
                return finished
            case "\u{3}": (line, cursor, place) = ([], 0, earlier.count)
            case "\u{1B}[A": call(place - 1)
            case "\u{1B}[B": call(place + 1)
            case "\u{1B}[D": cursor = max(0, cursor - 1)
            case "\u{1B}[C": cursor = min(line.count, cursor + 1)
            case "\u{1}", "\u{1B}[H": cursor = 0
            case "\u{5}", "\u{1B}OF": cursor = line.count
            case "\u{7F}": if cursor > 0 { line.remove(at: eraseBack()) }
            case "\u{15}": (line, cursor) = ([], 0)
            case "\u{17}":
                while cursor > 0 && line[cursor - 1] == " " { line.remove(at: eraseBack()) }
                while cursor > 0 && line[cursor - 1] != " " { line.remove(at: eraseBack()) }
            default:
                line.insert(Character(key), at: cursor)
                cursor += 1
            }
            return nil
        }

        private mutating func eraseBack() -> Int {
            cursor -= 1
            return cursor
        }

        private mutating func call(_ wanted: Int) {
            guard (0...earlier.count).contains(wanted) else { return }
            if place == earlier.count { newLine = line }
            place = wanted
            line = wanted == earlier.count ? newLine : earlier[wanted]
            cursor = line.count
        }

        mutating func show(_ echo: String) {
            for character in echo {
                switch character {
                case "\n": (screen, column) = ([], 0)
                case "\u{8}": column -= 1
                default:
                    if column == screen.count { screen.append(character) } else { screen[column] = character }
                    column += 1
                }
            }
        }

        /// Blanks at the end are invisible.
        var isShown: Bool {
            func trimmed(_ text: [Character]) -> ArraySlice<Character> {
                text[..<(text.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0)]
            }
            return trimmed(screen) == trimmed(line) && column == cursor
        }
    }

    @Test func anyKeysDoWhatAModelDoes() {
        var random = SeededGenerator(seed: 23)
        let keys =
            ["a", "b", "é", "中", " ", " ", "x", "0"]
            + [
                "\u{1B}[A", "\u{1B}[B", "\u{1B}[D", "\u{1B}[D", "\u{1B}[C", "\u{1}", "\u{1B}[H", "\u{5}", "\u{1B}OF",
                "\u{7F}", "\u{17}",
            ]
        let rare = ["\r", "\u{3}", "\u{15}", "\u{1B}[A"]
        var model = Model()
        var editor = LineEditor()
        for step in 0..<50_000 {
            let key = (Int.random(in: 0..<8, using: &random) == 0 ? rare : keys).randomElement(using: &random)!
            var echo = ResponseBuffer()
            var finished: [UInt8]?
            for byte in key.utf8 {
                if case .line(let line) = editor.receive(byte, echo: &echo) { finished = line }
            }
            let expected = model.type(key)
            model.show(String(decoding: echo.bytes, as: UTF8.self))
            #expect(finished.map { String(decoding: $0, as: UTF8.self) } == expected.map { String($0) })
            let isRight =
                String(decoding: editor.line, as: UTF8.self) == String(model.line) && model.isShown
                && String(decoding: editor.line[..<editor.cursor], as: UTF8.self) == String(model.line[..<model.cursor])
            #expect(isRight, "\(step): \(key.debugDescription), \(model)")
            if !isRight { return }
        }
    }

    @Test func aLineHasAnEnd() {
        let (lines, _, echo) = type(String(repeating: "x", count: 5000) + "\r")
        #expect(lines == [String(repeating: "x", count: LineEditor.maximumLineBytes)])
        #expect(echo.utf8.filter { $0 == 7 }.count == 4000)
    }

    @Test func anyKeysAreSurvived() {
        var random = SeededGenerator(seed: 7)
        var editor = LineEditor()
        for _ in 0..<200_000 {
            var echo = ResponseBuffer()
            let keys: [UInt8] = [
                0x0D, 0x0A, 0x1B, 0x5B, 0x41, 0x42, 0x43, 0x44, 0x7F, 0x15, 0x17, 0x03, 0xC3, 0xA9, 0x09, 0x01, 0x05,
                0x70,
            ]
            let key =
                Bool.random(using: &random)
                ? keys.randomElement(using: &random)! : UInt8.random(in: 0...255, using: &random)
            _ = editor.receive(key, echo: &echo)
            #expect(editor.line.count <= LineEditor.maximumLineBytes)
            #expect(!echo.bytes.contains(0x1B))
        }
    }
}
