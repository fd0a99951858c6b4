// SPDX-License-Identifier: Apache-2.0
import ALSA
import CPosix
import Posix
import Realtime

/// The audio thread's loop: it takes frames from decks, writes them to the card, and answers control. It touches no file and waits in a
/// single `poll`. `AudioThread` proves that it neither locks nor allocates.
///
/// The card's queue holds seconds, yet a button acts within milliseconds. The mixdown keeps the queued frames without gain (`Mixdown`).
/// `Card.cut` takes them back, and the loop writes them again.
struct AudioLoop<Device: CardDevice & ~Copyable>: ~Copyable {
    private enum Phase: BitwiseCopyable {
        /// The card's queue is empty.
        case idle
        case running
        /// The queue contains a fade-out and silence after it; the loop stops the card at that time.
        case falling(until: Int64)
        /// The queue contains the last frames of the deck `token`, and silence after them.
        case ending(until: Int64, token: Int, DeckEnd)
    }

    private let shared: UnsafeMutablePointer<AudioShared>
    private var playout = Playout<Device>()
    private var decks: DeckLine
    private var meters: Meters
    private var phase = Phase.idle
    private var wantsToPlay = false
    /// True if control wants the output back, which happens once the card is silent.
    private var isDetaching = false
    /// True after `AudioRequest.quit`.
    private(set) var isQuitting = false

    init(shared: UnsafeMutablePointer<AudioShared>) {
        self.shared = shared
        decks = DeckLine(shared)
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

    /// Does all the work of one wake-up.
    /// - Parameter isCalled: true if the card called or the timeout ran out, so that the loop decodes more.
    mutating func round(isCalled: Bool) {
        handleRequests()
        shared.pointee.tellRoom()
        if case .running = phase {
            service(isCalled: isCalled)
        } else if silentFrom != nil {
            if let fault = playout.card.look() { recover(fault) }
            if playout.isSpeaking {
                playout.writeVoice()
                startCardIfReady(force: true)
            }
        }
        if let said = playout.takeSaid() { shared.pointee.tell(.spoken(said, isWhole: true)) }
        finishStopping()
        shared.pointee.heard.publish(playout.heardState())
    }

    // MARK: Waiting

    /// Sleeps until there is something to do.
    /// - Returns: true if the card called or the timeout ran out.
    mutating func wait() -> Bool {
        let waiting = waiting()
        var found: Int32
        var hasCalled = false
        if let output = playout.output {
            let polled = output.pointee.polled
            found = ns_poll(polled.baseAddress!, nfds_t(waiting.includesCard ? polled.count : 1), waiting.milliseconds)
            if found > 0 && waiting.includesCard { hasCalled = playout.card.translate(polled.baseAddress! + 1) }
        } else {
            var alone = pollfd(fd: shared.pointee.wake.number, events: Int16(POLLIN), revents: 0)
            found = ns_poll(&alone, 1, waiting.milliseconds)
        }
        meters.countWakeUp()
        if hasCalled, let late = playout.card.calledNanosecondsAgo() { meters.noteLatency(nanoseconds: late) }
        return hasCalled || found == 0
    }

    /// The next poll timeout, computed from the last round.
    borrowing func waiting() -> Waiting {
        var waiting = Waiting()
        if case .idle = phase { return waiting }
        let heard = playout.card.heardFrameByClock()
        let queued = playout.card.queue.cursor - heard
        // This includes the silence after a voice.
        let unheard = playout.card.queue.time - playout.card.heardTimeByClock()
        if let until = silentFrom {
            let now = playout.card.now()
            if until > now || !playout.isSpeaking {
                waiting.milliseconds = Int32(clamping: max(0, (until - now) / 1_000_000 + 1))
            }
            if playout.hasMoreToSay() {
                // Wake with half of it to go.
                waiting.milliseconds = sooner(waiting.milliseconds, max(1, milliseconds(unheard / 2)))
            }
        } else if decks.isStarved {
            // Room at the card is useless now. Until a request comes, only watch for an underrun.
            if playout.card.state == .moving { waiting.milliseconds = max(1, milliseconds(unheard)) }
            if playout.hasMoreToSay() { waiting.milliseconds = max(1, milliseconds(unheard / 2)) }
        } else if case .searching = decks.supply {
            waiting.milliseconds = Int32(clamping: Timing.searchMilliseconds)
        } else if playout.card.isUnpaced || playout.isShallow() {
            waiting.milliseconds = max(1, milliseconds(queued / 2))
        } else {
            waiting.includesCard = true
            // If the card fails to call, this timeout does, with half a period left.
            let period = playout.output.map { Int64($0.pointee.format.periodFrames) } ?? 0
            waiting.milliseconds = max(1, milliseconds(queued - period / 2))
        }
        if let frames = playout.framesUntilUntold(heard: heard) {
            waiting.milliseconds = sooner(waiting.milliseconds, milliseconds(frames) + 1)
        }
        if let frames = playout.framesUntilSaid() {
            waiting.milliseconds = sooner(waiting.milliseconds, max(1, milliseconds(frames) + 1))
        }
        return waiting
    }

    /// Returns the shorter of two timeouts; a negative one waits forever.
    private func sooner(_ a: Int32, _ b: Int32) -> Int32 { a < 0 ? b : min(a, b) }

    private func milliseconds(_ frames: Int64) -> Int32 { Int32(clamping: frames * 1000 / playout.card.rate) }

    // MARK: Requests

    private mutating func handleRequests() {
        while let request = shared.pointee.requests.receive() {
            switch request {
            case .attach(let output): attach(output)
            case .detach: detach()
            case .load(let deck, let token, let asked): load(deck, behind: token, asked: asked)
            case .lineUp(let deck): lineUp(deck)
            case .clearLineUp: decks.clearLineUp()
            case .play(let asked): play(asked: asked)
            case .pause(let asked): pause(asked: asked)
            case .gain(let kind, let level, let milliseconds): setGain(kind, level, milliseconds)
            case .level(let token, let gain): decks.glide(token, toGain: gain)
            case .speak(let samples, let frames, let under):
                playout.levelUnderVoice = under
                speak(samples, frames: frames)
            case .unload(let asked):
                pause(asked: asked)
                decks.clear()
                playout.dropReady()
            case .quit:
                hush()
                pause(asked: 0)
                isQuitting = true
            }
        }
    }

    private mutating func attach(_ made: UnsafeMutablePointer<Output>) {
        playout.attach(made)
        meters.countAnew()
        startPlayingIfWanted()
    }

    private mutating func detach() {
        isDetaching = true
        hush()
        pause(asked: 0)
        if isIdle { giveBackOutput() }
    }

    private mutating func giveBackOutput() {
        isDetaching = false
        guard let output = playout.output else { return }
        playout.card.stop()
        playout.detach(heard: playout.card.queue.cursor)
        decks.clear()
        shared.pointee.tell(.detached(output))
    }

    private mutating func load(_ deck: UnsafeMutablePointer<Deck>, behind token: Int, asked: Int64) {
        takeUpTheEnd()
        let wasIdle = isIdle
        if case .running = phase {
            cutAndFadeOut()
        } else if wantsToPlay && !isIdle {
            // A voice that began before playback continues over the sound.
            cut()
        }
        let left = playout.placeAtCursor()
        playout.dropReady()
        meters.expectSound(asked: asked, at: playout.card.queue.cursor)
        playout.begin(decks.load(deck, behind: token, left))
        if !wasIdle {
            // This also applies during a fade-out: if playback resumes before its end, the deck fades in behind it.
            playout.rise(fromSilence: true)
            if wantsToPlay { phase = .running }
        } else {
            startPlayingIfWanted()
        }
    }

    private mutating func lineUp(_ deck: UnsafeMutablePointer<Deck>) {
        decks.lineUp(deck)
        guard case .ended(_, let end) = decks.supply else { return }
        // The deck ended before this request came; its last frames may be unheard.
        if wantsToPlay, end.isComplete, case .ending = phase { cut() }
        guard wantsToPlay, !isIdle, let place = decks.followOn() else { return decks.clearLineUp() }
        playout.follow(place)
        phase = .running
    }

    private mutating func play(asked: Int64) {
        if wantsToPlay { return }
        wantsToPlay = true
        // A voice speaks, and there is nothing to play.
        if silentFrom != nil && decks.isEmpty && playout.card.queue.ready == 0 { return }
        if silentFrom != nil { cut() }
        let isStopping = silentFrom != nil  // unless the card was lost meanwhile
        meters.expectSound(asked: asked, at: playout.card.queue.cursor)
        if isStopping {
            // If control loaded a deck meanwhile, its fade-in already follows the fade-out.
            if playout.isFallen { playout.rise(fromSilence: false) }
            phase = .running
        } else {
            startPlayingIfWanted()
        }
    }

    private var isIdle: Bool { if case .idle = phase { true } else { false } }

    /// The time when the listener hears the end of the last queued frame, if silence follows it; nil otherwise.
    private var silentFrom: Int64? {
        switch phase {
        case .falling(let until), .ending(let until, _, _): until
        case .idle, .running: nil
        }
    }

    private mutating func startPlayingIfWanted() {
        guard wantsToPlay, playout.output != nil, isIdle else { return }
        if decks.isEmpty && playout.card.queue.ready == 0 { return }
        playout.rise(fromSilence: true)
        phase = .running
    }

    private mutating func pause(asked: Int64) {
        wantsToPlay = false
        meters.expectNoSound()
        takeUpTheEnd()
        guard case .running = phase else { return }
        cutAndFadeOut()
        if playout.card.state == .moving {
            meters.noteSilence(asked: asked, heard: playout.card.timeHeard(playout.card.queue.cursor))
        }
        if let until = stopBehindSilence() { phase = .falling(until: until) }
    }

    /// Takes the end back: the card has the last frame, but the listener has not heard it yet.
    private mutating func takeUpTheEnd() {
        if case .ending = phase { phase = .running }
    }

    private mutating func setGain(_ kind: Gains.Kind, _ level: Int, _ milliseconds: Int) {
        takeUpTheEnd()
        if case .running = phase, let fault = playout.makeWayForGain(milliseconds) { recover(fault) }
        let isSaidAlone = silentFrom != nil && playout.isSpeaking
        if isSaidAlone { cut() }
        playout.move(kind, to: level, milliseconds: Int64(milliseconds), isHeard: !isIdle)
        if isSaidAlone { fallSilent() }
    }

    // MARK: Speaking

    /// Speaks at once, although the queue holds seconds: the loop takes them back and writes them again with the voice.
    private mutating func speak(_ samples: UnsafeMutablePointer<Int16>?, frames: Int) {
        takeUpTheEnd()
        let wasIdle = isIdle
        if wasIdle {
            if samples != nil, let fault = playout.card.prepare() { recover(fault) }
        } else if silentFrom != nil {
            cut()
        } else if let fault = playout.makeWayForGain(0) {
            recover(fault)
        }
        if let unheard = playout.speak(samples, frames: frames) {
            shared.pointee.tell(.spoken(unheard, isWhole: false))
        }
        if silentFrom != nil || wasIdle && playout.isSpeaking { fallSilent() }
    }

    /// Ends the voice here.
    private mutating func hush() { if playout.isSpeaking { speak(nil, frames: 0) } }

    /// Fades the playing sound out from the next frame on; a voice continues in the silence after it.
    private mutating func fallSilent() {
        if playout.output == nil { return }
        phase = .running
        if !playout.isSilent { fadeOut() }
        if let until = stopBehindSilence() { phase = .falling(until: until) }
    }

    // MARK: Playing

    /// Decodes ahead, writes as much as fits, and starts the card once the queue is long enough.
    private mutating func service(isCalled: Bool) {
        guard let output = playout.output else {
            phase = .idle
            return
        }
        if playout.card.state == .unprepared, let fault = playout.card.prepare() { return recover(fault) }
        let began = playout.card.now()
        let cursorBefore = playout.card.queue.cursor
        let wasMoving = playout.card.state == .moving
        if let fault = playout.card.look() {
            recover(fault)
            guard case .running = phase, playout.card.state == .prepared else { return }
            if let again = playout.card.look() { return recover(again) }
        }
        if wasMoving { noteReadAhead(isCalled: isCalled) }
        fill()
        let written = playout.card.queue.cursor - cursorBefore
        if written > 0 {
            meters.noteDecoding(
                nanoseconds: playout.card.now() - began, periods: written / Int64(output.pointee.format.periodFrames))
            noteSound()
        }
    }

    private mutating func fill() {
        if playout.saysInSilence {
            decode(ahead: playout.stepFrames())
            if playout.card.queue.ready > 0 {
                // Playback continues under the voice, not after it.
                cut()
                if let fault = playout.card.look() { return recover(fault) }
            }
        }
        var room = playout.room()
        while room > 0, case .running = phase {
            decode(ahead: min(room, playout.stepFrames()))
            let ready = playout.card.queue.ready
            if ready == 0 {
                if case .ended(let token, let end) = decks.supply {
                    startCardIfReady(force: true)
                    if let until = stopBehindSilence() { phase = .ending(until: until, token: token, end) }
                } else if playout.isSpeaking {
                    // The next frames may come late, and a voice must not wait for a disk.
                    playout.writeVoice()
                    startCardIfReady(force: true)
                }
                return
            }
            let written = write(min(ready, room))
            if written == 0 { return }
            startCardIfReady(force: decks.hasEnded && playout.card.queue.ready == 0)
            room -= written
        }
    }

    /// Decodes until `frames` are ready for the card, or the deck has no more.
    private mutating func decode(ahead frames: Int64) {
        while playout.card.queue.ready < frames {
            if playout.stretch() { continue }
            switch decks.pull() {
            case .frames(let samples, let count, let channels):
                playout.append(samples, frames: count / channels, channels: channels)
            case .began(let place): playout.follow(place)
            case .nothing: if !decks.hasEnded || !playout.finishStretching() { return }
            }
        }
    }

    /// Writes up to `count` frames at the cursor to the card. Returns the number written; 0 also after a fault, which `write` has handled.
    private mutating func write(_ count: Int64) -> Int64 {
        switch playout.write(count) {
        case .frames(let written): return written
        case .fault(let fault):
            recover(fault)
            return 0
        }
    }

    private mutating func startCardIfReady(force: Bool) {
        if let fault = playout.startIfReady(force: force) { recover(fault) }
    }

    // MARK: Stopping

    private mutating func cut() { if let fault = playout.cut() { recover(fault) } }

    /// Takes the queue back and fades the audible sound out.
    private mutating func cutAndFadeOut() {
        cut()
        fadeOut()
    }

    private mutating func fadeOut() {
        guard case .running = phase, playout.card.state == .prepared || playout.card.state == .moving else { return }
        let frames = playout.fall()
        decode(ahead: frames)
        var left = min(frames, playout.card.queue.ready)
        while left > 0 {
            let written = write(left)
            if written == 0 { break }
            left -= written
        }
        startCardIfReady(force: true)
    }

    /// Writes silence after the last frames. Returns the time when the listener hears their end; nil if there is nothing left to stop.
    private mutating func stopBehindSilence() -> Int64? {
        guard case .running = phase else { return nil }
        guard playout.card.state == .prepared || playout.card.state == .moving else { return playout.card.now() }
        let until = playout.writeSilence()
        startCardIfReady(force: true)
        if case .running = phase { return until }
        return nil
    }

    private mutating func finishStopping() {
        switch phase {
        case .idle, .running: return
        case .falling(let until):
            if playout.card.now() < until || playout.isSpeaking { return }
            playout.card.stop()
            phase = .idle
            shared.pointee.tell(.paused)
        case .ending(let until, let token, let end):
            if playout.card.now() < until { return }
            wantsToPlay = false
            shared.pointee.tell(.ended(token: token, end))
            if playout.isSpeaking {
                phase = .falling(until: until)
                return
            }
            playout.card.stop()
            phase = .idle
        }
        if isDetaching { giveBackOutput() }
    }

    private mutating func recover(_ fault: CardFault) {
        switch fault {
        case .busy: return
        case .underrun:
            let isOver = decks.hasEnded && playout.card.queue.ready == 0
            if case .running = phase, !isOver { meters.countUnderrun() }
            // If it fails again, the next write reports it.
            _ = playout.card.prepare()
        case .lost(let code):
            guard let output = playout.output else { return }
            if let unheard = playout.speak(nil, frames: 0) {
                shared.pointee.tell(.spoken(unheard, isWhole: false))
            }
            // The last known audible frame, advanced by the clock.
            playout.detach(heard: playout.card.heardFrameByClock())
            decks.clear()
            meters.expectNoSound()
            phase = .idle
            isDetaching = false
            shared.pointee.heard.publish(playout.heardState())
            shared.pointee.tell(.outputLost(output, code: code))
        }
    }

    // MARK: Telling

    private borrowing func noteReadAhead(isCalled: Bool) {
        // Measure when the card calls, and while the deck has nothing. Otherwise a recent jump would look like a slow disk.
        guard isCalled || decks.isStarved, let deck = decks.current, let ring = deck.pointee.ringNanoseconds() else {
            return
        }
        // The frames that ended the shortage arrived only now.
        let queued = playout.card.nanoseconds(playout.card.queuedFrames())
        meters.noteReadAhead(nanoseconds: queued + (decks.isStarved ? 0 : ring * 1000 / Int64(deck.pointee.speed)))
    }

    /// Records the response time once the frames are on their way to the listener.
    private mutating func noteSound() {
        guard playout.card.state == .moving else { return }
        if let frame = meters.expectedFrame(before: playout.card.queue.cursor) {
            meters.noteSound(heard: playout.card.timeHeard(frame))
        }
    }
}
