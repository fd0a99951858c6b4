// SPDX-License-Identifier: Apache-2.0
import Audio
import Mpg123
import Posix

/// Decodes tracks for other purposes than playback. Made, used and destroyed on one thread, which may wait.
final class SpareDecoding {
    private let spare: SpareDeck
    private let source: DeckSource

    init() throws(PlaybackError) {
        let signal: WakeSignal
        do throws(PosixError) { signal = try WakeSignal() } catch { throw .file(error) }
        do throws(Mpg123Error) { spare = try SpareDeck(wake: signal) } catch { throw .decoder(error) }
        source = DeckSource(deck: spare.deck, shared: spare.shared, audio: nil)
    }

    deinit { source.close() }

    /// The rate in Hz, after the first `prepare`.
    var rate: Int { spare.deck.pointee.rate }
    var channels: Int { spare.deck.pointee.channels }

    /// Moves to a position of a track, which is decoded as recorded.
    func prepare(_ track: Track, milliseconds: Int) throws(PlaybackError) -> PreparedDeck {
        var plain = track
        plain.speed = 1000
        plain.shortensSilences = false
        plain.gain = nil
        return try source.prepare(DeckOrder(track: plain, milliseconds: milliseconds, token: 1)) { true }
    }

    /// Decodes a piece.
    /// - Parameter take: gets interleaved samples, and the number of frames; not called for a piece without sound.
    /// - Returns: false at the end.
    func pull(_ take: (_ samples: UnsafePointer<Int16>, _ frames: Int) -> Void) -> Bool {
        switch spare.deck.pointee.pull() {
        case .frames(let samples, let count): take(samples, count / max(1, channels))
        case .starved: source.serveStarved()
        case .searching, .leapt: break
        case .ended: return false
        }
        return true
    }
}
