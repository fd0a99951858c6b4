import CPosix
import Core
import Media
import Posix
import Synchronization

/// One stream that is fetched: the page that both processes have, and the file once there is one. Control thread, but for what says
/// otherwise.
public final class StreamChannel: MediaStream, @unchecked Sendable {
    /// The file, and how it is read. Never changes once it is known.
    final class Opened: @unchecked Sendable {
        let file: FileDescriptor
        let isLive: Bool
        /// Of what is live: how long the ring is. Held to what can be: the other process is not trusted.
        let ringBytes: Int64

        init(_ file: consuming FileDescriptor, isLive: Bool) {
            let bytes = isLive ? (try? file.status())?.bytes : nil
            ringBytes = StreamPacket.held(ringBytes: bytes ?? 0)
            self.file = file
            self.isLive = isLive
        }
    }

    /// What it goes by here.
    public let address: String
    let question: StreamQuestion
    /// Any thread.
    public let name: String
    let shared: SharedPage
    /// Any thread: has the fetching process look at where it is to fetch.
    let jumpWake: WakeSignal
    /// Written once, before `hasOpened`.
    private var opened: Opened?
    private let hasOpened = Atomic<Bool>(false)
    private let live = Atomic<Bool>(false)
    /// Of what is live: where playing begins, -1 before anybody has looked; and whether it has begun.
    private let beginning = Atomic<Int64>(-1)
    private let begun = Atomic<Bool>(false)
    private let isSpent = Atomic<Bool>(false)
    /// How often sound had to wait for more of it, and whether it does.
    private let stallCount = Atomic<Int>(0)
    private let isStalled = Atomic<Bool>(false)
    /// Why nothing more will come. Written once, before `hasFailed`, which any thread may ask: the state is of the other process's page, and
    /// says so before its words are here.
    private var failureMessage = ""
    private let hasFailed = Atomic<Bool>(false)

    /// The connection to the fetching process; nil while there is none.
    var connection: Int32?
    /// Why nothing comes at the moment; "" while it does.
    public internal(set) var waitMessage = ""
    /// Which of several renditions is fetched, in words; "" where there is one.
    public internal(set) var rendition = ""
    /// Of the connection: tried again by then.
    var backoff = Backoff(firstMilliseconds: 250, longestMilliseconds: 10_000)
    var reconnects: EventLoop.TimerToken?

    /// - Parameter question: nil where the address is what a person gave.
    init(_ address: String, _ question: StreamQuestion? = nil) throws(PosixError) {
        let question = question ?? StreamQuestion(address: address)
        self.address = address
        self.question = question
        name = StreamAddress.shown(question.address)
        shared = try SharedPage()
        jumpWake = try WakeSignal()
    }

    deinit { if let connection { close(connection) } }

    func didOpen(_ file: consuming FileDescriptor, isLive: Bool) {
        if opened != nil { return }
        opened = Opened(file, isLive: isLive)
        live.store(isLive, ordering: .relaxed)
        hasOpened.store(true, ordering: .releasing)
    }

    var isOpen: Bool { opened != nil }

    /// Whether it is the same file.
    func isSame(_ other: borrowing FileDescriptor) -> Bool {
        guard let opened, let one = try? opened.file.status(), let other = try? other.status() else { return false }
        return one.identity == other.identity
    }

    func didFail(_ message: String) {
        if hasFailed.load(ordering: .relaxed) { return }
        failureMessage = message
        hasFailed.store(true, ordering: .releasing)
        waitMessage = ""
        shared.page.pointee.state.store(StreamState.failed, ordering: .releasing)
    }

    /// Any thread, once the state says that it has failed.
    var failure: PosixError {
        PosixError(code: ENOENT, operation: name, explanation: failureWords)
    }

    /// Why nothing more will come; nil while it may.
    public var failureWords: String? {
        hasFailed.load(ordering: .acquiring) && !failureMessage.isEmpty ? failureMessage : nil
    }

    /// Any thread. Held to what can be: the other process is not trusted.
    var secondBytes: Int {
        let pace = shared.page.pointee.pace.load(ordering: .relaxed)
        let said = pace > 0 ? pace : shared.page.pointee.secondBytes.load(ordering: .relaxed)
        return max(1024, min(256 * 1024, said))
    }

    /// Bytes that are there and have not been read yet.
    public var aheadBytes: Int64 {
        let place = consumedBytes
        return max(0, (isLive ? frontBytes : reach(from: place)) - place)
    }

    /// How long that plays.
    public var aheadMilliseconds: Int { Int(clamping: aheadBytes.multipliedSaturated(by: 1000) / Int64(secondBytes)) }

    /// Feed thread: so many bytes play for a second.
    public func learn(secondBytes: Int) {
        if secondBytes > 0 { shared.page.pointee.pace.store(secondBytes, ordering: .relaxed) }
    }

    /// Feed thread.
    public func holds(bytes: Int) {
        shared.page.pointee.held.store(Int64(bytes), ordering: .relaxed)
        shared.page.pointee.heldAt.store(MonotonicTime.now.nanoseconds, ordering: .relaxed)
    }

    public func starves() {
        if isLive || isStalled.exchange(true, ordering: .relaxed) { return }
        stallCount.add(1, ordering: .relaxed)
    }

    /// Feed and worker threads: whether so many bytes that are there are enough to go on. Where a server cannot keep up with a recording,
    /// sound comes in long pieces, and not a second at a time.
    func isEnough(_ bytes: Int64) -> Bool {
        var seconds: Int64 = 1
        if isStalled.load(ordering: .relaxed) {
            switch stallCount.load(ordering: .relaxed) {
            case ...1: break
            case 2: seconds = 4
            case 3: seconds = 8
            default: seconds = 16
            }
        }
        if bytes < Int64(secondBytes) * seconds { return false }
        isStalled.store(false, ordering: .relaxed)
        return true
    }

    /// Any thread: whether a place may be fetched before what comes before it.
    public var takesJumps: Bool { shared.page.pointee.takesJumps.load(ordering: .acquiring) == 1 && lengthBytes != nil }

    /// Any thread: of the whole; nil while nobody knows.
    public var lengthBytes: Int64? {
        let length = shared.page.pointee.length.load(ordering: .acquiring)
        return length < 0 ? nil : StreamPage.held(length)
    }

    /// Any thread.
    public func hasAll(upTo place: Int64) -> Bool { isWhole || min(place, lengthBytes ?? .max) <= frontBytes }

    /// Any thread: up to where all is there.
    func reach(from place: Int64) -> Int64 { shared.page.pointee.reach(from: place) }

    /// Any thread: bytes that are there, from the start on, and those that were read; held to what can be reckoned with.
    var frontBytes: Int64 { StreamPage.held(shared.page.pointee.front.load(ordering: .acquiring)) }
    var consumedBytes: Int64 { StreamPage.held(shared.page.pointee.consumed.load(ordering: .relaxed)) }

    /// Any thread. What is none of `StreamState` is a failure, and a failure is one once its words are here.
    var state: Int {
        switch shared.page.pointee.state.load(ordering: .acquiring) {
        case StreamState.flowing: StreamState.flowing
        case StreamState.whole: StreamState.whole
        case StreamState.changed: StreamState.changed
        default: hasFailed.load(ordering: .acquiring) ? StreamState.failed : StreamState.flowing
        }
    }

    /// Control thread: the page says that nothing more will come, and no words have.
    var isHopeless: Bool {
        let state = shared.page.pointee.state.load(ordering: .acquiring)
        return state < StreamState.flowing || state == StreamState.failed || state > StreamState.changed
    }

    // MARK: MediaStream

    public var isReady: Bool {
        if state != StreamState.flowing { return state != StreamState.whole || opened != nil }
        return opened != nil && (frontBytes >= Int64(secondBytes) || lengthBytes.map { frontBytes >= $0 } ?? false)
    }

    public var isMissingBytes: Bool {
        let wanted = shared.page.pointee.wanted.load(ordering: .acquiring)
        guard state == StreamState.flowing, wanted < .max else { return false }
        let place = StreamPage.held(wanted)
        let there = isLive ? frontBytes : reach(from: place)
        return there - place < Int64(secondBytes) && there < lengthBytes ?? .max
    }

    public var isWhole: Bool { hasOpened.load(ordering: .acquiring) && state == StreamState.whole && !isLive }

    public var mayBringMore: Bool { state == StreamState.flowing }

    public var isLive: Bool { live.load(ordering: .relaxed) }

    public func didBegin(isRejoinable: Bool) {
        begun.store(true, ordering: .releasing)
        if isLive && !isRejoinable { isSpent.store(true, ordering: .releasing) }
    }

    /// Feed and worker threads: where to begin with what is live. The same until it plays, for its beginning may be looked at several times.
    func liveStart(_ consumed: Int64) -> Int64 {
        if begun.load(ordering: .acquiring) { return consumed }
        let known = beginning.load(ordering: .relaxed)
        if known >= 0 { return known }
        beginning.store(consumed, ordering: .relaxed)
        return consumed
    }

    /// Any thread: what was read of what is live is not needed again.
    var letsGo: Bool { begun.load(ordering: .relaxed) }

    /// Asked for anew, it begins at a beginning.
    private static func spent(_ name: String) -> PosixError {
        PosixError(code: ESTALE, operation: "read " + name, explanation: "its middle is no beginning")
    }

    public func open() throws(SourceError) -> any ByteSource {
        guard hasOpened.load(ordering: .acquiring), let opened else {
            if state == StreamState.failed { throw SourceError(failure, mayPass: false) }
            throw .notThereYet(name)
        }
        if isSpent.load(ordering: .acquiring) { throw SourceError(StreamChannel.spent(name)) }
        return StreamSource(self, opened)
    }
}
