// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Holds a parser to a cost in proportion on what it looks into closest: beginnings of headers, close together, and letters of tags.
func expectLinearOnTemptingBytes(sourceLocation: SourceLocation = #_sourceLocation, _ work: ([UInt8]) -> Void) {
    for seed: UInt64 in 1...3 {
        expectLinear(
            smallBytes: 60_000, "seed \(seed)", sourceLocation: sourceLocation,
            make: { count -> [UInt8] in
                var random = SeededGenerator(seed: seed)
                return random.tempting(count)
            }, work: work)
    }
}

extension SeededGenerator {
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }

    /// Bytes rich in what parsers take for headers and tags.
    mutating func tempting(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            switch Int.random(in: 0..<12, using: &self) {
            case 0: bytes += [0xFF, UInt8.random(in: 0xE0...0xFF, using: &self)] + self.bytes(2)
            case 1: bytes += [0xFF, 0xFB, UInt8.random(in: 0...15, using: &self) << 4, self.bytes(1)[0]]
            case 2:
                bytes +=
                    Array("ID3".utf8) + [UInt8.random(in: 2...4, using: &self), 0, 0, 0, 0, 0, self.bytes(1)[0] >> 1]
            case 3: bytes += Array("TAG".utf8)
            case 4: bytes += Array("APETAGEX".utf8) + [0xD0, 7, 0, 0, 64, 0, 0, 0] + [UInt8](repeating: 0, count: 16)
            case 5: bytes += Array("RIFFdata".utf8)
            case 6: bytes += [UInt8](repeating: 0, count: 40)
            case 7: bytes += Array("Xing".utf8) + [0, 0, 0, 15]
            default: bytes += self.bytes(Int.random(in: 1...60, using: &self))
            }
        }
        return Array(bytes.prefix(count))
    }
}
