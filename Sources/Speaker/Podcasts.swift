// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Posix
import Scanning
import Workers

/// The podcasts that are subscribed to: asked for by request and by the clock, one after the other, and their newest episodes fetched
/// ahead. Control thread. Without subscriptions it does nothing: no timer.
public final class Podcasts {
    public struct Settings: Equatable, Sendable {
        /// 0 for never by itself.
        public var refreshHours = 6
        /// So many of each podcast's newest episodes are fetched ahead.
        public var keptEpisodes = 0

        public init(refreshHours: Int = 6, keptEpisodes: Int = 0) {
            self.refreshHours = refreshHours
            self.keptEpisodes = keptEpisodes
        }
    }

    /// After a start, and after what went wrong.
    private static let startSeconds: Int64 = 60
    private static let retrySeconds: Int64 = 30 * 60
    private static let mostSeconds: Int64 = 20 * 24 * 3600
    /// The timer waits so long for another reason to wake.
    private static let slackMilliseconds = 15 * 60 * 1000
    /// The limit of a turn, so that no client waits.
    private static let episodesATurn = 8
    private static let movedATurn = 32
    private static let busyMilliseconds = 500

    let library: Library
    let worker: any Performer
    let timers: any Timers
    public var settings = Settings()
    /// Nil where the network is not to be used.
    public var port: (any FeedPort)?

    /// Told of what becomes of the library.
    var listener: (any LibraryListener)?
    let places: PlaceKeeper
    let audience: Audience
    /// Has what is said in an episode found.
    let scans: (any ScanPort)?

    /// A feed that is to be asked for.
    struct Errand {
        var address: String
        /// Nil while it is not subscribed to.
        var feed: Feed.ID?
        /// Called with why it failed, "" where it did not.
        var finish: [(String) -> Void]
    }

    private var waiting: [Errand] = []
    private var current: Errand?
    private var timer: EventLoop.TimerToken?
    /// Episodes of the last page that are still to be taken in.
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

    /// Something is asked for, or fetched.
    public var isBusy: Bool { current != nil || keeping.isBusy }

    /// After the library was opened, or another one restored.
    func begin() {
        library.movePodcasts()
        setTimer(afterSeconds: Podcasts.startSeconds)
    }

    // MARK: A person's requests

    /// Subscribes to a feed once it could be read.
    /// - Parameter finish: called once, with why it could not; "" where it could.
    public func subscribe(_ address: String, finish: @escaping (String) -> Void) {
        if library.feed(address: address) != nil { return finish("subscribed to already") }
        if library.podcastsFolder == nil { return finish("podcasts need the folder of a library") }
        add(Errand(address: address, feed: nil, finish: [finish]))
    }

    /// Subscribes to a feed by a name that is known, and asks for it when it can: for lists of subscriptions.
    /// - Returns: false where that could not be saved.
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

    /// Sets the order in which a feed's episodes are listed and played; nil for as the feed says.
    /// - Returns: false where that could not be saved.
    public func setOrder(_ order: Feed.Order?, of feed: Feed.ID) -> Bool {
        guard library.setOrder(order, of: feed) else { return false }
        places.didWrite()
        tellMoved(library.takeRearranged()[...])
        audience.didChange(.library)
        return true
    }

    /// Has the queue follow episodes that stand elsewhere now, some in each turn.
    private func tellMoved(_ moved: ArraySlice<Item.ID>) {
        let part = moved.prefix(Podcasts.movedATurn)
        if part.isEmpty { return }
        listener?.libraryDidGain(
            part.map { id in Arrival(id: id, place: library.itemBefore(id).map { .behind($0) } ?? .first) })
        timers.schedule(at: timers.now) { [self] in tellMoved(moved.dropFirst(part.count)) }
    }

    /// Asks for feeds now.
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
            // It may have been unsubscribed from meanwhile, or have moved.
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

    /// The next page.
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

    /// The feed that is asked for; subscribed to from here on.
    private func subscribed(_ head: FeedHead) -> Feed? {
        guard var errand = current else { return nil }
        if let id = errand.feed { return library.feed(id) }
        guard let feed = library.addFeed(address: errand.address, title: head.title) else { return nil }
        errand.feed = feed.id
        current = errand
        library.note(head.withoutValidators, of: feed.id)
        return library.feed(feed.id)
    }

    /// Some of the page's episodes; more in the next turn.
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
        // Last, so that what was cut off on the way is asked for again.
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

    /// - Parameter least: not before so long.
    private func setTimer(afterSeconds least: Int64) {
        if let timer { timers.cancel(timer) }
        timer = nil
        guard port != nil, settings.refreshHours > 0, let due = secondsToNext() else { return }
        // 24 days fit into 32 bits of milliseconds: it is looked at again then.
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
        // A clock that was set back counts for nothing.
        return since < 0 ? 0 : max(0, period - since)
    }
}

extension FeedHead {
    /// Of a feed that has not been read to its end: it is to be read again.
    fileprivate var withoutValidators: FeedHead {
        var head = self
        head.entityTag = ""
        head.lastModified = ""
        return head
    }
}
