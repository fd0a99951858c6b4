// SPDX-License-Identifier: Apache-2.0
import Core
import Model

/// Some of the letters that may come next, as the library's titles have them.
struct ToldLetters: Equatable {
    /// What they follow; "" for all that there are.
    var after = ""
    /// The most frequent first, from this one on.
    var start = 0
    var letters = ""
    var hasMore: Bool { letters.unicodeScalars.count == ToldLetters.most }

    /// So many stand on a keyboard.
    static let most = 40

    /// What tells them.
    var command: String { "letters " + after.quotedArgument + " \(start):\(start + ToldLetters.most)" }

    mutating func read(lines text: String) {
        letters = ""
        for line in text.utf8.split(separator: 0x0A) {
            if let (name, value) = SpeakerStatus.parts(line), name == "letter" { letters += value }
        }
    }

    /// For an empty answer: the next question; nil for nothing.
    var instead: ToldLetters? {
        start > 0 ? ToldLetters(after: after) : after.isEmpty ? nil : ToldLetters()
    }
}
