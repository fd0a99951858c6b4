import CPosix
import Media
import Posix
import Synchronization

/// One thing that is fetched whole and then done with: a feed, an episode ahead of its time, words, a picture. A connection of its own to
/// the fetching process, for as long as it takes. Control thread; nothing here waits.
final class FetchErrand {
    enum Answer {
        case whole(FetchedFile)
        case records(FeedPages)
        case unchanged(movedTo: String)
        case failed(String)
    }

    /// One that nobody is there for yet is started meanwhile.
    private static let connectMilliseconds = 100
    private static let mostConnects = 100
    /// Where nothing has come for so long it is given up, and tried another time.
    private static let patienceMilliseconds = 60_000

    private let desk: ErrandDesk
    private let kind: UInt8
    private let text: String
    private let name: String
    private var answer: ((Answer) -> Void)?
    private var connection: Int32 = -1
    private var page: SharedPage?
    private var file: FileDescriptor?
    private var connects = 0
    private var timer: EventLoop.TimerToken?
    private var lastFront: Int64 = -1
    private var waiting = ""

    init(
        _ desk: ErrandDesk, _ kind: UInt8, _ text: String, name: String, answer: @escaping (Answer) -> Void
    ) {
        self.desk = desk
        self.kind = kind
        self.text = text
        self.name = name
        self.answer = answer
    }

    func begin() {
        do throws(PosixError) {
            let socket = try UnixSocket.connect(desk.socketPath, .packets)
            let number = dup(socket.number)
            if number < 0 { throw .last("connect to \(desk.socketPath)") }
            ns_set_close_on_exec(number)
            connection = number
            var descriptors: [Int32] = []
            if kind == StreamPacket.get {
                let page = try SharedPage()
                self.page = page
                descriptors = [page.descriptor, desk.feedWake]
            }
            StreamPacket.send(kind, text, descriptors: descriptors, to: number)
            if kind == StreamPacket.heard { return finish(.unchanged(movedTo: "")) }
            try desk.loop.add(number, .readable) { [self] _ in receive() }
            watch()
        } catch {
            if error.code != ENOENT && error.code != ECONNREFUSED {
                return finish(.failed("the fetching process does not answer: " + error.message))
            }
            guard let launch = desk.launch else {
                return finish(.failed("nobody fetches: systemctl enable --now nightstand-fetch.socket"))
            }
            connects += 1
            if connects == 1, let problem = launch() { return finish(.failed(problem)) }
            if connects > FetchErrand.mostConnects { return finish(.failed("the fetching process does not start")) }
            let due = desk.loop.now.adding(milliseconds: FetchErrand.connectMilliseconds)
            timer = desk.loop.schedule(at: due, latest: due) { [self] in
                timer = nil
                begin()
            }
        }
    }

    /// Nobody wants it any more: there is no answer.
    func drop() {
        answer = nil
        close()
    }

    private func close() {
        if let timer { desk.loop.cancel(timer) }
        timer = nil
        if connection >= 0 {
            desk.loop.remove(connection)
            CPosix.close(connection)
        }
        connection = -1
        page = nil
        file = nil
    }

    private func finish(_ outcome: Answer) {
        let answer = answer
        self.answer = nil
        close()
        answer?(outcome)
    }

    private func watch() {
        let due = desk.loop.now.adding(milliseconds: FetchErrand.patienceMilliseconds)
        timer = desk.loop.schedule(at: due, latest: due.adding(milliseconds: 5000)) { [self] in
            timer = nil
            let front = page?.page.pointee.front.load(ordering: .acquiring) ?? 0
            // A feed is tried once, and the fetching process says when that has failed.
            if kind == StreamPacket.get && front == lastFront {
                return finish(.failed(waiting.isEmpty ? "nothing comes any more" : waiting))
            }
            lastFront = front
            watch()
        }
    }

    private func receive() {
        for _ in 0..<16 {
            switch StreamPacket.receive(from: connection) {
            case .nothing: return
            case .end: return finish(.failed("the fetching process has ended"))
            case .packet(let kind, let text, let descriptors):
                for more in descriptors.dropFirst() { CPosix.close(more) }
                take(kind, StreamDesk.oneLine(text), FileDescriptor(owning: descriptors.first ?? -1))
                if answer == nil { return }
            }
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
            let bytes = max(0, min(Int64.max / 4, page.page.pointee.front.load(ordering: .acquiring)))
            finish(.whole(FetchedFile(whole, name: name, bytes: bytes)))
        default: break
        }
    }
}

/// Errands of one urgency, one at a time. Control thread.
public final class ErrandDesk {
    public typealias Failure = String

    let loop: EventLoop
    let socketPath: String
    let feedWake: Int32
    /// Starts the fetching process where nobody listens; nil where that is the service manager's business.
    let launch: (() -> String?)?
    private var waiting: [FetchErrand] = []
    private var current: FetchErrand?
    /// The last that is done with: it is still in its own call when it says so.
    private var ended: FetchErrand?

    private static let most = 2000

    public init(loop: EventLoop, socketPath: String, feedWake: Int32, launch: (() -> String?)?) {
        self.loop = loop
        self.socketPath = socketPath
        self.feedWake = feedWake
        self.launch = launch
    }

    /// What a feed's answer is.
    public enum FeedAnswer {
        case records(FeedPages)
        /// With its address, where that is another for good.
        case unchanged(movedTo: String)
        case failed(String)
    }

    public func fetchFeed(
        _ address: String, entityTag: String, lastModified: String, finish: @escaping (FeedAnswer) -> Void
    ) {
        let text = address + "\n" + entityTag + "\n" + lastModified
        add(StreamPacket.feed, text, StreamAddress.shown(address)) { answer in
            switch answer {
            case .records(let pages): finish(.records(pages))
            case .unchanged(let movedTo): finish(.unchanged(movedTo: movedTo))
            case .failed(let message): finish(.failed(message))
            case .whole: finish(.failed("the fetching process makes no sense"))
            }
        }
    }

    /// - Parameter finish: with what was fetched, or nil and why not.
    public func fetch(_ question: StreamQuestion, finish: @escaping (FetchedFile?, _ problem: String) -> Void) {
        add(StreamPacket.get, question.text, StreamAddress.shown(question.address)) { answer in
            switch answer {
            case .whole(let file): finish(file, "")
            case .failed(let message): finish(nil, message)
            default: finish(nil, "the fetching process makes no sense")
            }
        }
    }

    /// What goes by this name in the cache may go before all others.
    public func tellHeard(_ name: String) { add(StreamPacket.heard, name, name) { _ in } }

    /// Lets go of all: nothing is answered any more.
    public func close() {
        waiting = []
        current?.drop()
        current = nil
    }

    private func add(_ kind: UInt8, _ text: String, _ name: String, answer: @escaping (FetchErrand.Answer) -> Void) {
        if waiting.count >= ErrandDesk.most { return answer(.failed("too much is to be fetched")) }
        waiting.append(
            FetchErrand(self, kind, text, name: name) { [unowned(unsafe) self] outcome in
                answer(outcome)
                ended = current
                current = nil
                next()
            })
        next()
    }

    /// Not from within an answer: each begins on its own.
    private func next() {
        guard current == nil, !waiting.isEmpty else { return }
        let errand = waiting.removeFirst()
        current = errand
        loop.schedule(at: loop.now) { [self] in if current === errand { errand.begin() } }
    }
}
