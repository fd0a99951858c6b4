// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import Posix
import TestSupport
import Testing

@testable import Audio
@testable import Playback

/// Decks on real files: the sample library, which is MPEG 2 layer III with LAME tags.
@Suite struct DeckTests {
    static let media: [String] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("board/media")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".mp3") }.sorted().map { folder.appendingPathComponent($0).path }
    }()

    /// A deck with its source, on one thread.
    final class Player {
        let source: DeckSource
        let deck = UnsafeMutablePointer<Deck>.allocate(capacity: 1)
        private let ring = UnsafeMutablePointer<DeckShared>.allocate(capacity: 1)
        private let wake = UnsafeMutablePointer<WakeSignal>.allocate(capacity: 1)

        init() throws {
            wake.initialize(to: try WakeSignal())
            ring.initialize(to: DeckShared(feedWake: wake))
            deck.initialize(to: try Deck(shared: ring))
            source = DeckSource(deck: deck, shared: ring, audio: nil)
        }

        deinit {
            deck.deinitialize(count: 1)
            deck.deallocate()
            ring.deinitialize(count: 1)
            ring.deallocate()
            wake.deinitialize(count: 1)
            wake.deallocate()
        }

        /// Samples from a place on, at most `limit`.
        func samples(_ path: String, milliseconds: Int, index: FrameIndex?, limit: Int = Int.max) throws -> [Int16] {
            _ = try source.prepare(DeckTests.order(path, milliseconds, index)) { true }
            var result: [Int16] = []
            while result.count < limit {
                switch deck.pointee.pull() {
                case .frames(let pointer, let count):
                    result.append(contentsOf: UnsafeBufferPointer(start: pointer, count: count))
                case .starved: if !source.refill() { source.read() }
                case .searching, .leapt: continue
                case .ended: return result
                }
            }
            return Array(result.prefix(limit))
        }
    }

    static func order(_ path: String, _ milliseconds: Int, _ index: FrameIndex?) -> DeckOrder {
        let track = Track(
            id: 1, source: .file(path: path), durationMilliseconds: nil, seekTable: index.map { SeekTable($0) })
        return DeckOrder(track: track, milliseconds: milliseconds, token: 1)
    }

    private func walkedIndex(of path: String) -> FrameIndex? {
        let walk = SeekTableWalk(path: path)
        while !walk.step() {}
        return walk.result?.frameIndex
    }

    @Test(arguments: media) func theDurationIsWhatIsDecoded(path: String) throws {
        let all = try Player().samples(path, milliseconds: 0, index: nil)
        let index = try #require(walkedIndex(of: path))
        #expect(index.totalSamples == Int64(all.count))
    }

    /// Expects that each jump plays what stands there in all samples, with the index and without.
    private func expectJumps(
        to places: [Int], in path: String, _ index: FrameIndex, _ player: Player, _ all: [Int16]
    ) throws {
        for milliseconds in places {
            let first = milliseconds * index.sampleRate / 1000
            for known in [index, nil] {
                let got = try player.samples(path, milliseconds: milliseconds, index: known, limit: 20_000)
                let expected = all[min(first, all.count)...].prefix(20_000)
                // One unit in the last place is allowed: libmpg123's synthesis adds in an order that depends on how many frames it
                // has decoded. Told by place, since the samples themselves tell a reader nothing.
                let different = zip(got, expected).enumerated()
                    .first { abs(Int($0.element.0) - Int($0.element.1)) > 1 }?.offset
                let isSame = different == nil && got.count == expected.count
                #expect(
                    isSame,
                    "\(milliseconds) ms, index \(known != nil): \(got.count) of \(expected.count) samples, first difference at \(different ?? -1)"
                )
            }
        }
    }

    /// The heart of never losing the place: a jump plays the exact samples of its place.
    @Test(arguments: media) func aJumpPlaysWhatStandsThere(path: String) throws {
        let player = try Player()
        let all = try player.samples(path, milliseconds: 0, index: nil)
        let index = try #require(walkedIndex(of: path))
        var random = SeededGenerator(seed: 1)
        var places = [1, 26, 27, index.durationMilliseconds - 1, index.durationMilliseconds - 30]
        for _ in 0..<40 { places.append(Int.random(in: 1..<index.durationMilliseconds, using: &random)) }
        try expectJumps(to: places, in: path, index, player, all)
    }

    /// A frame that carries an Info tag, with 576 samples of delay and 1,000 of padding.
    private func infoFrame(header: [UInt8], byteCount: Int, frames: Int) -> Data {
        let sideBytes = header[3] >> 6 == 3 ? 9 : 17
        var bytes = header + [UInt8](repeating: 0, count: sideBytes) + Array("Info".utf8) + [0, 0, 0, 1]
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(frames >> shift & 255)) }
        bytes += Array("LAME3.100".utf8) + [UInt8](repeating: 0, count: 12) + [0x24, 0x03, 0xE8]
        return Data(bytes + [UInt8](repeating: 0, count: byteCount - bytes.count))
    }

    /// The Info tag of the first announces the frames of the first alone.
    @Test func aJumpIsExactInTheSecondOfTwoThatWereJoined() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("deck-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("joined.mp3").path
        let parts = try DeckTests.media.prefix(2).map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        let own = try #require(walkedIndex(of: DeckTests.media[0]))
        // After the ID3 tag, which gives its length in 7 bits a byte.
        let whole = Array(parts[0])
        let bytes = Array(whole.dropFirst(10 + whole[6..<10].reduce(0) { $0 << 7 | Int($1) }))
        let second = try #require(bytes.indices.dropFirst(24).first { Array(bytes[$0..<$0 + 2]) == Array(bytes[..<2]) })
        let tag = infoFrame(header: Array(bytes[..<4]), byteCount: second, frames: own.frameCount)
        try (tag + Data(bytes) + parts[1]).write(to: URL(fileURLWithPath: path))
        let player = try Player()
        let all = try player.samples(path, milliseconds: 0, index: nil)
        let index = try #require(walkedIndex(of: path))
        #expect(index.totalSamples == Int64(all.count))
        let first = own.durationMilliseconds
        var random = SeededGenerator(seed: 2)
        var places = [first - 30, first - 1, first, first + 1, first + 30, index.durationMilliseconds - 30]
        for _ in 0..<20 { places.append(Int.random(in: first..<index.durationMilliseconds, using: &random)) }
        try expectJumps(to: places, in: path, index, player, all)
    }

    @Test(arguments: media.prefix(1)) func behindTheEndIsToldWithTheTrueEnd(path: String) throws {
        let player = try Player()
        let index = try #require(walkedIndex(of: path))
        let order = DeckTests.order(path, index.durationMilliseconds + 5000, nil)
        let prepared = try player.source.prepare(order) { true }
        #expect(prepared.endMilliseconds == index.durationMilliseconds)
    }

    @Test func whatIsNoAudioIsRefusedInWords() throws {
        let player = try Player()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("deck-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var random = SeededGenerator(seed: 1)
        for bytes in [0, 1, 3, 10, 128, 5000, 2_000_000] {
            let path = folder.appendingPathComponent("\(bytes).mp3").path
            // No byte of sync in it.
            try Data((0..<bytes).map { _ in UInt8.random(in: 0...0x7F, using: &random) })
                .write(to: URL(fileURLWithPath: path))
            #expect { try player.samples(path, milliseconds: 0, index: nil) } throws: { error in
                (error as? PlaybackError)?.message == "\(path): no audio found in it"
            }
        }
        #expect { try player.samples(folder.path, milliseconds: 0, index: nil) } throws: { error in
            (error as? PlaybackError)?.message == "open \(folder.path): is a folder, expected a file"
        }
        #expect { try player.samples("/nowhere/a.mp3", milliseconds: 0, index: nil) } throws: { error in
            (error as? PlaybackError)?.message == "open /nowhere/a.mp3: No such file or directory"
        }
    }

    /// For any bytes in a file: no crash, no endless loop, and the deck can be used again.
    @Test func damagedFilesEnd() throws {
        let path = try #require(DeckTests.media.first)
        let good = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("damaged-\(UUID()).mp3")
        defer { try? FileManager.default.removeItem(at: copy) }
        let player = try Player()
        var random = SeededGenerator(seed: 1)
        for round in 0..<60 {
            var bytes = Array(good[..<Int.random(in: 1000..<60_000, using: &random)])
            for _ in 0..<Int.random(in: 0...200, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try Data(bytes).write(to: copy)
            _ = try? player.samples(copy.path, milliseconds: round % 3 == 0 ? 2000 : 0, index: nil)
        }
        let again = try player.samples(path, milliseconds: 0, index: nil, limit: 1000)
        #expect(again.count == 1000)
    }
}
