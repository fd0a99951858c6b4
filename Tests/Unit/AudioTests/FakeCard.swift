// SPDX-License-Identifier: Apache-2.0
import ALSA
import CPosix
import Posix

@testable import Audio

/// A card with one channel that plays by a clock of the test's own, and remembers all that was at the ear.
final class FakeCardState {
    let format: OutputFormat
    var now: Int64 = 1_000_000_000
    /// The heard samples, in order, without those that the card plays while it is not moving.
    var played: [Int16] = []
    private(set) var queued: [Int16] = []
    private var first = 0
    var drops = 0
    var looks = 0
    /// The result of polling the card.
    var calls = false
    var cutsByDropping = false
    var isUnpaced = false
    /// True to take all samples at once, without saying so.
    var swallows = false
    var isGone = false
    /// Nothing can be taken back although it says so.
    var refusesRewind = false
    private var isMoving = false
    private var isPrepared = false
    private var isDry = false
    /// Since when it moves, and how many frames it has played since.
    private var movingSince: Int64 = 0
    private var playedSince: Int64 = 0

    init(rate: Int = 48000, bufferFrames: Int = 48000, periodFrames: Int = 4800) {
        format = OutputFormat(
            rate: rate, channels: 1, sampleBytes: 2, bufferFrames: bufferFrames, periodFrames: periodFrames)
    }

    var count: Int { queued.count - first }

    func advance(milliseconds: Int64) {
        now += milliseconds * 1_000_000
        guard isMoving else { return }
        let due = (now - movingSince) * Int64(format.rate) / 1_000_000_000
        while playedSince < due {
            if first == queued.count {
                isDry = true
                isMoving = false
                return
            }
            played.append(queued[first])
            first += 1
            playedSince += 1
        }
    }

    var fault: Int { isGone ? -Int(ENODEV) : isDry ? -Int(EPIPE) : 0 }

    func available() -> Int {
        looks += 1
        // A card that went while its queue was full knows nothing of it.
        return isDry ? -Int(EPIPE) : swallows ? format.bufferFrames : max(0, format.bufferFrames - count)
    }

    func write(_ frames: UnsafeRawPointer, _ count: Int) -> Int {
        if fault < 0 { return fault }
        if !isPrepared { return -Int(EBADFD) }
        let room = isUnpaced || swallows ? count : min(count, format.bufferFrames - self.count)
        if room == 0 { return -Int(EAGAIN) }
        queued.append(contentsOf: UnsafeBufferPointer(start: frames.assumingMemoryBound(to: Int16.self), count: room))
        return room
    }

    func rewind(_ frames: Int) -> Int {
        if refusesRewind { return 0 }
        let back = min(frames, count)
        queued.removeLast(back)
        return back
    }

    func drop() -> Int {
        if isMoving { drops += 1 }
        queued = []
        first = 0
        isMoving = false
        isPrepared = false
        isDry = false
        return 0
    }

    func prepare() -> Int {
        if isGone { return -Int(ENODEV) }
        queued = []
        first = 0
        isDry = false
        isMoving = false
        isPrepared = true
        return 0
    }

    func start() -> Int {
        isMoving = true
        movingSince = now
        playedSince = 0
        return 0
    }
}

struct FakeCard: ~Copyable, CardDevice {
    let state: FakeCardState

    var format: OutputFormat { state.format }
    var cutsByDropping: Bool { state.cutsByDropping }
    var isUnpaced: Bool { state.isUnpaced }
    borrowing func now() -> Int64 { state.now }
    borrowing func availableFrames() -> Int { state.available() }
    borrowing func delayFrames() -> Int { state.fault < 0 ? state.fault : state.count }
    borrowing func write(_ frames: UnsafeRawPointer, count: Int) -> Int { state.write(frames, count) }
    borrowing func rewindableFrames() -> Int { state.count }
    borrowing func rewind(_ frames: Int) -> Int { state.rewind(frames) }
    borrowing func drop() -> Int { state.drop() }
    borrowing func prepare() -> Int { state.prepare() }
    borrowing func start() -> Int { state.start() }
    borrowing func translate(_ descriptors: UnsafeMutablePointer<pollfd>) -> Bool { state.calls }
    borrowing func calledNanosecondsAgo(written: Int64, now: Int64) -> Int64? { nil }
}
