// SPDX-License-Identifier: Apache-2.0
/// The decoded base64 content of a comment. Other characters are skipped.
final class Base64Bytes: CommentBytes {
    private static let pieceBytes = 16 * 1024

    private let source: any CommentBytes
    /// The number of the comment's characters that are not read yet.
    private var left: Int
    private var letters: [UInt8]
    private var at = 0
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var isOver = false

    /// - Parameters:
    ///   - first: the first characters, which were read already.
    ///   - count: the number of characters that follow in `source`.
    init(_ first: [UInt8], _ source: any CommentBytes, _ count: Int) {
        letters = first
        self.source = source
        left = count
    }

    func take(_ count: Int) throws(MediaError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(count, EmbeddedPicture.mostBytes))
        while bytes.count < count, let byte = try next() { bytes.append(byte) }
        return bytes
    }

    func skip(_ count: Int) throws(MediaError) {
        for _ in 0..<max(0, count) { if try next() == nil { return } }
    }

    /// Skips the rest.
    func finish() throws(MediaError) {
        try source.skip(left)
        left = 0
    }

    private func next() throws(MediaError) -> UInt8? {
        while bitCount < 8 {
            if isOver { return nil }
            if at == letters.count {
                if left == 0 { return nil }
                letters = try source.take(min(left, Base64Bytes.pieceBytes))
                at = 0
                left -= letters.count
                if letters.isEmpty {
                    // The comment is shorter than stated.
                    left = 0
                    return nil
                }
            }
            let letter = letters[at]
            at += 1
            switch letter {
            case 0x41...0x5A: add(letter - 0x41)
            case 0x61...0x7A: add(letter - 0x61 + 26)
            case 0x30...0x39: add(letter - 0x30 + 52)
            case UInt8(ascii: "+"), UInt8(ascii: "-"): add(62)
            case UInt8(ascii: "/"), UInt8(ascii: "_"): add(63)
            case UInt8(ascii: "="): isOver = true
            default: break
            }
        }
        bitCount -= 8
        return UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
    }

    private func add(_ six: UInt8) {
        bits = bits << 6 | UInt32(six)
        bitCount += 6
    }
}
