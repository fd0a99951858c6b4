// SPDX-License-Identifier: Apache-2.0
import Audio
import Media
import Posix
import Realtime
import Workers

/// The player's state machine, on the control thread: it makes the wanted track audible through the feed and audio threads.
///
/// A jump never changes the playing deck: the player prepares another deck at the new position, and the audio thread then switches at once.
/// So the old sound lasts until the new one begins. Faster wishes replace each other.
///
/// There are three places for a track. `wish` is the wanted track that the audio thread does not have yet, `heard` has the audio thread's,
/// and `following` is the next one. After any change, `advance` takes the next possible step.
public final class Player {
    let engine: Engine?
    let audio: any AudioPort
    let scheduler: any Scheduler
    private let decks: DeckPool
    let output: OutputKeeper
    let tables: SeekTableFinder
    /// Set once, before it starts.
    public unowned(unsafe) var delegate: (any PlayerDelegate)!

    var heard: HeardTracks
    var wish: Wish?
    var following: Wish?
    /// Called when a card has opened, on which a voice can speak.
    public var didOpenCard: () -> Void = {}
    /// Called when the voice is over: heard to its end, or cut off.
    public var didSay: (_ isWhole: Bool) -> Void = { _ in }
    private var boundaryTimer: EventLoop.TimerToken?
    private var idleTimer: EventLoop.TimerToken?
    /// The number of sentences at the card.
    var sentencesUnderWay = 0

    /// True if the listener wants to hear something.
    public private(set) var wantsToPlay = false
    /// True if the current track was heard to its end, where the position stays.
    public private(set) var isAtEnd = false
    /// The volume, 0…100.
    public private(set) var volumePercent = 100
    /// True if the player may use the card. If not, nothing plays, and other programs can have it.
    public private(set) var isOutputEnabled = true

    /// - Parameter worker: the worker that finds seek tables.
    public convenience init(
        loop: EventLoop, settings: Settings, worker: any Performer
    ) throws(PlaybackError) {
        let engine = try Engine(loop: loop, priority: settings.priority)
        self.init(
            engine: engine, audio: engine, scheduler: loop,
            decks: DeckPool(decks: engine.decks, preparer: engine, feed: engine.feed, scheduler: loop),
            output: OutputKeeper(
                settings: settings, audio: engine, opener: engine, feed: engine.feed, scheduler: loop),
            worker: worker)
        engine.handle = { [self] in handle($0) }
    }

    init(
        engine: Engine?, audio: any AudioPort, scheduler: any Scheduler, decks: DeckPool, output: OutputKeeper,
        worker: any Performer
    ) {
        self.engine = engine
        self.audio = audio
        self.scheduler = scheduler
        self.decks = decks
        self.output = output
        heard = HeardTracks(audio: audio)
        tables = SeekTableFinder(worker: worker)
        decks.didChange = { [self] in advance() }
        output.told = { [self] in outputDid($0) }
    }

    // MARK: What is heard

    /// The audible track, or the wanted one.
    public var track: Track? { wish?.track ?? heard.heard(at: scheduler.now).track }

    /// The audible millisecond of `track`; during a jump, its destination.
    public var positionMilliseconds: Int { jump?.milliseconds ?? heard.heard(at: scheduler.now).milliseconds }

    /// True if the position moves with time.
    public var isAdvancing: Bool { wantsToPlay && jump == nil && audio.heard.isAdvancing }

    /// The wish, if it differs from the audible track or position.
    var jump: Wish? { wish.flatMap { $0.goesOn ? nil : $0 } }

    /// True if there is a card to play on.
    public var hasDevice: Bool { output.isOpen }
    /// True if another program has the card.
    public var isDeviceBusy: Bool { output.isBusy }
    /// The name of that program; nil if unknown.
    public var cardHolder: String? { output.holder }
    /// True while a card is being released for other programs.
    public var isLettingGoOfCard: Bool { output.isLettingGo }

    /// True if no card opened at the start and there is no search for one: playback runs in time, without sound.
    public var isSilent: Bool { output.isSilent }

    /// The rate in Hz and channels of the playing stream; nil before the first.
    public var streamFormat: (rate: Int, channels: Int)? { output.format.map { ($0.rate, $0.channels) } }

    /// The length of the card's period; 0 before the first opening.
    public var periodMicroseconds: Int { output.periodMicroseconds }

    // MARK: What is wanted. `asked` is when a person asked for it: the latency counts from then

    /// Plays `track` from a position, or pauses there.
    public func go(to track: Track, milliseconds: Int, play: Bool, asked: MonotonicTime? = nil) {
        wantsToPlay = play && isOutputEnabled
        setWish(track, milliseconds, asked: asked)
    }

    /// Starts playback. Does nothing at the end of a track: the queue decides about the next one.
    public func play(asked: MonotonicTime? = nil) {
        guard isOutputEnabled, !wantsToPlay, let track, !isAtEnd else { return }
        wantsToPlay = true
        if heard.isParked && wish == nil { return setWish(track, positionMilliseconds, asked: asked) }
        // During a jump the loaded deck must stay silent: the destination plays once it is loaded.
        if wish == nil {
            audio.send(.play(asked: asked?.nanoseconds ?? 0))
        } else if wish?.asked == nil {
            wish?.asked = asked
        }
        advance()
        watchBoundary()
        delegate.playerDidChange()
    }

    public func pause(asked: MonotonicTime? = nil) {
        guard wantsToPlay else { return }
        wantsToPlay = false
        audio.send(.pause(asked: asked?.nanoseconds ?? 0))
        watchIdle()
        delegate.playerDidChange()
    }

    /// Seeks within the track. A position past its end pauses at the end.
    public func seek(toMilliseconds wanted: Int, asked: MonotonicTime? = nil) {
        guard let track else { return }
        let milliseconds = max(0, wanted)
        if let duration = track.durationMilliseconds, milliseconds >= duration {
            park(track, at: duration, isAtEnd: true, asked: asked)
        } else {
            setWish(track, milliseconds, asked: asked)
        }
    }

    /// Sets the volume, 0…100 on a perceptual curve; 100 leaves samples unchanged.
    public func setVolume(percent: Int) {
        volumePercent = min(100, max(0, percent))
        audio.send(.volume(level: Player.level(percent: volumePercent)))
    }

    /// Returns the level of a volume: cubic down to 20 % (-42 dB), then in steps of 0.95 dB. 1 % is -60 dB, which is audible at night.
    static func level(percent: Int) -> Int {
        let percent = min(100, max(0, percent))
        if percent == 0 { return 0 }
        let cubed = max(percent, 20) * max(percent, 20) * max(percent, 20)
        var level = Double(Envelope.unity) * Double(cubed) / 1_000_000
        // The 19th root of an eighth.
        for _ in min(percent, 20)..<20 { level *= 0.896336 }
        return Int(level)
    }

    /// Allows the use of the card, or forbids it: then it pauses at the present position and closes the card.
    public func setOutputEnabled(_ isEnabled: Bool) {
        if isEnabled == isOutputEnabled { return }
        isOutputEnabled = isEnabled
        if !isEnabled, let track { park(track, at: positionMilliseconds, isAtEnd: isAtEnd) }
        output.setEnabled(isEnabled)
    }

    /// Stops and forgets the track.
    public func unload(asked: MonotonicTime? = nil) {
        park(nil, at: 0, isAtEnd: false, asked: asked)
    }

    /// Asks the delegate for the next track again, and keeps the prepared one if it is the same.
    public func followingDidChange() {
        if let following, let last = heard.last {
            let next = delegate.trackAfter(last)
            if let next, next.track.isPlayed(as: following.track), next.milliseconds == following.milliseconds {
                return
            }
        }
        dropFollowing()
        lineUp()
    }

    /// Falls silent, and keeps a track and a position.
    private func park(_ track: Track?, at milliseconds: Int, isAtEnd: Bool, asked: MonotonicTime? = nil) {
        unloadAll(but: track, at: milliseconds, isAtEnd: isAtEnd, asked: asked)
        watchIdle()
        delegate.playerDidChange()
    }

    private func unloadAll(but track: Track?, at milliseconds: Int, isAtEnd: Bool, asked: MonotonicTime? = nil) {
        wantsToPlay = false
        dropWish()
        dropFollowing()
        audio.send(.unload(asked: asked?.nanoseconds ?? 0))
        heard.park(track, at: milliseconds)
        self.isAtEnd = isAtEnd
    }

    func setWish(_ track: Track, _ milliseconds: Int, asked: MonotonicTime? = nil, goesOn: Bool = false) {
        let first = wish?.asked ?? asked
        dropWish()
        dropFollowing()
        isAtEnd = false
        wish = Wish(token: heard.nextToken(), track: track, milliseconds: milliseconds, goesOn: goesOn, asked: first)
        advance()
        delegate.playerDidChange()
    }

    private func dropWish() {
        if let wish { drop(wish) }
        wish = nil
    }

    private func dropFollowing() {
        if let following { drop(following) }
        following = nil
    }

    private func drop(_ wish: Wish) {
        if wish.isLinedUp {
            audio.send(.clearLineUp)
        } else if let deck = wish.deck {
            decks.giveBack(deck.number)
        } else {
            decks.drop(token: wish.token)
        }
    }

    /// Closes the card after some time without use. A paused station keeps it, since its sound is on its way to the card.
    func watchIdle(leastSeconds: Int = 0) {
        if let idleTimer { scheduler.cancel(idleTimer) }
        idleTimer = nil
        let seconds = output.settings.idleCloseSeconds
        if seconds == 0 || wantsToPlay || !output.isOpen || track?.source.stream != nil { return }
        idleTimer = scheduler.schedule(at: scheduler.now.adding(milliseconds: Int64(max(seconds, leastSeconds)) * 1000))
        { [self] in
            idleTimer = nil
            letGoOfCard()
        }
    }

    /// Closes the card at once for another program, unless something is audible or the settings keep it open.
    public func letGoOfCard() {
        if output.settings.idleCloseSeconds == 0 || wantsToPlay || wish != nil || isSpeaking { return watchIdle() }
        // Report nothing: the display stays as it is, and sleeping processes are not woken.
        if !heard.isParked, let track { unloadAll(but: track, at: positionMilliseconds, isAtEnd: isAtEnd) }
        output.rest()
    }

    /// Accepts any card that opens, and looks for one every second, for an alarm; or returns to the configured one.
    public func setUrgent(_ isUrgent: Bool) {
        move(if: output.leaves(forUrgent: isUrgent)) { output.setUrgent(isUrgent) }
    }

    /// Plays on this device in place of the configured card, from the same position; nil for the card.
    public func setDevice(_ device: String?) { move(if: output.isOpen) { output.setDevice(device) } }

    private func move(if leaves: Bool, _ body: () -> Void) {
        let plays = wantsToPlay
        if leaves, !heard.isParked, let track { unloadAll(but: track, at: positionMilliseconds, isAtEnd: isAtEnd) }
        body()
        if leaves && plays { play() }
    }

    // MARK: Bringing it about

    /// Takes the next possible step toward the wish. Called whenever something has changed.
    func advance() {
        guard let wish else { return lineUp() }
        guard let deck = wish.deck else { return prepare(wish, .pressed) }
        guard output.open(for: deck.format) else { return }
        let asked = wish.asked?.nanoseconds ?? 0
        let left = heard.heard(at: scheduler.now)
        let goesOn = wish.goesOn && left.track?.entry == wish.track.entry && left.track?.id == wish.track.id
        heard.load(wish.token, wish.track, milliseconds: goesOn ? left.milliseconds : wish.milliseconds)
        self.wish = nil
        audio.send(.load(decks.load(deck.number), behind: goesOn ? left.token : 0, asked: asked))
        audio.send(wantsToPlay ? .play(asked: 0) : .pause(asked: 0))
        measure(wish.track)
        lineUp()
        delegate.playerDidChange()
    }

    /// Prepares a deck for `wish`; then `advance` or `lineUp` continues.
    private func prepare(_ wish: Wish, _ priority: Job.Priority) {
        if decks.isPreparing(wish.token) || wish.waitsForBytes || wish.track.source.stream?.isReady == false { return }
        let order = DeckOrder(track: wish.track, milliseconds: wish.milliseconds, token: wish.token)
        decks.prepare(order, priority) { [self] result in
            switch result {
            case .success((let deck, let prepared)): didPrepare(wish.token, deck, prepared)
            case .failure(let error): didFail(wish.token, error)
            }
        }
    }

    private func didPrepare(_ token: Int, _ deck: Int, _ prepared: PreparedDeck) {
        let format = OutputKeeper.Format(rate: prepared.rate, channels: prepared.channels)
        if let table = prepared.foundTable, let wish, wish.token == token { didFind(table, of: wish.track) }
        if let wish, wish.token == token {
            if prepared.endMilliseconds != nil && wish.goesOn {
                // It is so near the end that the change would be inaudible.
                decks.giveBack(deck)
                self.wish = nil
            } else if let end = prepared.endMilliseconds {
                // The duration was an estimate, and this position is beyond the true end.
                decks.giveBack(deck)
                park(wish.track, at: end, isAtEnd: true)
            } else {
                self.wish?.deck = (deck, format)
            }
        } else if following?.token == token {
            following?.deck = (deck, format)
        } else {
            decks.giveBack(deck)
        }
    }

    private func didFail(_ token: Int, _ failure: PlaybackError) {
        if case .notThereYet = failure {
            if following?.token == token { following?.waitsForBytes = true }
            if wish?.token != token { return }
            wish?.waitsForBytes = true
            return delegate.playerDidChange()
        }
        if let failed = wish, failed.token == token {
            if failed.goesOn && !heard.isParked {
                // The playing track ends unchanged.
                wish = nil
                return
            }
            let wanted = wantsToPlay
            park(failed.track, at: failed.milliseconds, isAtEnd: false)
            delegate.playerDidFail(failed.track, failure, wanted: wanted)
        } else if following?.token == token {
            following?.failure = failure
        }
    }

    /// Prepares the next track and hands it to the audio thread, so that it follows without a gap.
    private func lineUp() {
        guard wish == nil, !heard.isParked else { return }
        if following == nil {
            guard let last = heard.last, let next = delegate.trackAfter(last) else { return }
            following = Wish(token: heard.nextToken(), track: next.track, milliseconds: next.milliseconds)
        }
        guard let ready = following, !ready.isLinedUp, ready.failure == nil else { return }
        guard let deck = ready.deck else { return prepare(ready, .soon) }
        // Another format needs the card reopened, after the end of this track.
        guard output.isOpen(for: deck.format) else { return }
        following?.isLinedUp = true
        audio.send(.lineUp(decks.load(deck.number)))
    }

    // MARK: Events

    /// Handles the audio thread's messages.
    func handle(_ event: AudioEvent) {
        switch event {
        case .released(let deck): decks.didRelease(deck)
        case .detached(let given): output.didDetach(given)
        case .outputLost(let lost, let code): didLoseOutput(lost, code: code)
        case .nextBegun(let token): didBeginNext(token)
        case .ended(let token, let end): didEnd(token, end)
        case .paused: delegate.playerDidChange()
        case .spoken(let samples, let isWhole): didSpeak(samples, isWhole: isWhole)
        }
    }

    private func outputDid(_ event: OutputKeeper.Event) {
        switch event {
        case .lost(let message): delegate.playerDidLoseDevice(message)
        case .found: delegate.playerDidFindDevice()
        case .closed: delegate.playerDidCloseCard()
        case .canGoOn:
            advance()
            // Call it without a card, too: a waiting voice opens one.
            didOpenCard()
            watchIdle()
        }
    }

    private func didLoseOutput(_ lost: UnsafeMutablePointer<Output>, code: Int32) {
        // All decks came back, including the lined-up one.
        if following?.isLinedUp == true { following = nil }
        // Do this before the next opening.
        let message = output.didLose(lost, code: code)
        if jump == nil, var place = heard.whenLost {
            // Keep the audible position, to resume when the card is back.
            if let wish { place.track.take(waysOf: wish.track) }
            setWish(place.track, place.milliseconds)
        } else {
            dropFollowing()
        }
        delegate.playerDidLoseDevice(message)
    }

    private func didBeginNext(_ token: Int) {
        guard let begun = following, begun.token == token else { return }
        heard.follow(token, begun.track)
        following = nil
        measure(begun.track)
        watchBoundary()
        lineUp()
    }

    /// Tells the delegate when the next track becomes audible.
    private func watchBoundary() {
        if let boundaryTimer { scheduler.cancel(boundaryTimer) }
        boundaryTimer = nil
        if wish != nil { return }
        let passed = heard.passed(at: scheduler.now)
        if let passed, let ended = passed.ended { delegate.playerDidPass(from: ended, to: passed.begun) }
        guard wantsToPlay, wish == nil, boundaryTimer == nil, let due = heard.nextLook(scheduler.now) else { return }
        boundaryTimer = scheduler.schedule(at: due) { [self] in
            boundaryTimer = nil
            watchBoundary()
        }
    }

    private func didEnd(_ token: Int, _ end: DeckEnd) {
        guard wish == nil, token == heard.decodingToken, wantsToPlay, let track = heard.track(token) else { return }
        heard.didHearAll(token)
        let milliseconds = heard.heard(at: scheduler.now).milliseconds
        if let failure = PlaybackError(end, of: track) {
            park(track, at: milliseconds, isAtEnd: false)
            return delegate.playerDidFail(track, failure, wanted: true)
        }
        if var next = following
            ?? delegate.trackAfter(track).map({
                Wish(token: heard.nextToken(), track: $0.track, milliseconds: $0.milliseconds)
            })
        {
            // The format differs, or the deck was not ready in time. A failed track gets another try, and the delegate learns of it.
            following = nil
            if next.isLinedUp {
                // The audio thread returns it unchanged.
                drop(next)
                next.deck = nil
                next.isLinedUp = false
                next.token = heard.nextToken()
            }
            next.failure = nil
            next.waitsForBytes = false
            wish = next
            delegate.playerDidPass(from: track, to: next.track)
            return advance()
        }
        park(track, at: track.durationMilliseconds ?? milliseconds, isAtEnd: true)
        delegate.playerDidEnd(track)
    }
}
