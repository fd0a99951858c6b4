// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Streams
import Synchronization

/// A speaker that wants a stream: its connection, the shared page, and its wake-ups.
final class FetchPeer {
    private static let progressMilliseconds: Int64 = 250

    let socket: FileDescriptor
    private(set) var page: SharedPage?
    private var wake: Int32 = -1
    /// A descriptor that is readable once the speaker wants another place; -1 if it never will.
    private(set) var jumpWake: Int32 = -1
    /// True once the speaker has the file.
    private(set) var hasFile = false
    private var lastProgress: MonotonicTime?
    private(set) var isGone = false
    /// The time of its connection.
    let since = MonotonicTime.now

    init(_ socket: consuming FileDescriptor) { self.socket = socket }

    deinit { for number in [wake, jumpWake] where number >= 0 { close(number) } }

    /// A speaker's request.
    enum Question {
        case stream(StreamQuestion)
        case feed(String)
        case heard(String)
    }
    /// True once it has sent a request.
    private(set) var hasAsked = false

    /// Reads its request; nil if there is none yet. A malformed one ends the connection.
    func receive() -> Question? {
        switch StreamPacket.receive(from: socket.number) {
        case .nothing: return nil
        case .end:
            isGone = true
            return nil
        case .packet(let kind, let text, let descriptors):
            let question = StreamQuestion(text: text)
            let isFirst = !hasAsked
            hasAsked = true
            guard kind == StreamPacket.get, isFirst, descriptors.count >= 2, let question else {
                for descriptor in descriptors { close(descriptor) }
                if isFirst && kind == StreamPacket.feed { return .feed(text) }
                isGone = true
                if isFirst && kind == StreamPacket.heard { return .heard(text) }
                return nil
            }
            wake = descriptors[1]
            if descriptors.count > 2 { jumpWake = descriptors[2] }
            page = SharedPage(owning: descriptors[0])
            if page == nil { isGone = true }
            return page == nil ? nil : .stream(question)
        }
    }

    func tell(_ kind: UInt8, _ text: String = "", descriptors: [Int32] = []) {
        if !StreamPacket.send(kind, text, descriptors: descriptors, to: socket.number) && ns_errno() != EAGAIN {
            isGone = true
        }
    }

    /// Sends the speaker the file of the bytes.
    /// - Parameter kind: `StreamPacket.file` or `.ring`.
    func give(_ kind: UInt8, _ file: borrowing FileDescriptor) {
        hasFile = true
        tell(kind, descriptors: [file.number])
    }

    /// Reports progress now and then.
    /// - Parameter isNeeded: true if the speaker will soon need the bytes; the first report comes in any case.
    func tellProgress(isNeeded: Bool) {
        let now = MonotonicTime.now
        if let lastProgress, !isNeeded || now.milliseconds(since: lastProgress) < FetchPeer.progressMilliseconds {
            return
        }
        lastProgress = now
        tell(StreamPacket.progress)
    }

    /// Tells the speaker to ask again, since another recording comes.
    func tellChanged() {
        page?.page.pointee.state.store(StreamState.changed, ordering: .releasing)
        let wanted = page?.page.pointee.wanted.exchange(.max, ordering: .acquiringAndReleasing) ?? .max
        if wanted != .max { _ = ns_eventfd_signal(wake) }
        tell(StreamPacket.changed)
    }

    /// Publishes the present bytes on the page.
    func publish(_ map: CacheMap, takesJumps: Bool, state: Int, secondBytes: Int) {
        guard let page = page?.page else { return }
        page.pointee.length.store(map.length ?? -1, ordering: .relaxed)
        page.pointee.takesJumps.store(takesJumps ? 1 : 0, ordering: .relaxed)
        page.pointee.publish(map.spans)
        page.pointee.secondBytes.store(secondBytes, ordering: .relaxed)
        page.pointee.state.store(state, ordering: .releasing)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        func isThere(_ wanted: Int64) -> Bool {
            let reach = map.spans.reach(from: wanted)
            return reach - wanted >= Int64(secondBytes) || reach >= map.length ?? .max
        }
        let hasJumped = jump.map { isThere($0) } ?? false
        if hasJumped { page.pointee.jump.store(.max, ordering: .relaxed) }
        let isAnswered = wanted.map { state != StreamState.flowing || isThere($0) } ?? false
        if isAnswered { page.pointee.wanted.store(.max, ordering: .relaxed) }
        if hasJumped || isAnswered { _ = ns_eventfd_signal(wake) }
    }

    /// The place of the missing bytes that the speaker waits for; nil for none.
    var wanted: Int64? { FetchPeer.held(page?.page.pointee.wanted.load(ordering: .relaxed)) }
    /// The destination of a jump that the speaker waits for; nil for none.
    var jump: Int64? { FetchPeer.held(page?.page.pointee.jump.load(ordering: .relaxed)) }

    /// Bounds a place for safe arithmetic.
    private static func held(_ place: Int64?) -> Int64? {
        guard let place, place >= 0, place <= Int64.max / 4 else { return nil }
        return place
    }

    /// The number of bytes for a second of sound, from the speaker; 0 before it is known.
    var secondBytes: Int { max(0, min(256 * 1024, page?.page.pointee.pace.load(ordering: .relaxed) ?? 0)) }

    /// The listener's estimated place: the last read byte less the undecoded ones, and the age of that figure.
    var ear: (place: Int64, ago: Int) {
        guard let page = page?.page else { return (0, 0) }
        let held = max(0, min(256 * 1024, page.pointee.held.load(ordering: .relaxed)))
        let at = page.pointee.heldAt.load(ordering: .relaxed)
        let ago = MonotonicTime.now.nanoseconds.subtractingReportingOverflow(at)
        return (max(0, consumed - held), ago.overflow ? 0 : Int(clamping: max(0, ago.partialValue) / 1_000_000))
    }

    var consumed: Int64 { StreamPage.held(page?.page.pointee.consumed.load(ordering: .relaxed) ?? 0) }
}
