// SPDX-License-Identifier: Apache-2.0
import Realtime

/// The changes to a deck's output: a gain, and shortened silences. It allocates only for active changes, on the feed thread. It belongs to
/// the deck.
struct DeckChanges: ~Copyable {
    private var leveller: UnsafeMutablePointer<Leveller>?
    private var cut: UnsafeMutablePointer<SilenceCut>?
    private var channels = 1
    /// The number of recorded frames that were returned or skipped.
    private var passed: Int64 = 0
    /// The part after a reported leap, to be returned next.
    private var waiting: FramePart?
    /// The end of the recording, reported after its last frame.
    private var end: DeckEnd?
    private var isToldToCut = false

    deinit {
        DeckChanges.free(leveller)
        DeckChanges.free(cut)
    }

    // MARK: Feed thread

    mutating func make(rate: Int, channels: Int, shortensSilences: Bool, gain: Int?) {
        clear()
        self.channels = max(1, channels)
        if let gain {
            leveller = .allocate(capacity: 1)
            leveller!.initialize(to: Leveller(rate: rate, channels: self.channels, gain: gain))
        }
        if shortensSilences {
            cut = .allocate(capacity: 1)
            cut!.initialize(to: SilenceCut(rate: rate, channels: self.channels))
        }
    }

    mutating func clear() {
        DeckChanges.free(leveller)
        DeckChanges.free(cut)
        leveller = nil
        cut = nil
        passed = 0
        waiting = nil
        end = nil
        isToldToCut = false
    }

    private static func free<Made: ~Copyable>(_ made: UnsafeMutablePointer<Made>?) {
        made?.deinitialize(count: 1)
        made?.deallocate()
    }

    // MARK: Audio thread

    var isNone: Bool { @_noLocks @_noAllocation get { leveller == nil && cut == nil } }

    var gain: Int? { @_noLocks @_noAllocation get { leveller?.pointee.current } }

    @_noLocks @_noAllocation
    func beginGain(from gain: Int) { leveller?.pointee.begin(from: gain) }

    @_noLocks @_noAllocation
    func glide(toGain gain: Int) { leveller?.pointee.glide(to: gain) }

    /// Takes the deck's output. Returns false for parts that pass unchanged.
    @_noLocks @_noAllocation
    mutating func take(_ outcome: Deck.Outcome) -> Bool {
        switch outcome {
        case .frames(let samples, let count):
            // A piece is never longer than the input if nothing is pending.
            if let leveller {
                _ = leveller.pointee.put(samples, frames: count / channels)
            } else if let cut {
                _ = cut.pointee.put(samples, frames: count / channels)
            }
            return true
        case .ended(let end):
            self.end = end
            leveller?.pointee.finish()
            return true
        case .starved, .searching, .leapt: return false
        }
    }

    /// Returns the next part; nil if it needs more input.
    @_noLocks @_noAllocation
    mutating func next(startSample: Int64) -> Deck.Outcome? {
        guard let cut else {
            if let part = leveller?.pointee.next() { return .frames(part.samples, count: part.frames * channels) }
            return end.map { .ended($0) }
        }
        while true {
            if let part = waiting {
                waiting = nil
                return give(part)
            }
            if let part = cut.pointee.next() {
                if part.skipped == 0 { return give(part) }
                waiting = part
                passed += Int64(part.skipped)
                return .leapt(frames: part.skipped, sample: startSample + passed)
            }
            if let part = leveller?.pointee.next() {
                _ = cut.pointee.put(part.samples, frames: part.frames)
                continue
            }
            guard let end else { return nil }
            if isToldToCut { return .ended(end) }
            isToldToCut = true
            cut.pointee.finish()
        }
    }

    @_noLocks @_noAllocation
    private mutating func give(_ part: FramePart) -> Deck.Outcome {
        passed += Int64(part.frames)
        return .frames(part.samples, count: part.frames * channels)
    }
}
