// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Audio

@Suite struct FrameChainTests {
    /// All that comes out for what is given in pieces of these lengths; fails if a part is larger than promised.
    private func converted(_ samples: [Int16], channels: Int, pieces: [Int], _ chain: borrowing FrameChain) -> [Int16] {
        var result: [Int16] = []
        var done = 0
        samples.withUnsafeBufferPointer { all in
            for piece in pieces {
                var left = min(piece, all.count / channels - done)
                while left > 0 {
                    let part = chain.convert(all.baseAddress! + done * channels, frames: left)
                    #expect(part.used > 0 && part.used <= left && part.frames <= chain.outputLimit)
                    result.append(
                        contentsOf: UnsafeBufferPointer(start: part.samples, count: part.frames * cardChannels(chain)))
                    done += part.used
                    left -= part.used
                }
            }
        }
        return result
    }

    private func cardChannels(_ chain: borrowing FrameChain) -> Int { chain.cardChannels }

    /// 8 kHz after 22.05 kHz in one file: libmpg123, held to the first, gave 3,176 samples at once.
    @Test(arguments: [1, 100, 1152, 1153, 3176, 50_000])
    func whateverADecoderGivesIsTakenInParts(piece: Int) throws {
        let wave = (0..<60_000).map { Int16(($0 % 200 - 100) * 100) }
        let pieces = [Int](repeating: piece, count: wave.count / piece + 1)
        let chain = try FrameChain(rate: 22050, channels: 1, cardRate: 48000, cardChannels: 1)
        let other = try FrameChain(rate: 22050, channels: 1, cardRate: 48000, cardChannels: 1)
        let expected = converted(wave, channels: 1, pieces: [Int](repeating: 1000, count: 60), other)
        let got = converted(wave, channels: 1, pieces: pieces, chain)
        let frames = 60_000 * 48000 / 22050
        #expect(abs(got.count - frames) < 200)
        // The same sound, however it was cut.
        let wrong = zip(got, expected).filter { abs(Int($0) - Int($1)) > 1 }.count
        #expect(wrong == 0)
    }

    @Test func aCardOfTheSameKindGetsEverySampleAsItIs() throws {
        let wave = (0..<5000).map { Int16(truncatingIfNeeded: $0 * 31) }
        let chain = try FrameChain(rate: 44100, channels: 2, cardRate: 44100, cardChannels: 2)
        let same = converted(wave, channels: 2, pieces: [700, 1800], chain)
        #expect(same == wave)
    }

    @Test func monoGoesToBothEarsAndNoFurther() throws {
        let chain = try FrameChain(rate: 44100, channels: 1, cardRate: 44100, cardChannels: 4)
        let four = converted([1, -2], channels: 1, pieces: [2], chain)
        #expect(four == [1, 1, 0, 0, -2, -2, 0, 0])
    }

    @Test func stereoIsAveragedForOneEar() throws {
        let chain = try FrameChain(rate: 44100, channels: 2, cardRate: 44100, cardChannels: 1)
        let one = converted([100, 200, -32768, -32768], channels: 2, pieces: [2], chain)
        #expect(one == [150, -32768])
    }
}

@Suite struct FormatHoldTests {
    private func given(_ hold: inout FormatHold, _ samples: [Int16], rate: Int, channels: Int) -> [Int16] {
        var result: [Int16] = []
        samples.withUnsafeBufferPointer { all in
            hold.take(all.baseAddress!, count: all.count, rate: rate, channels: channels)
            var frames = 0
            while let piece = hold.next(frames: &frames) {
                #expect(frames > 0 && frames <= FormatHold.pieceFrames)
                result.append(contentsOf: UnsafeBufferPointer(start: piece, count: frames * hold.channels))
            }
        }
        return result
    }

    @Test func aStreamThatStaysAsItBeganIsUntouched() {
        var hold = FormatHold()
        let samples = (0..<4608).map { Int16(truncatingIfNeeded: $0 * 77) }
        let same = given(&hold, samples, rate: 44100, channels: 2)
        #expect(same == samples)
    }

    /// The tone keeps its pitch and the time its length, over the borders of what the decoder gives.
    @Test(arguments: [(8000, 44100), (44100, 8000), (22050, 48000), (48000, 32000)])
    func aStreamOfAnotherRateKeepsItsPitch(rates: (from: Int, to: Int)) {
        var hold = FormatHold()
        hold.begin(rate: rates.to, channels: 1)
        // A triangle of 50 Hz: straight lines meet its lines exactly, except at the corners.
        func triangle(_ place: Double, rate: Int) -> Double {
            let phase = (place * 50 / Double(rate)).truncatingRemainder(dividingBy: 1)
            return phase < 0.5 ? phase * 40_000 - 10_000 : 30_000 - phase * 40_000
        }
        var result: [Int16] = []
        for piece in 0..<rates.from / 500 {
            let wave = (0..<500).map { Int16(triangle(Double(piece * 500 + $0), rate: rates.from)) }
            result += given(&hold, wave, rate: rates.from, channels: 1)
        }
        let frames = rates.from / 500 * 500 * rates.to / rates.from
        #expect(abs(result.count - frames) <= 1)
        var wrong = 0
        for (place, sample) in result.enumerated().dropFirst(20) {
            // One frame of the input late, since the line to the next is not known before it comes.
            let exact = triangle(Double(place) - Double(rates.to) / Double(rates.from), rate: rates.to)
            let off = abs(Double(sample) - exact)
            let limit = 2_000_000 / Double(min(rates.from, rates.to)) + 2
            if off > limit { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test func channelsAreMixedToThoseThatItBeganWith() {
        var mono = FormatHold()
        mono.begin(rate: 1000, channels: 1)
        let mixed = given(&mono, [10, 30, 10, 30, 10, 30], rate: 1000, channels: 2)
        #expect(mixed.dropFirst() == [20, 20])
        var stereo = FormatHold()
        stereo.begin(rate: 1000, channels: 2)
        let doubled = given(&stereo, [5, 5, 5], rate: 1000, channels: 1)
        #expect(doubled.dropFirst(2) == [5, 5, 5, 5])
    }
}
