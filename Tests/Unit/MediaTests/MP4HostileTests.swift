// SPDX-License-Identifier: Apache-2.0
import FuzzWork
import TestSupport
import Testing

@testable import Media

/// Files with false numbers. For any of them, the probe ends, costs no more than the bytes allow, and does not trap.
@Suite struct MP4HostileTests {
    /// All that is ever done with a file but decoding it.
    private func look(_ file: [UInt8]) {
        let source = MemorySource(file)
        guard let head = try? MediaHead(source), let format = try? MediaFormats.format(of: head) else { return }
        _ = try? format.probe(head)
        _ = format.picture(head)
        if let walk = try? format.seekTableWalk(head) {
            while (try? walk.step()) == false {}
            _ = walk.table.map { SeekTable(stored: $0.bytes) }
        }
        guard let movie = try? MP4Movie(source), let units = try? movie.units(nil) else { return }
        var count = 0
        while count < 500, let unit = try? units.next() { count += unit.isEmpty ? 1 : 2 }
        try? units.jump(to: 3)
        try? units.jump(to: 1 << 40)
        _ = try? units.next()
    }

    private func sample(_ seed: UInt64) -> [UInt8] {
        var chance = SeededGenerator(seed: seed)
        var writer = MP4Writer()
        writer.sizes = (0..<60).map { _ in Int.random(in: 1...15, using: &chance) }
        writer.sizeBits = [4, 8, 16, 32].randomElement(using: &chance)!
        writer.unitsInChunk = Int.random(in: 1...9, using: &chance)
        writer.hasWideOffsets = Bool.random(using: &chance)
        writer.isMovieFirst = Bool.random(using: &chance)
        writer.edits = [(1024, 1200)]
        writer.items = [
            MP4Writer.item("©nam", "x"), MP4Writer.own("iTunSMPB", " 0 840 122 D000"), MP4Writer.own("SERIES", "y"),
            MP4Writer.box("covr", MP4Writer.data(13, [0xFF, 0xD8, 0xFF, 4, 5])),
        ]
        writer.listed = [(0, "a"), (5_000_000, "b")]
        writer.texts = [(0, MP4Writer.title("a")), (500, MP4Writer.title("b"))]
        return writer.file().bytes
    }

    @Test func mutations() {
        var chance = SeededGenerator(seed: 9)
        for round in 0..<1500 {
            var file = sample(UInt64(round % 40))
            for _ in 0..<Int.random(in: 1...12, using: &chance) {
                let at = Int.random(in: 0..<file.count, using: &chance)
                file.mutate(at: at, using: &chance)
            }
            if round % 5 == 0 { file.removeLast(Int.random(in: 0..<file.count, using: &chance)) }
            expectCost(inputBytes: file.count, "round \(round)") { look(file) }
        }
    }

    /// Of each box, in turn, a size that cannot be.
    @Test func sizes() {
        let file = sample(3)
        let bad: [[UInt8]] = [
            [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 7], [0, 0, 0, 8], [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF],
        ]
        for name in [
            "ftyp", "moov", "mvhd", "trak", "tkhd", "mdia", "mdhd", "hdlr", "minf", "stbl", "stsd", "mp4a", "esds",
            "stts", "stsc", "edts", "elst", "tref", "chap", "udta", "meta", "ilst", "----", "data", "covr", "chpl",
            "mdat",
        ] {
            guard let at = file.indices.first(where: { file[$0...].starts(with: name.utf8) }), at >= 4 else { continue }
            for size in bad {
                var changed = file
                changed.replaceSubrange((at - 4)..<at, with: size)
                expectCost(inputBytes: file.count, name) { look(changed) }
            }
            // 64 bits of size, and the largest there are.
            var changed = file
            changed.replaceSubrange((at - 4)..<at, with: [0, 0, 0, 1])
            changed.replaceSubrange((at + 4)..<min(at + 12, file.count), with: [UInt8](repeating: 0xFF, count: 8))
            look(changed)
        }
    }

    /// Sixty million units in a file of a few kilobytes.
    @Test func countsThatAreNotThere() throws {
        for name in ["stsz", "stz2", "stco", "stsc", "stts", "elst", "chpl"] {
            for seed in [1, 3, 8, 12] as [UInt64] {
                var file = sample(seed)
                guard let at = file.indices.first(where: { file[$0...].starts(with: name.utf8) }) else { continue }
                let count = at + (name == "stsz" || name == "stz2" ? 12 : 8)
                file.replaceSubrange(count..<(count + 4), with: MP4Writer.big(60_000_000))
                expectCost(inputBytes: file.count, name) { look(file) }
            }
        }
        // All of one size: nothing but the file's length says how many there can be.
        var writer = MP4Writer()
        writer.sizes = [5, 5, 5, 5]
        var file = writer.file().bytes
        let at = try #require(file.indices.first { file[$0...].starts(with: "stsz".utf8) })
        file.replaceSubrange((at + 8)..<(at + 16), with: MP4Writer.big(1, 0xFFFF_FFFF))
        expectCost(inputBytes: file.count) { look(file) }
        #expect(try MP4Movie(MemorySource(file)).sound.tables.unitCount <= Int64(file.count))
    }

    @Test func goingThroughTheTablesIsLinear() {
        func file(_ bytes: Int, _ unitsInChunk: Int) -> [UInt8] {
            var writer = MP4Writer()
            writer.sizes = [Int](repeating: 1, count: bytes / 4)
            writer.unitsInChunk = unitsInChunk
            return writer.file().bytes
        }
        for unitsInChunk in [1, 40, 1 << 20] {
            expectLinear(smallBytes: 40_000) {
                file($0, unitsInChunk)
            } work: {
                look($0)
            }
        }
        // Eight million boxes of eight bytes would be too many: only the first thousands are looked at.
        expectLinear(smallBytes: 40_000) { bytes in
            sample(1).prefix(16) + (0..<bytes / 8).flatMap { _ in MP4Writer.box("free", []) }
        } work: {
            look($0)
        }
    }
}
