// SPDX-License-Identifier: Apache-2.0
import Posix

/// A flood of peers leaves the heap full of holes: after it the free parts go back to the system.
final class HeapTrimmer {
    /// So many that went are worth a look at the heap.
    private static let floodCount = 32

    private let timers: any Timers
    /// Since the heap was last looked at.
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
