import TestSupport
import Testing

@testable import Playback

@Suite struct FormatWatchTests {
    /// Frames of 104 bytes (MPEG 2 layer III, 32 kbit/s, 22.05 kHz, mono), and of 417 (MPEG 1, 128 kbit/s, 44.1 kHz, stereo).
    private static let low: UInt32 = 0xFFF3_40C0
    private static let high: UInt32 = 0xFFFB_9000

    private func frames(_ word: UInt32, _ bytes: Int, count: Int) -> [UInt8] {
        var all: [UInt8] = []
        for _ in 0..<count {
            all += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
            all += [UInt8](repeating: 0x55, count: bytes - 4)
        }
        return all
    }

    private func places(_ stream: [UInt8], pieces: [Int]) -> [Int64] {
        var watch = FormatWatch()
        var done = 0
        stream.withUnsafeBytes { all in
            for piece in pieces {
                let end = min(all.count, done + piece)
                watch.consume(UnsafeRawBufferPointer(rebasing: all[done..<end]))
                done = end
            }
            watch.consume(UnsafeRawBufferPointer(rebasing: all[done...]))
        }
        return watch.places
    }

    @Test func aStreamOfOneKindHasNoSuchPlace() {
        #expect(places(frames(Self.low, 104, count: 100), pieces: [1, 2, 3, 5000]) == [])
    }

    /// Wherever the pieces end.
    @Test(arguments: 0..<20) func aChangeIsToldWithItsFirstByte(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let stream =
            frames(Self.low, 104, count: 30) + frames(Self.high, 417, count: 5) + frames(Self.low, 104, count: 2)
        let pieces = (0..<40).map { _ in Int.random(in: 0...300, using: &random) }
        #expect(places(stream, pieces: pieces) == [3120, 3120 + 2085], "seed \(seed)")
    }

    @Test func whatIsNoFrameIsSuchAPlaceToo() {
        let stream =
            frames(Self.low, 104, count: 3) + [UInt8](repeating: 0, count: 900) + frames(Self.high, 417, count: 3)
        // The kind behind it needs none of its own: the feed thread goes on until it has frames again.
        #expect(places(stream, pieces: [700]) == [312])
    }

    @Test func placesThatWerePassedAreForgotten() {
        var watch = FormatWatch()
        let stream =
            frames(Self.low, 104, count: 2) + frames(Self.high, 417, count: 2) + frames(Self.low, 104, count: 2)
        stream.withUnsafeBytes { watch.consume($0) }
        #expect(watch.places == [208, 1042])
        watch.forget(before: 209)
        #expect(watch.places == [1042])
    }
}
