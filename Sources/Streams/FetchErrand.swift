// SPDX-License-Identifier: Apache-2.0
import CPosix
import Media
import Posix
import Synchronization

/// The result of a request.
public enum FetchAnswer {
    /// The file of a `StreamQuestion`.
    case whole(FetchedFile)
    /// The records of a feed.
    case records(FeedPages)
    /// The feed has not changed; with its new address, if it has moved permanently.
    case unchanged(movedTo: String)
    case failed(String)
}

/// A request for one whole file: a feed, an episode ahead of its time, words, a picture. It has a connection of its own to the fetching
/// process. Control thread; nothing here waits.
final class FetchErrand {
    /// The interval of attempts to connect, during which a missing process starts.
    private static let connectMilliseconds = 100
    private static let mostConnects = 100
    /// The silence after which the request fails, to be repeated another time.
    private static let patienceMilliseconds = 60_000

    private let process: FetchProcess
    private let kind: UInt8
    private let text: String
    private let name: String
    private var answer: ((FetchAnswer) -> Void)?
    private let connection: FetchConnection
    private var page: SharedPage?
    private var file: FileDescriptor?
    private var connects = 0
    private var timer: EventLoop.TimerToken?
    private var lastFront: Int64 = -1
    private var waiting = ""

    init(_ process: FetchProcess, _ kind: UInt8, _ text: String, name: String, answer: @escaping (FetchAnswer) -> Void)
    {
        self.process = process
        self.kind = kind
        self.text = text
        self.name = name
        self.answer = answer
        connection = FetchConnection(process)
    }

    func begin() {
        var descriptors: [Int32] = []
        if kind == StreamPacket.get {
            do throws(PosixError) {
                if page == nil { page = try SharedPage() }
            } catch { return finish(.failed(error.message)) }
            descriptors = [page?.descriptor ?? -1, process.feedWake]
        }
        connects += 1
        let problem = connection.open(
            kind, text, descriptors: descriptors, take: { [self] in take($0, $1, $2) },
            end: { [self] in finish(.failed("the fetching process has ended")) })
        guard let problem else { return kind == StreamPacket.heard ? finish(.unchanged(movedTo: "")) : watch() }
        if !problem.isEmpty { return finish(.failed(problem)) }
        if connects > FetchErrand.mostConnects { return finish(.failed("the fetching process does not start")) }
        wait(FetchErrand.connectMilliseconds, atMost: FetchErrand.connectMilliseconds) { [self] in begin() }
    }

    private func wait(_ milliseconds: Int, atMost latest: Int, then go: @escaping () -> Void) {
        let now = process.loop.now
        let latest = now.adding(milliseconds: latest)
        timer = process.loop.schedule(at: now.adding(milliseconds: milliseconds), latest: latest) { [self] in
            timer = nil
            go()
        }
    }

    /// Drops the request without an answer, since the caller no longer wants it.
    func drop() {
        answer = nil
        close()
    }

    private func close() {
        if let timer { process.loop.cancel(timer) }
        timer = nil
        connection.close()
        page = nil
        file = nil
    }

    private func finish(_ outcome: FetchAnswer) {
        let answer = answer
        self.answer = nil
        close()
        answer?(outcome)
    }

    private func watch() {
        let patience = FetchErrand.patienceMilliseconds
        wait(patience, atMost: patience + 5000) { [self] in
            let front = page?.page.pointee.front.load(ordering: .acquiring) ?? 0
            // A feed is tried once; the fetching process reports the failure.
            if kind == StreamPacket.get && front == lastFront {
                return finish(.failed(waiting.isEmpty ? "nothing comes any more" : waiting))
            }
            lastFront = front
            watch()
        }
    }

    private func take(_ kind: UInt8, _ text: String, _ descriptor: consuming FileDescriptor) {
        switch kind {
        case StreamPacket.file where self.kind == StreamPacket.get && descriptor.number >= 0: file = consume descriptor
        case StreamPacket.ring: finish(.failed("it goes on for ever"))
        case StreamPacket.waiting: waiting = text
        case StreamPacket.failed: finish(.failed(text))
        case StreamPacket.changed: finish(.failed("the server has something else there now"))
        case StreamPacket.unchanged where self.kind == StreamPacket.feed: finish(.unchanged(movedTo: text))
        case StreamPacket.records where self.kind == StreamPacket.feed && descriptor.number >= 0:
            finish(.records(FeedPages(descriptor)))
        case StreamPacket.progress:
            guard let page, page.page.pointee.state.load(ordering: .acquiring) == StreamState.whole,
                let whole = file.take()
            else { return }
            let bytes = StreamPage.held(page.page.pointee.front.load(ordering: .acquiring))
            finish(.whole(FetchedFile(whole, name: name, bytes: bytes)))
        default: break
        }
    }
}

/// Requests of one urgency, one at a time. Control thread.
public final class ErrandDesk {
    private let process: FetchProcess
    private var waiting: [FetchErrand] = []
    private var current: FetchErrand?
    /// The request that ended last: it reports that from within its own call.
    private var ended: FetchErrand?

    private static let most = 2000

    public init(_ process: FetchProcess) { self.process = process }

    public func fetchFeed(
        _ address: String, entityTag: String, lastModified: String, finish: @escaping (FetchAnswer) -> Void
    ) {
        let text = address + "\n" + entityTag + "\n" + lastModified
        add(StreamPacket.feed, text, StreamAddress.shown(address), answer: finish)
    }

    public func fetch(_ question: StreamQuestion, finish: @escaping (FetchAnswer) -> Void) {
        add(StreamPacket.get, question.text, StreamAddress.shown(question.address), answer: finish)
    }

    /// Reports that the cache may evict the file of this name first.
    public func tellHeard(_ name: String) { add(StreamPacket.heard, name, name) { _ in } }

    /// Drops all requests: no further answers follow.
    public func close() {
        waiting = []
        current?.drop()
        current = nil
    }

    private func add(_ kind: UInt8, _ text: String, _ name: String, answer: @escaping (FetchAnswer) -> Void) {
        if waiting.count >= ErrandDesk.most { return answer(.failed("too much is to be fetched")) }
        waiting.append(
            FetchErrand(process, kind, text, name: name) { [unowned(unsafe) self] outcome in
                answer(outcome)
                ended = current
                current = nil
                next()
            })
        next()
    }

    /// Starts the next request. Do not call it from within an answer.
    private func next() {
        guard current == nil, !waiting.isEmpty else { return }
        let errand = waiting.removeFirst()
        current = errand
        process.loop.schedule(at: process.loop.now) { [self] in if current === errand { errand.begin() } }
    }
}
