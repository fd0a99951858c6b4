// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Posix
import Realtime
import TestSupport
import Testing

@testable import Audio
@testable import Playback

/// Recordings that are decoded ahead: the distance, the start, and the end.
@Suite struct DecodingAheadTests {
    /// Gives frames that tell their own place, in pieces of any length.
    private final class Numbers: AudioDecoding {
        let rate = 44100
        let channels = 2
        let frameCount: Int64?
        var isRejoinable: Bool { true }
        var foundTable: SeekTable? { nil }
        private let end: Int64
        private var next: Int64 = 0
        var failure: MediaError?
        var failsFrom = Int64.max

        init(_ end: Int64, isKnown: Bool = true) {
            self.end = end
            frameCount = isKnown ? end : nil
        }

        func seek(toFrame frame: Int64, goOn: () -> Bool) throws(MediaError) { next = frame }

        func decode(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(MediaError) -> Int {
            if next >= failsFrom, let failure { throw failure }
            let count = Int(max(0, min(Int64(frames), end - next, 1 + next % 777)))
            for i in 0..<count {
                samples[2 * i] = Int16(truncatingIfNeeded: next + Int64(i))
                samples[2 * i + 1] = Int16(truncatingIfNeeded: (next + Int64(i)) >> 16)
            }
            next += Int64(count)
            return count
        }
    }

    private func wave(_ frames: Int) throws -> String {
        let path = NSTemporaryDirectory() + "ahead-\(UInt64.random(in: 0 ... .max)).mp3"
        let file = try WaveFile(path: path)
        try file.begin(rate: 44100, channels: 2)
        let samples = (0..<frames * 2).map { Int16(truncatingIfNeeded: $0 % 2 == 0 ? $0 / 2 : ($0 / 2) >> 16) }
        try samples.withUnsafeBytes { try file.write($0) }
        try file.finish()
        return path
    }

    /// By what it holds, though its name says MP3; from the very frame.
    @Test func aFilePlaysAsWhatItIs() throws {
        let path = try wave(300_000)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let player = try DeckTests.Player()
        for milliseconds in [0, 1, 10, 999, 3333, 6800] {
            let got = try player.samples(path, milliseconds: milliseconds, index: nil)
            let first = milliseconds * 44100 / 1000
            #expect(got.count == (300_000 - first) * 2)
            var wrong = 0
            for i in 0..<got.count / 2 where got[2 * i] != Int16(truncatingIfNeeded: first + i) { wrong += 1 }
            #expect(wrong == 0)
        }
        let prepared = try player.source.prepare(DeckTests.order(path, 60_000, nil)) { true }
        #expect(prepared.endMilliseconds == 6803)
    }

    @Test func whatWaitsIsFilledALittleAndWhatPlaysFull() throws {
        let path = try wave(44100 * 10)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let player = try DeckTests.Player()
        let prepared = try player.source.prepare(DeckTests.order(path, 0, nil)) { true }
        #expect(prepared.rate == 44100 && prepared.channels == 2)
        let shared = player.deck.pointee.shared
        // First comes what a person waits for.
        #expect(!player.source.refill())
        usleep(UInt32(DecodingAhead.restMilliseconds + 50) * 1000)
        while player.source.refill() {}
        let quarter = 44100 / 4 * 4
        #expect(shared.pointee.ring.filledBytes() >= quarter && shared.pointee.ring.filledBytes() < 2 * quarter)
        #expect(shared.pointee.ring.capacityBytes == 44100 * 3 * 4)
        shared.pointee.isPlaying.store(true, ordering: .releasing)
        // The first sound waits for nothing that is heard later: twice as far as was taken, and so on until it is full.
        #expect(!player.source.refill())
        let filled = shared.pointee.ring.filledBytes()
        shared.pointee.ring.consume(quarter)
        while player.source.refill() {}
        #expect((2 * quarter..<2 * quarter + filled).contains(shared.pointee.ring.filledBytes()))
        var most = 0
        for _ in 0..<8 {
            shared.pointee.ring.consume(quarter)
            while player.source.refill() {}
            most = max(most, shared.pointee.ring.filledBytes())
        }
        #expect(most > 44100 * 4 * 29 / 10)
        player.source.close()
        #expect(shared.pointee.ring.filledBytes() == 0)
    }

    private func ring(_ player: DeckTests.Player) -> FrameRing {
        player.deck.pointee.begin(framesOf: 44100, channels: 2, milliseconds: DecodingAhead.ringMilliseconds)
    }

    @Test func piecesOfAnyLengthComeWholeAndInOrder() throws {
        let player = try DeckTests.Player()
        let ahead = DecodingAhead(Numbers(500_000), ring(player))
        let shared = player.deck.pointee.shared
        var (received, wrong, isOver) = (0, 0, false)
        while !isOver {
            if try !ahead.fill() { shared.pointee.endInput(.complete) }
            while true {
                guard case .frames(let samples, let count) = player.deck.pointee.pull() else { break }
                for i in 0..<count / 2 where samples[2 * i] != Int16(truncatingIfNeeded: received + i) { wrong += 1 }
                received += count / 2
            }
            if case .ended = player.deck.pointee.pull() { isOver = true }
        }
        #expect(received == 500_000 && wrong == 0)
    }

    @Test func whatCannotGoOnIsThrown() throws {
        let player = try DeckTests.Player()
        let decoder = Numbers(500_000)
        decoder.failsFrom = 10_000
        decoder.failure = .damaged
        let ahead = DecodingAhead(decoder, ring(player))
        // The ring is the player's.
        withExtendedLifetime(player) {
            _ = #expect(throws: MediaError.self) {
                for _ in 0..<100_000 { if try !ahead.fill() { break } }
            }
        }
    }
}
