import Synchronization

/// Where playing begins in what is live. Any thread.
struct LiveBeginning: ~Copyable {
    /// -1 before anybody has looked.
    private let place = Atomic<Int64>(-1)
    private let begun = Atomic<Bool>(false)
    private let spent = Atomic<Bool>(false)

    /// It plays: what was read is not needed again.
    var hasBegun: Bool { begun.load(ordering: .acquiring) }
    /// Its middle is no beginning: it has to be asked for anew.
    var isSpent: Bool { spent.load(ordering: .acquiring) }

    borrowing func begin(isRejoinable: Bool) {
        begun.store(true, ordering: .releasing)
        if !isRejoinable { spent.store(true, ordering: .releasing) }
    }

    /// The same until it plays, for its beginning may be looked at several times.
    borrowing func place(consumed: Int64) -> Int64 {
        if hasBegun { return consumed }
        let known = place.load(ordering: .relaxed)
        if known >= 0 { return known }
        place.store(consumed, ordering: .relaxed)
        return consumed
    }
}
