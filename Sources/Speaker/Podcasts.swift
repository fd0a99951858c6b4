// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Posix
import Scanning
import Workers

/// The subscribed podcasts. Refreshes feeds on request and by the clock, one after the other, and fetches their newest episodes ahead.
/// Control thread. Without subscriptions it does nothing and sets no timer.
public final class Podcasts {
    public struct Settings: Equatable, Sendable {
        /// The interval of refreshes; 0 for none by itself.
        public var refreshHours = 6
        /// The number of each podcast's newest episodes to fetch ahead.
        public var keptEpisodes = 0

        public init(refreshHours: Int = 6, keptEpisodes: Int = 0) {
            self.refreshHours = refreshHours
            self.keptEpisodes = keptEpisodes
        }
    }

    /// The delay after a start; `retrySeconds` is that after a failure.
    private static let startSeconds: Int64 = 60
    private static let retrySeconds: Int64 = 30 * 60
    private static let mostSeconds: Int64 = 20 * 24 * 3600
    /// The time for which the timer waits for another reason to wake.
    private static let slackMilliseconds = 15 * 60 * 1000
    /// The limit of a turn, so that no client waits.
    private static let episodesATurn = 8
    private static let movedATurn = 32
    private static let busyMilliseconds = 500

    let library: Library
    let worker: any Performer
    let timers: any Timers
    public var settings = Settings()
    /// The network's port; nil if the network must not be used.
    public var port: (any FeedPort)?

    /// The receiver of changes of the library.
    var listener: (any LibraryListener)?
    let places: PlaceKeeper
    let audience: Audience
    /// The index for the search of spoken words.
    let scans: (any ScanPort)?

    /// A feed to refresh.
    struct Errand {
        var address: String
        /// The feed; nil while it is not subscribed to.
        var feed: Feed.ID?
        /// Called with the reason of a failure, "" for success.
        var finish: [(String) -> Void]
    }

    private var waiting: [Errand] = []
    private var current: Errand?
    private var timer: EventLoop.TimerToken?
    /// The episodes of the last page that are not taken in yet.
    private var drafts: [EpisodeDraft] = []
    var keeping = Keeping()

    init(
        _ library: Library, places: PlaceKeeper, scans: (any ScanPort)?, worker: any Performer, timers: any Timers,
        audience: Audience
    ) {
        self.library = library
        self.places = places
        self.scans = scans
        self.worker = worker
        self.timers = timers
        self.audience = audience
    }

    /// True while something is being refreshed or fetched.
    public var isBusy: Bool { current != nil || keeping.isBusy }

    /// Starts after the library was opened, or another one restored.
    func begin() {
        library.movePodcasts()
        setTimer(afterSeconds: Podcasts.startSeconds)
    }

    // MARK: A person's requests

    /// Subscribes to a feed once it could be read.
    /// - Parameter finish: called once, with the reason of a failure; "" for success.
    public func subscribe(_ address: String, finish: @escaping (String) -> Void) {
        if library.feed(address: address) != nil { return finish("subscribed to already") }
        if library.podcastsFolder == nil { return finish("podcasts need the folder of a library") }
        add(Errand(address: address, feed: nil, finish: [finish]))
    }

    /// Subscribes to a feed with a known title, and refreshes it when possible: for lists of subscriptions.
    /// - Returns: false if it could not be saved.
    public func subscribe(_ address: String, title: String) -> Bool {
        guard library.podcastsFolder != nil, let feed = library.addFeed(address: address, title: title) else {
            return false
        }
        places.didWrite()
        audience.didChange(.library)
        add(Errand(address: address, feed: feed.id, finish: []))
        return true
    }

    public func unsubscribe(_ feed: Feed) {
        waiting.removeAll { $0.feed == feed.id }
        let gone = library.removeFeed(feed.id)
        places.didWrite()
        if !gone.isEmpty { listener?.libraryDidLose(gone) }
        audience.didChange(.library)
    }

    /// Sets the order in which a feed's episodes are listed and played; nil for the feed's own.
    /// - Returns: false if it could not be saved.
    public func setOrder(_ order: Feed.Order?, of feed: Feed.ID) -> Bool {
        guard library.setOrder(order, of: feed) else { return false }
        places.didWrite()
        tellMoved(library.takeRearranged()[...])
        audience.didChange(.library)
        return true
    }

    /// Moves rearranged episodes in the queue, some in each turn.
    private func tellMoved(_ moved: ArraySlice<Item.ID>) {
        let part = moved.prefix(Podcasts.movedATurn)
        if part.isEmpty { return }
        listener?.libraryDidGain(
            part.map { id in Arrival(id: id, place: library.itemBefore(id).map { .behind($0) } ?? .first) })
        timers.schedule(at: timers.now) { [self] in tellMoved(moved.dropFirst(part.count)) }
    }

    /// Refreshes feeds now.
    public func refresh(_ feeds: [Feed]) {
        for feed in feeds { add(Errand(address: feed.address, feed: feed.id, finish: [])) }
    }

    private func add(_ errand: Errand) {
        // The answer under way may be older than the new request.
        if let feed = errand.feed, waiting.contains(where: { $0.feed == feed }) { return }
        waiting.append(errand)
        goOn()
    }

    // MARK: One after the other

    private func goOn() {
        guard current == nil else { return }
        guard let port, !waiting.isEmpty else { return }
        var errand = waiting.removeFirst()
        var entityTag = ""
        var lastModified = ""
        if let id = errand.feed {
            // The listener may have unsubscribed meanwhile, or the feed may have moved.
            guard let feed = library.feed(id) else { return goOn() }
            errand.address = feed.address
            entityTag = feed.entityTag
            lastModified = feed.lastModified
        }
        current = errand
        port.fetchFeed(errand.address, entityTag: entityTag, lastModified: lastModified) { [self] answer in
            switch answer {
            case .feed(let reading): read(reading)
            case .unchanged(let movedTo):
                if let feed = current?.feed, !movedTo.isEmpty { library.move(feed, to: movedTo) }
                end("")
            case .failed(let message): end(message)
            }
        }
    }

    /// Reads the next page.
    private func read(_ reading: any FeedReading) {
        do throws(Job.Refusal) {
            try worker.perform(.background) {
                reading.readPage()
                return .done
            } finish: { [self] outcome in
                guard outcome == .done else { return end("given up: the speaker ends") }
                guard let head = reading.head else { return end("what was fetched cannot be read") }
                guard let feed = subscribed(head) else { return end("it cannot be saved") }
                drafts = reading.page
                if drafts.isEmpty { return complete(feed, head) }
                take(feed, reading)
            }
        } catch { end("the disk does not answer") }
    }

    /// Returns the refreshed feed, and subscribes to it if it is new.
    private func subscribed(_ head: FeedHead) -> Feed? {
        guard var errand = current else { return nil }
        if let id = errand.feed { return library.feed(id) }
        guard let feed = library.addFeed(address: errand.address, title: head.title) else { return nil }
        errand.feed = feed.id
        current = errand
        library.note(head.withoutValidators, of: feed.id)
        return library.feed(feed.id)
    }

    /// Takes in some of the page's episodes; more in the next turn.
    private func take(_ feed: Feed, _ reading: any FeedReading) {
        if library.isLogBehind {
            timers.schedule(inMilliseconds: Podcasts.busyMilliseconds) { [self] in take(feed, reading) }
            return
        }
        let part = Array(drafts.prefix(Podcasts.episodesATurn))
        drafts.removeFirst(part.count)
        if library.feed(feed.id) == nil { return end("unsubscribed from meanwhile") }
        let taken = library.takeIn(part, of: feed)
        if !taken.arrived.isEmpty || !taken.changed.isEmpty { places.didWrite() }
        if !taken.arrived.isEmpty {
            listener?.libraryDidGain(
                taken.arrived.map { id in
                    Arrival(id: id, place: library.itemBefore(id).map { .behind($0) } ?? .first)
                })
        }
        if !taken.changed.isEmpty { listener?.libraryDidChange(taken.changed) }
        if drafts.isEmpty { return read(reading) }
        timers.schedule(at: timers.now) { [self] in take(feed, reading) }
    }

    private func complete(_ feed: Feed, _ head: FeedHead) {
        // Last, so that an interrupted refresh is repeated.
        library.note(head, of: feed.id)
        tellMoved(library.takeRearranged()[...])
        let gone = library.trimEpisodes(of: feed.id)
        if !gone.isEmpty { listener?.libraryDidLose(gone) }
        if !head.notice.isEmpty { audience.warn("\(feed.title): \(head.notice)") }
        end("")
    }

    private func end(_ problem: String) {
        guard let errand = current else { return }
        current = nil
        drafts = []
        if let id = errand.feed, let feed = library.feed(id) {
            library.noteChecked(id, problem: problem)
            places.didWrite()
            if !problem.isEmpty && !feed.problem.utf8.elementsEqual(problem.utf8) {
                audience.warn("\(feed.title): \(problem)")
            }
            if problem.isEmpty { keepAhead(id) }
            audience.didChange(.library)
        }
        for finish in errand.finish { finish(problem) }
        if waiting.isEmpty { setTimer(afterSeconds: 0) }
        goOn()
    }

    // MARK: The clock

    /// - Parameter least: the shortest delay.
    private func setTimer(afterSeconds least: Int64) {
        if let timer { timers.cancel(timer) }
        timer = nil
        guard port != nil, settings.refreshHours > 0, let due = secondsToNext() else { return }
        // 24 days fit into 32 bits of milliseconds: then it checks again.
        let milliseconds = Int(min(max(due, least, 1), Podcasts.mostSeconds)) * 1000
        let moment = timers.now.adding(milliseconds: milliseconds)
        timer = timers.schedule(
            at: moment, latest: moment.adding(milliseconds: min(milliseconds, Podcasts.slackMilliseconds))
        ) {
            [self] in
            timer = nil
            refresh(library.feeds().filter { secondsToDue($0) <= Podcasts.startSeconds })
            if current == nil { setTimer(afterSeconds: Podcasts.startSeconds) }
        }
    }

    private func secondsToNext() -> Int64? { library.feeds().map(secondsToDue).min() }

    private func secondsToDue(_ feed: Feed) -> Int64 {
        let all = Int64(settings.refreshHours) * 3600
        let period = feed.problem.isEmpty ? all : min(all, Podcasts.retrySeconds)
        let since = wallClockSeconds() - feed.checkedSeconds
        // Ignore a clock that was set back.
        return since < 0 ? 0 : max(0, period - since)
    }
}

extension FeedHead {
    /// The head of a feed that was not read to its end, without validators, so that it is read again.
    fileprivate var withoutValidators: FeedHead {
        var head = self
        head.entityTag = ""
        head.lastModified = ""
        return head
    }
}
