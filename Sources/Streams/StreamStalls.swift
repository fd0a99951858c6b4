// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Counts the waits of the sound for more of a recording. With a slow server, sound then comes in ever longer pieces, instead of a second
/// at a time. Any thread.
struct StreamStalls: ~Copyable {
    private let count = Atomic<Int>(0)
    private let isWaiting = Atomic<Bool>(false)

    /// Notes a wait, at any number of calls.
    borrowing func begin() {
        if !isWaiting.exchange(true, ordering: .relaxed) { count.add(1, ordering: .relaxed) }
    }

    /// Notes that there is enough again.
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
