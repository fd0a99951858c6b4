import ALSA
import Audio
import MPEG
import Mpg123
import Posix
import Realtime
import Synchronization
import Workers

/// The player's state machine, on the control thread: what is to be heard, brought about through the feed and audio threads.
///
/// A jump is never done to the deck that plays: another deck is got ready at the new place, and the audio thread changes over in
/// one stroke, so that there is sound until there is new sound. Wishes that come in quicker than that replace each other.
public final class Player {
    /// How the card is opened.
    public struct Settings {
        public var device: String
        /// Played into, without a sound but in time, where `device` cannot be opened at start.
        public var silentDevice: String?
        public var bufferMilliseconds: Int
        public var periodMilliseconds: Int
        /// SCHED_FIFO priority of the audio thread, 0 for none.
        public var priority: Int
        /// Nil chooses by the kind of device.
        public var cut: CutMethod?

        public init(
            device: String, silentDevice: String?, bufferMilliseconds: Int, periodMilliseconds: Int, priority: Int,
            cut: CutMethod?
        ) {
            self.device = device
            self.silentDevice = silentDevice
            self.bufferMilliseconds = bufferMilliseconds
            self.periodMilliseconds = periodMilliseconds
            self.priority = priority
            self.cut = cut
        }
    }

    private enum DeckState {
        case free
        /// The feed thread is at it.
        case preparing
        /// Got ready, kept by control.
        case ready
        /// The audio thread has it.
        case loaded
    }

    private enum DeviceState: Equatable {
        case closed
        case opening
        case open
        /// Asked back from the audio thread.
        case closing
        /// Lost or never had; a timer will try again.
        case waiting
    }

    /// A track at a place, being brought about.
    private struct Wish {
        var token: Int
        var track: Track
        var milliseconds: Int
        /// The deck got ready for it.
        var deck: Int?
        var rate = 0
        var channels = 0
        /// It could not be got ready; said when its turn comes.
        var isUnplayable = false
        /// When a person first asked for sound that has not come yet.
        var commanded: MonotonicTime?
    }

    private static let deckCount = 3
    private static let retryMilliseconds = [250, 500, 1000, 2000, 5000]

    private let feed: Feed
    private let worker: any Performer
    private let loop: EventLoop
    private let audio: AudioThread
    private let controlWake: UnsafeMutablePointer<WakeSignal>
    private let settings: Settings
    private let decks: UnsafeMutablePointer<Deck>
    private var sources: [DeckSource] = []
    private var deckStates: [DeckState]
    private unowned(unsafe) let delegate: PlayerDelegate

    /// What is wanted and not yet with the audio thread.
    private var wish: Wish?
    /// What follows what the audio thread has, got ready or being so.
    private var following: Wish?
    private var isFollowingSent = false
    /// The feed thread is getting a deck ready for this token.
    private var preparingToken: Int?

    private var lastToken = 0
    /// The token most recently loaded, and the place where it begins.
    private var loadedToken = 0
    private var loadedMilliseconds = 0
    /// The last deck in the audio thread's line.
    private var decodingToken = 0
    /// Tracks by the tokens that may be heard.
    private var tracks: [Int: Track] = [:]
    /// The token whose track the delegate believes to be heard.
    private var toldToken = 0
    private var boundaryTimer: EventLoop.TimerToken?

    private var deviceState = DeviceState.closed
    private var deviceRate = 0
    private var deviceChannels = 0
    private var failedOpenings = 0
    /// No card could be opened at start, and none is looked for: it plays in time, without a sound.
    public private(set) var isSilent = false
    private var hasOpened = false

    /// The listener wants to hear something.
    public private(set) var wantsToPlay = false
    /// The current track was gone through to its end, where the position stays.
    public private(set) var isAtEnd = false
    /// The audio thread has nothing; track and position are kept under `loadedToken`.
    private var isParked = false
    /// 0…100.
    public private(set) var volumePercent = 100
    private var indexing: Set<String> = []
    /// When a person asked for what is being done; see `obey`.
    private var commanded: MonotonicTime?

    /// - Parameter worker: walks frame headers.
    public init(
        loop: EventLoop, settings: Settings, worker: any Performer, delegate: PlayerDelegate
    ) throws(PlaybackError) {
        self.loop = loop
        self.worker = worker
        self.settings = settings
        self.delegate = delegate
        do throws(PosixError) {
            controlWake = .allocate(capacity: 1)
            controlWake.initialize(to: try WakeSignal())
            feed = try Feed()
            audio = try AudioThread(controlWake: controlWake)
        } catch { throw .file(error) }
        decks = .allocate(capacity: Player.deckCount)
        deckStates = [DeckState](repeating: .free, count: Player.deckCount)
        do throws(Mpg123Error) {
            for i in 0..<Player.deckCount {
                (decks + i).initialize(to: try Deck(feedWake: feed.wake))
                sources.append(DeckSource(deck: decks + i, audio: audio.shared))
            }
        } catch { throw .decoder(error) }
    }

    /// Starts the feed and audio threads. Warnings of what the system refused go to `warn`.
    public func start(warn: (String) -> Void) throws(PlaybackError) {
        do throws(PosixError) {
            try feed.start(sources: sources, loop: loop)
            if let warning = try audio.start(priority: settings.priority) { warn(warning) }
            try loop.add(controlWake.pointee.number, .readable) { [self] _ in handleEvents() }
        } catch { throw .file(error) }
    }

    /// Silences the card and ends the threads; the position stays readable.
    public func stop() {
        audio.stop()
        feed.stop()
        loop.remove(controlWake.pointee.number)
    }

    // MARK: What is heard

    /// The track that is heard, or about to be.
    public var track: Track? {
        if let wish { return wish.track }
        return tracks[heardNow().token]
    }

    /// The millisecond of `track` that the ear hears; where a jump is under way, the place jumped to.
    public var positionMilliseconds: Int {
        if let wish { return wish.milliseconds }
        return heardNow().milliseconds
    }

    /// Whether the position is moving with time.
    public var isAdvancing: Bool {
        wantsToPlay && wish == nil && audio.shared.pointee.heard.read().isAdvancing
    }

    /// Whether there is a card to play on.
    public var hasDevice: Bool { deviceState == .open }

    /// Rate in Hz and channels of the stream that is played; nil before the first.
    public var streamFormat: (rate: Int, channels: Int)? { deviceRate == 0 ? nil : (deviceRate, deviceChannels) }

    /// Compressed bytes read ahead for what is played, and at most.
    public var ringFillBytes: (now: Int, least: Int, capacity: Int) {
        var now = 0
        var least = Deck.ringBytes
        var capacity = Deck.ringBytes
        for i in 0..<Player.deckCount where decks[i].isPlaying.load(ordering: .relaxed) {
            now = max(now, decks[i].ring.filledBytes())
            capacity = decks[i].ring.capacityBytes
            least = min(least, decks[i].leastFilledBytes.load(ordering: .relaxed))
        }
        return (now, min(now, least), capacity)
    }

    /// Length of the card's period; 0 before it was opened.
    public private(set) var periodMicroseconds = 0

    /// What the audio thread counted since start.
    public var counters: Counters { Counters(audio.shared) }

    /// Times that the audio thread was woken, without the histograms that `counters` copies.
    public var audioWakeUps: Int { audio.shared.pointee.wakeUps.load(ordering: .relaxed) }

    /// Has the audio thread go round once, which its wake-ups count: whether it lives is seen by that.
    public func callAudioThread() { audio.shared.pointee.wake.signal() }

    private func heardNow() -> (token: Int, milliseconds: Int) {
        let heard = audio.shared.pointee.heard.read().at(.now)
        // The audio thread has not seen the last load yet.
        if heard.token < loadedToken { return (loadedToken, loadedMilliseconds) }
        return heard
    }

    // MARK: What is wanted

    /// Does what a person asked for at `time`: how long it took until it was heard is counted from then.
    public func obey(since time: MonotonicTime, _ command: () -> Void) {
        commanded = time
        command()
        commanded = nil
    }

    /// Plays `track` from a place, or takes it up paused there.
    public func go(to track: Track, milliseconds: Int, play: Bool) {
        wantsToPlay = play
        setWish(track, milliseconds)
    }

    /// Does nothing at the end of a track: what comes then is the queue's business.
    public func play() {
        guard !wantsToPlay, let track, !isAtEnd else { return }
        wantsToPlay = true
        if isParked { return setWish(track, positionMilliseconds) }
        // Where a jump is under way, what is still loaded must not sound: the place jumped to is played once it is loaded.
        if wish == nil {
            audio.send(.play(asked: commanded?.nanoseconds ?? 0))
        } else if wish?.commanded == nil {
            wish?.commanded = commanded
        }
        advance()
        watchBoundary()
        delegate.playerDidChange()
    }

    public func pause() {
        guard wantsToPlay else { return }
        wantsToPlay = false
        audio.send(.pause(asked: commanded?.nanoseconds ?? 0))
        delegate.playerDidChange()
    }

    /// Jumps within the track. Past its end means to the end, and paused there (PRD, skip forward).
    public func seek(toMilliseconds wanted: Int) {
        guard let track else { return }
        let milliseconds = max(0, wanted)
        if let duration = track.durationMilliseconds, milliseconds >= duration {
            park(track, at: duration, isAtEnd: true)
        } else {
            setWish(track, milliseconds)
        }
    }

    /// 0…100 on a perceptual (cubic) curve; 100 leaves samples untouched.
    public func setVolume(percent: Int) {
        volumePercent = min(100, max(0, percent))
        let cubed = volumePercent * volumePercent * volumePercent
        audio.send(.volume(level: Int(Int64(Envelope.unity) * Int64(cubed) / 1_000_000)))
    }

    /// Stops and forgets the track.
    public func unload() {
        park(nil, at: 0, isAtEnd: false)
    }

    /// What follows is not what it was: asks the delegate anew.
    public func followingDidChange() {
        dropFollowing()
        lineUp()
    }

    /// Silence, with a track and a place kept.
    private func park(_ track: Track?, at milliseconds: Int, isAtEnd: Bool) {
        wantsToPlay = false
        dropWish()
        dropFollowing()
        audio.send(.unload(asked: commanded?.nanoseconds ?? 0))
        loadedToken = nextToken()
        loadedMilliseconds = milliseconds
        tracks = [:]
        if let track { tracks[loadedToken] = track }
        toldToken = loadedToken
        isParked = true
        self.isAtEnd = isAtEnd
        delegate.playerDidChange()
    }

    private func nextToken() -> Int {
        lastToken += 1
        return lastToken
    }

    private func setWish(_ track: Track, _ milliseconds: Int) {
        let commanded = wish?.commanded ?? commanded
        dropWish()
        dropFollowing()
        isAtEnd = false
        isParked = false
        wish = Wish(token: nextToken(), track: track, milliseconds: milliseconds, commanded: commanded)
        advance()
        delegate.playerDidChange()
    }

    private func dropWish() {
        if let deck = wish?.deck { deckStates[deck] = .free }
        wish = nil
    }

    private func dropFollowing() {
        if isFollowingSent {
            audio.send(.clearLineUp)
        } else if let deck = following?.deck {
            deckStates[deck] = .free
        }
        following = nil
        isFollowingSent = false
    }

    // MARK: Bringing it about

    /// Takes the next step towards the wish, if one can be taken now. Called whenever something has changed.
    private func advance() {
        guard let wish else { return lineUp() }
        if wish.deck == nil { return prepare(wish) }
        openDevice(rate: wish.rate, channels: wish.channels)
        guard deviceState == .open, deviceRate == wish.rate, deviceChannels == wish.channels, let deck = wish.deck
        else {
            return
        }
        deckStates[deck] = .loaded
        tracks = tracks.filter { $0.key >= decodingToken }
        tracks[wish.token] = wish.track
        loadedToken = wish.token
        loadedMilliseconds = wish.milliseconds
        decodingToken = wish.token
        toldToken = wish.token
        self.wish = nil
        audio.send(.load(decks + deck, asked: wish.commanded?.nanoseconds ?? 0))
        audio.send(wantsToPlay ? .play(asked: 0) : .pause(asked: 0))
        findIndex(of: wish.track)
        lineUp()
        delegate.playerDidChange()
    }

    /// Gets a deck ready for `wish`; on its return `advance` or `lineUp` goes on.
    private func prepare(_ wish: Wish) {
        guard preparingToken == nil, let deck = deckStates.firstIndex(of: .free) else { return }
        preparingToken = wish.token
        deckStates[deck] = .preparing
        let source = sources[deck]
        let (token, milliseconds, path, index) = (wish.token, wish.milliseconds, wish.track.path, wish.track.index)
        let duration = wish.track.durationMilliseconds
        var prepared: DeckSource.Prepared?
        var failure: PlaybackError?
        let feed = feed
        feed.hurry {
            source.claimedStep {
                do throws(PlaybackError) {
                    prepared = try source.prepare(
                        path: path, milliseconds: milliseconds, index: index, durationMilliseconds: duration,
                        token: token, between: feed.serveDecks)
                } catch {
                    source.close()
                    failure = error
                }
            }
        } finish: { [self] in
            preparingToken = nil
            if let prepared {
                didPrepare(deck, token, prepared)
            } else if let failure {
                deckStates[deck] = .free
                didFail(token, failure)
            }
            advance()
        }
    }

    private func didPrepare(_ deck: Int, _ token: Int, _ prepared: DeckSource.Prepared) {
        deckStates[deck] = .free
        if wish?.token == token {
            if let end = prepared.endMilliseconds, let track = wish?.track {
                // The duration was an estimate, and this place lies behind the true end.
                return park(track, at: end, isAtEnd: true)
            }
            deckStates[deck] = .ready
            wish?.deck = deck
            wish?.rate = prepared.rate
            wish?.channels = prepared.channels
        } else if following?.token == token {
            deckStates[deck] = .ready
            following?.deck = deck
            following?.rate = prepared.rate
            following?.channels = prepared.channels
        }
    }

    private func didFail(_ token: Int, _ failure: PlaybackError) {
        if let failed = wish, failed.token == token {
            let wanted = wantsToPlay
            park(failed.track, at: failed.milliseconds, isAtEnd: false)
            delegate.playerDidFail(failed.track, failure, wanted: wanted)
        } else if following?.token == token {
            following?.isUnplayable = true
        }
    }

    /// Gets the next track ready and hands it to the audio thread, so that it follows without a gap.
    private func lineUp() {
        guard wish == nil, !isFollowingSent, !isParked else { return }
        if following == nil {
            guard let last = tracks[decodingToken], let next = delegate.trackAfter(last) else { return }
            following = Wish(token: nextToken(), track: next.track, milliseconds: next.milliseconds)
        }
        guard let ready = following else { return }
        guard let deck = ready.deck else {
            if !ready.isUnplayable { prepare(ready) }
            return
        }
        // Another format needs the card opened anew, once this one has been heard to its end.
        if ready.rate != deviceRate || ready.channels != deviceChannels || deviceState != .open { return }
        deckStates[deck] = .loaded
        isFollowingSent = true
        audio.send(.lineUp(decks + deck))
    }

    /// Walks a track's headers in the background, unless that has been done; the delegate is told.
    public func findIndex(of track: Track) {
        if track.index != nil || indexing.contains(track.path) { return }
        indexing.insert(track.path)
        let walk = IndexWalk(path: track.path)
        _ = try? worker.perform(.background, step: walk.step) { [self] _ in
            indexing.remove(track.path)
            guard let index = walk.index else { return delegate.playerDidFailToIndex(track) }
            for (token, known) in tracks where known.path == track.path {
                tracks[token]?.index = index
                tracks[token]?.durationMilliseconds = index.durationMilliseconds
            }
            if wish?.track.path == track.path {
                wish?.track.index = index
                wish?.track.durationMilliseconds = index.durationMilliseconds
            }
            delegate.playerDidIndex(track, index)
        }
    }

    // MARK: The card

    private func openDevice(rate: Int, channels: Int) {
        switch deviceState {
        case .open where deviceRate == rate && deviceChannels == channels, .opening, .closing, .waiting: return
        case .open:
            deviceState = .closing
            audio.send(.detach)
        case .closed:
            open(rate: rate, channels: channels, afterClosing: nil)
        }
    }

    private func open(rate: Int, channels: Int, afterClosing old: UnsafeMutablePointer<Output>?) {
        deviceState = .opening
        let request = PlaybackDevice.Request(
            device: isSilent ? settings.silentDevice ?? settings.device : settings.device, rate: rate,
            channels: channels, bufferMilliseconds: settings.bufferMilliseconds,
            periodMilliseconds: settings.periodMilliseconds, cut: settings.cut)
        let wake = audio.shared.pointee.wake.number
        var output: UnsafeMutablePointer<Output>?
        var failure: PlaybackError?
        feed.hurry {
            if let old {
                old.deinitialize(count: 1)
                old.deallocate()
            }
            do throws(OutputError) { output = try Output.open(request, wake: wake) } catch {
                failure = PlaybackError(error)
            }
            return .done
        } finish: { [self] in
            if let output {
                didOpen(output)
            } else if let failure {
                didFailToOpen(failure.message)
            }
        }
    }

    private func didOpen(_ output: UnsafeMutablePointer<Output>) {
        deviceState = .open
        deviceRate = output.pointee.streamRate
        deviceChannels = output.pointee.streamChannels
        periodMicroseconds = Int(
            Int64(output.pointee.format.periodFrames) * 1_000_000 / Int64(output.pointee.format.rate))
        let wasMissing = failedOpenings > 0
        failedOpenings = 0
        hasOpened = true
        audio.send(.attach(output))
        if wasMissing && !isSilent { delegate.playerDidFindDevice() }
        advance()
    }

    private func didFailToOpen(_ message: String) {
        if !hasOpened && !isSilent && settings.silentDevice != nil {
            isSilent = true
            delegate.playerDidLoseDevice("no sound card, playing in silence (\(message))")
            deviceState = .closed
            advance()
            return
        }
        if failedOpenings == 0 { delegate.playerDidLoseDevice(message) }
        waitForDevice()
    }

    private func waitForDevice() {
        deviceState = .waiting
        let delay = Player.retryMilliseconds[min(failedOpenings, Player.retryMilliseconds.count - 1)]
        failedOpenings += 1
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: delay)) { [self] in
            deviceState = .closed
            advance()
        }
    }

    // MARK: Events

    private func handleEvents() {
        controlWake.pointee.clear()
        while let event = audio.shared.pointee.events.receive() {
            switch event {
            case .released(let deck): didRelease(deck)
            case .detached(let output):
                if let wish, wish.deck != nil {
                    open(rate: wish.rate, channels: wish.channels, afterClosing: output)
                } else {
                    close(output)
                    deviceState = .closed
                }
            case .outputLost(let output, let code): didLoseOutput(output, code: code)
            case .nextBegun(let token): didBeginNext(token)
            case .ended(let token, let end): didEnd(token, end)
            case .paused: delegate.playerDidChange()
            }
        }
    }

    private func didRelease(_ released: UnsafeMutablePointer<Deck>) {
        let deck = released - decks
        deckStates[deck] = .preparing
        let source = sources[deck]
        feed.hurry {
            source.claimedStep { source.close() }
        } finish: { [self] in
            deckStates[deck] = .free
            advance()
        }
    }

    private func close(_ output: UnsafeMutablePointer<Output>) {
        feed.hurry {
            output.deinitialize(count: 1)
            output.deallocate()
            return .done
        } finish: {
        }
    }

    private func didLoseOutput(_ output: UnsafeMutablePointer<Output>, code: Int32) {
        close(output)
        // Where the ear was; taken up again when the card is back.
        let heard = audio.shared.pointee.heard.read()
        if wish == nil, heard.token >= loadedToken, let track = tracks[heard.token] {
            setWish(track, heard.at(heard.time).milliseconds)
        } else if wish == nil, let track = tracks[loadedToken], !isParked {
            setWish(track, loadedMilliseconds)
        } else {
            dropFollowing()
        }
        delegate.playerDidLoseDevice(ALSAError(code, "sound device \(settings.device)").message)
        waitForDevice()
    }

    private func didBeginNext(_ token: Int) {
        guard let begun = following, begun.token == token else { return }
        tracks[token] = begun.track
        decodingToken = token
        following = nil
        isFollowingSent = false
        findIndex(of: begun.track)
        watchBoundary()
        lineUp()
    }

    /// Tells the delegate when the ear passes from one track into the next.
    private func watchBoundary() {
        if let boundaryTimer { loop.cancel(boundaryTimer) }
        boundaryTimer = nil
        if wish != nil { return }
        let heard = audio.shared.pointee.heard.read()
        let now = heard.at(.now).token
        if now > toldToken, let track = tracks[now] {
            let ended = tracks[toldToken]
            toldToken = now
            tracks = tracks.filter { $0.key >= now }
            if let ended { delegate.playerDidPass(from: ended, to: track) }
        }
        if decodingToken > toldToken && wantsToPlay {
            // Not yet in the snapshot where the audio thread is still at work: looked at again shortly.
            let wait =
                heard.nextToken != 0 && heard.nextToken > toldToken
                ? heard.time.adding(milliseconds: Int(clamping: heard.nanosecondsUntilNext / 1_000_000 + 1))
                : MonotonicTime.now.adding(milliseconds: 100)
            boundaryTimer = loop.schedule(at: max(wait, MonotonicTime.now.adding(milliseconds: 1))) { [self] in
                boundaryTimer = nil
                watchBoundary()
            }
        }
    }

    private func didEnd(_ token: Int, _ end: DeckEnd) {
        guard wish == nil, token == decodingToken, wantsToPlay, let track = tracks[token] else { return }
        toldToken = token
        let milliseconds = heardNow().milliseconds
        var failure: PlaybackError?
        switch end {
        case .complete: break
        case .readFailed(let code): failure = .file(PosixError(code: code, operation: "read \(track.path)"))
        case .decodeFailed: failure = .undecodable(path: track.path)
        }
        if let failure {
            park(track, at: milliseconds, isAtEnd: false)
            return delegate.playerDidFail(track, failure, wanted: true)
        }
        if let next = following
            ?? delegate.trackAfter(track).map({ Wish(token: 0, track: $0.track, milliseconds: $0.milliseconds) })
        {
            // Another format, or it was not ready in time.
            let readyDeck = isFollowingSent ? nil : next.deck
            following = nil
            isFollowingSent = false
            wish = Wish(
                token: readyDeck == nil ? nextToken() : next.token, track: next.track, milliseconds: next.milliseconds,
                deck: readyDeck, rate: next.rate, channels: next.channels)
            delegate.playerDidPass(from: track, to: next.track)
            advance()
            return
        }
        park(track, at: track.durationMilliseconds ?? milliseconds, isAtEnd: true)
        delegate.playerDidEnd(track)
    }
}
