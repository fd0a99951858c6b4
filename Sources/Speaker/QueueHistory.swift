/// From where on the queue is another than it was at an older version.
///
/// An edit moves what stands behind it, so what it changed is everything from one place on, and what several changed is everything
/// from the lowest of their places on. An edit that changed no more than a later one is therefore forgotten.
struct QueueHistory {
    private struct Edit {
        var version: Int
        var index: Int
    }

    /// More than any client lags behind; the oldest then are taken for one.
    static let mostEdits = 64

    /// Both figures rise from one to the next.
    private var edits: [Edit]

    /// - Parameter version: the first; nothing is known of any before it.
    init(version: Int) { edits = [Edit(version: version, index: 0)] }

    /// The edit that made this version changed the entries from `index` on.
    mutating func note(_ version: Int, from index: Int) {
        while let last = edits.last, last.index >= index { edits.removeLast() }
        edits.append(Edit(version: version, index: index))
        if edits.count > QueueHistory.mostEdits {
            // Who knows a version between the two is told too much rather than too little.
            edits[1].index = edits[0].index
            edits.removeFirst()
        }
    }

    /// The first place that may have another entry than at this version; nil where none has.
    func firstChange(since version: Int) -> Int? { edits.first { $0.version > version }?.index }
}
