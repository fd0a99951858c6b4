import TestSupport
import Testing

@testable import Console

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
            case nil: break
            }
        }
        return (lines, interrupts, String(decoding: echo.bytes, as: UTF8.self))
    }

    @Test(arguments: [
        ("play\r", ["play"]), ("play\n", ["play"]), ("play\r\nstop\r\n", ["play", "stop"]), ("\r\r", ["", ""]),
        ("plax\u{7F}y\r", ["play"]), ("plax\u{8}y\r", ["play"]), ("\u{7F}\u{7F}a\r", ["a"]),
        ("é中\u{7F}\u{7F}x\r", ["x"]),
        ("rubbish\u{15}play\r", ["play"]), ("add old  \u{17}new\r", ["add new"]), ("play\u{3}stop\r", ["stop"]),
        ("a\tb\r", ["a b"]), ("pl\u{1B}[Day\r", ["play"]), ("pl\u{1B}OCay\r", ["play"]),
        ("pl\u{1B}[1;5Cay\r", ["play"]),
        ("pl\u{1B}[3~ay\r", ["play"]), ("pl\u{1B}\ray\r", ["pl", "ay"]), ("pl\u{1B}[\ray\r", ["pl", "ay"]),
        ("first\rsecond\u{1B}[A\r", ["first", "first"]), ("\u{1B}[Ax\r", ["x"]), ("a\u{0}\u{4}b\r", ["ab"]),
    ])
    func lines(keys: String, expected: [String]) {
        #expect(type(keys).lines == expected)
    }

    @Test func whatTheTerminalShows() {
        #expect(type("plax\u{7F}y\r").echo == "plax\u{8} \u{8}y\n")
        #expect(type("ab\u{15}").echo == "ab\u{8} \u{8}\u{8} \u{8}")
        #expect(type("ab\u{3}").echo == "ab^C\n")
        #expect(type("ab\u{3}").interrupts == 1)
        // A control sequence typed, pasted or sent by noise is never echoed.
        #expect(!type("a\u{1B}[2Jb\u{1B}]0;x\u{7}").echo.utf8.contains(0x1B))
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
            let keys: [UInt8] = [0x0D, 0x0A, 0x1B, 0x5B, 0x41, 0x7F, 0x15, 0x17, 0x03, 0xC3, 0xA9]
            let key =
                Bool.random(using: &random)
                ? keys.randomElement(using: &random)! : UInt8.random(in: 0...255, using: &random)
            _ = editor.receive(key, echo: &echo)
            #expect(editor.line.count <= LineEditor.maximumLineBytes)
            #expect(!echo.bytes.contains(0x1B))
        }
    }
}
