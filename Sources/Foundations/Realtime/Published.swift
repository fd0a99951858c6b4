// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A value that one thread publishes and another reads whole, without locks (a sequence lock). It is stored in atomic words, so a torn read
/// is detected and repeated, never undefined.
public struct Published<Value: BitwiseCopyable>: ~Copyable {
    @usableFromInline let sequence = Atomic<Int>(0)
    @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>
    @usableFromInline let wordCount: Int
    /// The writer's copy, as long as the words. Closures that lend a local's bytes would need the heap.
    @usableFromInline let latest: UnsafeMutableRawPointer
    private let initial: Value

    public init(_ value: Value) {
        initial = value
        let wordBytes = MemoryLayout<UInt>.size
        wordCount = (MemoryLayout<Value>.size + wordBytes - 1) / wordBytes
        latest = .allocate(byteCount: wordCount * wordBytes, alignment: MemoryLayout<Value>.alignment)
        latest.initializeMemory(as: UInt8.self, repeating: 0, count: wordCount * wordBytes)
        words = .allocate(capacity: wordCount)
        for i in 0..<wordCount { (words + i).initialize(to: Atomic<UInt>(0)) }
        publish(value)
    }

    deinit {
        words.deallocate()
        latest.deallocate()
    }

    /// Publishes a value. One writing thread. Real-time safe, as the compiler checks.
    @inlinable
    public borrowing func publish(_ value: Value) {
        latest.storeBytes(of: value, as: Value.self)
        let before = sequence.load(ordering: .relaxed)
        sequence.store(before &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        var i = 0
        while i < wordCount {
            let word = latest.loadUnaligned(fromByteOffset: i * MemoryLayout<UInt>.size, as: UInt.self)
            words[i].store(word, ordering: .relaxed)
            i += 1
        }
        sequence.store(before &+ 2, ordering: .releasing)
    }

    /// Returns the value. Any thread; spins for nanoseconds during a write. A reader of lower priority on the writer's core never meets a
    /// half-written value, since the writer does not yield there.
    public borrowing func read() -> Value {
        var value = initial
        while true {
            let before = sequence.load(ordering: .acquiring)
            withUnsafeMutableBytes(of: &value) { bytes in
                let wordBytes = MemoryLayout<UInt>.size
                let whole = bytes.count / wordBytes
                var i = 0
                while i < whole {
                    let word = words[i].load(ordering: .relaxed)
                    bytes.storeBytes(of: word, toByteOffset: i * wordBytes, as: UInt.self)
                    i += 1
                }
                if whole == wordCount { return }
                // The last word belongs only partly to the value.
                withUnsafeBytes(of: words[whole].load(ordering: .relaxed)) { word in
                    for place in whole * wordBytes..<bytes.count { bytes[place] = word[place - whole * wordBytes] }
                }
            }
            atomicMemoryFence(ordering: .acquiring)
            if before & 1 == 0 && before == sequence.load(ordering: .relaxed) { return value }
        }
    }
}
