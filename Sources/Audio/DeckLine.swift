// SPDX-License-Identifier: Apache-2.0
/// The audio thread's decks: the playing one, and the one lined up. Reports their fate to control.
struct DeckLine: BitwiseCopyable {
    /// The source of frames.
    enum Supply: BitwiseCopyable {
        case none
        case flowing(UnsafeMutablePointer<Deck>)
        /// The deck has nothing; the feed thread will wake this one.
        case starved(UnsafeMutablePointer<Deck>)
        /// The deck finds no frame in its bytes; pull again soon.
        case searching(UnsafeMutablePointer<Deck>)
        /// The deck returned its last frame, and no deck follows.
        case ended(token: Int, DeckEnd)
    }

    /// The result of `pull`.
    enum Pulled: BitwiseCopyable {
        /// Interleaved samples, valid until the next call.
        case frames(UnsafePointer<Int16>, count: Int, channels: Int)
        /// The next deck took over, or a silence was shortened; the next frame is at this place.
        case began(Place)
        /// No more frames, for now or for good; see `supply`.
        case nothing
    }

    private let shared: UnsafeMutablePointer<AudioShared>
    private(set) var supply = Supply.none
    private var lined: UnsafeMutablePointer<Deck>?
    /// The time that shortened silences have saved so far.
    private var savedMicroseconds: Int64 = 0
    /// The gain of the last frames; nil for none.
    private var lastGain: Int?

    @_noLocks @_noAllocation
    init(_ shared: UnsafeMutablePointer<AudioShared>) { self.shared = shared }

    /// The deck in use.
    var current: UnsafeMutablePointer<Deck>? {
        @_noLocks @_noAllocation get {
            switch supply {
            case .flowing(let deck), .starved(let deck), .searching(let deck): deck
            case .none, .ended: nil
            }
        }
    }

    var isEmpty: Bool { @_noLocks @_noAllocation get { if case .none = supply { true } else { false } } }
    var isStarved: Bool { @_noLocks @_noAllocation get { if case .starved = supply { true } else { false } } }
    var hasEnded: Bool { @_noLocks @_noAllocation get { if case .ended = supply { true } else { false } } }

    /// Plays `deck` and nothing else. Returns the place where it begins.
    /// - Parameters:
    ///   - token: the earlier deck with the same recording, for a deck that begins where that one stops, slightly after its prepared place;
    ///     0 for none.
    ///   - left: the place at which the earlier deck stopped.
    @_noLocks @_noAllocation
    mutating func load(_ deck: UnsafeMutablePointer<Deck>, behind token: Int = 0, _ left: Place = Place()) -> Place {
        let sample = token != 0 && left.token == token ? left.sample : 0
        clear()
        savedMicroseconds = left.savedMicroseconds
        deck.pointee.skip(to: sample)
        return begin(deck)
    }

    /// Continues with `deck` when the playing one ends. If nothing plays, returns it at once: control will hear of that and load it.
    @_noLocks @_noAllocation
    mutating func lineUp(_ deck: UnsafeMutablePointer<Deck>) {
        release(lined)
        lined = deck
        if isEmpty { clearLineUp() }
    }

    @_noLocks @_noAllocation
    mutating func clearLineUp() {
        release(lined)
        lined = nil
    }

    /// Lets the lined-up deck follow one that ended properly. After a damaged recording control decides what comes next. Returns the place
    /// where the deck begins; nil if none follows.
    @_noLocks @_noAllocation
    mutating func followOn() -> Place? {
        guard case .ended(_, let end) = supply, end.isComplete, let deck = lined else { return nil }
        lined = nil
        shared.pointee.tell(.nextBegun(token: deck.pointee.token))
        if let lastGain { deck.pointee.beginGain(from: lastGain) }
        return begin(deck)
    }

    @_noLocks @_noAllocation
    mutating func clear() {
        clearLineUp()
        release(current)
        supply = .none
    }

    /// Returns the next frames of the playing deck.
    @_noLocks @_noAllocation
    mutating func pull() -> Pulled {
        guard let deck = current else { return .nothing }
        switch deck.pointee.pull() {
        case .frames(let samples, let count):
            supply = .flowing(deck)
            return .frames(samples, count: count, channels: deck.pointee.channels)
        case .leapt(let frames, let sample):
            let pace = Pace(rate: deck.pointee.rate, speed: deck.pointee.speed)
            savedMicroseconds += Int64(frames) * 1_000_000_000 / (Int64(max(1, pace.rate)) * Int64(max(1, pace.speed)))
            return .began(
                Place(
                    token: deck.pointee.token, sample: sample, pace: pace, savedMicroseconds: savedMicroseconds))
        case .starved: supply = .starved(deck)
        case .searching: supply = .searching(deck)
        case .ended(let end):
            let token = deck.pointee.token
            lastGain = deck.pointee.gain
            release(deck)
            supply = .ended(token: token, end)
            if let place = followOn() { return .began(place) }
        }
        return .nothing
    }

    @_noLocks @_noAllocation
    private mutating func begin(_ deck: UnsafeMutablePointer<Deck>) -> Place {
        supply = .flowing(deck)
        deck.pointee.begin()
        return Place(
            token: deck.pointee.token, sample: deck.pointee.startSample,
            pace: Pace(rate: deck.pointee.rate, speed: deck.pointee.speed), savedMicroseconds: savedMicroseconds)
    }

    /// Changes the gain of the deck with this token.
    @_noLocks @_noAllocation
    func glide(_ token: Int, toGain gain: Int) {
        if let deck = current, deck.pointee.token == token { deck.pointee.glide(toGain: gain) }
        if let lined, lined.pointee.token == token { lined.pointee.glide(toGain: gain) }
    }

    @_noLocks @_noAllocation
    private func release(_ deck: UnsafeMutablePointer<Deck>?) {
        if let deck { shared.pointee.tell(.released(deck)) }
    }
}
