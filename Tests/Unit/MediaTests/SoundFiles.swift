// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fuzzing

@testable import Media

/// Writes files of sound as their formats lay them down, byte by byte.
enum SoundFiles {
    static func little(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func big(_ value: Int, _ bytes: Int) -> [UInt8] { little(value, bytes).reversed() }

    static func chunk(_ id: String, _ body: [UInt8], isBig: Bool = false, said: Int? = nil) -> [UInt8] {
        let count = said ?? body.count
        return Array(id.utf8) + (isBig ? big(count, 4) : little(count, 4)) + body + (body.count % 2 == 1 ? [0] : [])
    }

    static func wave(
        _ data: [UInt8], tag: Int = 1, channels: Int = 1, rate: Int = 22050, bits: Int = 16, extensible: Bool = false,
        riff: String = "RIFF", before: [UInt8] = [], after: [UInt8] = [], dataSaid: Int? = nil
    ) -> [UInt8] {
        let block = channels * ((bits + 7) / 8)
        var format =
            little(extensible ? 0xFFFE : tag, 2) + little(channels, 2) + little(rate, 4) + little(rate * block, 4)
            + little(block, 2) + little(bits, 2)
        if extensible {
            format += little(22, 2) + little(bits, 2) + little(3, 4) + little(tag, 2) + [UInt8](repeating: 0, count: 14)
        }
        let body =
            Array("WAVE".utf8) + before + chunk("fmt ", format) + chunk("data", data, said: dataSaid) + after
        return Array(riff.utf8) + little(riff == "RIFF" ? body.count : -1, 4) + body
    }

    static func aiff(
        _ data: [UInt8], compression: String? = nil, channels: Int = 1, rate: Int = 22050, bits: Int = 16,
        after: [UInt8] = []
    ) -> [UInt8] {
        let frames = data.count / (channels * ((bits + 7) / 8))
        let exponent = Int.bitWidth - 1 - rate.leadingZeroBitCount
        let mantissa = UInt64(rate) << UInt64(63 - exponent)
        var common = big(channels, 2) + big(frames, 4) + big(bits, 2) + big(16383 + exponent, 2)
        common += (0..<8).map { UInt8(truncatingIfNeeded: mantissa >> UInt64(56 - 8 * $0)) }
        if let compression { common += Array(compression.utf8) + [0, 0] }
        let body =
            Array((compression == nil ? "AIFF" : "AIFC").utf8) + chunk("COMM", common, isBig: true)
            + chunk("SSND", [0, 0, 0, 0, 0, 0, 0, 0] + data, isBig: true) + after
        return Array("FORM".utf8) + big(body.count, 4) + body
    }

    static func comments(_ list: [[UInt8]]) -> [UInt8] {
        little(4, 4) + Array("test".utf8) + little(list.count, 4) + list.flatMap { little($0.count, 4) + $0 }
    }

    static func comments(_ list: [String]) -> [UInt8] { comments(list.map { Array($0.utf8) }) }

    static func picture(_ bytes: [UInt8], kind: Int = 3, mime: String = "image/jpeg") -> [UInt8] {
        big(kind, 4) + big(mime.utf8.count, 4) + Array(mime.utf8) + big(1, 4) + [0x41]
            + [UInt8](repeating: 0, count: 16)
            + big(bytes.count, 4) + bytes
    }

    static func pictureComment(_ bytes: [UInt8], kind: Int = 3) -> [UInt8] {
        Array("metadata_block_picture=".utf8) + Array(Data(picture(bytes, kind: kind)).base64EncodedData())
    }

    static func streamInfo(rate: Int = 44100, channels: Int = 2, bits: Int = 16, frames: Int = 441_000) -> [UInt8] {
        let word =
            UInt64(rate) << 44 | UInt64(channels - 1) << 41 | UInt64(bits - 1) << 36 | UInt64(frames)
        return big(4096, 2) + big(4096, 2) + big(0, 6)
            + (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
            + [UInt8](repeating: 7, count: 16)
    }

    static func flac(_ blocks: [(UInt8, [UInt8])], audio: [UInt8]) -> [UInt8] {
        var file = Array("fLaC".utf8)
        for (i, block) in blocks.enumerated() {
            file += [block.0 | (i == blocks.count - 1 ? 0x80 : 0)] + big(block.1.count, 3) + block.1
        }
        return file + audio
    }

    /// One page, with its checksum.
    static func page(
        _ body: [UInt8], segments: [UInt8], granule: Int64, number: Int, flags: UInt8 = 0, serial: Int = 77
    ) -> [UInt8] {
        var page =
            Array("OggS".utf8) + [0, flags] + little(Int(granule), 8) + little(serial, 4) + little(number, 4)
            + little(0, 4) + [UInt8(segments.count)] + segments + body
        FieldFile.sealOgg(&page)
        return page
    }

    /// A packet of its own pages, each of at most `most` segments.
    static func pages(
        _ packet: [UInt8], granule: Int64 = 0, number: inout Int, flags: UInt8 = 0, most: Int = 255
    ) -> [UInt8] {
        var lacing = [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        var (at, file, isFirst) = (0, [UInt8](), true)
        while !lacing.isEmpty {
            let segments = Array(lacing.prefix(most))
            lacing.removeFirst(segments.count)
            let count = segments.reduce(0) { $0 + Int($1) }
            file += page(
                Array(packet[at..<at + count]), segments: segments, granule: lacing.isEmpty ? granule : -1,
                number: number, flags: flags | (isFirst ? 0 : 1))
            at += count
            number += 1
            isFirst = false
        }
        return file
    }

    /// Opus: packets of 20 ms, 50 a page.
    static func opus(
        _ comments: [UInt8], seconds: Int, preSkip: Int = 312, most: Int = 255, cutFrames: Int = 0,
        startFrames: Int64 = 0
    ) -> [UInt8] {
        var number = 0
        let head = Array("OpusHead".utf8) + [1, 1] + little(preSkip, 2) + little(48000, 4) + [0, 0, 0]
        var file = pages(head, number: &number, flags: 2)
        file += pages(Array("OpusTags".utf8) + comments, number: &number, most: most)
        var seed: UInt64 = 1
        for second in 0..<seconds {
            var body: [UInt8] = []
            for _ in 0..<50 {
                body.append(0x98 | 0)
                for _ in 1..<80 {
                    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    body.append(UInt8(truncatingIfNeeded: seed >> 33))
                }
            }
            let granule = startFrames + Int64(second + 1) * 48000 - Int64(second == seconds - 1 ? cutFrames : 0)
            file += page(
                body, segments: [UInt8](repeating: 80, count: 50), granule: granule, number: number,
                flags: second == seconds - 1 ? 4 : 0)
            number += 1
        }
        return file
    }
}
