// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Posix

@Suite struct LogTests {
    @Test(arguments: [
        ("an ordinary line: ä 字 🎧", "an ordinary line: ä 字 🎧"),
        ("a\u{1B}]0;pwned\u{07}\n<0>nightstand: forged", "a\\x1B]0;pwned\\x07\\x0A<0>nightstand: forged"),
        ("\u{7F}\u{85}\u{2028}\u{202E}\u{2066}\u{200F}\0", "\\x7F\\u{85}\\u{2028}\\u{202E}\\u{2066}\\u{200F}\\x00"),
        ("latin\u{F7E9}.mp3", "latin\\xE9.mp3"), ("back\\slash", "back\\slash"),
    ])
    func whatIsWrittenIsEscaped(message: String, line: String) {
        #expect(Log.escaped(message) == line)
    }
}
