// SPDX-License-Identifier: Apache-2.0
import Text

/// Splits the speaker's bytes into answers. The bytes come in pieces of any size.
package struct AnswerReader {
    package enum Result {
        case greeting
        case answer(SpeakerLink.Answer)
        /// The bytes are not from a speaker, or make no sense any more.
        case nonsense
    }

    /// The limit of a line; longer lines and larger pieces of pictures are nonsense.
    package static let mostLineBytes = 1 << 20
    package static let mostBinaryBytes = 64 << 20

    private var held: [UInt8] = []
    private var start = 0
    private var searched = 0
    private var hasGreeting = false
    private var answer = SpeakerLink.Answer()
    /// The number of missing bytes of the binary part, including its newline.
    private var binaryLeft = 0

    package mutating func append(_ bytes: UnsafeRawBufferPointer) { held.append(contentsOf: bytes) }

    /// Returns the next complete answer; nil until more comes.
    package mutating func next() -> Result? {
        while true {
            if binaryLeft > 0 {
                let count = min(binaryLeft, held.count - start)
                answer.binary.append(contentsOf: held[start..<start + count])
                start += count
                binaryLeft -= count
                if binaryLeft > 0 {
                    compact()
                    return nil
                }
                answer.binary.removeLast()
            }
            searched = max(searched, start)
            guard let end = held[searched...].firstIndex(of: .newline) else {
                searched = held.count
                compact()
                return held.count > AnswerReader.mostLineBytes ? .nonsense : nil
            }
            let line = held[start..<end]
            start = end + 1
            searched = start
            if let result = take(line) { return result }
        }
    }

    private mutating func take(_ line: ArraySlice<UInt8>) -> Result? {
        if !hasGreeting {
            hasGreeting = line.starts(with: "OK MPD ".utf8)
            return hasGreeting ? .greeting : .nonsense
        }
        if line.elementsEqual("OK".utf8) { return finish() }
        if line.starts(with: "ACK [".utf8) {
            let words = line.firstIndex(of: UInt8(ascii: "}")).map { line[min(line.endIndex, $0 + 2)...] } ?? line
            answer.refusal = String(decoding: words, as: UTF8.self)
            let code = line.dropFirst(5).prefix(4).prefix { $0.isDigit }
            answer.refusalCode = Int(String(decoding: code, as: UTF8.self)) ?? 0
            return finish()
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return .nonsense }
        let name = String(decoding: line[..<colon], as: UTF8.self)
        let value = String(decoding: line[(colon + 1)...].drop { $0 == .space }, as: UTF8.self)
        answer.fields.append((name, value))
        if name == "binary" {
            guard let count = Int(value), count >= 0, count <= AnswerReader.mostBinaryBytes else { return .nonsense }
            binaryLeft = count + 1
        }
        return nil
    }

    private mutating func finish() -> Result {
        defer { answer = SpeakerLink.Answer() }
        return .answer(answer)
    }

    private mutating func compact() {
        if start == 0 { return }
        held.removeFirst(start)
        searched -= start
        start = 0
        // Frees the memory of a picture's bytes.
        if held.isEmpty && held.capacity > 1 << 16 { held = [] }
    }
}
