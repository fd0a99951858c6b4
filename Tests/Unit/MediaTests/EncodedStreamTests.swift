// SPDX-License-Identifier: Apache-2.0
import CMpg123
import TestSupport
import Testing

@testable import Media

/// Streams of real encoders: frames, durations, and jumps by the index.
@Suite struct EncodedStreamTests {
    static func check(_ bytes: [UInt8], _ what: String) throws {
        let extent = AudioExtentTests.extent(bytes).extent
        let audio = Array(bytes[Int(extent.start)..<Int(extent.end)])
        FrameWalkTests.compare(audio, what)
        let index = try #require(FrameWalkTests.walk(audio), "\(what)")
        let decoded = Mpg123Oracle.decodedSamples(audio)
        #expect(index.totalSamples == decoded.samples, "\(what)")
        #expect(index.sampleRate == decoded.rate, "\(what)")
        if let told = try FrameWalkTests.told(audio) { #expect(told == index.durationMilliseconds, "\(what)") }
        // Cut anywhere, it is still what libmpg123 finds.
        for part in [3, 7, 10] {
            FrameWalkTests.compare(Array(audio.prefix(audio.count * part / 11)), "\(what), cut")
        }
    }

    @Test(.enabled(if: Encoder.hasLame, "lame is not installed"))
    func lame() throws {
        var exact = 0
        for (rate, channels) in [
            (44_100, 2), (48_000, 1), (32_000, 2), (22_050, 1), (24_000, 2), (16_000, 1), (11_025, 1), (8000, 1),
        ] {
            let wave = Encoder.wave(seconds: 7, rate: rate, channels: channels)
            let modes =
                rate > 12_000
                ? [["-b", "64"], ["-V", "6"], ["--abr", "48"]] : [["-b", "40"], ["-V", "8"], ["--abr", "40"]]
            for mode in modes {
                for options in [
                    [], ["-t"], ["-p", "--tt", "A title", "--add-id3v2"], ["--tt", "Title", "--id3v1-only"],
                ] {
                    let arguments = ["--quiet", "--resample", "\(Double(rate) / 1000)"] + mode + options
                    let bytes = try Encoder.encode("lame", arguments, wave)
                    try EncodedStreamTests.check(bytes, "lame \(arguments)")
                    // With its tag, lame gives back exactly the samples that went in.
                    let extent = AudioExtentTests.extent(bytes).extent
                    let audio = Array(bytes[Int(extent.start)..<Int(extent.end)])
                    if !options.contains("-t") {
                        #expect(FrameWalkTests.walk(audio)?.totalSamples == Int64(7 * rate), "lame \(arguments)")
                        #expect(try FrameWalkTests.told(audio) != nil)
                        exact += 1
                    }
                }
            }
        }
        #expect(exact == 8 * 3 * 3)
    }

    @Test(.enabled(if: Encoder.hasLame, "lame is not installed"))
    func lameFreeFormat() throws {
        for rate in [144, 333, 480] {
            let wave = Encoder.wave(seconds: 3, rate: 44_100, channels: 2)
            let bytes = try Encoder.encode("lame", ["--quiet", "--freeformat", "-b", "\(rate)", "-t"], wave)
            try EncodedStreamTests.check(bytes, "free format \(rate)")
        }
    }

    @Test(.enabled(if: Encoder.hasTwolame, "twolame is not installed"))
    func twolame() throws {
        for (rate, channels, options) in [
            (44_100, 2, ["-b", "192"]), (48_000, 1, ["-b", "64", "-p"]), (24_000, 1, ["-b", "40"]),
            (44_100, 2, ["-V", "3"]), (44_100, 2, ["-b", "128", "-m", "j"]),
        ] {
            let wave = Encoder.wave(seconds: 3, rate: rate, channels: channels)
            try EncodedStreamTests.check(
                try Encoder.encode("twolame", options, wave), "twolame \(options)")
        }
    }

    @Test(.enabled(if: Encoder.hasLame, "lame is not installed"))
    func mutatedStreams() throws {
        var random = SeededGenerator(seed: 99)
        for mode in [["-b", "32"], ["-V", "7"], ["-V", "7", "-t"], ["--freeformat", "-b", "160", "-t"]] {
            let wave = Encoder.wave(seconds: 2, rate: 44_100, channels: 1)
            let whole = try Encoder.encode("lame", ["--quiet"] + mode, wave)
            for round in 0..<60 {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let at = Int.random(in: 0..<bytes.count, using: &random)
                    switch random.next() % 4 {
                    case 0: bytes[at] = random.bytes(1)[0]
                    case 1: bytes.insert(contentsOf: random.tempting(Int.random(in: 1...900, using: &random)), at: at)
                    case 2: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...900, using: &random)))
                    default: bytes.insert(contentsOf: whole.prefix(Int.random(in: 0...3000, using: &random)), at: at)
                    }
                }
                FrameWalkTests.compare(bytes, "\(mode), round \(round)", pieces: [65_536, 911])
            }
        }
    }

    /// With the walk's index, libmpg123 jumps to any sample and gives what it gives there without jumping.
    @Test(.enabled(if: Encoder.hasLame, "lame is not installed"))
    func jumpsAreExact() throws {
        var random = SeededGenerator(seed: 17)
        for options in [["-V", "7", "-t"], ["-V", "7"], ["-b", "48"]] {
            let wave = Encoder.wave(seconds: 30, rate: 44_100, channels: 1)
            let bytes = try Encoder.encode("lame", ["--quiet"] + options, wave)
            let index = try #require(FrameWalkTests.walk(bytes, step: 128))
            #expect(index.offsets.count > 5)
            let all = EncodedStreamTests.decode(bytes, index: nil, from: 0, limit: .max).samples
            #expect(Int64(all.count) == index.totalSamples)
            for _ in 0..<25 {
                let sample = Int.random(in: 0..<all.count - 1, using: &random)
                let part = EncodedStreamTests.decode(bytes, index: index, from: sample, limit: 3000)
                let wanted = all[sample..<min(all.count, sample + 3000)]
                // The order in which libmpg123's synthesis adds up depends on how many frames it has decoded: now and then a
                // sample is rounded to its neighbour.
                let differences = zip(part.samples, wanted).map { abs(Int($0) - Int($1)) }
                #expect(part.samples.count == wanted.count && (differences.max() ?? 0) <= 1, "\(options) at \(sample)")
                #expect(differences.count { $0 != 0 } <= 5, "\(options) at \(sample)")
                // From the entry before the place, less the frames that are decoded ahead, on.
                let place = index.offsets[sample / 1152 / 128]
                #expect(part.firstByte >= place - 128 * 1500, "\(options) at \(sample)")
            }
        }
    }

    /// Mono samples from one on, through the feeding interface.
    static func decode(_ bytes: [UInt8], index: FrameIndex?, from sample: Int, limit: Int) -> (
        samples: [Int16], firstByte: Int64
    ) {
        let handle = mpg123_new(nil, nil)!
        defer { mpg123_delete(handle) }
        _ = ns_mpg123_set(handle, MPG123_ADD_FLAGS, Int(MPG123_QUIET.rawValue))
        _ = ns_mpg123_set(handle, MPG123_RESYNC_LIMIT, -1)
        _ = ns_mpg123_set(handle, MPG123_PREFRAMES, 40)
        mpg123_open_feed(handle)
        var at = 0
        func feed() -> Bool {
            let part = min(2048, bytes.count - at)
            bytes.withUnsafeBufferPointer { _ = mpg123_feed(handle, $0.baseAddress! + at, part) }
            at += part
            return part > 0
        }
        var samples: [Int16] = []
        var firstByte = 0
        if let index {
            var rate = 0
            var channels: Int32 = 0
            var encoding: Int32 = 0
            while mpg123_getformat(handle, &rate, &channels, &encoding) != 0, feed() {}
            var offsets = index.offsets.map { off_t($0) }
            mpg123_set_index(handle, &offsets, off_t(index.step), offsets.count)
            var offset: off_t = 0
            _ = mpg123_feedseek(handle, off_t(sample), 0, &offset)
            at = Int(offset)
            firstByte = at
        }
        while samples.count < limit {
            var number: off_t = 0
            var audio: UnsafeMutablePointer<UInt8>?
            var count = 0
            let code = mpg123_decode_frame(handle, &number, &audio, &count)
            if let audio, count > 0 {
                samples += UnsafeRawBufferPointer(start: audio, count: count).bindMemory(to: Int16.self)
            }
            if code == MPG123_NEED_MORE.rawValue && !feed() { break }
        }
        return (Array(samples.prefix(limit)), Int64(firstByte))
    }
}
