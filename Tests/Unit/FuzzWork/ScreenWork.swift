@testable import Console
@testable import Scenes

extension FuzzWork {
    /// What the process that draws is answered.
    static func answers(_ bytes: [UInt8]) {
        var reader = AnswerReader()
        // In pieces, as a socket brings it.
        for at in stride(from: 0, to: bytes.count, by: 37) {
            bytes[at..<min(bytes.count, at + 37)].withUnsafeBytes { reader.append($0) }
            reading: while let result = reader.next() {
                switch result {
                case .answer(let answer): _ = ScreenState(fields: answer.fields)
                case .greeting: continue reading
                case .nonsense: return
                }
            }
        }
    }

    static func state(_ bytes: [UInt8]) { _ = ScreenState(lines: String(decoding: bytes, as: UTF8.self)) }
}
