import TestSupport
import Testing

@testable import Media

@Suite struct StreamHeaderTests {
    static func header(_ bytes: [UInt8], audioBytes: Int? = nil, first: Int = StreamHeader.usualBytes) -> StreamHeader?
    {
        bytes.prefix(first).withUnsafeBytes { StreamHeader($0, audioBytes: Int64(audioBytes ?? bytes.count)) }
    }

    @Test func constantRateIsGuessedFromLength() throws {
        for layer: UInt32 in 1...3 {
            for version: UInt32 in [0, 2, 3] {
                var format = SyntheticFormat(version: version, layer: layer, bitrate: 8)
                let bytes = (0..<700).flatMap { i in
                    // As an encoder pads, so that the rate holds on the average: close enough for this.
                    format.isPadded = i % 2 == 0
                    return format.frame()
                }
                let header = try #require(StreamHeaderTests.header(bytes))
                #expect(!header.isDurationExact)
                let exact = 700 * format.samples * 1000 / format.hertz
                #expect(abs(header.durationMilliseconds - exact) < exact / 50)
            }
        }
    }

    @Test func variableRateIsGuessedFromTheMean() throws {
        var format = SyntheticFormat(bitrate: 3)
        let bytes = (0..<2000).flatMap { i in
            format.bitrate = UInt32(3 + i % 7)
            return format.frame()
        }
        let header = try #require(StreamHeaderTests.header(bytes))
        #expect(!header.isDurationExact)
        let exact = 2000 * 1152 * 1000 / 44_100
        #expect(abs(header.durationMilliseconds - exact) < exact / 10)
    }

    @Test func tagTellsTheDuration() throws {
        let format = SyntheticFormat(bitrate: 9, mode: 1)
        let frames = (0..<400).flatMap { _ in format.frame() }
        for name in ["Xing", "Info"] {
            let tag = format.infoFrame(
                name, frames: 400, bytes: UInt32(frames.count + format.frame().count), delayAndPadding: (576, 1200))
            let whole = try #require(StreamHeaderTests.header(tag + frames))
            #expect(whole.isDurationExact)
            #expect(whole.durationMilliseconds == ((400 * 1152 - 576 - 1200) * 1000 + 22_050) / 44_100)
            #expect(whole.infoTag?.encoderDelay == 576 && whole.infoTag?.encoderPadding == 1200)
            // Half of the file has come.
            let half = try #require(StreamHeaderTests.header(tag + frames, audioBytes: (tag.count + frames.count) / 2))
            #expect(!half.isDurationExact)
            #expect(abs(half.durationMilliseconds - whole.durationMilliseconds / 2) < 100)
            // It does not say how many bytes: nothing to check it by.
            let bare = try #require(StreamHeaderTests.header(format.infoFrame(name, frames: 400) + frames))
            #expect(!bare.isDurationExact)
            // The tag has no count of frames.
            let empty = try #require(StreamHeaderTests.header(format.infoFrame(name, frames: nil) + frames))
            #expect(!empty.isDurationExact)
            #expect(abs(empty.durationMilliseconds - 400 * 1152 * 1000 / 44_100) < 200)
        }
    }

    @Test func nothingIsNoHeader() {
        #expect(StreamHeaderTests.header([]) == nil)
        #expect(StreamHeaderTests.header([UInt8](repeating: 0, count: 20_000)) == nil)
        #expect(StreamHeaderTests.header(Array("<html><body>not found</body></html>".utf8)) == nil)
    }

    /// Numbers in tags may be anything.
    @Test func wildNumbers() {
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
            let audioBytes = [0, -1, 5, 100_000, 1 << 40, Int.max].randomElement(using: &random)!
            let bytes = tag + format.frame() + format.frame()
            let header = expectCost(inputBytes: bytes.count) {
                StreamHeaderTests.header(bytes, audioBytes: audioBytes)
            }
            #expect(header.map { $0.durationMilliseconds >= 0 } ?? true)
            let index = FrameWalkerTests.walk(bytes)
            #expect(index.map { $0.totalSamples >= 0 && $0.durationMilliseconds >= 0 } ?? true)
        }
    }
}
