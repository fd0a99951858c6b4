// SPDX-License-Identifier: Apache-2.0
import FuzzWork
import TestSupport
import Testing

@testable import Media

/// The walk's findings about a stream, against libmpg123's own scan of the passed bytes.
@Suite struct FrameWalkTests {
    /// Returns the findings, and the bytes passed to a decoder for them, in parts that follow each other in the file.
    private static func found(
        _ bytes: [UInt8], pieces: Int, step: Int
    ) -> (index: FrameIndex?, passed: [(from: Int64, bytes: [UInt8])]) {
        guard let stream = try? FrameStream(MemorySource(bytes), notingEvery: step) else { return (nil, []) }
        var passed: [(from: Int64, bytes: [UInt8])] = []
        var buffer = [UInt8](repeating: 0, count: pieces)
        while !stream.isAtEnd {
            let count = (try? buffer.withUnsafeMutableBytes { try stream.next(into: $0) }) ?? 0
            if count > 0 { passed.append((stream.givenFrom, Array(buffer[..<count]))) }
        }
        return (stream.index(), passed)
    }

    static func walk(_ bytes: [UInt8], pieces: Int = 65_536, step: Int = 1) -> FrameIndex? {
        found(bytes, pieces: pieces, step: step).index
    }

    /// Walks in pieces of several sizes, and asks libmpg123 of what it would be given.
    static func compare(_ bytes: [UInt8], _ what: String, pieces: [Int] = [65_536, 1000, 37]) {
        let start = AudioExtentTests.extent(bytes).extent.start
        for size in pieces {
            // Small pieces cost more, but only tests make them.
            let bound = CostBound(nanosecondsPerByte: size < 1000 ? 100_000 : 5000)
            let (index, passed) = expectCost(bound, inputBytes: bytes.count, "\(what), pieces of \(size)") {
                found(bytes, pieces: size, step: 1)
            }
            let oracle = Mpg123Oracle(scanning: passed.flatMap(\.bytes))
            var expected: [Int64] = []
            var at: Int64 = 0
            var rest = oracle.offsets[...]
            for part in passed {
                let end = at + Int64(part.bytes.count)
                while let next = rest.first, next < end { expected.append(part.from + rest.removeFirst() - at) }
                at = end
            }
            #expect(index?.offsets ?? [] == expected, "\(what), pieces of \(size)")
            #expect(index?.frameCount ?? 0 == oracle.offsets.count, "\(what), pieces of \(size)")
            for offset in expected {
                let header = bytes[Int(start + offset)...].prefix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
                #expect(FrameHeader(header) != nil)
            }
        }
    }

    @Test func everyFormat() {
        for version: UInt32 in [0, 2, 3] {
            for layer: UInt32 in 1...3 {
                for rate: UInt32 in 0...2 {
                    var stream: [UInt8] = []
                    for bitrate: UInt32 in 1...14 {
                        for isPadded in [false, true] {
                            let format = SyntheticFormat(
                                version: version, layer: layer, rate: rate, bitrate: bitrate, mode: bitrate % 4,
                                hasCRC: isPadded, isPadded: isPadded)
                            let header = FrameHeader(format.word)
                            #expect(header?.frameBytes == format.frameBytes)
                            #expect(header?.sampleRate == format.hertz)
                            #expect(header?.samplesPerFrame == format.samples)
                            #expect(header?.layer == Int(layer))
                            #expect(header?.hasCRC == isPadded)
                            // The first two must be alike for the first to be believed.
                            stream += format.frame()
                            if bitrate % 3 == 0 { stream += format.frame() }
                        }
                    }
                    let first = SyntheticFormat(version: version, layer: layer, rate: rate, mode: 1).frame()
                    FrameWalkTests.compare(first + stream, "version \(version) layer \(layer) rate \(rate)")
                }
            }
        }
    }

    @Test func samplesAndRatesOfAllHeaders() {
        // Every header that has a sync, as far as validity goes, against the rules written out.
        var valid = 0
        for low: UInt32 in 0..<(1 << 21) where low & 0xFF == 0 {
            let word = 0xFFE0_0000 | low
            let isValid = word >> 17 & 3 != 0 && word >> 12 & 15 != 15 && word >> 10 & 3 != 3
            #expect((FrameHeader(word) != nil) == isValid)
            #expect(FrameHeader(word & 0x7FFF_FFFF) == nil)
            if isValid { valid += 1 }
        }
        #expect(valid == 4 * 3 * 2 * 15 * 3 * 4)
    }

    @Test func infoFramesAreNotCounted() {
        for mode: UInt32 in [1, 3] {
            for version: UInt32 in [0, 2, 3] {
                for name in ["Info", "Xing", "Xinh"] {
                    let format = SyntheticFormat(version: version, bitrate: 8, mode: mode)
                    let frames = (0..<20).flatMap { _ in format.frame() }
                    let bytes = format.infoFrame(name, frames: 20, bytes: 4000, delayAndPadding: (576, 1000)) + frames
                    FrameWalkTests.compare(bytes, "\(name), mode \(mode), version \(version)")
                    #expect(FrameWalkTests.walk(bytes)?.frameCount == (name == "Xinh" ? 21 : 20))
                }
            }
        }
    }

    @Test func vbriFrameIsCounted() throws {
        let format = SyntheticFormat(bitrate: 9, mode: 1)
        var first = format.frame()
        let tag = Array("VBRI".utf8) + [0, 1, 0, 0, 0, 75] + (5000 as UInt32).bytes + (30 as UInt32).bytes
        first.replaceSubrange(36..<36 + tag.count, with: tag)
        let bytes = first + (0..<30).flatMap { _ in format.frame() }
        FrameWalkTests.compare(bytes, "VBRI")
        let walk = try FrameWalkTests.walked(bytes)
        #expect(walk.infoTag?.kind == .vbri)
        #expect(walk.infoTag?.frameCount == 30)
        #expect(walk.index()?.frameCount == 31)
    }

    @Test func freeFormat() {
        for layer: UInt32 in 1...3 {
            for bytes in [40, 61, 417, 1000, 3456] {
                for isPadded in [false, true] {
                    var format = SyntheticFormat(layer: layer, bitrate: 0, mode: 3, isPadded: isPadded)
                    var stream: [UInt8] = []
                    for i in 0..<40 {
                        format.isPadded = isPadded != (i % 3 == 2)
                        stream += format.frame(freeBytes: bytes)
                    }
                    FrameWalkTests.compare(stream, "free format, layer \(layer), \(bytes) bytes, \(isPadded)")
                    #expect(FrameWalkTests.walk(stream)?.frameCount ?? 0 >= 38)
                }
            }
        }
        // Longer than any decoder takes.
        let long = SyntheticFormat(bitrate: 0).frame(freeBytes: 3600)
        FrameWalkTests.compare(long + long + long, "too long")
        // Layer III that is shorter than its side information.
        let short = SyntheticFormat(bitrate: 0, mode: 1).frame(freeBytes: 20)
        FrameWalkTests.compare((0..<20).flatMap { _ in short }, "too short")
    }

    @Test func truncation() {
        let format = SyntheticFormat(bitrate: 5, mode: 3)
        let frame = format.frame()
        let whole = (0..<6).flatMap { _ in frame }
        for cut in 0...(frame.count * 2 + 5) {
            FrameWalkTests.compare(Array(whole.dropLast(cut)), "cut by \(cut)", pieces: [65_536, 100])
        }
        #expect(FrameWalkTests.walk([]) == nil)
        #expect(FrameWalkTests.walk(frame) == nil)
    }

    @Test func garbageAndTagsWithin() {
        var random = SeededGenerator(seed: 11)
        let format = SyntheticFormat(bitrate: 4, mode: 3)
        let frames = { (count: Int) in (0..<count).flatMap { _ in format.frame() } }
        let between: [(String, [UInt8])] = [
            ("zeros", [UInt8](repeating: 0, count: 3000)),
            ("noise", random.bytes(5000)),
            ("much noise", random.bytes(300_000)),
            ("tempting noise", random.tempting(20_000)),
            ("ID3v2", SyntheticTag.id3v2(body: 4000, fill: 0xFF)),
            ("ID3v2 with footer", SyntheticTag.id3v2(body: 500, footer: true, fill: 0xFE)),
            ("ID3v2.3 that says footer", SyntheticTag.id3v2(body: 500, version: 3, footer: true)),
            ("small ID3v2", SyntheticTag.id3v2(body: 3)),
            ("ID3v2 of version 255", SyntheticTag.id3v2(body: 300, version: 255)),
            ("damaged ID3v2", Array("ID3".utf8) + [4, 0, 0, 0x80, 0, 0, 0]),
            ("ID3v1", SyntheticTag.id3v1()),
            ("APE", SyntheticTag.ape(items: 700)),
            ("APE without header", SyntheticTag.ape(items: 700, header: false)),
            ("APE that is none", Array("APETAGEXxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx".utf8)),
            ("RIFF", Array("RIFFxxxxWAVEfmt aaaaaaaaaaaaaaaaaaaaaaaadata".utf8) + [1, 2, 3, 4]),
            ("a false sync", [0xFF, 0xFB, 0x90, 0x40]),
            ("a cut frame", Array(format.frame().dropLast(50))),
        ]
        for (name, junk) in between {
            FrameWalkTests.compare(frames(5) + junk + frames(7), "\(name) within")
            FrameWalkTests.compare(junk + frames(5), "\(name) in front", pieces: [65_536, 333])
            FrameWalkTests.compare(frames(5) + junk, "\(name) behind")
            FrameWalkTests.compare(frames(3) + junk + junk + frames(3), "\(name) twice")
        }
        FrameWalkTests.compare(
            frames(5) + SyntheticTag.id3v1() + SyntheticTag.id3v2(body: 100) + frames(6), "two files joined")
    }

    @Test func joinedFormats() {
        var random = SeededGenerator(seed: 5)
        for round in 0..<60 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 2...6, using: &random) {
                var format = SyntheticFormat.random(using: &random)
                for _ in 0..<Int.random(in: 1...12, using: &random) {
                    format.isPadded.toggle()
                    bytes += format.frame()
                }
            }
            FrameWalkTests.compare(bytes, "round \(round)", pieces: [65_536, 700])
        }
    }

    @Test func randomStreams() {
        var random = SeededGenerator(seed: 2026)
        for round in 0..<400 {
            var bytes: [UInt8] = []
            var format = SyntheticFormat.random(using: &random)
            if random.next() % 5 == 0 { format.bitrate = 0 }
            let freeBytes = Int.random(in: 45...1200, using: &random)
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                switch Int.random(in: 0..<10, using: &random) {
                case 0: bytes += random.tempting(Int.random(in: 1...2000, using: &random))
                case 1: format.bitrate = format.bitrate == 0 ? 0 : UInt32.random(in: 1...14, using: &random)
                case 2: format.isPadded.toggle()
                case 3: format.hasCRC.toggle()
                default:
                    for _ in 0..<Int.random(in: 1...5, using: &random) { bytes += format.frame(freeBytes: freeBytes) }
                }
            }
            // Some bytes are turned, some streams are cut.
            if round % 2 == 0 && !bytes.isEmpty {
                for _ in 0..<Int.random(in: 0...10, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = random.bytes(1)[0]
                }
            }
            if round % 3 == 0 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random) / 4) }
            FrameWalkTests.compare(
                bytes, "round \(round)", pieces: [65_536, Int.random(in: 5...3000, using: &random)])
        }
    }

    @Test func rubbish() {
        var random = SeededGenerator(seed: 77)
        for round in 0..<150 {
            let bytes = round % 2 == 0 ? random.bytes(30_000) : random.tempting(30_000)
            FrameWalkTests.compare(bytes, "round \(round)", pieces: [65_536, 1111])
        }
    }

    @Test func temptingBytesCostTheirShare() {
        expectLinearOnTemptingBytes { _ = FrameWalkTests.walk($0) }
    }

    /// Any cutting into pieces gives one result.
    @Test func piecesDoNotMatter() {
        var random = SeededGenerator(seed: 3)
        let format = SyntheticFormat(bitrate: 0, mode: 1)
        var bytes = random.tempting(3000)
        for i in 0..<60 {
            bytes += format.frame(freeBytes: 700)
            if i % 9 == 0 { bytes += random.tempting(200) }
        }
        let whole = FrameWalkTests.walk(bytes)
        #expect(whole != nil)
        for size in 1...9 { #expect(FrameWalkTests.walk(bytes, pieces: size) == whole) }
        for _ in 0..<50 {
            let size = Int.random(in: 1...2500, using: &random)
            #expect(FrameWalkTests.walk(bytes, pieces: size) == whole)
        }
    }

    @Test func stepIsDoubledWhereThereAreTooMany() throws {
        let frame = SyntheticFormat(version: 2, rate: 1, bitrate: 1, mode: 3).frame()
        #expect(frame.count == 24)
        let count = 12_288 * 3 + 5
        let stream = [UInt8](unsafeUninitializedCapacity: count * 24) { buffer, size in
            for i in 0..<count * 24 { buffer[i] = frame[i % 24] }
            size = count * 24
        }
        for step in [1, 2] {
            let index = try #require(FrameWalkTests.walk(stream, step: step))
            #expect(index.frameCount == count)
            #expect(index.step == 4)
            #expect(index.offsets == (0..<(count + 3) / 4).map { Int64($0 * 4 * 24) })
        }
        let edge = try #require(FrameWalkTests.walk(Array(stream.prefix(12_288 * 24 + 3)), step: 1))
        #expect(edge.step == 1 && edge.offsets.count == 12_288 && edge.frameCount == 12_288)
        // A frame that is not whole has doubled the step, and is gone again.
        let cut = try #require(FrameWalkTests.walk(Array(stream.prefix(12_288 * 24 + 10)), step: 1))
        #expect(cut.step == 2 && cut.offsets.count == 6144 && cut.frameCount == 12_288)
    }

    @Test func durationIsWhatIsDecoded() throws {
        var random = SeededGenerator(seed: 8)
        for version: UInt32 in [0, 2, 3] {
            for (delay, padding, told) in [
                (576, 1000, 0), (576, 100, 0), (0, 0, 0), (1105, 1500, 5), (4095, 4095, 0), (576, 1000, -7),
                (529, 529, 3),
            ] {
                let format = SyntheticFormat(version: version, bitrate: 8, mode: [1, 3].randomElement(using: &random)!)
                let frames = 40
                let info = format.infoFrame(frames: UInt32(frames + told), delayAndPadding: (delay, padding))
                let bytes = info + (0..<frames).flatMap { _ in format.frame() }
                let index = try #require(FrameWalkTests.walk(bytes))
                let decoded = Mpg123Oracle.decodedSamples(bytes)
                #expect(index.totalSamples == decoded.samples, "version \(version), \(delay), \(padding), \(told)")
                #expect(index.sampleRate == decoded.rate)
                if told == 0 {
                    #expect(index.totalSamples == Mpg123Oracle(scanning: bytes).length)
                    // And it is known from the beginning alone.
                    let tagged = format.infoFrame(
                        frames: UInt32(frames), bytes: UInt32(bytes.count), delayAndPadding: (delay, padding))
                    let length = try FrameWalkTests.told(tagged + bytes.dropFirst(tagged.count))
                    #expect(length == index.durationMilliseconds)
                }
            }
        }
        // Without a tag nothing is cut.
        for layer: UInt32 in 1...3 {
            let bytes = (0..<30).flatMap { _ in SyntheticFormat(layer: layer, bitrate: 6).frame() }
            #expect(FrameWalkTests.walk(bytes)?.totalSamples == Mpg123Oracle.decodedSamples(bytes).samples)
        }
    }

    @Test func changedRatesAddUpInTime() throws {
        let fast = SyntheticFormat(version: 3, rate: 1, bitrate: 9)
        let slow = SyntheticFormat(version: 2, rate: 1, bitrate: 9)
        let bytes = (0..<100).flatMap { _ in fast.frame() } + (0..<100).flatMap { _ in slow.frame() }
        // 1152 samples at 48 kHz and 576 at 24 kHz last 24 ms each.
        #expect(try #require(FrameWalkTests.walk(bytes)).durationMilliseconds == 4800)
    }

    static func walked(_ bytes: [UInt8]) throws -> FrameStream {
        let walk = try FrameStream(MemorySource(bytes), notingEvery: 128)
        while try !walk.step() {}
        return walk
    }

    /// As long as the first frame says, once that was read.
    static func told(_ bytes: [UInt8]) throws -> Int? {
        let walk = try FrameStream(MemorySource(bytes), notingEvery: 128)
        while walk.header == nil { if try walk.step() { break } }
        return walk.toldMilliseconds
    }

    @Test func theTagTellsTheDuration() throws {
        let format = SyntheticFormat(bitrate: 9, mode: 1)
        let frames = (0..<400).flatMap { _ in format.frame() }
        for name in ["Xing", "Info"] {
            let tag = format.infoFrame(
                name, frames: 400, bytes: UInt32(frames.count + format.frame().count), delayAndPadding: (576, 1200))
            let exact = ((400 * 1152 - 576 - 1200) * 1000 + 22_050) / 44_100
            #expect(try FrameWalkTests.told(tag + frames) == exact)
            let found = try FrameWalkTests.walked(tag + frames).infoTag
            #expect(found?.encoderDelay == 576 && found?.encoderPadding == 1200)
            // Half of the file has come.
            #expect(try FrameWalkTests.told(Array((tag + frames).prefix((tag.count + frames.count) / 2))) == nil)
            // It does not say how many bytes: nothing to check it by.
            #expect(try FrameWalkTests.told(format.infoFrame(name, frames: 400) + frames) == nil)
            // The tag has no count of frames.
            #expect(try FrameWalkTests.told(format.infoFrame(name, frames: nil) + frames) == nil)
        }
    }

    /// Numbers in tags may be anything.
    @Test func wildNumbers() throws {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<5000 {
            let format = SyntheticFormat(
                version: [0, 2, 3].randomElement(using: &random)!, bitrate: 12,
                mode: UInt32.random(in: 0...3, using: &random))
            func wild() -> UInt32 {
                [0, 1, 100, UInt32.max, UInt32(truncatingIfNeeded: random.next())].randomElement(using: &random)!
            }
            var tag = format.infoFrame(
                frames: wild(), bytes: wild(), delayAndPadding: (Int(wild() & 4095), Int(wild() & 4095)))
            if random.next() % 4 == 0 { tag.replaceSubrange(36..<54, with: Array("VBRI".utf8) + random.bytes(14)) }
            let bytes = tag + format.frame() + format.frame()
            let walk = try expectCost(inputBytes: bytes.count) { try FrameWalkTests.walked(bytes) }
            var tally = FrameTally()
            let header = try #require(FrameHeader(format.word))
            tag.withUnsafeBytes {
                let body = UnsafeRawBufferPointer(rebasing: $0[4...])
                tally.begin(header, at: 0, body, body.count)
            }
            for length in [0, -1, 5, Int64(bytes.count), 100_000, 1 << 40, Int64.max] {
                #expect(tally.toldMilliseconds(audioBytes: length).map { $0 >= 0 } ?? true)
            }
            #expect(walk.toldMilliseconds.map { $0 >= 0 } ?? true)
            #expect(walk.index().map { $0.totalSamples >= 0 && $0.durationMilliseconds >= 0 } ?? true)
        }
    }
}
