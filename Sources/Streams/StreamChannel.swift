// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Media
import Posix
import Synchronization

/// A fetched stream: the memory page that both processes share, and the file once there is one. Control thread, unless noted otherwise.
public final class StreamChannel: MediaStream, @unchecked Sendable {
    /// The file, and the way of reading it. Constant once it is known.
    final class Opened: @unchecked Sendable {
        let file: FileDescriptor
        let isLive: Bool
        /// The length of a live stream's ring. Bounded, since the other process is not trusted.
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
    /// The name for messages. Any thread.
    public let name: String
    let shared: SharedPage
    /// Wakes the fetching process to check the destination of a jump. Any thread.
    let jumpWake: WakeSignal
    /// The opened file; nil before. Any thread.
    let opened = OnceWritten<Opened>()
    /// The reason why no more bytes will come. Any thread: the other process sets the state on the page before its words are here.
    private let failed = OnceWritten<String>()
    private let beginning = LiveBeginning()
    private let stalls = StreamStalls()

    /// - Parameter question: nil for an address from the listener.
    init(_ address: String, _ question: StreamQuestion? = nil) throws(PosixError) {
        let question = question ?? StreamQuestion(address: address)
        self.address = address
        self.question = question
        name = StreamAddress.shown(question.address)
        shared = try SharedPage()
        jumpWake = try WakeSignal()
    }

    func didOpen(_ file: consuming FileDescriptor, isLive: Bool) { opened.write(Opened(file, isLive: isLive)) }

    /// Returns whether a file is the one that is already open.
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

    /// Notes that the coming bytes belong to another recording.
    func didChange() { set(state: StreamState.changed) }

    private func set(state: Int) { shared.page.pointee.state.store(state, ordering: .releasing) }

    /// The error of the stream, once the state says that it has failed. Any thread.
    var failure: PosixError {
        PosixError(code: ENOENT, operation: name, explanation: failureWords)
    }

    /// The reason why no more bytes will come; nil while they may.
    public var failureWords: String? { failed.value.flatMap { $0.isEmpty ? nil : $0 } }

    /// The number of bytes for a second of sound. Any thread. Bounded, since the other process is not trusted.
    var secondBytes: Int {
        let pace = shared.page.pointee.pace.load(ordering: .relaxed)
        let said = pace > 0 ? pace : shared.page.pointee.secondBytes.load(ordering: .relaxed)
        return max(1024, min(256 * 1024, said))
    }

    /// The number of present, unread bytes.
    public var aheadBytes: Int64 {
        let place = consumedBytes
        return max(0, (isLive ? frontBytes : reach(from: place)) - place)
    }

    /// The playing time of those bytes.
    public var aheadMilliseconds: Int { Int(clamping: aheadBytes.multipliedSaturated(by: 1000) / Int64(secondBytes)) }

    /// Sets the number of bytes for a second of sound. Feed thread.
    public func learn(secondBytes: Int) {
        if secondBytes > 0 { shared.page.pointee.pace.store(secondBytes, ordering: .relaxed) }
    }

    /// Notes the number of read bytes that are not decoded yet. Feed thread.
    public func holds(bytes: Int) {
        shared.page.pointee.held.store(Int64(bytes), ordering: .relaxed)
        shared.page.pointee.heldAt.store(MonotonicTime.now.nanoseconds, ordering: .relaxed)
    }

    public func starves() { if !isLive { stalls.begin() } }

    /// Returns whether this number of present bytes is enough to continue. Feed and worker threads.
    func isEnough(_ bytes: Int64) -> Bool {
        if bytes < Int64(secondBytes) * stalls.secondsToWaitFor { return false }
        stalls.end()
        return true
    }

    /// True if a place may be fetched before the bytes in front of it. Any thread.
    public var takesJumps: Bool { shared.page.pointee.takesJumps.load(ordering: .acquiring) == 1 && lengthBytes != nil }

    /// The length of the whole; nil if it is unknown. Any thread.
    public var lengthBytes: Int64? {
        let length = shared.page.pointee.length.load(ordering: .acquiring)
        return length < 0 ? nil : StreamPage.held(length)
    }

    /// Returns whether all bytes up to a place are present. Any thread.
    public func hasAll(upTo place: Int64) -> Bool { isWhole || min(place, lengthBytes ?? .max) <= frontBytes }

    /// Returns the end of the present bytes from a place on. Any thread.
    func reach(from place: Int64) -> Int64 { shared.page.pointee.reach(from: place) }

    /// The number of bytes present from the start on, and the number of bytes read; bounded for safe arithmetic. Any thread.
    var frontBytes: Int64 { StreamPage.held(shared.page.pointee.front.load(ordering: .acquiring)) }
    var consumedBytes: Int64 { StreamPage.held(shared.page.pointee.consumed.load(ordering: .relaxed)) }

    /// The state. Any thread. A value outside `StreamState` is a failure, and a failure counts once its words are here.
    var state: Int {
        switch shared.page.pointee.state.load(ordering: .acquiring) {
        case StreamState.flowing: StreamState.flowing
        case StreamState.whole: StreamState.whole
        case StreamState.changed: StreamState.changed
        default: failed.value != nil ? StreamState.failed : StreamState.flowing
        }
    }

    /// True if the page says that no more bytes will come, and no words have come. Control thread.
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

    /// The place to start a live stream at. Feed and worker threads.
    var liveStart: Int64 { beginning.place(consumed: consumedBytes) }

    /// True if the bytes read of a live stream are no longer needed. Any thread.
    var letsGo: Bool { beginning.hasBegun }

    public func open() throws(SourceError) -> any ByteSource {
        guard let opened = opened.value else {
            if state == StreamState.failed { throw SourceError(failure, mayPass: false) }
            throw .notThereYet(name)
        }
        if beginning.isSpent {
            // A new request gets the beginning that the decoder needs.
            throw SourceError(
                PosixError(code: ESTALE, operation: "read " + name, explanation: "its middle is no beginning"))
        }
        return StreamSource(self, opened)
    }
}
