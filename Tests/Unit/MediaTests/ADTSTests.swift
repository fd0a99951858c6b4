// SPDX-License-Identifier: Apache-2.0
import FuzzWork
import TestSupport
import Testing

@testable import Media

@Suite struct ADTSTests {
    /// AAC-LC, 44.1 kHz, one channel.
    private func frame(_ unit: [UInt8], isProtected: Bool = false) -> [UInt8] {
        let header = isProtected ? 9 : 7
        let count = unit.count + header
        var bytes: [UInt8] = [0xFF, isProtected ? 0xF0 : 0xF1, 0x50, 0x40, 0, 0x1F, 0xFC]
        bytes[3] |= UInt8(count >> 11)
        bytes[4] = UInt8(count >> 3 & 255)
        bytes[5] |= UInt8((count & 7) << 5)
        return bytes + [UInt8](repeating: 0, count: header - 7) + unit
    }

    private func unit(_ number: Int) -> [UInt8] { MP4Writer.unit(number, 5 + number % 50) }

    private func stream(_ count: Int, rubbishAt: Int = -1) -> [UInt8] {
        (0..<count).flatMap { number in
            (number == rubbishAt ? [1, 2, 0xFF, 0xF1, 4] : []) + frame(unit(number), isProtected: number % 3 == 1)
        }
    }

    private func open(_ file: [UInt8], _ index: UnitIndex? = nil) throws -> Units {
        let frames = ADTSFrames(MemorySource(file), AudioExtent(start: 0, end: Int64(file.count)))
        _ = try frames.next()
        return try ADTSFormat.units(MemorySource(file), frames.extent, try #require(frames.first), index)
    }

    private func table(_ file: [UInt8]) throws -> SeekTable? {
        let walk = try ADTSFormat().seekTableWalk(MediaHead(MemorySource(file)))
        while try walk?.step() == false {}
        return walk?.table
    }

    @Test(arguments: [-1, 700]) func framesAreFoundAndCounted(rubbishAt: Int) throws {
        let file = stream(1000, rubbishAt: rubbishAt)
        let units = try open(file)
        for number in 0..<1000 { #expect(try units.next().map { Array($0) } == unit(number)) }
        #expect(try units.next() == nil)
        let table = try #require(try table(file))
        #expect(table.durationMilliseconds == (999 * 1024 * 1000 + 22_050) / 44_100)
        let index = try #require(UnitIndex(encoded: table.own))
        #expect(index.unitCount == 1000)
        for known in [nil, index] {
            let units = try open(file, known)
            for wanted in [999, 3, 512, 511, 701, 700, 699, 0] {
                try units.jump(to: Int64(wanted))
                #expect(try units.next().map { Array($0) } == unit(wanted))
            }
        }
    }

    /// A jump in a long recording without an index takes long. Other readers are served meanwhile, and no reader waits for its end.
    @Test func aLongWayIsGoneInSteps() throws {
        let source = MemorySource(stream(40_000))
        let head = try MediaHead(source)
        let extent = AudioExtent(start: 0, end: Int64(source.bytes.count))
        let header = try #require(source.bytes.withUnsafeBytes { ADTSHeader($0, at: 0) })
        let units = try ADTSFormat.units(head.source, extent, header, nil)
        var (steps, before, most) = (0, source.readBytes, Int64(0))
        try units.jump(to: 39_000) {
            steps += 1
            most = max(most, source.readBytes - before)
            before = source.readBytes
            return true
        }
        #expect(steps >= 150 && most <= 256 * 1024)
        #expect(try units.next().map { Array($0) } == unit(39_000))
        let other = try ADTSFormat.units(MemorySource(source.bytes), extent, header, nil)
        steps = 0
        #expect(throws: SourceError.self) {
            try other.jump(to: 39_000) {
                steps += 1
                return steps < 3
            }
        }
        #expect(steps == 3)
    }

    @Test func itIsToldByARowOfFrames() throws {
        func begins(_ file: [UInt8]) throws -> Bool { ADTSFormat().begins(try MediaHead(MemorySource(file))) }
        #expect(try begins(stream(10)))
        #expect(try begins(TagWriter.tag([TagWriter.text("TIT2", "x")]) + stream(10)))
        #expect(try begins(stream(3)))
        #expect(try !begins(frame(unit(3))))
        #expect(try !begins([0] + stream(10)))
        #expect(try !begins(frame(unit(0)) + [UInt8](repeating: 0xFF, count: 4000)))
        let tagged = TagWriter.tag([TagWriter.text("TIT2", "Title")]) + stream(10)
        let probe = try MediaProbe(MemorySource(tagged))
        #expect(probe.tags.list[.title] == "Title" && probe.sampleRate == 44_100 && probe.channels == 1)
        #expect(probe.audio.byteCount == Int64(stream(10).count))
    }

    @Test func mutations() throws {
        var chance = SeededGenerator(seed: 4)
        for round in 0..<400 {
            var file = stream(80)
            for _ in 0..<Int.random(in: 1...30, using: &chance) {
                file[Int.random(in: 0..<file.count, using: &chance)] =
                    Bool.random(using: &chance) ? 0xFF : UInt8.random(in: 0...255, using: &chance)
            }
            expectCost(inputBytes: file.count, "round \(round)") {
                _ = try? table(file)
                _ = try? MediaProbe(MemorySource(file))
                guard let units = try? open(file) else { return }
                while let bytes = try? units.next() { _ = bytes.count }
            }
        }
        expectLinear(smallBytes: 60_000) { bytes in
            frame(unit(0)) + frame(unit(1)) + [UInt8](repeating: 0xFF, count: bytes)
        } work: { file in
            guard let units = try? open(file) else { return }
            while let bytes = try? units.next() { _ = bytes.count }
        }
    }
}
