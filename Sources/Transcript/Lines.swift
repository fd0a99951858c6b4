// SPDX-License-Identifier: Apache-2.0
/// The lines of a text as ranges of bytes without the line break: LF, CR, CRLF, and the CRCRLF of faulty conversions.
struct Lines: Sequence, IteratorProtocol {
    let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int

    init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
        self.bytes = bytes
        position = range?.lowerBound ?? 0
        end = range?.upperBound ?? bytes.count
    }

    mutating func next() -> Range<Int>? {
        guard position < end else { return nil }
        let start = position
        var index = start
        while index < end, bytes[index] != 10, bytes[index] != 13 { index += 1 }
        position = index + 1
        if index < end, bytes[index] == 13 {
            if position < end, bytes[position] == 10 {
                position += 1
            } else if position + 1 < end, bytes[position] == 13, bytes[position + 1] == 10 {
                position += 2
            }
        }
        return start..<index
    }
}
