// SPDX-License-Identifier: Apache-2.0
import ALSA
import Audio
import CPosix
import Media
import TestSupport
import Workers

@testable import Playback
@testable import Posix

/// A clock that stands until a test moves it.
final class FakeScheduler: Scheduler {
    private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)
    private var timers: [(id: Int, due: MonotonicTime, action: () -> Void)] = []
    private var lastID = 0

    func schedule(at due: MonotonicTime, _ action: @escaping () -> Void) -> EventLoop.TimerToken {
        lastID += 1
        timers.append((lastID, due, action))
        return EventLoop.TimerToken(id: lastID)
    }

    func cancel(_ token: EventLoop.TimerToken) { timers.removeAll { $0.id == token.id } }

    /// Lets so much time pass, and runs what falls due on the way.
    func pass(milliseconds: Int) {
        let end = now.adding(milliseconds: milliseconds)
        while let next = timers.filter({ $0.due <= end }).min(by: { $0.due < $1.due }) {
            timers.removeAll { $0.id == next.id }
            now = max(now, next.due)
            next.action()
        }
        now = end
    }
}

/// Decks and cards that are got ready as a test wants it. Decks are never looked into.
final class FakeFeed: DeckPreparer, OutputOpener {
    let decks = UnsafeMutablePointer<Deck>.allocate(capacity: DeckPool.deckCount)
    private let outputs = UnsafeMutablePointer<Output>.allocate(capacity: 1)
    /// The results of preparing a path; 44,100 Hz in stereo without one.
    var results: [String: Result<PreparedDeck, PlaybackError>] = [:]
    /// By deck: what it holds.
    private(set) var orders: [Int: DeckOrder] = [:]
    private(set) var prepared: [String] = []
    /// Thrown at the next openings.
    var openFailures = 0
    private(set) var openings: [String] = []
    private(set) var openCards = 0
    var isCardBusy = false
    /// Devices that open while the card is busy.
    var freeDevices: [String] = []
    var holder: String?

    deinit {
        decks.deallocate()
        outputs.deallocate()
    }

    func prepare(_ deck: Int, _ order: DeckOrder, goOn: () -> Bool) throws(PlaybackError) -> PreparedDeck {
        let path = order.track.source.name
        prepared.append("\(path)@\(order.milliseconds)")
        orders[deck] = order
        if !goOn() { throw .cancelled }
        return try (results[path] ?? .success(PreparedDeck(rate: 44_100, channels: 2))).get()
    }

    func close(_ deck: Int) { orders[deck] = nil }

    func open(_ request: PlaybackDevice.Request) throws(PlaybackError) -> OpenOutput {
        openings.append("\(request.device) \(request.rate)")
        if isCardBusy && !freeDevices.contains(request.device) {
            throw .device(ALSAError(-EBUSY, "open sound device hw:0"))
        }
        if openFailures > 0 {
            openFailures -= 1
            throw .file(PosixError(code: 19, operation: "open card"))
        }
        openCards += 1
        return OpenOutput(
            output: outputs, periodMicroseconds: 20_000, card: OutputKeeper.Format(rate: 48_000, channels: 2))
    }

    func close(_ output: UnsafeMutablePointer<Output>) { openCards -= 1 }

    func holder(of device: String) -> String? { holder }

    var output: UnsafeMutablePointer<Output> { outputs }
}

/// Plays the part of the audio thread without sound: takes decks and returns them.
final class FakeAudio: AudioPort {
    private let feed: FakeFeed
    private(set) var heard = HeardState()
    private(set) var current: Int?
    private(set) var lined: Int?
    private(set) var isPlaying = false
    /// Behind which recording the last deck was to go on; 0 for none.
    private(set) var lastBehind = 0
    private(set) var isAttached = false
    private var events: [AudioEvent] = []
    private(set) var requests: [String] = []

    init(_ feed: FakeFeed) { self.feed = feed }

    func send(_ request: AudioRequest) {
        switch request {
        case .attach:
            precondition(!isAttached, "two outputs at once")
            isAttached = true
            requests.append("attach")
        case .detach:
            requests.append("detach")
            // One that was lost has been given back already.
            if isAttached { events.append(.detached(feed.output)) }
            isAttached = false
            isPlaying = false
        case .load(let deck, let token, _):
            lastBehind = token
            // The card may be gone, and control not know yet.
            release(&current)
            release(&lined)
            current = begin(deck)
            place(token: feed.orders[current!]!.token, milliseconds: feed.orders[current!]!.milliseconds)
            requests.append("load \(path(current))")
        case .lineUp(let deck):
            if current == nil { return events.append(.released(deck)) }
            precondition(lined == nil, "lined up twice")
            lined = begin(deck)
            requests.append("lineUp \(path(lined))")
        case .clearLineUp: release(&lined)
        case .level(let token, let gain): requests.append("level \(token) \(gain)")
        case .play:
            isPlaying = current != nil && isAttached
        case .pause:
            isPlaying = false
        case .unload:
            release(&current)
            release(&lined)
            isPlaying = false
            requests.append("unload")
        case .speak(let samples, _, _): speak(samples)
        case .gain, .quit: break
        }
    }

    /// The samples being spoken.
    private(set) var said: UnsafeMutablePointer<Int16>?

    private func speak(_ samples: UnsafeMutablePointer<Int16>?) {
        if let said { events.append(.spoken(said, isWhole: false)) }
        said = isAttached ? samples : nil
        if let samples, !isAttached { events.append(.spoken(samples, isWhole: false)) }
        requests.append(samples == nil ? "hush" : "speak")
    }

    func didSay() {
        if let said { events.append(.spoken(said, isWhole: true)) }
        said = nil
    }

    private func begin(_ deck: UnsafeMutablePointer<Deck>) -> Int {
        let number = deck - feed.decks
        precondition(number != current && number != lined, "a deck given twice")
        precondition(feed.orders[number] != nil, "a deck that is not ready")
        return number
    }

    private func path(_ deck: Int?) -> String { deck.flatMap { feed.orders[$0]?.track.source.name } ?? "nothing" }

    private func release(_ deck: inout Int?) {
        if let deck { events.append(.released(feed.decks + deck)) }
        deck = nil
    }

    private func place(token: Int, milliseconds: Int) {
        heard.heard = Place(token: token, sample: Int64(milliseconds), pace: Pace(rate: 1000))
        heard.queuedNanoseconds = .max
    }

    /// Returns the events that control has not yet received.
    func takeEvents() -> [AudioEvent] {
        defer { events = [] }
        return events
    }

    /// The ear is so far in what plays.
    func hear(milliseconds: Int) {
        if let current { place(token: feed.orders[current]!.token, milliseconds: milliseconds) }
    }

    /// What plays ends.
    func end(_ end: DeckEnd = .complete) {
        guard let ended = current, let token = feed.orders[ended]?.token else { return }
        release(&current)
        if end.isComplete, let next = lined {
            current = next
            lined = nil
            place(token: feed.orders[next]!.token, milliseconds: feed.orders[next]!.milliseconds)
            events.append(.nextBegun(token: feed.orders[next]!.token))
        } else {
            isPlaying = false
            events.append(.ended(token: token, end))
        }
    }

    /// The card is pulled out.
    func lose() {
        guard isAttached else { return }
        isAttached = false
        isPlaying = false
        release(&current)
        release(&lined)
        events.append(.outputLost(feed.output, code: -19))
    }
}

/// A player among fakes, and what it told.
final class PlayerBench: PlayerDelegate {
    let scheduler = FakeScheduler()
    let feed = FakeFeed()
    let jobs = FakeWorker()
    let walks = FakeWorker()
    let audio: FakeAudio
    private(set) var player: Player!
    /// Paths in the order in which they follow one another.
    var queue: [String] = []
    private(set) var told: [String] = []
    /// The number of times that a card was closed for good.
    private(set) var timesClosed = 0

    init(queue: [String] = ["a", "b", "c"], silentDevice: String? = nil, idleCloseSeconds: Int = 0) {
        audio = FakeAudio(feed)
        self.queue = queue
        var settings = Player.Settings(
            device: "card", silentDevice: silentDevice, bufferMilliseconds: 2000, periodMilliseconds: 100, priority: 0,
            cut: nil)
        settings.idleCloseSeconds = idleCloseSeconds
        player = Player(
            engine: nil, audio: audio, scheduler: scheduler,
            decks: DeckPool(decks: feed.decks, preparer: feed, feed: jobs, scheduler: scheduler),
            output: OutputKeeper(settings: settings, audio: audio, opener: feed, feed: jobs, scheduler: scheduler),
            worker: walks)
        player.delegate = self
    }

    func track(_ path: String, duration: Int? = nil) -> Track {
        Track(
            id: Int64(path.utf8.first ?? 0), source: .file(path: path), durationMilliseconds: duration, seekTable: nil)
    }

    /// Everything that can happen without time passing has happened.
    func settle() {
        var rounds = 0
        while true {
            let events = audio.takeEvents()
            for event in events { player.handle(event) }
            if !jobs.runOne() && events.isEmpty { break }
            rounds += 1
            precondition(rounds < 1000, "never comes to rest")
        }
    }

    func events() { for event in audio.takeEvents() { player.handle(event) } }

    func play(_ path: String, at milliseconds: Int = 0) {
        player.go(to: track(path), milliseconds: milliseconds, play: true)
        settle()
    }

    func takeTold() -> [String] {
        defer { told = [] }
        return told
    }

    // MARK: PlayerDelegate

    func trackAfter(_ track: Track) -> (track: Track, milliseconds: Int)? {
        guard let index = queue.firstIndex(of: track.source.name), index + 1 < queue.count else { return nil }
        return (self.track(queue[index + 1]), 0)
    }

    func playerDidPass(from ended: Track, to track: Track) {
        told.append("passed \(ended.source.name) \(track.source.name)")
    }

    func playerDidEnd(_ track: Track) { told.append("ended \(track.source.name)") }

    func playerDidFail(_ track: Track, _ error: PlaybackError, wanted: Bool) {
        told.append("failed \(track.source.name)\(wanted ? " wanted" : ""): \(error.message)")
    }

    func playerDidMeasure(_ track: Track, _ table: SeekTable) { told.append("measured \(track.source.name)") }
    func playerDidLoseDevice(_ message: String) { told.append("lost: \(message)") }
    func playerDidFindDevice() { told.append("found") }
    func playerDidCloseCard() { timesClosed += 1 }
    func playerDidChange() {}
}
