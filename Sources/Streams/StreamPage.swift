// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Synchronization

/// The state of one stream from the fetching process, and the speaker's needs: one page of memory that both have mapped. Numbers only, and
/// each reader checks them: the other side handles data from strangers.
public struct StreamPage: ~Copyable {
    /// The page's length in memory.
    public static let bytes = 4096

    /// Fetching: the number of bytes from the start on in the file; for a live stream, the number that have ever come.
    public let front = Atomic<Int64>(0)
    /// Fetching: `StreamState`.
    public let state = Atomic<Int>(0)
    /// Fetching: the number of bytes for a second of sound, as far as the source says.
    public let secondBytes = Atomic<Int>(16 * 1024)
    /// Fetching: the length of the whole recording; -1 if it is unknown, and for an endless stream.
    public let length = Atomic<Int64>(-1)
    /// Fetching: 1 if a place can be fetched before the bytes in front of it.
    public let takesJumps = Atomic<Int>(0)
    /// Speaker: the place of the missing bytes; the fetching process signals their arrival. `Int64.max` for none.
    public let wanted = Atomic<Int64>(.max)
    /// Speaker: like `wanted`, but the bytes before it are missing too: the destination of a jump.
    public let jump = Atomic<Int64>(.max)
    /// Speaker: the end of the bytes read. Bytes of a live stream before it may be overwritten.
    public let consumed = Atomic<Int64>(0)
    /// Speaker: the number of bytes for a second of sound, once it is known; 0 before.
    public let pace = Atomic<Int>(0)

    /// Speaker: the number of read bytes that are undecoded at that time (monotonic, nanoseconds): they play before it runs dry.
    public let held = Atomic<Int64>(0)
    public let heldAt = Atomic<Int64>(0)

    /// Fetching: the present bytes, in pairs of a beginning and an end; unused pairs have no length. Written between two steps of `turn`,
    /// which is odd meanwhile.
    private let turn = Atomic<UInt>(0)
    private let bounds = InlineArray<32, Atomic<Int64>> { _ in Atomic(0) }

    init() {}

    /// Writes the present bytes. Fetching process.
    public borrowing func publish(_ spans: ByteSpans) {
        front.store(spans.front, ordering: .releasing)
        if isPublished(spans) { return }
        let now = turn.load(ordering: .relaxed)
        turn.store(now &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        for index in 0..<ByteSpans.most {
            let span = index < spans.spans.count ? spans.spans[index] : 0..<0
            bounds[index * 2].store(span.lowerBound, ordering: .relaxed)
            bounds[index * 2 + 1].store(span.upperBound, ordering: .relaxed)
        }
        turn.store(now &+ 2, ordering: .releasing)
    }

    private borrowing func isPublished(_ spans: ByteSpans) -> Bool {
        // `front` alone reports a front that grows.
        spans.spans.count <= 1 && spans.front > 0 && bounds[3].load(ordering: .relaxed) == 0
    }

    /// Returns the end of the present bytes from a place on. Speaker, any thread; it ends for any data of the other process.
    public borrowing func reach(from place: Int64) -> Int64 {
        let front = StreamPage.held(front.load(ordering: .acquiring))
        if place < front { return front }
        for _ in 0..<100 {
            let before = turn.load(ordering: .acquiring)
            var reach = place
            for index in 0..<ByteSpans.most {
                let lower = bounds[index * 2].load(ordering: .relaxed)
                let upper = bounds[index * 2 + 1].load(ordering: .relaxed)
                if lower <= place && place < upper { reach = StreamPage.held(upper) }
            }
            atomicMemoryFence(ordering: .acquiring)
            if before & 1 == 0 && turn.load(ordering: .relaxed) == before { return max(reach, place) }
        }
        return place
    }

    /// Bounds a value for safe arithmetic.
    public static func held(_ value: Int64) -> Int64 { max(0, min(Int64.max / 4, value)) }
}

public enum StreamState {
    /// More bytes follow.
    public static let flowing = 0
    /// All bytes are there: `front` is the end.
    public static let whole = 1
    /// No more bytes will ever come.
    public static let failed = 2
    /// The coming bytes belong to another recording: the stream has to be opened anew.
    public static let changed = 3
}

/// A mapping of a `StreamPage`, unmapped with the last holder. Any thread.
public final class SharedPage: @unchecked Sendable {
    /// The descriptor for the other process.
    public let descriptor: Int32
    public let page: UnsafeMutablePointer<StreamPage>

    /// Makes a page.
    public init() throws(PosixError) {
        descriptor = ns_shared_memory("nightstand-stream", StreamPage.bytes)
        if descriptor < 0 { throw .last("make shared memory") }
        guard let page = SharedPage.map(descriptor) else {
            close(descriptor)
            throw .last("map shared memory")
        }
        self.page = page
        page.initialize(to: StreamPage())
    }

    /// Maps a page of the other process.
    /// - Parameter descriptor: owned from now on. nil if it is no such page.
    public init?(owning descriptor: Int32) {
        guard ns_is_sealed_memory(descriptor, StreamPage.bytes), let page = SharedPage.map(descriptor) else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.page = page
    }

    deinit {
        munmap(page, StreamPage.bytes)
        close(descriptor)
    }

    private static func map(_ descriptor: Int32) -> UnsafeMutablePointer<StreamPage>? {
        let memory = mmap(nil, StreamPage.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        // MAP_FAILED is a macro with a cast.
        guard let memory, Int(bitPattern: memory) != -1 else { return nil }
        return memory.bindMemory(to: StreamPage.self, capacity: 1)
    }
}
