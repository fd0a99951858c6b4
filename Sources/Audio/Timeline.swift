// SPDX-License-Identifier: Apache-2.0
/// The speed at which a recording passes.
public struct Pace: BitwiseCopyable, Sendable {
    /// Samples in a second of the recording.
    public var rate: Int
    /// Milliseconds of the recording that pass in a second: 1000 unless it plays faster or slower than spoken.
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
    /// Gapless sample of the recording.
    public var sample: Int64
    /// The pace from there on.
    public var pace: Pace
    /// The microseconds that shortened silences have saved a listener up to this place.
    public var savedMicroseconds: Int64

    @_noLocks @_noAllocation
    public init(token: Int = 0, sample: Int64 = 0, pace: Pace = Pace(rate: 0), savedMicroseconds: Int64 = 0) {
        self.token = token
        self.sample = sample
        self.pace = pace
        self.savedMicroseconds = savedMicroseconds
    }
}

/// Maps the card's frames to recordings and their samples. Each stretch knows how many of its samples pass with a frame, so that rate and
/// speed can change from one to the next.
struct Timeline: ~Copyable {
    /// From `frame` on, the frames are those that begin at `place`.
    struct Stretch: BitwiseCopyable {
        var frame: Int64
        var place: Place
    }

    /// Two seconds of items that last one MPEG frame each.
    static var limit: Int { @_noLocks @_noAllocation get { 96 } }

    private let stretches: UnsafeMutablePointer<Stretch>
    private(set) var count = 0

    init() {
        stretches = .allocate(capacity: Timeline.limit)
        // The audio thread must not be the first to touch a page.
        stretches.initialize(repeating: Stretch(frame: 0, place: Place()), count: Timeline.limit)
    }

    deinit { stretches.deallocate() }

    /// Decoded frames from `frame` on begin at `place`.
    @_noLocks @_noAllocation
    mutating func mark(_ place: Place, at frame: Int64) {
        while count > 0 && stretches[count - 1].frame >= frame { count -= 1 }
        if count == Timeline.limit {
            // Give up the oldest.
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

    /// The place that becomes audible with `frame` on a card of `rate` Hz.
    @_noLocks @_noAllocation
    borrowing func place(at frame: Int64, cardRate: Int64) -> Place {
        let index = index(at: frame)
        if index < 0 { return Place() }
        var place = stretches[index].place
        let frames = max(0, frame - stretches[index].frame)
        // Whole seconds apart, so that no product of a long recording outgrows 64 bits.
        let samples = Int64(place.pace.rate) * Int64(place.pace.speed)
        place.sample += (frames / cardRate * samples + frames % cardRate * samples / cardRate) / 1000
        return place
    }

    /// The first stretch that begins behind `frame` and before `end`.
    @_noLocks @_noAllocation
    borrowing func following(_ frame: Int64, before end: Int64) -> Stretch? {
        stretch(index(at: frame) + 1, before: end)
    }

    /// The beginning of the first of two stretches that both begin between `frame` and `end`: by then the audio thread has to publish the
    /// second. Nil if there are no two.
    @_noLocks @_noAllocation
    borrowing func untoldFrame(_ frame: Int64, before end: Int64) -> Int64? {
        let next = index(at: frame) + 1
        return stretch(next + 1, before: end) == nil ? nil : stretches[next].frame
    }

    /// Leaves one stretch that tells the place by itself, for frames with new numbers.
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

    /// Index of the stretch under which `frame` lies; -1 if there is none at all.
    @_noLocks @_noAllocation
    private borrowing func index(at frame: Int64) -> Int {
        var index = count - 1
        while index > 0 && stretches[index].frame > frame { index -= 1 }
        return index
    }
}
