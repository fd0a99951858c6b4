import Synchronization

/// Numbers that one thread publishes together and another reads together, neither ever waiting for a lock (a sequence lock).
/// Every word is atomic, so a torn read is noticed and begun again, never undefined.
public struct Snapshot: ~Copyable {
    public static var words: Int { 12 }

    private let sequence = Atomic<Int>(0)
    private let storage: UnsafeMutablePointer<Atomic<Int64>>

    public init() {
        storage = .allocate(capacity: Snapshot.words)
        for i in 0..<Snapshot.words { (storage + i).initialize(to: Atomic<Int64>(0)) }
    }

    deinit { storage.deallocate() }

    /// The one writer.
    @_noLocks @_noAllocation
    public borrowing func publish(_ values: InlineArray<12, Int64>) {
        let before = sequence.load(ordering: .relaxed)
        sequence.store(before &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        var i = 0
        while i < 12 {
            storage[i].store(values[i], ordering: .relaxed)
            i += 1
        }
        sequence.store(before &+ 2, ordering: .releasing)
    }

    /// Any reader; spins for the nanoseconds that a writer may be in the middle. A reader of lower priority on the writer's own
    /// core cannot meet a half-written state, since the writer does not give up the processor there.
    @_noLocks @_noAllocation
    public borrowing func read() -> InlineArray<12, Int64> {
        var values = InlineArray<12, Int64>(repeating: 0)
        while true {
            let before = sequence.load(ordering: .acquiring)
            var i = 0
            while i < 12 {
                values[i] = storage[i].load(ordering: .relaxed)
                i += 1
            }
            atomicMemoryFence(ordering: .acquiring)
            if before & 1 == 0 && before == sequence.load(ordering: .relaxed) { return values }
        }
    }
}
