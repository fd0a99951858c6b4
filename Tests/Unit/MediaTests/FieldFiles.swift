// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import Media

/// Small files of each format, and where their numbers stand.
enum FieldFiles {
    private static func word(_ bytes: [UInt8], _ at: Int) -> Int {
        at + 4 <= bytes.count ? bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } : 0
    }

    private static func places(of mark: String, in bytes: [UInt8]) -> [Int] {
        let mark = Array(mark.utf8)
        return bytes.indices.filter { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
    }

    // MARK: Ogg

    static func ogg(_ bytes: [UInt8]) -> FieldFile {
        var fields: [FieldFile.Field] = []
        for page in places(of: "OggS", in: bytes) where page + 28 <= bytes.count {
            fields += [
                .little(at: page + 5, bytes: 1), .little(at: page + 14, bytes: 4), .little(at: page + 18, bytes: 4),
                .little(at: page + 26, bytes: 1), .little(at: page + 27, bytes: 1),
            ]
            // The fields with the largest sums.
            for _ in 0..<4 { fields.append(.little(at: page + 6, bytes: 8)) }
        }
        for (mark, places) in [
            ("OpusHead", [(9, 1), (10, 2), (12, 4), (16, 2), (18, 1)]), ("OpusTags", [(8, 4), (16, 4)]),
            ("\u{1}vorbis", [(7, 4), (11, 1), (12, 4), (20, 4), (28, 1)]), ("\u{3}vorbis", [(7, 4), (15, 4)]),
            ("\u{7F}FLAC", [(5, 2), (7, 2), (14, 3), (17, 2), (27, 4), (31, 4)]),
        ] {
            for start in FieldFiles.places(of: mark, in: bytes) {
                for (at, count) in places { fields.append(.little(at: start + at, bytes: count)) }
            }
        }
        return FieldFile(bytes, fields, isOgg: true)
    }

    // MARK: ZIP

    /// The numbers of each file's own head, of the directory and of the record at its end, and the first letters of each name.
    static func zip(_ bytes: [UInt8]) -> FieldFile {
        var fields: [FieldFile.Field] = []
        for (mark, places) in [
            ("PK\u{3}\u{4}", [(6, 2), (8, 2), (18, 4), (22, 4), (26, 2), (28, 2), (30, 1), (32, 1)]),
            (
                "PK\u{1}\u{2}",
                [(8, 2), (10, 2), (20, 4), (24, 4), (28, 2), (30, 2), (32, 2), (34, 2), (42, 4), (46, 1), (48, 1)]
            ),
            ("PK\u{5}\u{6}", [(4, 2), (6, 2), (8, 2), (10, 2), (12, 4), (16, 4), (20, 2)]),
        ] {
            for start in FieldFiles.places(of: mark, in: bytes) {
                for (at, count) in places { fields.append(.little(at: start + at, bytes: count)) }
            }
        }
        return FieldFile(bytes, fields)
    }

    // MARK: MP4

    private static let containers: [String: Int] = [
        "moov": 0, "trak": 0, "mdia": 0, "minf": 0, "stbl": 0, "edts": 0, "udta": 0, "tref": 0, "mvex": 0, "moof": 0,
        "traf": 0, "meta": 4, "ilst": 0, "stsd": 8, "mp4a": 28, "----": 0, "covr": 0,
    ]

    static func mp4(_ bytes: [UInt8]) -> FieldFile {
        var fields: [FieldFile.Field] = []
        func walk(_ stretch: Range<Int>) {
            var at = stretch.lowerBound
            while at + 8 <= stretch.upperBound {
                let size = word(bytes, at)
                guard size >= 8, at + size <= stretch.upperBound else { return }
                let name = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
                fields.append(.big(at: at, bytes: 4))
                if let skipped = containers[name] {
                    walk(at + 8 + skipped..<at + size)
                } else if !["mdat", "free", "ftyp"].contains(name) {
                    fields.append(.big(at: at + 8, bytes: 1))
                    for place in stride(from: at + 8, to: min(at + size - 3, at + 64), by: 4) {
                        fields.append(.big(at: place, bytes: 4))
                        if place + 8 <= at + size { fields.append(.big(at: place, bytes: 8)) }
                    }
                    if name == "esds" { for place in at + 8..<at + size { fields.append(.big(at: place, bytes: 1)) } }
                }
                at += size
            }
        }
        walk(0..<bytes.count)
        return FieldFile(bytes, fields)
    }

    // MARK: Tags and MPEG

    static func mpeg() -> FieldFile {
        let times = [0, 0, 0, 10, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0] as [UInt8]
        var frames: [[UInt8]] = []
        for (number, title) in ["One", "Two"].enumerated() {
            frames.append(
                TagWriter.frame("CHAP", [UInt8(0x61 + number), 0] + times + TagWriter.text("TIT2", title)))
        }
        frames += [
            TagWriter.frame("CTOC", [0x74, 0, 3, 2, 0x61, 0, 0x62, 0]), TagWriter.text("TRCK", "3/12"),
            TagWriter.frame("APIC", [0] + Array("image/png\0".utf8) + [3, 0] + [UInt8](repeating: 9, count: 200)),
            TagWriter.frame("RVA2", Array("track\0".utf8) + [1, 0xF0, 0, 16, 0x7F, 0xFF]),
            TagWriter.frame("SYLT", [3] + Array("eng".utf8) + [2, 1, 0] + Array("word\0".utf8) + [0, 0, 1, 0]),
        ]
        var bytes = TagWriter.tag(frames)
        var fields: [FieldFile.Field] = [.synchsafe(at: 6), .big(at: 3, bytes: 1), .big(at: 5, bytes: 1)]
        for id in ["CHAP", "CTOC", "TRCK", "APIC", "RVA2", "SYLT", "TIT2"] {
            for at in places(of: id, in: bytes) {
                fields += [.synchsafe(at: at + 4), .big(at: at + 4, bytes: 4), .big(at: at + 8, bytes: 2)]
                if id == "CHAP" { for word in 0..<4 { fields.append(.big(at: at + 12 + 4 * word, bytes: 4)) } }
                if id == "RVA2" || id == "SYLT" { fields.append(.big(at: at + 17, bytes: 4)) }
            }
        }
        let format = SyntheticFormat()
        let info = bytes.count
        bytes += format.infoFrame("Xing", frames: 60, bytes: 25_000, delayAndPadding: (576, 1000))
        let mark = places(of: "Xing", in: bytes)[0]
        fields += [.big(at: info, bytes: 4)]
        for word in 1...3 { fields += [.big(at: mark + 4 * word, bytes: 4), .big(at: mark + 4 * word, bytes: 4)] }
        fields.append(.big(at: mark + 37, bytes: 3))
        for number in 0..<60 {
            if number % 10 == 5 { fields.append(.big(at: bytes.count, bytes: 4)) }
            bytes += format.frame()
        }
        let ape = bytes.count
        bytes += SyntheticTag.ape(items: 100)
        for at in places(of: "APETAGEX", in: bytes) where at >= ape {
            fields += [.little(at: at + 8, bytes: 4), .little(at: at + 12, bytes: 4), .little(at: at + 16, bytes: 4)]
        }
        bytes += SyntheticTag.lyrics2(300)
        fields.append(.digits(bytes.count - 15..<bytes.count - 9))
        return FieldFile(bytes + SyntheticTag.id3v1(), fields)
    }

    // MARK: FLAC

    static func flac(_ bytes: [UInt8]) -> FieldFile {
        var fields: [FieldFile.Field] = []
        var at = 4
        while at + 4 <= bytes.count {
            let (kind, size) = (bytes[at] & 0x7F, word(bytes, at) & 0xFF_FFFF)
            fields += [.big(at: at + 1, bytes: 3), .big(at: at, bytes: 1)]
            for place in stride(
                from: at + 4, to: min(at + 4 + size - 3, at + 70, bytes.count - 4), by: kind == 4 ? 1 : 2)
            {
                fields += kind == 4 ? [.little(at: place, bytes: 4)] : [.big(at: place, bytes: 4)]
            }
            if bytes[at] & 0x80 != 0 { break }
            at += 4 + size
        }
        return FieldFile(bytes, fields)
    }

    // MARK: Samples

    /// WAV, RF64 and AIFF: each length of a chunk, and the numbers of their heads.
    static func chunks(_ bytes: [UInt8], heads: [String]) -> FieldFile {
        var fields: [FieldFile.Field] = [.big(at: 4, bytes: 4)]
        let isBig = bytes.starts(with: "FORM".utf8)
        for head in heads {
            for at in places(of: head, in: bytes) {
                for place in stride(from: at + 4, to: min(at + 36, bytes.count - 8), by: 2) {
                    for count in [2, 4, 8] {
                        fields.append(isBig ? .big(at: place, bytes: count) : .little(at: place, bytes: count))
                    }
                }
            }
        }
        return FieldFile(bytes, fields)
    }

    static func adts(_ bytes: [UInt8]) -> FieldFile {
        var fields: [FieldFile.Field] = []
        var at = 0
        while at + 7 <= bytes.count, fields.count < 40 {
            let size = word(bytes, at + 3) >> 13 & 0x1FFF
            fields += [.big(at: at + 2, bytes: 4), .big(at: at + 3, bytes: 2), .big(at: at + 6, bytes: 1)]
            at += max(7, size)
        }
        return FieldFile(bytes, fields)
    }
}
