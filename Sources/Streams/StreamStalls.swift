// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Counts how often sound had to wait for more of a recording. If a server is too slow, sound comes in ever longer pieces, and not a second
/// at a time. Any thread.
struct StreamStalls: ~Copyable {
    private let count = Atomic<Int>(0)
    private let isWaiting = Atomic<Bool>(false)

    /// Any number of times.
    borrowing func begin() {
        if !isWaiting.exchange(true, ordering: .relaxed) { count.add(1, ordering: .relaxed) }
    }

    /// There is enough again.
    borrowing func end() { isWaiting.store(false, ordering: .relaxed) }

    /// The seconds of sound to wait for.
    var secondsToWaitFor: Int64 {
        guard isWaiting.load(ordering: .relaxed) else { return 1 }
        return switch count.load(ordering: .relaxed) {
        case ...1: 1
        case 2: 4
        case 3: 8
        default: 16
        }
    }
}
