// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Posix
import Testing

@testable import Playback

@Suite("WAV files") struct WaveFileTests {
    private func write(_ path: String, _ samples: [Int16]) throws {
        let wave = try WaveFile(path: path)
        try wave.begin(rate: 44_100, channels: 2)
        for start in stride(from: 0, to: samples.count, by: 1000) {
            var failure: PosixError?
            samples[start..<min(start + 1000, samples.count)].withUnsafeBytes { bytes in
                do throws(PosixError) { try wave.write(bytes) } catch { failure = error }
            }
            if let failure { throw failure }
        }
        try wave.finish()
    }

    private func number(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    @Test(arguments: [0, 1, 1000, 123_456]) func theSizesAreThoseOfWhatIsInIt(count: Int) throws {
        let path = NSTemporaryDirectory() + "wave-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let samples = (0..<count).map { Int16(truncatingIfNeeded: $0 &* 7) }
        try write(path, samples)
        let bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
        #expect(bytes.count == 44 + 2 * count)
        #expect(bytes[0..<4].elementsEqual("RIFF".utf8) && bytes[8..<16].elementsEqual("WAVEfmt ".utf8))
        #expect(number(bytes[4..<8]) == bytes.count - 8)
        #expect(number(bytes[16..<20]) == 16 && number(bytes[20..<22]) == 1)
        #expect(number(bytes[22..<24]) == 2 && number(bytes[24..<28]) == 44_100)
        #expect(number(bytes[28..<32]) == 4 * 44_100 && number(bytes[32..<34]) == 4 && number(bytes[34..<36]) == 16)
        #expect(bytes[36..<40].elementsEqual("data".utf8) && number(bytes[40..<44]) == 2 * count)
        #expect(bytes[44...].elementsEqual(samples.withUnsafeBytes { [UInt8]($0) }))
    }

    @Test func aDiskThatIsFullIsSaid() {
        #expect(throws: PosixError.self) { try write("/dev/full", [1, 2, 3]) }
        #expect(throws: PosixError.self) { try write("/nowhere/x.wav", []) }
    }
}
