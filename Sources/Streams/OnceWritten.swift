// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A value that one thread writes once, and any thread reads.
final class OnceWritten<Value>: @unchecked Sendable {
    private var written: Value?
    private let isWritten = Atomic<Bool>(false)

    /// The value; nil before the write.
    var value: Value? { isWritten.load(ordering: .acquiring) ? written : nil }

    /// Writes the value. Only the first write counts.
    func write(_ value: Value) {
        if isWritten.load(ordering: .relaxed) { return }
        written = value
        isWritten.store(true, ordering: .releasing)
    }
}
