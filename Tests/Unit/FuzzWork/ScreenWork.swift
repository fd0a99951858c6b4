// SPDX-License-Identifier: Apache-2.0
import Model

@testable import Scenes
@testable import Wire

extension FuzzWork {
    /// Reads the answers to the screen's process.
    static func answers(_ bytes: [UInt8]) {
        var reader = AnswerReader()
        // In pieces, as a socket brings it.
        for at in stride(from: 0, to: bytes.count, by: 37) {
            bytes[at..<min(bytes.count, at + 37)].withUnsafeBytes { reader.append($0) }
            reading: while let result = reader.next() {
                switch result {
                case .answer(let answer): _ = SpeakerStatus(fields: answer.fields)
                case .greeting: continue reading
                case .nonsense: return
                }
            }
        }
    }

    static func state(_ bytes: [UInt8]) { _ = SpeakerStatus(lines: String(decoding: bytes, as: UTF8.self)) }

    /// Reads the requests of a console's client, such as the screen's process: each word as each kind of argument.
    static func request(_ bytes: [UInt8], _ broken: Broken) {
        for line in bytes.split(separator: 0x0A) {
            let request = Request(line: line)
            for word in request.arguments {
                if let range = try? Argument.range(word), range.lowerBound < 0 {
                    broken("a range begins at 0 or later")
                }
                if let number = try? Argument.unsigned(word), number < 0 || number > Argument.maximum {
                    broken("a number without a sign is one")
                }
                _ = (try? Argument.integer(word), try? Argument.integer(word, in: -100...100))
                _ = (try? Argument.thousandths(word), try? Argument.milliseconds(word), try? Argument.time(word))
            }
            _ = try? SongFilter(request.arguments[...], isSearch: true, takesPosition: true)
        }
    }
}
