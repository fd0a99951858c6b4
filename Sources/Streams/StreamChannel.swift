// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Media
import Posix
import Synchronization

/// One fetched stream: the page that both processes have, and the file once there is one. Control thread, but for what says otherwise.
public final class StreamChannel: MediaStream, @unchecked Sendable {
    /// The file, and the way of reading it. Constant once it is known.
    final class Opened: @unchecked Sendable {
        let file: FileDescriptor
        let isLive: Bool
        /// Of what is live: the length of the ring. Held to what can be: the other process is not trusted.
        let ringBytes: Int64

        init(_ file: consuming FileDescriptor, isLive: Bool) {
            let bytes = isLive ? (try? file.status())?.bytes : nil
            ringBytes = StreamPacket.held(ringBytes: bytes ?? 0)
            self.file = file
            self.isLive = isLive
        }
    }

    /// The name of the stream here.
    public let address: String
    let question: StreamQuestion
    /// Any thread.
    public let name: String
    let shared: SharedPage
    /// Any thread: has the fetching process look at where it is to fetch.
    let jumpWake: WakeSignal
    /// Any thread; nil while there is none.
    let opened = OnceWritten<Opened>()
    /// Why nothing more will come. Any thread: the state is of the other process's page, and says so before its words are here.
    private let failed = OnceWritten<String>()
    private let beginning = LiveBeginning()
    private let stalls = StreamStalls()

    /// - Parameter question: nil where the address is what a person gave.
    init(_ address: String, _ question: StreamQuestion? = nil) throws(PosixError) {
        let question = question ?? StreamQuestion(address: address)
        self.address = address
        self.question = question
        name = StreamAddress.shown(question.address)
        shared = try SharedPage()
        jumpWake = try WakeSignal()
    }

    func didOpen(_ file: consuming FileDescriptor, isLive: Bool) { opened.write(Opened(file, isLive: isLive)) }

    /// Returns whether it is the file that is already open.
    func isSame(_ other: borrowing FileDescriptor) -> Bool {
        guard let opened = opened.value, let one = try? opened.file.status(), let other = try? other.status() else {
            return false
        }
        return one.identity == other.identity
    }

    func didFail(_ message: String) {
        failed.write(message)
        set(state: StreamState.failed)
    }

    /// The bytes here are of another recording than those that come.
    func didChange() { set(state: StreamState.changed) }

    private func set(state: Int) { shared.page.pointee.state.store(state, ordering: .releasing) }

    /// Any thread, once the state says that it has failed.
    var failure: PosixError {
        PosixError(code: ENOENT, operation: name, explanation: failureWords)
    }

    /// Why nothing more will come; nil while it may.
    public var failureWords: String? { failed.value.flatMap { $0.isEmpty ? nil : $0 } }

    /// Any thread. Held to what can be: the other process is not trusted.
    var secondBytes: Int {
        let pace = shared.page.pointee.pace.load(ordering: .relaxed)
        let said = pace > 0 ? pace : shared.page.pointee.secondBytes.load(ordering: .relaxed)
        return max(1024, min(256 * 1024, said))
    }

    /// Bytes that are present and unread.
    public var aheadBytes: Int64 {
        let place = consumedBytes
        return max(0, (isLive ? frontBytes : reach(from: place)) - place)
    }

    /// The playing time of those bytes.
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

    public func starves() { if !isLive { stalls.begin() } }

    /// Feed and worker threads: true if so many present bytes are enough to continue.
    func isEnough(_ bytes: Int64) -> Bool {
        if bytes < Int64(secondBytes) * stalls.secondsToWaitFor { return false }
        stalls.end()
        return true
    }

    /// Any thread: true if a place may be fetched before the bytes in front of it.
    public var takesJumps: Bool { shared.page.pointee.takesJumps.load(ordering: .acquiring) == 1 && lengthBytes != nil }

    /// Any thread: of the whole; nil if it is unknown.
    public var lengthBytes: Int64? {
        let length = shared.page.pointee.length.load(ordering: .acquiring)
        return length < 0 ? nil : StreamPage.held(length)
    }

    /// Any thread.
    public func hasAll(upTo place: Int64) -> Bool { isWhole || min(place, lengthBytes ?? .max) <= frontBytes }

    /// Any thread: up to where all is there.
    func reach(from place: Int64) -> Int64 { shared.page.pointee.reach(from: place) }

    /// Any thread: present bytes from the start on, and bytes read; bounded for safe arithmetic.
    var frontBytes: Int64 { StreamPage.held(shared.page.pointee.front.load(ordering: .acquiring)) }
    var consumedBytes: Int64 { StreamPage.held(shared.page.pointee.consumed.load(ordering: .relaxed)) }

    /// Any thread. A value outside `StreamState` is a failure, and a failure counts once its words are here.
    var state: Int {
        switch shared.page.pointee.state.load(ordering: .acquiring) {
        case StreamState.flowing: StreamState.flowing
        case StreamState.whole: StreamState.whole
        case StreamState.changed: StreamState.changed
        default: failed.value != nil ? StreamState.failed : StreamState.flowing
        }
    }

    /// Control thread: the page says that nothing more will come, and no words have.
    var isHopeless: Bool {
        let state = shared.page.pointee.state.load(ordering: .acquiring)
        return state < StreamState.flowing || state == StreamState.failed || state > StreamState.changed
    }

    // MARK: MediaStream

    public var isReady: Bool {
        let isOpen = opened.value != nil
        if state != StreamState.flowing { return state != StreamState.whole || isOpen }
        return isOpen && (frontBytes >= Int64(secondBytes) || lengthBytes.map { frontBytes >= $0 } ?? false)
    }

    public var isMissingBytes: Bool {
        let wanted = shared.page.pointee.wanted.load(ordering: .acquiring)
        guard state == StreamState.flowing, wanted < .max else { return false }
        let place = StreamPage.held(wanted)
        let there = isLive ? frontBytes : reach(from: place)
        return there - place < Int64(secondBytes) && there < lengthBytes ?? .max
    }

    public var isWhole: Bool { opened.value.map { !$0.isLive } ?? false && state == StreamState.whole }

    public var mayBringMore: Bool { state == StreamState.flowing }

    public var isLive: Bool { opened.value?.isLive ?? false }

    public func didBegin(isRejoinable: Bool) { beginning.begin(isRejoinable: isRejoinable || !isLive) }

    /// Feed and worker threads: the place to begin a live stream at.
    var liveStart: Int64 { beginning.place(consumed: consumedBytes) }

    /// Any thread: true if the bytes read of a live stream are no longer needed.
    var letsGo: Bool { beginning.hasBegun }

    public func open() throws(SourceError) -> any ByteSource {
        guard let opened = opened.value else {
            if state == StreamState.failed { throw SourceError(failure, mayPass: false) }
            throw .notThereYet(name)
        }
        if beginning.isSpent {
            // Asked for anew, it begins at a beginning.
            throw SourceError(
                PosixError(code: ESTALE, operation: "read " + name, explanation: "its middle is no beginning"))
        }
        return StreamSource(self, opened)
    }
}
