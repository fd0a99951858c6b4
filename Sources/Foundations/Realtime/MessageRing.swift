// SPDX-License-Identifier: Apache-2.0
import CPosix
import Synchronization

/// A single-producer single-consumer queue that never blocks, and never allocates after its creation. It has no wake-up: the sender signals
/// the receiver separately.
public struct MessageRing<Element: BitwiseCopyable>: ~Copyable {
    public let capacity: Int
    @usableFromInline let slots: UnsafeMutablePointer<Element>
    @usableFromInline let sent = Atomic<Int64>(0)
    @usableFromInline let received = Atomic<Int64>(0)

    public init(capacity: Int) {
        self.capacity = capacity
        slots = .allocate(capacity: capacity)
        // The audio thread must not be the first to touch a page.
        ns_zero(slots, capacity * MemoryLayout<Element>.stride)
    }

    deinit { slots.deallocate() }

    /// Sends a value. Producer. Returns false if the queue is full.
    @inlinable
    public borrowing func send(_ message: Element) -> Bool {
        let end = sent.load(ordering: .relaxed)
        if end - received.load(ordering: .acquiring) == Int64(capacity) { return false }
        slots[Int(end % Int64(capacity))] = message
        sent.store(end + 1, ordering: .releasing)
        return true
    }

    /// Receives a value. Consumer. Returns nil if the queue is empty.
    @inlinable
    public borrowing func receive() -> Element? {
        let begin = received.load(ordering: .relaxed)
        if begin == sent.load(ordering: .acquiring) { return nil }
        let message = slots[Int(begin % Int64(capacity))]
        received.store(begin + 1, ordering: .releasing)
        return message
    }
}
