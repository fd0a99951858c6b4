// SPDX-License-Identifier: Apache-2.0
import CPosix
import Synchronization

/// A single-producer single-consumer ring of bytes: the feed thread reserves and commits, the audio thread peeks and consumes. It hands out
/// contiguous memory, so a wrap gives a short span and never a copy.
///
/// Positions count bytes since the ring was emptied and never wrap (64 bits on every machine); each side loads the other's position
/// acquiring and stores its own releasing. Memory is first touched when filled, so an unused ring costs only address space.
public struct ByteRing: ~Copyable {
    private let capacity: Atomic<Int>
    private let madeForBytes: Int
    private let memory: UnsafeMutableRawPointer
    private let written = Atomic<Int64>(0)
    private let consumed = Atomic<Int64>(0)

    public init(capacityBytes: Int) {
        capacity = Atomic(capacityBytes)
        madeForBytes = capacityBytes
        memory = .allocate(byteCount: capacityBytes, alignment: 64)
    }

    deinit { memory.deallocate() }

    /// The capacity in bytes; `reset` may lower it below the allocated size. Any thread.
    public var capacityBytes: Int { @_noLocks @_noAllocation get { capacity.load(ordering: .relaxed) } }

    /// The number of bytes ready for the consumer. Either side may ask. Afterward it can only have grown (consumer) or shrunk (producer).
    /// For other threads it is a figure to show.
    @_noLocks @_noAllocation
    public borrowing func filledBytes() -> Int {
        // Load in this order: consumed bytes never exceed the written ones.
        let begin = consumed.load(ordering: .acquiring)
        return Int(written.load(ordering: .acquiring) - begin)
    }

    /// Consumer: the number of bytes used since the ring was emptied.
    @_noLocks @_noAllocation
    public borrowing func consumedBytes() -> Int64 { consumed.load(ordering: .relaxed) }

    /// Producer: the number of bytes committed since the ring was emptied.
    @_noLocks @_noAllocation
    public borrowing func committedBytes() -> Int64 { written.load(ordering: .relaxed) }

    /// Producer: the free memory up to the wrap; empty if the ring is full.
    @_noLocks @_noAllocation
    public borrowing func reserve() -> UnsafeMutableRawBufferPointer {
        let end = written.load(ordering: .relaxed)
        let capacityBytes = capacityBytes
        let free = capacityBytes - Int(end - consumed.load(ordering: .acquiring))
        let offset = Int(end % Int64(capacityBytes))
        return UnsafeMutableRawBufferPointer(start: memory + offset, count: min(free, capacityBytes - offset))
    }

    /// Producer: commits the first `bytes` of the reserved memory.
    @_noLocks @_noAllocation
    public borrowing func commit(_ bytes: Int) {
        written.store(written.load(ordering: .relaxed) + Int64(bytes), ordering: .releasing)
    }

    /// Consumer: the filled memory up to the wrap; empty if nothing is ready.
    @_noLocks @_noAllocation
    public borrowing func peek() -> UnsafeRawBufferPointer {
        let begin = consumed.load(ordering: .relaxed)
        let filled = Int(written.load(ordering: .acquiring) - begin)
        let capacityBytes = capacityBytes
        let offset = Int(begin % Int64(capacityBytes))
        return UnsafeRawBufferPointer(start: memory + offset, count: min(filled, capacityBytes - offset))
    }

    /// Consumer: releases the first `bytes` of the peeked memory.
    @_noLocks @_noAllocation
    public borrowing func consume(_ bytes: Int) {
        consumed.store(consumed.load(ordering: .relaxed) + Int64(bytes), ordering: .releasing)
    }

    /// Releases the memory after the first `bytes`, for a ring that will hold no more. It is touched again when filled. Call it only while
    /// neither side uses the ring.
    public borrowing func giveBack(from bytes: Int) {
        if bytes < madeForBytes { ns_give_back(memory + bytes, madeForBytes - bytes) }
    }

    /// Empties the ring, and limits it to `capacityBytes`: untouched pages cost no memory. Call it only while neither side uses the ring.
    public borrowing func reset(capacityBytes: Int? = nil) {
        capacity.store(min(madeForBytes, max(1, capacityBytes ?? madeForBytes)), ordering: .relaxed)
        consumed.store(0, ordering: .relaxed)
        written.store(0, ordering: .relaxed)
    }
}
