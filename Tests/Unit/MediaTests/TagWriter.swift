// SPDX-License-Identifier: Apache-2.0
import FuzzWork

@testable import Media

/// Writes ID3v2 tags as id3.org lays them down.
enum TagWriter {
    static let audio = [UInt8](repeating: 0x55, count: 3000)

    static func frame(_ id: String, _ body: [UInt8], version: UInt8 = 4) -> [UInt8] {
        let count = body.count
        if version == 2 {
            return Array(id.utf8) + [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)] + body
        }
        let bits = version == 4 ? 7 : 8
        let mask = (1 << bits) - 1
        return Array(id.utf8) + [3, 2, 1, 0].map { UInt8(count >> (bits * $0) & mask) } + [0, 0] + body
    }

    /// In UTF-8.
    static func text(_ id: String, _ text: String, version: UInt8 = 4) -> [UInt8] {
        frame(id, [3] + Array(text.utf8), version: version)
    }

    static func own(_ name: String, _ text: String, version: UInt8 = 4) -> [UInt8] {
        frame(version == 2 ? "TXX" : "TXXX", [3] + Array((name + "\0" + text).utf8), version: version)
    }

    static func tag(_ frames: [[UInt8]], version: UInt8 = 4) -> [UInt8] {
        let body = frames.flatMap { $0 }
        return Array("ID3".utf8) + [version, 0, 0] + [3, 2, 1, 0].map { UInt8(body.count >> (7 * $0) & 127) } + body
    }

    static func tags(_ file: [UInt8]) -> Tags { Tags(of: MemorySource(file)) }
}
