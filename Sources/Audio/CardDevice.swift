// SPDX-License-Identifier: Apache-2.0
import ALSA
import CPosix

/// The card's interface for the audio thread: ALSA's, or a simulated one in tests. Methods return frames, or a negative errno.
///
/// No generic code over it has annotations: `AudioThread` runs the loop on ALSA's card from an annotated function, so that the compiler
/// proves the whole of it there.
protocol CardDevice: ~Copyable {
    var format: OutputFormat { get }
    var cutsByDropping: Bool { get }
    var isUnpaced: Bool { get }
    /// Returns CLOCK_MONOTONIC in nanoseconds, or a test's own clock.
    borrowing func now() -> Int64
    borrowing func availableFrames() -> Int
    borrowing func delayFrames() -> Int
    borrowing func write(_ frames: UnsafeRawPointer, count: Int) -> Int
    borrowing func rewindableFrames() -> Int
    borrowing func rewind(_ frames: Int) -> Int
    borrowing func drop() -> Int
    borrowing func prepare() -> Int
    borrowing func start() -> Int
    borrowing func translate(_ descriptors: UnsafeMutablePointer<pollfd>) -> Bool
    borrowing func calledNanosecondsAgo(written: Int64, now: Int64) -> Int64?
}

extension PlaybackDevice: CardDevice {
    @_noLocks @_noAllocation
    borrowing func now() -> Int64 { ns_monotonic_nanoseconds() }
}

/// The reason of a card's failure, by the remedy.
enum CardFault: BitwiseCopyable {
    /// The card is not ready: ask again when it calls.
    case busy
    /// An underrun: prepare the card and continue.
    case underrun
    /// The card is gone or refuses to play: give it up. The code is a negative errno.
    case lost(code: Int32)

    /// Returns nil for a code that is no error.
    @_noLocks @_noAllocation
    init?(_ code: Int) {
        if code >= 0 { return nil }
        switch Int32(truncatingIfNeeded: -code) {
        case EAGAIN, EINTR: self = .busy
        case EPIPE: self = .underrun
        default: self = .lost(code: Int32(truncatingIfNeeded: code))
        }
    }
}
