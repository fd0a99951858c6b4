// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import Media

/// Writes MPEG audio frames with empty payload, which decode to silence, and the tags that are found around them.
struct SyntheticFormat {
    /// Header bits: 3 for MPEG 1, 2 for MPEG 2, 0 for MPEG 2.5.
    var version: UInt32 = 3
    var layer: UInt32 = 3
    /// 0...2.
    var rate: UInt32 = 0
    /// 0 for free format, to 14.
    var bitrate: UInt32 = 9
    /// 3 is mono.
    var mode: UInt32 = 3
    var hasCRC = false
    var isPadded = false

    var word: UInt32 {
        0xFFE0_0000 | version << 19 | (4 - layer) << 17 | (hasCRC ? 0 : 1) << 16 | bitrate << 12 | rate << 10
            | (isPadded ? 1 : 0) << 9 | mode << 6
    }

    /// Written out from the standard's tables, apart from the code under test.
    var frameBytes: Int? {
        let kilobits: [[Int]] = [
            [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
            [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
            [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
            [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
            [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
            [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
        ]
        if bitrate == 0 { return nil }
        let bits = kilobits[(version == 3 ? 0 : 3) + Int(layer) - 1][Int(bitrate)] * 1000
        let slotBytes = layer == 1 ? 4 : 1
        return (bits * samples / 8 / hertz / slotBytes + (isPadded ? 1 : 0)) * slotBytes
    }

    var hertz: Int { [44_100, 48_000, 32_000][Int(rate)] / (version == 3 ? 1 : version == 2 ? 2 : 4) }

    var samples: Int { layer == 1 ? 384 : layer == 3 && version != 3 ? 576 : 1152 }

    /// `freeBytes`: length of a free-format frame without padding.
    func frame(freeBytes: Int = 0, payload: UInt8 = 0) -> [UInt8] {
        let bytes = frameBytes ?? freeBytes + (isPadded ? 1 : 0)
        return word.bytes + [UInt8](repeating: payload, count: bytes - 4)
    }

    /// A first frame with a Xing or Info tag.
    func infoFrame(
        _ name: String = "Info", frames: UInt32?, bytes: UInt32? = nil, delayAndPadding: (Int, Int)? = nil
    ) -> [UInt8] {
        var tag = Array(name.utf8)
        tag += ((frames != nil ? 1 : 0) | (bytes != nil ? 2 : 0) as UInt32).bytes
        if let frames { tag += frames.bytes }
        if let bytes { tag += bytes.bytes }
        if let (delay, padding) = delayAndPadding {
            tag += Array("LAME3.100".utf8) + [UInt8](repeating: 0, count: 12)
            tag += [UInt8(delay >> 4), UInt8((delay & 15) << 4 | padding >> 8), UInt8(padding & 255)]
        }
        var frame = frame()
        let at = 4 + (mode == 3 ? (version == 3 ? 17 : 9) : (version == 3 ? 32 : 17))
        precondition(at + tag.count <= frame.count)
        frame.replaceSubrange(at..<at + tag.count, with: tag)
        return frame
    }

    static func random(using random: inout SeededGenerator) -> SyntheticFormat {
        SyntheticFormat(
            version: [0, 2, 3].randomElement(using: &random)!, layer: UInt32.random(in: 1...3, using: &random),
            rate: UInt32.random(in: 0...2, using: &random), bitrate: UInt32.random(in: 1...14, using: &random),
            mode: UInt32.random(in: 0...3, using: &random), hasCRC: Bool.random(using: &random),
            isPadded: Bool.random(using: &random))
    }
}

extension UInt32 {
    /// The highest first.
    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) } }

    /// Seven bits a byte.
    var synchsafe: [UInt8] { [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: self >> $0) & 0x7F } }
}

/// Tags as they are found in files.
enum SyntheticTag {
    static func id3v2(body: Int, version: UInt8 = 4, footer: Bool = false, fill: UInt8 = 0) -> [UInt8] {
        let rest = [version, 0, footer ? 0x10 : 0] + UInt32(body).synchsafe
        return Array("ID3".utf8) + rest + [UInt8](repeating: fill, count: body)
            + (footer ? Array("3DI".utf8) + rest : [])
    }

    static func id3v1(_ title: String = "Title") -> [UInt8] {
        let text = Array("TAG".utf8) + Array(title.utf8)
        return text + [UInt8](repeating: 0, count: 128 - text.count)
    }

    static func enhanced() -> [UInt8] { Array("TAG+".utf8) + [UInt8](repeating: 0x20, count: 223) }

    static func ape(items: Int, header: Bool = true, footer: Bool = true) -> [UInt8] {
        func block(isHeader: Bool) -> [UInt8] {
            let flags: UInt8 = (header ? 0x80 : 0) | (isHeader ? 0x20 : 0)
            return Array("APETAGEX".utf8) + [0xD0, 7, 0, 0] + UInt32(items + 32).bytes.reversed() + [
                1, 0, 0, 0, 0, 0, 0, flags,
            ]
                + [UInt8](repeating: 0, count: 8)
        }
        return (header ? block(isHeader: true) : []) + [UInt8](repeating: 0x41, count: items)
            + (footer ? block(isHeader: false) : [])
    }

    static func lyrics2(_ text: Int) -> [UInt8] {
        let content = Array("LYRICSBEGIN".utf8) + [UInt8](repeating: 0x61, count: text)
        let digits = String(content.count)
        return content + Array((String(repeating: "0", count: 6 - digits.count) + digits + "LYRICS200").utf8)
    }

    static func lyrics1(_ text: Int) -> [UInt8] {
        Array("LYRICSBEGIN".utf8) + [UInt8](repeating: 0x61, count: text) + Array("LYRICSEND".utf8)
    }
}
