import CPosix
import Posix
import Synchronization

/// What the fetching process tells of one stream and the speaker of what it needs of it: one page of memory that both have mapped. Numbers
/// only, and each is checked by who reads it: the other side handles what strangers send.
public struct StreamPage: ~Copyable {
    /// Its length in memory.
    public static let bytes = 4096

    /// Fetching: how many bytes from the start on are in the file; of what is live, how many have ever come.
    public let front = Atomic<Int64>(0)
    /// Fetching: `StreamState`.
    public let state = Atomic<Int>(0)
    /// Fetching: as many make the first second.
    public let secondBytes = Atomic<Int>(16 * 1024)
    /// Speaker: signalled once so many are there; `Int64.max` for nobody.
    public let wanted = Atomic<Int64>(.max)
    /// Speaker: read up to there. What is live and lies before it may be overwritten.
    public let consumed = Atomic<Int64>(0)

    init() {}
}

public enum StreamState {
    /// More is to come.
    public static let flowing = 0
    /// All is there: `front` is the end.
    public static let whole = 1
    /// Nothing more comes, ever.
    public static let failed = 2
    /// What comes now is another recording than what came before: to be opened anew.
    public static let changed = 3
}

/// A mapping of a `StreamPage`, taken back when nobody holds it any more. Any thread.
public final class SharedPage: @unchecked Sendable {
    /// To be passed to the other process.
    public let descriptor: Int32
    public let page: UnsafeMutablePointer<StreamPage>

    /// Makes one.
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

    /// Maps one of the other process.
    /// - Parameter descriptor: owned from now on. Nil where it is none.
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
