import CPosix
import Synchronization

/// A single-producer single-consumer ring of bytes: the feed thread reserves and commits, the audio thread peeks and consumes.
/// It hands out contiguous memory, so the wrap shows as a short span and never as a copy.
///
/// Positions count bytes since the ring was emptied and never wrap (64 bits on every machine); each side loads the other's
/// position acquiring and stores its own releasing. Memory is touched as it is first filled, so an unused ring costs address space only.
public struct ByteRing: ~Copyable {
    /// What it holds at most; `reset` may set it lower than it was made for.
    public private(set) var capacityBytes: Int
    private let madeForBytes: Int
    private let memory: UnsafeMutableRawPointer
    private let written = Atomic<Int64>(0)
    private let consumed = Atomic<Int64>(0)

    public init(capacityBytes: Int) {
        self.capacityBytes = capacityBytes
        madeForBytes = capacityBytes
        memory = .allocate(byteCount: capacityBytes, alignment: 64)
    }

    deinit { memory.deallocate() }

    /// Bytes ready for the consumer. Either side may ask; the answer can only have grown (consumer) or shrunk (producer).
    @_noLocks @_noAllocation
    public borrowing func filledBytes() -> Int {
        Int(written.load(ordering: .acquiring) - consumed.load(ordering: .acquiring))
    }

    /// Producer: free memory up to the wrap; empty where the ring is full.
    @_noLocks @_noAllocation
    public borrowing func reserve() -> UnsafeMutableRawBufferPointer {
        let end = written.load(ordering: .relaxed)
        let free = capacityBytes - Int(end - consumed.load(ordering: .acquiring))
        let offset = Int(end % Int64(capacityBytes))
        return UnsafeMutableRawBufferPointer(start: memory + offset, count: min(free, capacityBytes - offset))
    }

    /// Producer: the first `bytes` of the reserved memory are filled.
    @_noLocks @_noAllocation
    public borrowing func commit(_ bytes: Int) {
        written.store(written.load(ordering: .relaxed) + Int64(bytes), ordering: .releasing)
    }

    /// Consumer: filled memory up to the wrap; empty where nothing is ready.
    @_noLocks @_noAllocation
    public borrowing func peek() -> UnsafeRawBufferPointer {
        let begin = consumed.load(ordering: .relaxed)
        let filled = Int(written.load(ordering: .acquiring) - begin)
        let offset = Int(begin % Int64(capacityBytes))
        return UnsafeRawBufferPointer(start: memory + offset, count: min(filled, capacityBytes - offset))
    }

    /// Consumer: the first `bytes` of the peeked memory are done with.
    @_noLocks @_noAllocation
    public borrowing func consume(_ bytes: Int) {
        consumed.store(consumed.load(ordering: .relaxed) + Int64(bytes), ordering: .releasing)
    }

    /// Empties the ring, to hold no more than `capacityBytes` from now on: what is never touched costs no memory. Only while neither
    /// side is using it.
    public mutating func reset(capacityBytes: Int? = nil) {
        self.capacityBytes = min(madeForBytes, max(1, capacityBytes ?? madeForBytes))
        consumed.store(0, ordering: .relaxed)
        written.store(0, ordering: .relaxed)
    }
}
