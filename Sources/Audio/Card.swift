// SPDX-License-Identifier: Apache-2.0
import ALSA
import CPosix

/// The card while an output is attached, with the count of frames written to it. `look` asks it once in each round of the loop; everything
/// else is computed from that answer and the writes since.
struct Card<Device: CardDevice & ~Copyable>: ~Copyable {
    enum State: BitwiseCopyable {
        /// Without an output.
        case absent
        /// The loop must prepare it before the next write.
        case unprepared
        /// It takes frames and does not play them yet.
        case prepared
        /// It plays.
        case moving
    }

    /// The card's answer to a look.
    struct View: BitwiseCopyable {
        /// When, in nanoseconds.
        var time: Int64 = 0
        /// Room, in frames.
        var available: Int64 = 0
        /// Frames between the one written next and the ear.
        var delay: Int64 = 0

        @_noLocks @_noAllocation
        init() {}
    }

    /// The result of a write.
    enum Written: BitwiseCopyable {
        case frames(Int64)
        case fault(CardFault)
    }

    private var device: UnsafeMutablePointer<Device>?
    private(set) var state = State.absent
    private(set) var queue = CardQueue()
    private(set) var view = View()
    /// The card takes everything at once, so the clock times the playback: since when, and from which of the queue's time.
    private(set) var isUnpaced = false
    private var clockStart: Int64 = 0
    private var clockTime: Int64 = 0

    /// Hz; 64 bits, because frames and nanoseconds take more than 32. 1 while there is no card.
    private(set) var rate: Int64 = 1
    private(set) var bufferFrames: Int64 = 0
    private(set) var cutsByDropping = false

    // MARK: Coming and going

    mutating func attach(_ device: UnsafeMutablePointer<Device>) {
        self.device = device
        state = .unprepared
        rate = Int64(device.pointee.format.rate)
        bufferFrames = Int64(device.pointee.format.bufferFrames)
        cutsByDropping = device.pointee.cutsByDropping
        isUnpaced = device.pointee.isUnpaced
        queue = CardQueue()
        view = View()
    }

    mutating func detach() {
        device = nil
        state = .absent
        rate = 1
        queue = CardQueue()
    }

    // MARK: Time

    func now() -> Int64 {
        if let device { device.pointee.now() } else { ns_monotonic_nanoseconds() }
    }

    func frames(_ milliseconds: Int64) -> Int64 { milliseconds * rate / 1000 }

    /// Without overflow for some years.
    func nanoseconds(_ frames: Int64) -> Int64 { frames * 1_000_000 / rate * 1000 }

    private func frames(since time: Int64, at now: Int64) -> Int64 { (now - time) / 1000 * rate / 1_000_000 }

    /// The frame that the ear had reached at the last look at the card.
    func heardFrame() -> Int64 { heardFrame(at: view.time, moved: 0) }

    /// The frame that the ear has reached now, estimated by the clock.
    func heardFrameByClock() -> Int64 {
        let now = now()
        return heardFrame(at: now, moved: state == .moving ? frames(since: view.time, at: now) : 0)
    }

    private func heardFrame(at time: Int64, moved: Int64) -> Int64 {
        switch state {
        case .absent, .unprepared: return queue.cursor
        case .prepared: return queue.floorFrame
        case .moving: return queue.heardFrame(delay: unheardFrames(at: time, moved: moved))
        }
    }

    /// Returns the frames written but unheard, silence included, when the card has moved by `moved` frames since the last look.
    private func unheardFrames(at time: Int64, moved: Int64) -> Int64 {
        switch state {
        case .absent, .unprepared: return 0
        case .prepared: return queue.given
        case .moving:
            if isUnpaced { return max(0, queue.time - clockTime - frames(since: clockStart, at: time)) }
            return max(0, view.delay - moved)
        }
    }

    /// The part of the queue's time that the ear had passed at the last look at the card.
    func heardTime() -> Int64 { queue.time - unheardFrames(at: view.time, moved: 0) }

    /// The part of the queue's time that the ear has passed by now, estimated by the clock.
    func heardTimeByClock() -> Int64 {
        let now = now()
        return queue.time
            - unheardFrames(at: now, moved: state == .moving ? frames(since: view.time, at: now) : 0)
    }

    /// True if silence was written last, and a rewind has left some of it.
    var hasSilenceLast: Bool {
        queue.padFrame == queue.cursor && queue.padFrames > frames(2 * Timing.rewindMarginMilliseconds)
    }

    /// Frames at the card and not heard, without the silence behind them.
    func queuedFrames() -> Int64 { queue.cursor - heardFrame() }

    /// When a frame at the card is or was at the ear.
    func timeHeard(_ frame: Int64) -> Int64 {
        if state == .absent { return now() }
        let delay = isUnpaced ? unheardFrames(at: view.time, moved: 0) : view.delay
        return view.time + nanoseconds(queue.framesUntil(frame, delay: delay))
    }

    /// The wake-up latency: the time since the card's period should have ended, measured before anything else is asked of the card.
    func calledNanosecondsAgo() -> Int64? {
        guard let device, state == .moving else { return nil }
        return device.pointee.calledNanosecondsAgo(written: queue.given, now: now())
    }

    /// Returns whether the card called, from poll's result on its descriptors.
    func translate(_ descriptors: UnsafeMutablePointer<pollfd>) -> Bool {
        device?.pointee.translate(descriptors) ?? false
    }

    // MARK: Asking

    /// Asks the card, once a round.
    mutating func look() -> CardFault? {
        guard let device else { return nil }
        if state == .moving && !isUnpaced {
            // First, because it fails for a card that is gone: without room at that moment nothing is written and nothing fails, but poll
            // returns at once: the thread would spin, and the rest of the system would get no turn. alsa-lib 1.2.14 computes the room from
            // its last answer.
            let delay = device.pointee.delayFrames()
            if let fault = CardFault(delay) { return fault }
            view.delay = Int64(delay)
        }
        view.time = now()
        let available = device.pointee.availableFrames()
        if let fault = CardFault(available) { return fault }
        view.available = Int64(available)
        if state == .moving && !isUnpaced { comparePace() }
        if isUnpaced { view.available = max(0, bufferFrames - (queue.time - heardTime())) }
        return nil
    }

    /// The `file` PCM and others with no hardware under them show themselves by swallowing faster than time passes.
    private mutating func comparePace() {
        let elapsed = frames(since: clockStart, at: view.time)
        if queue.time - clockTime - elapsed > bufferFrames * 5 / 4 {
            isUnpaced = true
        } else if elapsed > frames(Timing.pacingWindowMilliseconds) {
            clockTime = heardTime()
            clockStart = view.time
        }
    }

    // MARK: Giving

    mutating func prepare() -> CardFault? {
        guard let device else { return nil }
        let code = device.pointee.prepare()
        state = code < 0 ? .unprepared : .prepared
        queue.begin()
        view.delay = 0
        view.time = now()
        return CardFault(code)
    }

    mutating func didDecode(_ frames: Int64) { queue.didDecode(frames) }

    mutating func dropReady() { queue.dropReady() }

    /// Hands over frames that stand at the cursor.
    mutating func write(_ frames: UnsafeRawPointer, count: Int) -> Written {
        switch give(frames, count) {
        case .frames(let written):
            queue.didWrite(written)
            return .frames(written)
        case .fault(let fault): return .fault(fault)
        }
    }

    /// Hands over silence that stands for no frame. Frames that the card refuses are not missed.
    mutating func writeSilence(_ silence: UnsafeRawPointer, count: Int) {
        if case .frames(let written) = give(silence, count), written > 0 { queue.didWriteSilence(written) }
    }

    private mutating func give(_ frames: UnsafeRawPointer, _ count: Int) -> Written {
        guard let device else { return .frames(0) }
        let written = device.pointee.write(frames, count: count)
        if let fault = CardFault(written) {
            if case .busy = fault { return .frames(0) }
            return .fault(fault)
        }
        view.available -= Int64(written)
        view.delay += Int64(written)
        return .frames(Int64(written))
    }

    /// Lets it play what it has.
    mutating func start() -> CardFault? {
        guard let device, state == .prepared else { return nil }
        let code = device.pointee.start()
        // Some start by themselves.
        if code != -Int(EBADFD), let fault = CardFault(code) { return fault }
        state = .moving
        clockStart = now()
        clockTime = queue.time - queue.given
        view.time = clockStart
        return nil
    }

    // MARK: Taking back

    /// Takes back the queue up to a moment before the ear: the cursor goes back to where the card will be in a moment.
    /// - Parameter oldest: the oldest frame that the mixdown can render again.
    mutating func cut(oldest: Int64) -> CardFault? {
        guard let device, state == .prepared || state == .moving else { return nil }
        if state == .moving && !isUnpaced && !cutsByDropping {
            view.delay = Int64(max(0, device.pointee.delayFrames()))
            view.time = now()
            let margin = frames(Timing.rewindMarginMilliseconds)
            let frames = min(Int64(device.pointee.rewindableFrames()), view.delay) - margin
            if frames <= 0 { return nil }
            let rewound = Int64(device.pointee.rewind(Int(frames)))
            if rewound > 0 {
                queue.takeBack(rewound)
                view.delay -= rewound
                view.available += rewound
                return nil
            }
            // A card that passes its queue to firmware, like the Raspberry Pi's headphone socket, cannot rewind.
            cutsByDropping = true
        }
        var asked: Int64
        var tries = 0
        repeat {
            asked = now()
            if state == .moving && !isUnpaced { view.delay = Int64(max(0, device.pointee.delayFrames())) }
            view.time = now()
            tries += 1
        } while now() - asked > Timing.answerNanoseconds && tries < Timing.answerTries
        let heard = heardFrame()
        let unheard = unheardFrames(at: view.time, moved: 0)
        // The card plays on between the query and the stop: half the time of both calls, since each acts in its middle.
        _ = device.pointee.drop()
        let playedOn = state == .moving ? ((now() - asked) / 2 * rate + 500_000_000) / 1_000_000_000 : 0
        queue.goBack(to: heard + playedOn, oldest: oldest, unheard: max(0, unheard - playedOn))
        return prepare()
    }

    /// Silence at once.
    mutating func stop() {
        guard let device, state == .prepared || state == .moving else { return }
        _ = device.pointee.drop()
        state = .unprepared
        queue.begin()
    }
}
