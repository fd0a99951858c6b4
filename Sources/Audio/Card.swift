// SPDX-License-Identifier: Apache-2.0
import ALSA
import CPosix

/// The card of an attached output, with the count of frames written to it. `look` queries it once in each round of the loop. Everything
/// else is computed from that result and the writes since.
struct Card<Device: CardDevice & ~Copyable>: ~Copyable {
    enum State: BitwiseCopyable {
        /// There is no output.
        case absent
        /// The loop must prepare it before the next write.
        case unprepared
        /// The card accepts frames but does not play yet.
        case prepared
        /// It plays.
        case moving
    }

    /// The result of a query.
    struct View: BitwiseCopyable {
        /// The time of the query, in nanoseconds.
        var time: Int64 = 0
        /// The free room, in frames.
        var available: Int64 = 0
        /// The frames between the next write and the listener.
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
    /// True if the card accepts everything at once, so the clock paces playback. Then `clockStart` and `clockTime` are the start of pacing
    /// and its queue time.
    private(set) var isUnpaced = false
    private var clockStart: Int64 = 0
    private var clockTime: Int64 = 0

    /// The rate in Hz; 64 bits, because frames and nanoseconds exceed 32. 1 without a card.
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

    /// Returns the duration of frames, without overflow for some years.
    func nanoseconds(_ frames: Int64) -> Int64 { frames * 1_000_000 / rate * 1000 }

    private func frames(since time: Int64, at now: Int64) -> Int64 { (now - time) / 1000 * rate / 1_000_000 }

    /// Returns the frame that was audible at the last query.
    func heardFrame() -> Int64 { heardFrame(at: view.time, moved: 0) }

    /// Returns the frame that is audible now, estimated by the clock.
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

    /// Returns the number of frames written but unheard, including silence, if the card has moved by `moved` frames since the last query.
    private func unheardFrames(at time: Int64, moved: Int64) -> Int64 {
        switch state {
        case .absent, .unprepared: return 0
        case .prepared: return queue.given
        case .moving:
            if isUnpaced { return max(0, queue.time - clockTime - frames(since: clockStart, at: time)) }
            return max(0, view.delay - moved)
        }
    }

    /// Returns the queue time that was audible at the last query.
    func heardTime() -> Int64 { queue.time - unheardFrames(at: view.time, moved: 0) }

    /// Returns the queue time that is audible now, estimated by the clock.
    func heardTimeByClock() -> Int64 {
        let now = now()
        return queue.time
            - unheardFrames(at: now, moved: state == .moving ? frames(since: view.time, at: now) : 0)
    }

    /// True if the last write was silence, and a rewind left some of it.
    var hasSilenceLast: Bool {
        queue.padFrame == queue.cursor && queue.padFrames > frames(2 * Timing.rewindMarginMilliseconds)
    }

    /// Returns the number of unheard frames at the card, without the silence after them.
    func queuedFrames() -> Int64 { queue.cursor - heardFrame() }

    /// Returns the time at which a frame at the card is or was audible.
    func timeHeard(_ frame: Int64) -> Int64 {
        if state == .absent { return now() }
        let delay = isUnpaced ? unheardFrames(at: view.time, moved: 0) : view.delay
        return view.time + nanoseconds(queue.framesUntil(frame, delay: delay))
    }

    /// Returns the wake-up latency: the time since the card's period should have ended. Call it before any other query of the card.
    func calledNanosecondsAgo() -> Int64? {
        guard let device, state == .moving else { return nil }
        return device.pointee.calledNanosecondsAgo(written: queue.given, now: now())
    }

    /// Returns true if the card called, from poll's result on its descriptors.
    func translate(_ descriptors: UnsafeMutablePointer<pollfd>) -> Bool {
        device?.pointee.translate(descriptors) ?? false
    }

    // MARK: Asking

    /// Queries the card, once a round.
    mutating func look() -> CardFault? {
        guard let device else { return nil }
        if state == .moving && !isUnpaced {
            // Query the delay first, because this fails for a lost card. Without room there is no write that could fail, but poll returns
            // at once. The thread would then spin and block the system. alsa-lib 1.2.14 computes the room from its last answer.
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

    /// Detects the `file` PCM and others without hardware: they accept frames faster than time passes.
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

    /// Writes frames at the cursor.
    mutating func write(_ frames: UnsafeRawPointer, count: Int) -> Written {
        switch give(frames, count) {
        case .frames(let written):
            queue.didWrite(written)
            return .frames(written)
        case .fault(let fault): return .fault(fault)
        }
    }

    /// Writes silence that belongs to no frame. It does not repeat frames that the card refuses.
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

    /// Starts the card.
    mutating func start() -> CardFault? {
        guard let device, state == .prepared else { return nil }
        let code = device.pointee.start()
        // Some cards start by themselves.
        if code != -Int(EBADFD), let fault = CardFault(code) { return fault }
        state = .moving
        clockStart = now()
        clockTime = queue.time - queue.given
        view.time = clockStart
        return nil
    }

    // MARK: Taking back

    /// Takes back the queue up to the frames that the card is about to play, and moves the cursor there.
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
            // A card that passes its queue to firmware, such as the Raspberry Pi's headphone socket, cannot rewind.
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
        // The card plays on between query and stop. Add half the time of both calls, since each acts in its middle.
        _ = device.pointee.drop()
        let playedOn = state == .moving ? ((now() - asked) / 2 * rate + 500_000_000) / 1_000_000_000 : 0
        queue.goBack(to: heard + playedOn, oldest: oldest, unheard: max(0, unheard - playedOn))
        return prepare()
    }

    /// Stops the card at once.
    mutating func stop() {
        guard let device, state == .prepared || state == .moving else { return }
        _ = device.pointee.drop()
        state = .unprepared
        queue.begin()
    }
}
