// SPDX-License-Identifier: Apache-2.0
import Audio
import CPosix
import Media
import Mpg123
import Posix
import Realtime
import Synchronization

/// Decodes a file as fast as possible, on the path of playback: the feed thread fills a deck's ring, this thread pulls frames from the
/// deck.
public final class UnpacedDecode: @unchecked Sendable {
    private let feed: Feed
    private let shared: UnsafeMutablePointer<AudioShared>
    private let deck: UnsafeMutablePointer<Deck>
    private let ring: UnsafeMutablePointer<DeckShared>
    private let source: DeckSource

    public init() throws(PlaybackError) {
        do throws(PosixError) {
            let wake = UnsafeMutablePointer<WakeSignal>.allocate(capacity: 1)
            wake.initialize(to: try WakeSignal())
            feed = try Feed()
            shared = .allocate(capacity: 1)
            shared.initialize(to: try AudioShared(controlWake: wake))
        } catch { throw .file(error) }
        ring = .allocate(capacity: 1)
        ring.initialize(to: DeckShared(feedWake: feed.wake))
        deck = .allocate(capacity: 1)
        do throws(Mpg123Error) { deck.initialize(to: try Deck(shared: ring)) } catch { throw .decoder(error) }
        source = DeckSource(deck: deck, shared: ring, audio: shared)
    }

    /// Passes all frames of the file from a millisecond on to `take`, in pieces of interleaved 16-bit samples.
    /// - Parameter speed: the speed in thousandths, within `TimeStretch.speeds`.
    public func run(
        path: String, from milliseconds: Int = 0, speed: Int = 1000, shortensSilences: Bool = false,
        begin: (_ rate: Int, _ channels: Int) throws(PosixError) -> Void,
        take: (UnsafeBufferPointer<Int16>) throws(PosixError) -> Void
    ) throws(PlaybackError) {
        var track = Track(id: 0, source: .file(path: path), durationMilliseconds: nil, seekTable: nil)
        track.shortensSilences = shortensSilences
        let prepared = try source.prepare(DeckOrder(track: track, milliseconds: milliseconds, token: 1)) { true }
        ring.pointee.isPlaying.store(true, ordering: .releasing)
        do throws(PosixError) {
            try feed.start(sources: [source], loop: nil)
            try begin(prepared.rate, prepared.channels)
        } catch { throw .file(error) }
        defer { feed.stop() }
        var stretch = TimeStretch(rate: prepared.rate, channels: prepared.channels)
        stretch.begin(speed: speed)
        while true {
            switch deck.pointee.pull() {
            case .frames(let samples, let count):
                do throws(PosixError) {
                    if speed == 1000 {
                        try take(UnsafeBufferPointer(start: samples, count: count))
                        continue
                    }
                    var given = 0
                    while given < count {
                        let frames = (count - given) / prepared.channels
                        given += stretch.put(samples + given, frames: frames) * prepared.channels
                        try giveAll(of: &stretch, take)
                    }
                } catch { throw .file(error) }
            case .searching, .leapt: continue
            case .starved:
                var polled = pollfd(fd: shared.pointee.wake.number, events: Int16(POLLIN), revents: 0)
                _ = ns_poll(&polled, 1, -1)
                shared.pointee.wake.clear()
            case .ended(.readFailed(let code)):
                throw .file(PosixError(code: code, operation: "read \(path)"))
            case .ended(.decodeFailed): throw .undecodable(name: path)
            case .ended(.complete):
                if speed == 1000 { return }
                stretch.finish()
                do throws(PosixError) { try giveAll(of: &stretch, take) } catch { throw .file(error) }
                return
            }
        }
    }

    private func giveAll(
        of stretch: inout TimeStretch, _ take: (UnsafeBufferPointer<Int16>) throws(PosixError) -> Void
    ) throws(PosixError) {
        while let part = stretch.next() {
            try take(UnsafeBufferPointer(start: part.samples, count: part.frames * stretch.channels))
        }
    }
}
