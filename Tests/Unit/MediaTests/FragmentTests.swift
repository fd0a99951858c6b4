// SPDX-License-Identifier: Apache-2.0
import FuzzWork
import TestSupport
import Testing

@testable import Media

/// The form of the fragments that a test needs.
struct Fragments {
    var units = 5
    var runs = 1
    var hasDurations = false
    /// Offsets count from the start of the file, and not from the fragment.
    var isFromFile = false
    /// All units are of this size, said once: in front, or in each fragment.
    var unitBytes: Int?
    var isSaidInFront = false
    /// Only the first run says where it lies.
    var goesOn = false
    /// Another track's stands in front of each.
    var hasOther = false
}

extension MP4Writer {
    /// The file with its sound in fragments, and where those begin.
    func fragmented(_ wanted: Fragments) -> (bytes: [UInt8], starts: [Int]) {
        var front = self
        front.sizes = []
        let inFront = wanted.isSaidInFront ? wanted.unitBytes ?? 0 : 0
        front.extraBoxes += MP4Writer.box(
            "mvex", MP4Writer.full("trex", 0, MP4Writer.big(7, 1, 0, 99, 0)),
            MP4Writer.full("trex", 0, MP4Writer.big(1, 1, 1024, UInt32(inFront), 0)))
        var file = front.file().bytes
        var starts: [Int] = []
        for first in stride(from: 0, to: sizes.count, by: wanted.units) {
            starts.append(file.count)
            let units = Array(first..<min(first + wanted.units, sizes.count))
            let inRun = (units.count + wanted.runs - 1) / wanted.runs
            func moof(_ start: Int) -> [UInt8] {
                var flags: UInt32 = wanted.isFromFile ? 1 : 0x20000
                var head = MP4Writer.big(1)
                if wanted.isFromFile { head += MP4Writer.big(0, UInt32(file.count)) }
                if let bytes = wanted.unitBytes, !wanted.isSaidInFront {
                    flags |= 0x18
                    head += MP4Writer.big(1024, UInt32(bytes))
                }
                var runs: [UInt8] = []
                var place = start
                for from in stride(from: 0, to: units.count, by: inRun) {
                    let some = units[from..<min(from + inRun, units.count)]
                    let saysWhere = from == 0 || !wanted.goesOn
                    let runFlags: UInt32 =
                        (saysWhere ? 1 : 0) | (wanted.hasDurations ? 0x500 : 0) | (wanted.unitBytes == nil ? 0x200 : 0)
                    var body = MP4Writer.big(runFlags, UInt32(some.count))
                    if saysWhere { body += MP4Writer.big(UInt32(place)) }
                    for unit in some {
                        if wanted.hasDurations { body += MP4Writer.big(1024) }
                        if wanted.unitBytes == nil { body += MP4Writer.big(UInt32(sizes[unit])) }
                        if wanted.hasDurations { body += MP4Writer.big(0) }
                        place += sizes[unit]
                    }
                    runs += MP4Writer.box("trun", body)
                }
                let other =
                    wanted.hasOther
                    ? MP4Writer.box(
                        "traf", MP4Writer.box("tfhd", MP4Writer.big(0x20000, 7)),
                        MP4Writer.box("trun", MP4Writer.big(1, 3, 8))) : []
                return MP4Writer.box(
                    "moof", MP4Writer.full("mfhd", 0, MP4Writer.big(UInt32(starts.count))), other,
                    MP4Writer.box("traf", MP4Writer.box("tfhd", MP4Writer.big(flags), head), runs))
            }
            let bytes = moof(moof(0).count + 8)
            file += bytes + MP4Writer.box("mdat", units.flatMap { MP4Writer.unit($0, sizes[$0]) })
            file += MP4Writer.box("free", [1, 2, 3])
        }
        return (file, starts)
    }
}

/// MP4 with its sound in fragments.
@Suite struct FragmentTests {
    private func writer(_ count: Int, of bytes: Int? = nil) -> MP4Writer {
        var chance = SeededGenerator(seed: 4)
        var writer = MP4Writer()
        writer.sizes = (0..<count).map { _ in bytes ?? Int.random(in: 1...400, using: &chance) }
        return writer
    }

    private func units(_ file: [UInt8], _ index: UnitIndex? = nil) throws -> Units {
        let movie = try MP4Movie(MemorySource(file))
        #expect(movie.fragments != nil)
        return try movie.units(index)
    }

    private func index(_ file: [UInt8]) throws -> UnitIndex? {
        let head = try MediaHead(MemorySource(file))
        let walk = try #require(try MP4Format().seekTableWalk(head))
        while try !walk.step() {}
        return walk.table.flatMap { UnitIndex(encoded: $0.own) }
    }

    private static let layouts: [Fragments] = [
        Fragments(), Fragments(units: 1), Fragments(units: 3000), Fragments(units: 43, runs: 4, hasDurations: true),
        Fragments(units: 43, runs: 4, goesOn: true), Fragments(units: 20, isFromFile: true),
        Fragments(units: 20, unitBytes: 33), Fragments(units: 20, runs: 3, unitBytes: 33, isSaidInFront: true),
        Fragments(units: 20, hasDurations: true, unitBytes: 33, goesOn: true, hasOther: true),
    ]

    @Test(arguments: 0..<layouts.count) func unitsLieWhereTheFragmentsSay(layout: Int) throws {
        let layout = FragmentTests.layouts[layout]
        let writer = writer(2000, of: layout.unitBytes)
        let (file, starts) = writer.fragmented(layout)
        let units = try units(file)
        #expect(units.unitCount == nil)
        for (number, size) in writer.sizes.enumerated() {
            #expect(try units.next().map { Array($0) } == MP4Writer.unit(number, size))
        }
        #expect(try units.next() == nil)
        let index = try #require(try index(file))
        #expect(index.unitCount == 2000)
        let probe = try MediaProbe(MemorySource(file))
        #expect(probe.audio.start == Int64(starts[0]) && probe.audio.end == Int64(file.count))
        #expect(probe.durationMilliseconds == nil)
        var chance = SeededGenerator(seed: 2)
        for known in [nil, index] {
            let units = try self.units(file, known)
            let wanted = [0, 1999, 255, 256, 257, 0] + (0..<60).map { _ in Int.random(in: 0..<2000, using: &chance) }
            for wanted in wanted {
                try units.jump(to: Int64(wanted))
                #expect(try units.next().map { Array($0) } == MP4Writer.unit(wanted, writer.sizes[wanted]))
            }
            try units.jump(to: 2000)
            #expect(try units.next() == nil)
        }
        // A cut file: its whole units.
        let part = try self.units(Array(file[..<(file.count / 2)]))
        var count = 0
        while let unit = try part.next() {
            #expect(Array(unit) == MP4Writer.unit(count, writer.sizes[count]))
            count += 1
        }
        #expect((700...1300).contains(count) || layout.units > 2000)
    }

    /// Tags that were written anew move the fragments.
    @Test func retaggingMovesNothingThatCounts() throws {
        var writer = writer(1500)
        let before = writer.fragmented(Fragments(units: 30)).bytes
        let index = try #require(try index(before))
        writer.items = [MP4Writer.item("©nam", String(repeating: "x", count: 777))]
        let after = writer.fragmented(Fragments(units: 30)).bytes
        let units = try units(after, index)
        for wanted in [1499, 700, 300, 1024, 1] {
            try units.jump(to: Int64(wanted))
            #expect(try units.next().map { Array($0) } == MP4Writer.unit(wanted, writer.sizes[wanted]))
        }
        let extents = try [before, after].map { try MediaProbe(MemorySource($0)).audio }
        #expect(
            before[Int(extents[0].start)..<Int(extents[0].end)] == after[Int(extents[1].start)..<Int(extents[1].end)])
    }

    /// All that is ever done with such a file but decoding it.
    private func look(_ file: [UInt8]) {
        let source = MemorySource(file)
        guard let head = try? MediaHead(source) else { return }
        _ = try? MP4Format().probe(head)
        if let walk = try? MP4Format().seekTableWalk(head) {
            while (try? walk.step()) == false {}
            _ = walk.table.map { SeekTable(stored: $0.bytes) }
        }
        guard let movie = try? MP4Movie(source), movie.fragments != nil, let units = try? movie.units(nil) else {
            return
        }
        var count = 0
        while count < 500, let unit = try? units.next() { count += unit.isEmpty ? 1 : 2 }
        try? units.jump(to: 3)
        try? units.jump(to: 1 << 40)
        _ = try? units.next()
        // Of another file: it leads nowhere, and that is all.
        if let other, let units = try? movie.units(other) {
            try? units.jump(to: 900)
            _ = try? units.next()
        }
    }

    private let other: UnitIndex? = {
        var index = UnitIndex()
        for unit in stride(from: Int64(0), to: 1024, by: 256) {
            index.add(UnitPlace(unit: unit, offset: unit * 7, chunk: unit &* 1 << 40, unitInChunk: unit, run: unit % 3))
        }
        index.finish(unitCount: 1024)
        return index
    }()

    @Test(arguments: 0..<layouts.count) func mutations(layout: Int) {
        var chance = SeededGenerator(seed: UInt64(layout))
        let layout = FragmentTests.layouts[layout]
        let whole = writer(120, of: layout.unitBytes).fragmented(layout)
        for round in 0..<300 {
            var file = whole.bytes
            for _ in 0..<Int.random(in: 1...12, using: &chance) {
                // Most of it in fragments' heads.
                var at = Int.random(in: 0..<file.count, using: &chance)
                if Bool.random(using: &chance) {
                    at = min(file.count - 1, whole.starts.randomElement(using: &chance)! + at % 120)
                }
                file.mutate(at: at, using: &chance)
            }
            if round % 5 == 0 { file.removeLast(Int.random(in: 0..<file.count, using: &chance)) }
            expectCost(inputBytes: file.count, "round \(round)") { look(file) }
        }
    }

    @Test func goingThroughFragmentsIsLinear() {
        for units in [1, 40, 1 << 20] {
            expectLinear(smallBytes: 40_000) { bytes in
                writer(bytes / 100, of: 10).fragmented(Fragments(units: units)).bytes
            } work: {
                look($0)
            }
        }
        // Billions of units of no size, and fragments that tell of none.
        for layout in [Fragments(units: 1, unitBytes: 0), Fragments(units: 1, unitBytes: 1)] {
            var file = writer(400, of: layout.unitBytes).fragmented(layout).bytes
            for at in file.indices.dropLast(20) where file[at...].starts(with: "trun".utf8) {
                file.replaceSubrange(at + 8..<at + 12, with: [0xFF, 0xFF, 0xFF, 0xFF])
            }
            expectCost(inputBytes: file.count) { look(file) }
        }
    }

    @Test func nothingInFragmentsIsNoAudio() {
        #expect(throws: MediaError.self) { try units(writer(0).fragmented(Fragments()).bytes) }
    }
}
