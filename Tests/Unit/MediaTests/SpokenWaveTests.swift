// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Media

@Suite struct SpokenWaveTests {
    private func bytes(_ samples: [Int]) -> [UInt8] { samples.flatMap { SoundFiles.little($0, 2) } }

    @Test func whatProgramsWrite() throws {
        let samples = [0, 20, -30, 1000, -2000, 3000, 5]
        // espeak-ng's sizes, since it does not know the length at the beginning.
        for said in [nil, 0x7FFF_F000, 0, 0xFFFF_FFFF] {
            let wave = try SpokenWave(SoundFiles.wave(bytes(samples), rate: 16_000, dataSaid: said), bareRate: 22_050)
            #expect(wave.rate == 16_000 && wave.channels == 1 && wave.samples == [1000, -2000, 3000, 5])
        }
        let bare = try SpokenWave(bytes(samples) + [1], bareRate: 22_050)
        #expect(bare.rate == 22_050 && bare.channels == 1 && bare.samples == [1000, -2000, 3000, 5])
        // Frames stay whole.
        let stereo = try SpokenWave(SoundFiles.wave(bytes([0, 0, 1, 5000, 7, 8]), channels: 2), bareRate: 8000)
        #expect(stereo.channels == 2 && stereo.samples == [1, 5000, 7, 8])
    }

    @Test func nothingToHearIsNothing() {
        for nothing in [
            [], [1], bytes([0, 0, 0]), SoundFiles.wave([]), SoundFiles.wave(bytes([0, 3])),
        ] {
            #expect(throws: MediaError.self) { try SpokenWave(nothing, bareRate: 22_050) }
        }
        #expect(throws: MediaError.self) { try SpokenWave(SoundFiles.wave(bytes([5000]), tag: 2), bareRate: 22_050) }
    }

    /// Half a minute at most, for any claimed size.
    @Test func nobodyListensForEver() throws {
        let long = [UInt8](repeating: 0x41, count: 8000 * 2 * 40)
        #expect(try SpokenWave(SoundFiles.wave(long, rate: 8000), bareRate: 1).samples.count == 240_000)
        #expect(try SpokenWave(long, bareRate: 8000).samples.count == 240_000)
    }

    /// Extremes in every field of the header, and rubbish.
    @Test(arguments: 0..<40) func rubbishDoesNoHarm(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let whole = SoundFiles.wave([UInt8](repeating: 0x41, count: 400), channels: 2)
        for _ in 0..<200 {
            var file = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<44, using: &random)
                let value: UInt8 = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)][
                    Int.random(in: 0..<6, using: &random)]
                for i in place..<min(44, place + [1, 2, 4][Int.random(in: 0..<3, using: &random)]) { file[i] = value }
            }
            file = Array(file.prefix(Int.random(in: 0...file.count, using: &random)))
            guard let wave = try? SpokenWave(file, bareRate: 22_050) else { continue }
            #expect(wave.samples.count <= 444 && wave.samples.count % wave.channels == 0 && wave.rate >= 1000)
        }
    }
}
