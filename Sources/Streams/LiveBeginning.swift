// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The place at which a live stream starts to play. Any thread.
struct LiveBeginning: ~Copyable {
    /// The place; -1 before the first look.
    private let place = Atomic<Int64>(-1)
    private let begun = Atomic<Bool>(false)
    private let spent = Atomic<Bool>(false)

    /// True once the stream plays: the bytes read so far are no longer needed.
    var hasBegun: Bool { begun.load(ordering: .acquiring) }
    /// True if no decoder can start in the stream's middle: it has to be requested anew.
    var isSpent: Bool { spent.load(ordering: .acquiring) }

    borrowing func begin(isRejoinable: Bool) {
        begun.store(true, ordering: .releasing)
        if !isRejoinable { spent.store(true, ordering: .releasing) }
    }

    /// Returns the starting place, the same until the stream plays, since its beginning may be read several times.
    borrowing func place(consumed: Int64) -> Int64 {
        if hasBegun { return consumed }
        let known = place.load(ordering: .relaxed)
        if known >= 0 { return known }
        place.store(consumed, ordering: .relaxed)
        return consumed
    }
}
