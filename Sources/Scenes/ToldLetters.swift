// SPDX-License-Identifier: Apache-2.0
import Core
import Model

/// A part of the letters that may come next, according to the library's titles.
struct ToldLetters: Equatable {
    /// The text before them; "" for all first letters.
    var after = ""
    /// The index of the first letter, by frequency.
    var start = 0
    var letters = ""
    var hasMore: Bool { letters.unicodeScalars.count == ToldLetters.most }

    /// The most letters on a keyboard.
    static let most = 40

    /// The command that requests them.
    var command: String { "letters " + after.quotedArgument + " \(start):\(start + ToldLetters.most)" }

    mutating func read(lines text: String) {
        letters = ""
        for line in text.utf8.split(separator: 0x0A) {
            if let (name, value) = SpeakerStatus.parts(line), name == "letter" { letters += value }
        }
    }

    /// The next request after an empty answer; nil for none.
    var instead: ToldLetters? {
        start > 0 ? ToldLetters(after: after) : after.isEmpty ? nil : ToldLetters()
    }
}
