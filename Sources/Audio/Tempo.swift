// SPDX-License-Identifier: Apache-2.0
import Realtime

/// Stretches a recording's frames to the listener's speed, before the resampling to the card's rate. It belongs to the output and not to a
/// deck, so items of one speed join without a gap.
struct Tempo: ~Copyable {
    /// The place in the input where an item begins.
    private struct Border: BitwiseCopyable {
        var frame: Int64
        var place: Place
    }

    /// The most pending items, of one MPEG frame each.
    private static var limit: Int { @_noLocks @_noAllocation get { 8 } }

    private var stretch: TimeStretch
    private let borders: UnsafeMutablePointer<Border>
    private var count = 0
    /// The input frames of the last output.
    private var gone: Range<Int64>
    /// True if frames must be stretched; otherwise they bypass this.
    private(set) var isOn = false

    /// - Parameters:
    ///   - rate, channels: the format of the recording.
    init(rate: Int, channels: Int) {
        stretch = TimeStretch(rate: rate, channels: channels)
        borders = .allocate(capacity: Tempo.limit)
        // The audio thread must not be the first to touch a page.
        borders.initialize(repeating: Border(frame: 0, place: Place()), count: Tempo.limit)
        gone = 0..<0
    }

    deinit { borders.deallocate() }

    /// The most frames of one part.
    var partLimit: Int { @_noLocks @_noAllocation get { stretch.partLimit } }

    /// Forgets the input; the next frames play at `speed`, in thousandths.
    @_noLocks @_noAllocation
    mutating func begin(speed: Int) {
        isOn = speed != 1000
        stretch.begin(speed: speed)
        count = 0
    }

    /// Begins the next input at `place`; `border` later reports it in output time. Returns false if it cannot join: then the rest must come
    /// out first, and the input begins anew.
    @_noLocks @_noAllocation
    mutating func flow(into place: Place) -> Bool {
        if !isOn || stretch.isEnding || place.pace.speed != stretch.speed || count == Tempo.limit { return false }
        borders[count].frame = stretch.putFrames
        borders[count].place = place
        count += 1
        return true
    }

    /// Accepts frames. Returns their number, at least one after `next` returned nothing.
    @_noLocks @_noAllocation
    mutating func put(_ samples: UnsafePointer<Int16>, frames: Int) -> Int {
        stretch.put(samples, frames: frames)
    }

    /// Ends the input. Returns false if the input had ended before.
    @_noLocks @_noAllocation
    mutating func finish() -> Bool {
        if !isOn || stretch.isEnding { return false }
        stretch.finish()
        return true
    }

    /// Returns the next frames; nil if it needs more input, or at the end.
    @_noLocks @_noAllocation
    mutating func next() -> FramePart? {
        if !isOn { return nil }
        let from = stretch.usedFrames
        guard let part = stretch.next() else { return nil }
        gone = from..<max(from, stretch.usedFrames)
        return part
    }

    /// Returns the index of an item's first frame within the last output of `given` frames for the card. Nil if no item begins there.
    @_noLocks @_noAllocation
    mutating func border(given: Int64, frame: inout Int64) -> Place? {
        if count == 0 || borders[0].frame >= gone.upperBound { return nil }
        let first = borders[0]
        frame = max(0, first.frame - gone.lowerBound) * given / (gone.upperBound - gone.lowerBound)
        var index = 1
        while index < count {
            borders[index - 1] = borders[index]
            index += 1
        }
        count -= 1
        return first.place
    }
}
