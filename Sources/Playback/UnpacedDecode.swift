import Audio
import CPosix
import Media
import Mpg123
import Posix
import Realtime
import Synchronization

/// Decodes a file as fast as it goes, on the path that playing takes: the feed thread fills a deck's ring, this thread pulls
/// frames from the deck.
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

    /// Gives all frames of the file from a millisecond on to `take`, 16 bit, channels interleaved, in pieces. Returns rate in Hz and channels.
    public func run(
        path: String, from milliseconds: Int = 0, begin: (_ rate: Int, _ channels: Int) throws(PosixError) -> Void,
        take: (UnsafeBufferPointer<Int16>) throws(PosixError) -> Void
    ) throws(PlaybackError) {
        let track = Track(id: 0, source: .file(path: path), durationMilliseconds: nil, seekTable: nil)
        let prepared = try source.prepare(DeckOrder(track: track, milliseconds: milliseconds, token: 1)) { true }
        ring.pointee.isPlaying.store(true, ordering: .releasing)
        do throws(PosixError) {
            try feed.start(sources: [source], loop: nil)
            try begin(prepared.rate, prepared.channels)
        } catch { throw .file(error) }
        defer { feed.stop() }
        while true {
            switch deck.pointee.pull() {
            case .frames(let samples, let count):
                do throws(PosixError) { try take(UnsafeBufferPointer(start: samples, count: count)) } catch {
                    throw .file(error)
                }
            case .searching: continue
            case .starved:
                var polled = pollfd(fd: shared.pointee.wake.number, events: Int16(POLLIN), revents: 0)
                _ = ns_poll(&polled, 1, -1)
                shared.pointee.wake.clear()
            case .ended(.readFailed(let code)):
                throw .file(PosixError(code: code, operation: "read \(path)"))
            case .ended(.decodeFailed): throw .undecodable(name: path)
            case .ended(.complete): return
            }
        }
    }
}
