import ALSA
import CPosix
import Posix
import Realtime

/// The audio thread: takes frames from decks, hands them to the card, answers control. It touches no file and waits in one `poll`
/// only; `AudioThread` proves that nothing of it locks or allocates.
///
/// Seconds are queued at the card, and a button is answered within milliseconds all the same, since what is queued is kept as it was
/// before any gain (`Mixdown`): it is taken back and written again (`Card.cut`).
struct AudioLoop<Device: CardDevice & ~Copyable>: ~Copyable {
    private enum Phase: BitwiseCopyable {
        /// Nothing at the card.
        case idle
        case running
        /// A fall to silence is at the card, silence behind it; the card is stopped once that is reached.
        case falling(until: Int64)
        /// So are the last frames that there are, of the deck `token`.
        case ending(until: Int64, token: Int, DeckEnd)
    }

    /// Where frames come from.
    private enum Supply: BitwiseCopyable {
        case none
        case flowing(UnsafeMutablePointer<Deck>)
        /// The deck has nothing; the feed thread will wake us.
        case starved(UnsafeMutablePointer<Deck>)
        /// The deck finds no frame in what it has; it is asked again soon.
        case searching(UnsafeMutablePointer<Deck>)
        /// The deck gave its last frame and nothing was lined up.
        case ended(token: Int, DeckEnd)
    }

    /// How to wait for the next round.
    struct Waiting: BitwiseCopyable {
        /// -1 for as long as nobody calls.
        var milliseconds: Int32 = -1
        /// Whether the card may call.
        var includesCard = false

        @_noLocks @_noAllocation
        init() {}
    }

    private let shared: UnsafeMutablePointer<AudioShared>
    private var output: UnsafeMutablePointer<Output>?
    private var card = Card<Device>()
    private var timeline = Timeline()
    private var gains = Gains()
    private var meters: Meters
    private var supply = Supply.none
    private var lined: UnsafeMutablePointer<Deck>?
    private var phase = Phase.idle
    private var wantsToPlay = false
    /// The output was asked back and goes once the card is silent.
    private var isDetaching = false
    /// Until then little is queued ahead, since the volume is being changed; 0 for not at all.
    private var shallowUntil: Int64 = 0
    /// After `AudioRequest.quit`.
    private(set) var isQuitting = false

    init(shared: UnsafeMutablePointer<AudioShared>) {
        self.shared = shared
        meters = Meters(shared)
    }

    /// The thread's body; returns after `AudioRequest.quit`.
    mutating func run() {
        while !isQuitting {
            let isCalled = wait()
            shared.pointee.wake.clear()
            round(isCalled: isCalled)
        }
    }

    /// All that is to be done on waking.
    /// - Parameter isCalled: the card called, or time ran out, so that more should be decoded by now.
    mutating func round(isCalled: Bool) {
        handleRequests()
        if case .running = phase { service(isCalled: isCalled) }
        finishStopping()
        publish()
    }

    // MARK: Waiting

    private mutating func wait() -> Bool {
        let waiting = waiting()
        var found: Int32
        if let output {
            let polled = output.pointee.polled
            found = ns_poll(polled.baseAddress!, nfds_t(waiting.includesCard ? polled.count : 1), waiting.milliseconds)
            if found > 0 && waiting.includesCard { card.translate(polled.baseAddress! + 1) }
        } else {
            var alone = pollfd(fd: shared.pointee.wake.number, events: Int16(POLLIN), revents: 0)
            found = ns_poll(&alone, 1, waiting.milliseconds)
        }
        meters.countWakeUp()
        if found > 0 && waiting.includesCard, let late = card.calledNanosecondsAgo() {
            meters.noteLatency(nanoseconds: late)
            return true
        }
        return found == 0
    }

    /// What to wait for, by what the last round saw.
    borrowing func waiting() -> Waiting {
        var waiting = Waiting()
        switch phase {
        case .idle: return waiting
        case .falling(let until), .ending(let until, _, _):
            waiting.milliseconds = Int32(clamping: max(0, (until - card.now()) / 1_000_000 + 1))
            return waiting
        case .running: break
        }
        let queued = card.queue.cursor - card.heardFrameByClock()
        if case .starved = supply {
            // Room at the card is of no use. Until somebody calls note it if the card runs dry.
            if card.state == .moving { waiting.milliseconds = max(1, milliseconds(queued)) }
        } else if case .searching = supply {
            waiting.milliseconds = Int32(clamping: Timing.searchMilliseconds)
        } else if card.isUnpaced || isShallow() {
            waiting.milliseconds = max(1, milliseconds(queued / 2))
        } else {
            waiting.includesCard = true
            // If the card fails to call, this does, with half a period left.
            let period = output.map { Int64($0.pointee.format.periodFrames) } ?? 0
            waiting.milliseconds = max(1, milliseconds(queued - period / 2))
        }
        let heard = card.queue.cursor - queued
        if let frame = timeline.untoldFrame(heard, before: card.queue.cursor) {
            let until = milliseconds(max(0, frame - heard)) + 1
            waiting.milliseconds = waiting.milliseconds < 0 ? until : min(waiting.milliseconds, until)
        }
        return waiting
    }

    private borrowing func milliseconds(_ frames: Int64) -> Int32 { Int32(clamping: frames * 1000 / card.rate) }

    // MARK: Requests

    private mutating func handleRequests() {
        while let request = shared.pointee.requests.receive() {
            switch request {
            case .attach(let output): attach(output)
            case .detach: detach()
            case .load(let deck, let asked): load(deck, asked: asked)
            case .lineUp(let deck): lineUp(deck)
            case .clearLineUp:
                release(lined)
                lined = nil
            case .play(let asked): play(asked: asked)
            case .pause(let asked): pause(asked: asked)
            case .gain(let kind, let level, let milliseconds): setGain(kind, level, milliseconds)
            case .unload(let asked):
                pause(asked: asked)
                releaseDecks()
                card.dropReady()
            case .quit:
                pause(asked: 0)
                isQuitting = true
            }
        }
    }

    private mutating func attach(_ made: UnsafeMutablePointer<Output>) {
        // The place stays known although frames are counted anew.
        timeline.settle(at: card.queue.cursor, cardRate: card.rate)
        gains.countAnew(from: card.queue.cursor, oldRate: card.rate, newRate: Int64(made.pointee.format.rate))
        output = made
        card.attach(made.pointee.device.assumingMemoryBound(to: Device.self))
        meters.countAnew()
        shallowUntil = 0
        startPlayingIfWanted()
    }

    private mutating func detach() {
        isDetaching = true
        pause(asked: 0)
        if case .idle = phase { giveBackOutput() }
    }

    private mutating func giveBackOutput() {
        isDetaching = false
        guard let output else { return }
        card.stop()
        settle(at: card.queue.cursor)
        releaseDecks()
        self.output = nil
        tell(.detached(output))
    }

    /// Frames lose their numbers; only the place is known.
    private mutating func settle(at frame: Int64) {
        timeline.settle(at: frame, cardRate: card.rate)
        gains.countAnew(from: frame, oldRate: card.rate, newRate: card.rate)
        card.detach()
    }

    private mutating func load(_ deck: UnsafeMutablePointer<Deck>, asked: Int64) {
        takeUpTheEnd()
        var wasMoving = true
        if case .idle = phase { wasMoving = false }
        if case .running = phase { cutAndFadeOut() }
        release(lined)
        lined = nil
        release(deckInUse)
        card.dropReady()
        meters.expectSound(asked: asked, at: card.queue.cursor)
        begin(deck)
        if wasMoving {
            // Also while a fall to silence is at the card: should playing go on before its end, the deck rises behind it.
            gains.fade.set(0, from: card.queue.cursor)
            rise()
            if wantsToPlay { phase = .running }
        } else {
            startPlayingIfWanted()
        }
    }

    private mutating func lineUp(_ deck: UnsafeMutablePointer<Deck>) {
        release(lined)
        lined = deck
        switch supply {
        case .flowing, .starved, .searching: return
        case .none:
            // Cannot follow what is not there; control will hear of it and load it.
            break
        case .ended(_, let end):
            // The end was reached before this came, but perhaps not heard yet.
            guard wantsToPlay && end.isComplete else { break }
            if case .idle = phase { break }
            if case .running = phase {} else { cut() }
            followOn()
            phase = .running
            return
        }
        release(deck)
        lined = nil
    }

    private mutating func play(asked: Int64) {
        if wantsToPlay { return }
        wantsToPlay = true
        var isStopping = false
        switch phase {
        case .falling, .ending:
            cut()
            // The card may have been lost meanwhile.
            if case .idle = phase {} else { isStopping = true }
        default: break
        }
        meters.expectSound(asked: asked, at: card.queue.cursor)
        if isStopping {
            // If a deck was loaded meanwhile its rise stands behind the fall already.
            if gains.fade.target == 0 { rise() }
            phase = .running
        } else {
            startPlayingIfWanted()
        }
    }

    private mutating func startPlayingIfWanted() {
        guard wantsToPlay, output != nil, case .idle = phase else { return }
        if case .none = supply, card.queue.ready == 0 { return }
        gains.fade.set(0)
        rise()
        phase = .running
    }

    private mutating func pause(asked: Int64) {
        wantsToPlay = false
        meters.expectNoSound()
        takeUpTheEnd()
        guard case .running = phase else { return }
        cutAndFadeOut()
        if card.state == .moving { meters.noteSilence(asked: asked, heard: card.timeHeard(card.queue.cursor)) }
        if let until = stopBehindSilence() { phase = .falling(until: until) }
    }

    /// The last that there is has been given to the card but not been heard: it can be taken back like any other.
    private mutating func takeUpTheEnd() {
        if case .ending = phase { phase = .running }
    }

    private mutating func setGain(_ kind: Gains.Kind, _ level: Int, _ milliseconds: Int) {
        takeUpTheEnd()
        let frames = Int(clamping: max(1, card.frames(Int64(milliseconds))))
        if case .idle = phase {
            // Nothing sounds: what is to be at once is so. A long fall goes by frames that are played.
            let isLong = Int64(milliseconds) > Timing.volumeMilliseconds
            return gains.move(kind, to: level, from: card.queue.cursor, frames: isLong ? frames : 1)
        }
        if case .running = phase {
            if !card.cutsByDropping {
                cut()
            } else if !isShallow() {
                // One gap for all the steps of a held button: as long as it steps little is queued, and each is heard soon.
                cut()
                gains.fade.set(0, from: card.queue.cursor)
                rise()
            }
            if card.cutsByDropping { shallowUntil = card.now() + Timing.shallowForMilliseconds * 1_000_000 }
        }
        gains.move(kind, to: level, from: card.queue.cursor, frames: frames)
    }

    private borrowing func isShallow() -> Bool { shallowUntil > 0 && card.now() < shallowUntil }

    // MARK: Decks

    private var deckInUse: UnsafeMutablePointer<Deck>? {
        switch supply {
        case .flowing(let deck), .starved(let deck), .searching(let deck): deck
        case .none, .ended: nil
        }
    }

    private mutating func begin(_ deck: UnsafeMutablePointer<Deck>) {
        supply = .flowing(deck)
        let pace = Pace(rate: deck.pointee.rate)
        timeline.mark(
            Place(token: deck.pointee.token, sample: deck.pointee.startSample, pace: pace), at: card.queue.head)
        deck.pointee.begin()
    }

    /// The deck lined up takes over at the head.
    private mutating func followOn() {
        guard let deck = lined else { return }
        lined = nil
        begin(deck)
        tell(.nextBegun(token: deck.pointee.token))
    }

    private mutating func releaseDecks() {
        release(lined)
        lined = nil
        release(deckInUse)
        supply = .none
    }

    private borrowing func release(_ deck: UnsafeMutablePointer<Deck>?) {
        if let deck { tell(.released(deck)) }
    }

    private borrowing func tell(_ event: AudioEvent) {
        // Control empties this ring whenever it is woken, and sends less than it holds in between.
        _ = shared.pointee.events.send(event)
        shared.pointee.controlWake.pointee.signal()
    }

    // MARK: Playing

    /// Decodes ahead, writes what fits, starts the card once enough is queued.
    private mutating func service(isCalled: Bool) {
        guard let output else {
            phase = .idle
            return
        }
        if card.state == .unprepared, let fault = card.prepare() { return recover(fault) }
        let began = card.now()
        let cursorBefore = card.queue.cursor
        let wasMoving = card.state == .moving
        if let fault = card.look() {
            recover(fault)
            guard case .running = phase, card.state == .prepared else { return }
            if let fault = card.look() { return recover(fault) }
        }
        if wasMoving { noteReadAhead(isCalled: isCalled) }
        fill(chunkFrames: Int64(output.pointee.mixdown.chunkFrames))
        if card.queue.cursor > cursorBefore {
            meters.noteDecoding(
                nanoseconds: card.now() - began,
                periods: (card.queue.cursor - cursorBefore) / Int64(output.pointee.format.periodFrames))
            noteSound()
        }
    }

    private mutating func fill(chunkFrames: Int64) {
        var room = card.view.available
        if isShallow() { room = min(room, card.frames(Timing.shallowMilliseconds) - card.queuedFrames()) }
        while room > 0, case .running = phase {
            // Little at a time while the card is nearly empty, so that it sounds at once; then as much as there is room for.
            let isShort = card.queuedFrames() < card.frames(Timing.shortQueueMilliseconds)
            decode(ahead: min(room, isShort ? card.frames(Timing.startMilliseconds) : chunkFrames))
            let ready = card.queue.ready
            if ready == 0 {
                if case .ended(let token, let end) = supply {
                    startCardIfReady(force: true)
                    if let until = stopBehindSilence() { phase = .ending(until: until, token: token, end) }
                }
                return
            }
            let written = write(min(ready, room))
            if written == 0 { return }
            var isLast = false
            if case .ended = supply { isLast = card.queue.ready == 0 }
            startCardIfReady(force: isLast)
            room -= written
        }
    }

    /// Fills the mixdown until `frames` are ready for the card, as far as the deck has them.
    private mutating func decode(ahead frames: Int64) {
        while card.queue.ready < frames {
            guard let deck = deckInUse else { return }
            switch deck.pointee.pull() {
            case .frames(let samples, let count):
                supply = .flowing(deck)
                append(samples, frames: count / deck.pointee.channels, channels: deck.pointee.channels)
            case .starved:
                supply = .starved(deck)
                return
            case .searching:
                supply = .searching(deck)
                return
            case .ended(let end):
                let token = deck.pointee.token
                release(deck)
                supply = .ended(token: token, end)
                // What broke before its end has not ended: control decides what comes.
                if end.isComplete { followOn() }
            }
        }
    }

    private mutating func append(_ samples: UnsafePointer<Int16>, frames: Int, channels: Int) {
        guard let output else { return }
        var done = 0
        while done < frames {
            let part = output.pointee.chain.convert(samples + done * channels, frames: frames - done)
            output.pointee.mixdown.append(part.samples, frames: part.frames, at: card.queue.head)
            card.didDecode(Int64(part.frames))
            done += part.used
        }
    }

    /// Hands up to `count` frames at the cursor to the card. Returns how many it took; 0 also after a fault, which has been seen to.
    private mutating func write(_ count: Int64) -> Int64 {
        guard let output else { return 0 }
        var frames = 0
        let rendered = output.pointee.mixdown.rendered(
            Int(clamping: count), at: card.queue.cursor, gains, frames: &frames)
        switch card.write(rendered, count: frames) {
        case .frames(let written): return written
        case .fault(let fault):
            recover(fault)
            return 0
        }
    }

    private mutating func startCardIfReady(force: Bool) {
        guard card.state == .prepared else { return }
        if card.queue.given < (force ? 1 : card.frames(Timing.startMilliseconds)) { return }
        if let fault = card.start() { recover(fault) }
    }

    // MARK: Stopping

    private mutating func cut() {
        guard let output else { return }
        if let fault = card.cut(oldest: output.pointee.mixdown.oldest(head: card.queue.head)) { recover(fault) }
    }

    private mutating func rise() {
        gains.fade.move(to: Envelope.unity, from: card.queue.cursor, frames: fadeFrames())
    }

    private borrowing func fadeFrames() -> Int { Int(max(1, card.frames(Timing.fadeMilliseconds))) }

    /// Takes back what is queued and lets what is heard die away.
    private mutating func cutAndFadeOut() {
        cut()
        guard case .running = phase, card.state == .prepared || card.state == .moving else { return }
        // A fall under way goes on as it was: behind its end other audio may begin.
        let falling = gains.fade.framesToSilence(from: card.queue.cursor)
        let frames = Int64(falling ?? fadeFrames())
        if falling == nil { gains.fade.move(to: 0, from: card.queue.cursor, frames: Int(frames)) }
        decode(ahead: frames)
        var left = min(frames, card.queue.ready)
        while left > 0 {
            let written = write(left)
            if written == 0 { break }
            left -= written
        }
        startCardIfReady(force: true)
    }

    /// Writes silence behind the last frames. Returns when they will have been heard; nil if there is nothing to stop any more.
    private mutating func stopBehindSilence() -> Int64? {
        guard let output, case .running = phase else { return nil }
        guard card.state == .prepared || card.state == .moving else { return card.now() }
        // A card may hold a little more than it tells: that much of the silence is played.
        let until = card.timeHeard(card.queue.cursor) + Timing.hiddenMilliseconds * 1_000_000
        let frames = min(output.pointee.mixdown.chunkFrames, Int(card.frames(Timing.silenceMilliseconds)))
        card.writeSilence(output.pointee.mixdown.silence(frames), count: frames)
        startCardIfReady(force: true)
        if case .running = phase { return until }
        return nil
    }

    private mutating func finishStopping() {
        switch phase {
        case .idle, .running: return
        case .falling(let until):
            if card.now() < until { return }
            card.stop()
            phase = .idle
            tell(.paused)
        case .ending(let until, let token, let end):
            if card.now() < until { return }
            card.stop()
            phase = .idle
            wantsToPlay = false
            tell(.ended(token: token, end))
        }
        if isDetaching { giveBackOutput() }
    }

    private mutating func recover(_ fault: CardFault) {
        switch fault {
        case .busy: return
        case .underrun:
            var isOver = false
            if case .ended = supply { isOver = card.queue.ready == 0 }
            if case .running = phase, !isOver { meters.countUnderrun() }
            // Should it fail again it will be told when the card is written to.
            _ = card.prepare()
        case .lost(let code):
            guard let output else { return }
            // Where the ear was when the card went is what was seen last, gone on with the clock.
            settle(at: card.heardFrameByClock())
            releaseDecks()
            meters.expectNoSound()
            phase = .idle
            isDetaching = false
            self.output = nil
            publish()
            tell(.outputLost(output, code: code))
        }
    }

    // MARK: Telling

    private borrowing func noteReadAhead(isCalled: Bool) {
        // Whenever the card calls, and while nothing comes: else a jump just made would be taken for a disk that lags.
        var isStarved = false
        if case .starved = supply { isStarved = true }
        guard isCalled || isStarved, let deck = deckInUse, let ring = deck.pointee.ringNanoseconds() else { return }
        // What has just ended the starving came only now.
        meters.noteReadAhead(nanoseconds: card.nanoseconds(card.queuedFrames()) + (isStarved ? 0 : ring))
    }

    /// Once what was written is on its way to the ear.
    private mutating func noteSound() {
        guard card.state == .moving, let frame = meters.expectedFrame(before: card.queue.cursor) else { return }
        meters.noteSound(heard: card.timeHeard(frame))
    }

    private mutating func publish() {
        let heard = card.heardFrame()
        var state = HeardState()
        state.time = MonotonicTime(nanoseconds: card.state == .absent ? card.now() : card.view.time)
        state.heard = timeline.place(at: heard, cardRate: card.rate)
        if output != nil {
            state.isAdvancing = card.state == .moving
            state.queuedNanoseconds = card.nanoseconds(card.queue.cursor - heard)
            if let next = timeline.following(heard, before: card.queue.cursor) {
                state.next = next.place
                state.nanosecondsUntilNext = card.nanoseconds(next.frame - heard)
            }
        }
        shared.pointee.heard.publish(state)
    }
}
