import Synchronization

/// A message between threads: what it says and up to three numbers, whose meaning its sender and receiver agree on.
public struct Message: BitwiseCopyable, Sendable {
    public var kind: Int
    public var a: Int
    public var b: Int64
    public var c: Int

    @_noLocks @_noAllocation
    public init(kind: Int, a: Int = 0, b: Int64 = 0, c: Int = 0) {
        self.kind = kind
        self.a = a
        self.b = b
        self.c = c
    }
}

/// A single-producer single-consumer queue of messages that never blocks and never allocates after it is made. It carries no
/// wake-up: the sender signals the receiver by other means after sending.
public struct MessageRing: ~Copyable {
    public let capacity: Int
    private let slots: UnsafeMutablePointer<Message>
    private let sent = Atomic<Int>(0)
    private let received = Atomic<Int>(0)

    public init(capacity: Int) {
        self.capacity = capacity
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: Message(kind: 0), count: capacity)
    }

    deinit { slots.deallocate() }

    /// Producer. False where the queue is full: nothing was sent.
    @_noLocks @_noAllocation
    public borrowing func send(_ message: Message) -> Bool {
        let end = sent.load(ordering: .relaxed)
        if end - received.load(ordering: .acquiring) == capacity { return false }
        slots[end % capacity] = message
        sent.store(end + 1, ordering: .releasing)
        return true
    }

    /// Consumer. Nil where nothing waits.
    @_noLocks @_noAllocation
    public borrowing func receive() -> Message? {
        let begin = received.load(ordering: .relaxed)
        if begin == sent.load(ordering: .acquiring) { return nil }
        let message = slots[begin % capacity]
        received.store(begin + 1, ordering: .releasing)
        return message
    }
}
