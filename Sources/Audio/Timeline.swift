// SPDX-License-Identifier: Apache-2.0
/// The speed at which a recording advances.
public struct Pace: BitwiseCopyable, Sendable {
    /// The number of samples in a second of the recording.
    public var rate: Int
    /// The milliseconds of the recording in a second: 1000 at the recorded pace.
    public var speed: Int

    @_noLocks @_noAllocation
    public init(rate: Int, speed: Int = 1000) {
        self.rate = rate
        self.speed = speed
    }
}

/// A place in a recording.
public struct Place: BitwiseCopyable, Sendable {
    /// The token of its deck; 0 for none.
    public var token: Int
    /// The gapless sample of the recording.
    public var sample: Int64
    /// The pace from this place on.
    public var pace: Pace
    /// The microseconds that shortened silences have saved the listener up to this place.
    public var savedMicroseconds: Int64

    @_noLocks @_noAllocation
    public init(token: Int = 0, sample: Int64 = 0, pace: Pace = Pace(rate: 0), savedMicroseconds: Int64 = 0) {
        self.token = token
        self.sample = sample
        self.pace = pace
        self.savedMicroseconds = savedMicroseconds
    }
}

/// Maps the card's frames to recordings and their samples. Each stretch has its own pace, so rate and speed may change between stretches.
struct Timeline: ~Copyable {
    /// A stretch of frames from `frame` on, which begins at `place`.
    struct Stretch: BitwiseCopyable {
        var frame: Int64
        var place: Place
    }

    /// The most stretches: two seconds of items of one MPEG frame each.
    static var limit: Int { @_noLocks @_noAllocation get { 96 } }

    private let stretches: UnsafeMutablePointer<Stretch>
    private(set) var count = 0

    init() {
        stretches = .allocate(capacity: Timeline.limit)
        // The audio thread must not be the first to touch a page.
        stretches.initialize(repeating: Stretch(frame: 0, place: Place()), count: Timeline.limit)
    }

    deinit { stretches.deallocate() }

    /// Begins decoded frames from `frame` on at `place`.
    @_noLocks @_noAllocation
    mutating func mark(_ place: Place, at frame: Int64) {
        while count > 0 && stretches[count - 1].frame >= frame { count -= 1 }
        if count == Timeline.limit {
            // Drop the oldest stretch.
            var i = 1
            while i < count {
                stretches[i - 1] = stretches[i]
                i += 1
            }
            count -= 1
        }
        stretches[count] = Stretch(frame: frame, place: place)
        count += 1
    }

    /// Returns the place of `frame` on a card of `rate` Hz.
    @_noLocks @_noAllocation
    borrowing func place(at frame: Int64, cardRate: Int64) -> Place {
        let index = index(at: frame)
        if index < 0 { return Place() }
        var place = stretches[index].place
        let frames = max(0, frame - stretches[index].frame)
        // Whole seconds are computed separately, so that a long recording does not overflow 64 bits.
        let samples = Int64(place.pace.rate) * Int64(place.pace.speed)
        place.sample += (frames / cardRate * samples + frames % cardRate * samples / cardRate) / 1000
        return place
    }

    /// Returns the first stretch that begins after `frame` and before `end`.
    @_noLocks @_noAllocation
    borrowing func following(_ frame: Int64, before end: Int64) -> Stretch? {
        stretch(index(at: frame) + 1, before: end)
    }

    /// Returns the start of the first of two stretches that begin between `frame` and `end`: by then the audio thread must publish the
    /// second. Nil without two.
    @_noLocks @_noAllocation
    borrowing func untoldFrame(_ frame: Int64, before end: Int64) -> Int64? {
        let next = index(at: frame) + 1
        return stretch(next + 1, before: end) == nil ? nil : stretches[next].frame
    }

    /// Reduces the timeline to one stretch with an absolute place, for renumbered frames.
    @_noLocks @_noAllocation
    mutating func settle(at frame: Int64, cardRate: Int64) {
        let heard = place(at: frame, cardRate: cardRate)
        stretches[0] = Stretch(frame: 0, place: heard)
        count = 1
    }

    @_noLocks @_noAllocation
    private borrowing func stretch(_ index: Int, before end: Int64) -> Stretch? {
        index < count && stretches[index].frame < end ? stretches[index] : nil
    }

    /// Returns the index of the stretch that contains `frame`; -1 for none.
    @_noLocks @_noAllocation
    private borrowing func index(at frame: Int64) -> Int {
        var index = count - 1
        while index > 0 && stretches[index].frame > frame { index -= 1 }
        return index
    }
}
