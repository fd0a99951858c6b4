// SPDX-License-Identifier: Apache-2.0
import FuzzWork
import TestSupport
import Testing

@testable import Media

/// Numbers that a file may hold and no recording has: at which sums and products go over.
@Suite struct HostileNumbersTests {
    private let comments = SoundFiles.comments(["TITLE=x"])

    private static let granules: [Int64] = [.min, 1 - .max, -48_000, -2, 0, 1, .max / 2, .max]

    @Test(arguments: granules) func granulesOfOgg(granule: Int64) throws {
        let file = SoundFiles.opus(comments, seconds: 3)
        let pages = file.indices.filter { file[$0...].starts(with: "OggS".utf8) }
        // The first with sound, the last, and both.
        for chosen in [[pages[2]], [pages[4]], [pages[2], pages[4]]] {
            var changed = file
            for page in chosen {
                changed.replaceSubrange(page + 6..<page + 14, with: SoundFiles.little(Int(granule), 8))
            }
            FieldFile.sealOgg(&changed)
            let length = try MediaProbe(MemorySource(changed)).durationMilliseconds ?? 0
            #expect((0...MediaProbe.mostMilliseconds).contains(length))
        }
    }

    /// A damaged page says nothing: decoders skip it, too.
    @Test func damagedPagesDoNotTellTheLength() throws {
        var file = SoundFiles.opus(comments, seconds: 3)
        let last = try #require(file.indices.last { file[$0...].starts(with: "OggS".utf8) })
        file.replaceSubrange(last + 6..<last + 14, with: SoundFiles.little(480_000_000, 8))
        #expect(try MediaProbe(MemorySource(file)).durationMilliseconds == (96_000 - 312 + 24) / 48)
    }

    private func mp4(_ change: (inout MP4Writer) -> Void, sampleBytes: UInt32, samples: UInt32) throws -> [UInt8] {
        var writer = MP4Writer()
        writer.sizes = [5, 5, 5, 5]
        change(&writer)
        var file = writer.file().bytes
        let at = try #require(file.indices.first { file[$0...].starts(with: "stsz".utf8) })
        file.replaceSubrange((at + 8)..<(at + 16), with: MP4Writer.big(sampleBytes, samples))
        return file
    }

    /// 2³¹ ticks a second, a core of 1000 Hz, and as many units as can be said.
    @Test func ticksOfMP4() throws {
        let file = try mp4(
            {
                $0.timescale = 1 << 31
                // AAC-LC, a rate of its own: 1000 Hz, one channel.
                $0.config = [0x17, 0x80, 0x01, 0xF4, 0x08]
            }, sampleBytes: 1, samples: .max)
        for zeros in [0, 1 << 33] as [Int64] {
            for hasLength in [true, false] {
                let source = MemorySource(file, zeros: zeros)
                source.hasLength = hasLength
                #expect(try MP4Movie(source).config.coreRate == 1000)
                expectCost(inputBytes: file.count) { _ = try? MediaProbe(source) }
                expectCost(inputBytes: file.count) {
                    guard let units = try? MP4Movie(source).units(nil) else { return }
                    _ = units.span.samples(unitCount: units.unitCount ?? 0, unitSamples: 1024, rate: 96_000)
                }
            }
        }
    }

    /// All units have one size: the index computes units beyond the end, and does not visit them one by one.
    @Test func unitsBeyondTheEndAreReckoned() throws {
        let file = try mp4({ $0.unitsInChunk = 1 << 20 }, sampleBytes: 1, samples: 60_000_000)
        var wide = file
        let runs = try #require(file.indices.first { file[$0...].starts(with: "stsc".utf8) })
        wide.replaceSubrange((runs + 16)..<(runs + 20), with: MP4Writer.big(60_000_000))
        let source = MemorySource(wide, zeros: 50_000_000)
        expectCost(inputBytes: file.count) {
            guard let movie = try? MP4Movie(source) else { return }
            let cursor = UnitCursor(source, movie.sound.tables)
            let passed = try? cursor.skip(60_000_000)
            #expect(passed ?? 0 > 49_000_000 && passed ?? 0 < 50_001_000)
        }
    }

    /// Of a server that tells no length a box may claim to be as long as there are numbers.
    @Test func tablesWithoutEnd() throws {
        var writer = MP4Writer()
        writer.sizes = [5, 5, 5, 5]
        let file = writer.file().bytes
        for name in ["stco", "stsz", "stts", "stsc"] {
            var changed = file
            let at = try #require(file.indices.first { file[$0...].starts(with: name.utf8) })
            // Every box around it as long as it likes, too.
            for outer in ["moov", "trak", "mdia", "minf", "stbl"] {
                let at = try #require(file.indices.first { file[$0...].starts(with: outer.utf8) })
                changed.replaceSubrange((at - 4)..<at, with: MP4Writer.big(0))
            }
            let body = changed[(at + 4)...]
            let head = MP4Writer.big(1) + Array(name.utf8) + MP4Writer.big(0x7FFF_FFFF, 0xFFFF_FFFF)
            let source = MemorySource(changed[..<(at - 4)] + head + body)
            source.hasLength = false
            expectCost(inputBytes: file.count, name) { _ = try? MediaProbe(source) }
        }
    }

    /// A length beyond any recording counts as unknown, so that no sum contains it.
    @Test func lengthsThatNoRecordingHas() throws {
        #expect(MediaProbe.milliseconds(frames: .max, rate: 1) == nil)
        #expect(MediaProbe.milliseconds(frames: .min, rate: 1) == 0)
        #expect(MediaProbe.milliseconds(frames: 1 << 36, rate: 1000) == nil)
        #expect(MediaProbe.milliseconds(frames: 44_100 * 3600 * 200, rate: 44_100) == 720_000_000)
        #expect(MediaProbe.milliseconds(frames: 22, rate: 44_100) == 0)
        #expect(MediaProbe.milliseconds(frames: 23, rate: 44_100) == 1)
        let flac = SoundFiles.flac(
            [(0, SoundFiles.streamInfo(rate: 1, frames: 1 << 35))], audio: [UInt8](repeating: 0, count: 100))
        #expect(try MediaProbe(MemorySource(flac)).durationMilliseconds == nil)
    }

    @Test func numbersInTexts() {
        let sheet = "TRACK 01 AUDIO\nINDEX 01 999999:59:74\nTRACK 02 AUDIO\nINDEX 01 01:00:00\n"
        #expect(CueSheet(Array(sheet.utf8), audioName: "").chapters.map { $0.startMilliseconds } == [60_000])
        var gains = TagGains()
        _ = gains.take(named: Array("REPLAYGAIN_TRACK_GAIN".utf8), Array("999999999999 dB".utf8))
        #expect(gains.isEmpty)
    }
}
