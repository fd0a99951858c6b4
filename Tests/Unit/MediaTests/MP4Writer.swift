// SPDX-License-Identifier: Apache-2.0
@testable import Media

/// Writes MP4 files as ISO/IEC 14496-12 and QuickTime lay them down, and as a test wants them wrong.
struct MP4Writer {
    /// Of each unit of sound, which are filled with what `unit` says.
    var sizes: [Int] = []
    var unitsInChunk = 7
    var timescale: UInt32 = 44_100
    var movieTimescale: UInt32 = 1000
    /// Units and how many ticks each lasts; as many as there are of 1024 where it is empty.
    var times: [(UInt32, UInt32)] = []
    var mediaTicks: UInt32?
    /// (media time, ticks of the movie)
    var edits: [(Int32, UInt32)] = []
    /// AAC-LC, 44.1 kHz, one channel.
    var config: [UInt8] = [0x12, 0x08]
    var kind = "mp4a"
    /// In the sample entry, behind esds.
    var entryExtra: [UInt8] = []
    var hasWideOffsets = false
    /// stz2 with entries of so many bits.
    var sizeBits = 32
    var items: [[UInt8]] = []
    /// In 100 ns.
    var listed: [(UInt64, String)] = []
    /// Milliseconds, and the unit of the text track as it is.
    var texts: [(UInt32, [UInt8])] = []
    var isMovieFirst = true
    /// In front of the media.
    var padding = 0
    var extraBoxes: [UInt8] = []

    static func unit(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) }
    }

    static func big(_ numbers: UInt32...) -> [UInt8] {
        numbers.flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    }

    static func letters(_ name: String) -> [UInt8] { name.unicodeScalars.map { UInt8($0.value) } }

    static func box(_ name: String, _ parts: [UInt8]...) -> [UInt8] {
        let body = parts.flatMap { $0 }
        return big(UInt32(body.count + 8)) + letters(name) + body
    }

    static func full(_ name: String, _ version: UInt8 = 0, _ parts: [UInt8]...) -> [UInt8] {
        box(name, [version, 0, 0, 0] + parts.flatMap { $0 })
    }

    static func data(_ kind: UInt32, _ bytes: [UInt8]) -> [UInt8] { box("data", big(kind, 0) + bytes) }

    static func item(_ name: String, _ text: String) -> [UInt8] { box(name, data(1, Array(text.utf8))) }

    static func own(_ name: String, _ text: String) -> [UInt8] {
        box(
            "----", full("mean", 0, Array("com.apple.iTunes".utf8)), full("name", 0, Array(name.utf8)),
            data(1, Array(text.utf8)))
    }

    static func title(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }

    static func descriptor(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] { [tag, 0x80, 0x80, UInt8(body.count)] + body }

    static func esds(_ config: [UInt8], kind: UInt8 = 0x40) -> [UInt8] {
        let decoder = descriptor(4, [kind, 0x15] + [UInt8](repeating: 0, count: 11) + descriptor(5, config))
        return full("esds", 0, descriptor(3, [0, 0, 0] + decoder))
    }

    private func table(_ sizes: [Int]) -> [UInt8] {
        if sizeBits == 32 {
            return MP4Writer.full(
                "stsz", 0, MP4Writer.big(0, UInt32(sizes.count)), sizes.flatMap { MP4Writer.big(UInt32($0)) })
        }
        var body: [UInt8] = []
        switch sizeBits {
        case 16: body = sizes.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        case 8: body = sizes.map { UInt8($0) }
        default:
            for pair in stride(from: 0, to: sizes.count, by: 2) {
                body.append(UInt8(sizes[pair] << 4 | (pair + 1 < sizes.count ? sizes[pair + 1] : 0)))
            }
        }
        return MP4Writer.full("stz2", 0, [0, 0, 0, UInt8(sizeBits)], MP4Writer.big(UInt32(sizes.count)), body)
    }

    private func chunks(_ offsets: [Int]) -> [UInt8] {
        let all = offsets.flatMap { (hasWideOffsets ? MP4Writer.big(0) : []) + MP4Writer.big(UInt32($0)) }
        return MP4Writer.full(hasWideOffsets ? "co64" : "stco", 0, MP4Writer.big(UInt32(offsets.count)), all)
    }

    private func track(
        _ number: UInt32, _ handler: String, _ timescale: UInt32, _ ticks: UInt32, _ entry: [UInt8],
        _ tables: [UInt8], _ extra: [UInt8] = []
    ) -> [UInt8] {
        let blank = [UInt8](repeating: 0, count: 60)
        return MP4Writer.box(
            "trak", MP4Writer.full("tkhd", 0, MP4Writer.big(0, 0, number, 0, ticks) + blank), extra,
            MP4Writer.box(
                "mdia", MP4Writer.full("mdhd", 0, MP4Writer.big(0, 0, timescale, ticks, 0)),
                MP4Writer.full("hdlr", 0, MP4Writer.big(0) + Array(handler.utf8) + [UInt8](repeating: 0, count: 13)),
                MP4Writer.box(
                    "minf", MP4Writer.box("stbl", MP4Writer.full("stsd", 0, MP4Writer.big(1), entry), tables))))
    }

    /// The file, and where each unit of sound lies in it.
    func file() -> (bytes: [UInt8], offsets: [Int]) {
        var media = [UInt8](repeating: 0xEE, count: padding)
        var places: [Int] = []
        var chunkPlaces: [Int] = []
        for (number, size) in sizes.enumerated() {
            if number % unitsInChunk == 0 {
                // Something of another track lies between.
                media += [0xAA, 0xBB]
                chunkPlaces.append(media.count)
            }
            places.append(media.count)
            media += MP4Writer.unit(number, size)
        }
        var textPlaces: [Int] = []
        for (_, text) in texts {
            textPlaces.append(media.count)
            media += text
        }
        let head = MP4Writer.box("ftyp", Array("M4B ".utf8) + MP4Writer.big(0))
        func movie(_ start: Int) -> [UInt8] {
            let count = sizes.count
            let last = count % unitsInChunk
            let full = count / unitsInChunk
            var runs: [(UInt32, UInt32)] = full > 0 ? [(UInt32(1), UInt32(unitsInChunk))] : []
            if last > 0 { runs.append((UInt32(full + 1), UInt32(last))) }
            let times = self.times.isEmpty ? [(UInt32(count), UInt32(1024))] : self.times
            let entry = MP4Writer.box(
                kind,
                [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8) + [0, 1, 0, 16, 0, 0, 0, 0]
                    + MP4Writer.big(44_100 << 16), MP4Writer.esds(config), entryExtra)
            let tables =
                MP4Writer.full(
                    "stts", 0, MP4Writer.big(UInt32(times.count)), times.flatMap { MP4Writer.big($0.0, $0.1) })
                + MP4Writer.full(
                    "stsc", 0, MP4Writer.big(UInt32(runs.count)), runs.flatMap { MP4Writer.big($0.0, $0.1, 1) })
                + table(sizes) + chunks(chunkPlaces.map { $0 + start })
            var extra: [UInt8] = []
            if !edits.isEmpty {
                let list = edits.flatMap { MP4Writer.big($0.1, UInt32(bitPattern: $0.0), 0x10000) }
                extra += MP4Writer.box("edts", MP4Writer.full("elst", 0, MP4Writer.big(UInt32(edits.count)), list))
            }
            if !texts.isEmpty { extra += MP4Writer.box("tref", MP4Writer.box("chap", MP4Writer.big(2))) }
            var tracks = track(
                1, "soun", timescale, mediaTicks ?? UInt32(count * 1024), entry, tables, extra)
            if !texts.isEmpty {
                let starts = texts.map { $0.0 }
                let ends = starts.dropFirst() + [(starts.last ?? 0) + 1000]
                let durations = zip(starts, ends).flatMap { MP4Writer.big(1, $0.1 - $0.0) }
                tracks += track(
                    2, "text", 1000, 1000, MP4Writer.box("text", [UInt8](repeating: 0, count: 51)),
                    MP4Writer.full("stts", 0, MP4Writer.big(UInt32(texts.count)), durations)
                        + MP4Writer.full("stsc", 0, MP4Writer.big(1, 1, 1, 1))
                        + MP4Writer.full(
                            "stsz", 0, MP4Writer.big(0, UInt32(texts.count)),
                            texts.flatMap { MP4Writer.big(UInt32($0.1.count)) })
                        + MP4Writer.full(
                            "stco", 0, MP4Writer.big(UInt32(texts.count)),
                            textPlaces.flatMap { MP4Writer.big(UInt32($0 + start)) }))
            }
            var user: [UInt8] = []
            if !items.isEmpty {
                user += MP4Writer.full(
                    "meta", 0, MP4Writer.full("hdlr", 0, MP4Writer.big(0) + Array("mdirappl".utf8)),
                    MP4Writer.box("ilst", items.flatMap { $0 }))
            }
            if !listed.isEmpty {
                user += MP4Writer.full(
                    "chpl", 1, MP4Writer.big(0), [UInt8(listed.count)],
                    listed.flatMap { start, title in
                        MP4Writer.big(UInt32(start >> 32), UInt32(truncatingIfNeeded: start))
                            + [UInt8(title.utf8.count)] + Array(title.utf8)
                    })
            }
            return MP4Writer.box(
                "moov",
                MP4Writer.full("mvhd", 0, MP4Writer.big(0, 0, movieTimescale, 0) + [UInt8](repeating: 0, count: 80)),
                tracks, user.isEmpty ? [] : MP4Writer.box("udta", user), extraBoxes)
        }
        let start = head.count + (isMovieFirst ? movie(0).count : 0) + 8
        let body = MP4Writer.box("mdat", media)
        return (
            isMovieFirst ? head + movie(start) + body : head + body + movie(start), places.map { $0 + start }
        )
    }
}
