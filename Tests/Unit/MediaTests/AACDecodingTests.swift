// SPDX-License-Identifier: Apache-2.0
import Foundation
import FuzzWork
import TestSupport
import Testing

@testable import Media

/// With libfaad2, as it is on this machine.
@Suite struct AACDecodingTests {
    private static func open(_ file: [UInt8], _ table: SeekTable? = nil) throws -> any AudioDecoding {
        try #require(try MediaFormats.decoder(MemorySource(file), table))
    }

    /// All that is left.
    private static func rest(_ decoder: any AudioDecoding, most: Int = .max, piece: Int = 4096) throws -> [Int16] {
        var samples: [Int16] = []
        let room = UnsafeMutablePointer<Int16>.allocate(capacity: piece * 2)
        defer { room.deallocate() }
        while samples.count < most {
            let count = try decoder.decode(into: room, frames: piece)
            if count == 0 { break }
            samples += UnsafeBufferPointer(start: room, count: count * decoder.channels)
        }
        return samples
    }

    /// At 200 places: the very samples that stand there when all is decoded from the start.
    @Test(.enabled(if: Encoder.hasFFmpeg, "ffmpeg is not installed"), arguments: ["m4a", "aac"], [1, 2])
    func seeksAreExact(kind: String, channels: Int) throws {
        let seconds = 20.0
        let file = try Encoder.aac(kind, Encoder.wave(seconds: seconds, rate: 22_050, channels: channels))
        let decoder = try Self.open(file)
        #expect(decoder.rate == 22_050 && decoder.channels == channels)
        let whole = try Self.rest(decoder, piece: 1000)
        if kind == "m4a" {
            #expect(decoder.frameCount == Int64(seconds * 22_050) && whole.count == Int(seconds * 22_050) * channels)
        }
        let walk = try #require(
            try MediaFormats.format(of: MediaHead(MemorySource(file)))?.seekTableWalk(MediaHead(MemorySource(file))))
        while try !walk.step() {}
        let table = try #require(walk.table)
        #expect(table.durationMilliseconds == (whole.count / channels * 1000 + 11_025) / 22_050)
        let count = whole.count / channels
        var chance = SeededGenerator(seed: UInt64(channels))
        for known in [nil, SeekTable(stored: table.bytes)] {
            let decoder = try Self.open(file, known)
            for number in 0..<100 {
                let place =
                    [0, 1, 1023, 1024, 1025, count - 1][safe: number] ?? Int.random(in: 0..<count, using: &chance)
                try decoder.seek(toFrame: Int64(place))
                let samples = try Self.rest(decoder, most: 2048, piece: 700)
                let wanted = whole[(place * channels)...].prefix(samples.count)
                #expect(!samples.isEmpty && samples.elementsEqual(wanted), "place \(place)")
            }
            try decoder.seek(toFrame: Int64(count))
            #expect(try Self.rest(decoder).isEmpty)
        }
    }

    /// Of HE-AAC at 100 places of each kind: noise in the upper band is another each time, so that what is compared is where it stands.
    @Test(arguments: ["he-aac", "he-aac-v2"]) func jumpsInTwoBandsAreRight(name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Recordings")
        let file = [UInt8](try Data(contentsOf: folder.appending(path: name + ".m4a")))
        let decoder = try Self.open(file)
        #expect(decoder.rate == 44_100 && decoder.channels == 2 && decoder.frameCount == 12 * 44_100)
        let whole = try Self.rest(decoder)
        #expect(whole.count == 2 * 12 * 44_100)
        func likeness(_ got: [Int16], to place: Int) -> Double {
            var (both, ours, theirs) = (0.0, 0.0, 0.0)
            whole.withUnsafeBufferPointer { whole in
                for i in 0..<got.count {
                    let (a, b) = (Double(got[i]), Double(whole[2 * place + i]))
                    both += a * b
                    ours += a * a
                    theirs += b * b
                }
            }
            return both / (ours * theirs).squareRoot()
        }
        var chance = SeededGenerator(seed: 7)
        var compared = 0
        while compared < 100 {
            let place = Int.random(in: 1000..<12 * 44_100 - 6000, using: &chance)
            // Skips places that are almost silent.
            if whole[2 * place..<2 * place + 4096].allSatisfy({ abs($0) < 3000 }) { continue }
            compared += 1
            try decoder.seek(toFrame: Int64(place))
            let got = Array(try Self.rest(decoder, most: 4096, piece: 2048)[0..<4096])
            let there = likeness(got, to: place)
            #expect(there > 0.9, "place \(place)")
            #expect(likeness(got, to: place - 2) < there && likeness(got, to: place + 2) < there, "place \(place)")
        }
    }

    /// A unit that cannot be decoded becomes silence; the rest stays in place.
    @Test(.enabled(if: Encoder.hasFFmpeg, "ffmpeg is not installed"))
    func damageKeepsThePlace() throws {
        var file = try Encoder.aac("m4a", Encoder.wave(seconds: 10, rate: 22_050, channels: 1))
        let whole = try Self.rest(try Self.open(file))
        let media = try #require(try? MediaProbe(MemorySource(file)).audio)
        for i in 0..<3000 { file[Int(media.start) + Int(media.byteCount) / 2 + i] = UInt8(truncatingIfNeeded: i &* 77) }
        let damaged = try Self.rest(try Self.open(file))
        #expect(damaged.count == whole.count && damaged != whole)
        #expect(damaged.suffix(50_000) == whole.suffix(50_000))
    }

    /// Any bytes in the place of units.
    @Test(.enabled(if: Encoder.hasFFmpeg, "ffmpeg is not installed"))
    func mutations() throws {
        var chance = SeededGenerator(seed: 11)
        let sound = Encoder.wave(seconds: 2, rate: 22_050, channels: 2)
        for kind in ["m4a", "aac"] {
            let file = try Encoder.aac(kind, sound)
            for _ in 0..<60 {
                var changed = file
                for _ in 0..<Int.random(in: 1...40, using: &chance) {
                    changed[Int.random(in: 0..<file.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
                }
                guard let decoder = try? Self.open(changed) else { continue }
                _ = try? Self.rest(decoder)
                try? decoder.seek(toFrame: 5000)
                _ = try? Self.rest(decoder, most: 3000)
            }
        }
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
