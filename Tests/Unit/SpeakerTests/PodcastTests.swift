// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Posix
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

/// The network's content, as a test says.
private final class FakeFeeds: FeedPort {
    struct Asked {
        let address: String
        let entityTag: String
        let finish: (FeedAnswer) -> Void
    }

    var asked: [Asked] = []
    var fetched: [(name: String, isDocument: Bool, finish: (MediaSource?, String) -> Void)] = []
    var heard: [String] = []

    func fetchFeed(
        _ address: String, entityTag: String, lastModified: String, finish: @escaping (FeedAnswer) -> Void
    ) { asked.append(Asked(address: address, entityTag: entityTag, finish: finish)) }

    func fetch(
        _ address: String, name: String, feed: String, isDocument: Bool, isUrgent: Bool,
        finish: @escaping (MediaSource?, String) -> Void
    ) { fetched.append((name, isDocument, finish)) }

    func fetchWords(beside address: String, finish: @escaping (MediaSource?) -> Void) { finish(nil) }
    func tellHeard(_ name: String) { heard.append(name) }
}

private final class FakePages: FeedReading {
    private(set) var head: FeedHead?
    private(set) var page: [EpisodeDraft] = []
    private var rest: [EpisodeDraft]
    private let title: String

    init(_ title: String, _ numbers: [Int]) {
        self.title = title
        rest = numbers.map { number in
            var draft = EpisodeDraft(identity: "g\(number)", address: "https://h/\(number)")
            draft.title = "E\(number)"
            draft.publishedSeconds = 1_700_000_000 + Int64(number) * 86_400
            return draft
        }
    }

    func readPage() {
        if head == nil {
            var head = FeedHead()
            head.title = title
            head.entityTag = "\"t\""
            self.head = head
        }
        page = Array(rest.prefix(20))
        rest.removeFirst(page.count)
    }
}

@Suite("Podcasts") struct PodcastTests {
    private let bench = Bench()
    private let port = FakeFeeds()

    init() {
        bench.library.root = "/books"
        bench.speaker.streaming.podcasts.port = port
    }

    private var library: Library { bench.library }

    private func answer(_ answer: FeedAnswer) {
        port.asked.removeFirst().finish(answer)
        for _ in 0..<50 { bench.pass(milliseconds: 1) }
    }

    private func subscribe(_ numbers: [Int]) throws -> Feed {
        var problem: String?
        bench.speaker.streaming.podcasts.subscribe("https://h/feed") { problem = $0 }
        answer(.feed(FakePages("Owls", numbers)))
        #expect(problem == "")
        return try #require(library.feeds().first)
    }

    @Test func itsEpisodesStandInTheQueueAtTheirPlace() throws {
        bench.add("a", "z")
        let feed = try subscribe(Array((1...50).reversed()))
        #expect(feed.title == "Owls" && feed.entityTag == "\"t\"" && feed.problem == "")
        #expect(bench.speaker.queue.count == 52)
        let titles = library.items(bench.speaker.queue.entries.map { $0.itemID }).map { $0.title }
        #expect(titles.first == "a" && titles[1] == "E50" && titles[50] == "E1" && titles.last == "z")
        bench.speaker.streaming.podcasts.unsubscribe(feed)
        #expect(bench.speaker.queue.count == 2)
    }

    @Test func whatCannotBeReadIsNotSubscribedTo() {
        var problems: [String] = []
        bench.speaker.streaming.podcasts.subscribe("https://h/feed") { problems.append($0) }
        answer(.failed("no such feed"))
        #expect(problems == ["no such feed"] && library.feeds().isEmpty)
        #expect(!bench.speaker.streaming.podcasts.isBusy)
    }

    @Test func aRefreshIsConditionalAndKeepsWhatWasThere() throws {
        let feed = try subscribe([2, 1])
        bench.speaker.streaming.podcasts.refresh([feed])
        bench.speaker.streaming.podcasts.refresh([feed])
        #expect(port.asked.count == 1 && port.asked[0].entityTag == "\"t\"")
        answer(.failed("out of order"))
        #expect(library.feed(feed.id)?.problem == "out of order" && bench.speaker.queue.count == 2)
        bench.speaker.streaming.podcasts.refresh([feed])
        answer(.unchanged(movedTo: "https://h/moved"))
        #expect(library.feed(feed.id)?.address == "https://h/moved" && library.feed(feed.id)?.problem == "")
    }

    @Test func oneAfterTheOtherByTheClock() throws {
        _ = try subscribe([1])
        #expect(bench.speaker.streaming.podcasts.subscribe("https://h/other", title: "Other"))
        answer(.feed(FakePages("Other", [1])))
        #expect(port.asked.isEmpty)
        // Not while it is not due: the library's clock is that of the wall, which stands here.
        bench.timers.pass(milliseconds: 5 * 3600 * 1000)
        #expect(port.asked.isEmpty)
        for feed in library.feeds() { library.noteChecked(feed.id, problem: "", nowSeconds: 1) }
        bench.timers.pass(milliseconds: 2 * 3600 * 1000)
        #expect(port.asked.count == 1)
        answer(.unchanged(movedTo: ""))
        #expect(port.asked.count == 1)
        answer(.unchanged(movedTo: ""))
        #expect(port.asked.isEmpty)
    }

    @Test func withoutSubscriptionsThereIsNoTimer() {
        let before = bench.timers.count
        bench.speaker.streaming.podcasts.begin()
        #expect(bench.timers.count == before)
    }

    @Test func theNewestAreFetchedAheadAndWhatWasHeardMayGo() throws {
        bench.speaker.streaming.podcasts.settings.keptEpisodes = 2
        let feed = try subscribe([3, 2, 1])
        let episodes = library.episodes(of: feed.id, limit: 3)
        #expect(port.fetched.map { $0.name } == [episodes[0].cacheName])
        port.fetched.removeFirst().finish(.file(path: "/x"), "")
        #expect(port.fetched.map { $0.name } == [episodes[1].cacheName])
        port.fetched.removeFirst().finish(nil, "gone")
        #expect(port.fetched.isEmpty && !bench.speaker.streaming.podcasts.isBusy)
        #expect(library.fetchedEpisodes().map { $0.item } == [episodes[0].item])
        _ = library.setFinished(episodes[0].item, true)
        bench.speaker.streaming.podcasts.refresh([feed])
        answer(.unchanged(movedTo: ""))
        #expect(port.heard == [episodes[0].cacheName] && library.fetchedEpisodes().isEmpty)
        #expect(port.fetched.map { $0.name } == [episodes[1].cacheName])
    }
}
