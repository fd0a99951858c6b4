// SPDX-License-Identifier: Apache-2.0
import Posix

/// Returns free parts of the heap to the system after a flood of clients, which leaves it full of holes.
final class HeapTrimmer {
    /// The number of dropped clients after which the heap is trimmed.
    private static let floodCount = 32

    private let timers: any Timers
    /// The number of clients dropped since the last trim.
    private var goneCount = 0
    private var isDue = false

    init(_ timers: any Timers) { self.timers = timers }

    func peerDidGo() {
        goneCount += 1
        if goneCount < HeapTrimmer.floodCount || isDue { return }
        isDue = true
        timers.schedule(inMilliseconds: 500) { [self] in
            isDue = false
            goneCount = 0
            ResidentMemory.giveBackHeap()
        }
    }
}
