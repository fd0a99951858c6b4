// SPDX-License-Identifier: Apache-2.0
/// A window of a list that may be very long: the pages around the visible rows, and the pages to request. However long the list is, it
/// keeps only some hundred rows. One thread.
public final class RowWindow {
    public static let pageRows = 100
    /// The most pages kept: the visible one, one on either side, and some for a change of direction.
    private static let mostPages = 6
    /// The number of rows requested before they become visible.
    private static let ahead = 40

    private struct Page {
        var number: Int
        var rows: [ListRow]
        /// True if the page dates from before the last `reload`.
        var isStale = false
    }

    private var pages: [Page] = []
    /// The whole list, if it was given at once.
    private var whole: [ListRow]?
    private var asked: [Int] = []
    private var seen = 0..<0
    /// The number of rows known so far.
    public private(set) var count = 0
    /// True if the number of rows is final.
    public private(set) var isCounted = false
    /// True once rows have arrived.
    public private(set) var isKnown = false
    /// The number of the current request; answers to an earlier one are dropped.
    public private(set) var generation = 0
    /// The generation of the last answer.
    private var freshGeneration = -1

    public init() {}

    // MARK: What is told

    /// Shows a list that is given at once.
    public func show(_ rows: [ListRow]) {
        clear()
        whole = rows
        count = rows.count
        isCounted = true
        isKnown = true
    }

    /// Requests the list again after a change. The old rows stay until new ones arrive.
    public func reload() {
        generation += 1
        asked = []
        whole = nil
        for index in pages.indices { pages[index].isStale = true }
    }

    /// Forgets the rows before another list.
    public func clear() {
        generation += 1
        asked = []
        pages = []
        whole = nil
        count = 0
        isCounted = false
        isKnown = false
    }

    /// Adds the answer to a request; nil if there was none.
    public func take(_ rows: [ListRow]?, page number: Int, of generation: Int) {
        if generation != self.generation { return }
        asked.removeAll { $0 == number }
        guard let rows else { return }
        isKnown = true
        pages.removeAll { $0.number == number }
        if !rows.isEmpty { pages.append(Page(number: number, rows: rows)) }
        let end = number * RowWindow.pageRows + rows.count
        freshGeneration = generation
        if rows.count < RowWindow.pageRows {
            // Pages behind the end of a shorter list are gone. If this page is empty, the end may lie before it.
            pages.removeAll { $0.number > number }
            isCounted = true
            count = rows.isEmpty ? min(count, end) : end
        } else if !isCounted || end > count {
            count = max(count, end)
            isCounted = false
        }
        while pages.count > RowWindow.mostPages, let furthest = furthestPage { pages.remove(at: furthest) }
    }

    private var furthestPage: Int? {
        let middle = (seen.lowerBound + seen.upperBound) / 2 / RowWindow.pageRows
        return pages.indices.max { abs(pages[$0].number - middle) < abs(pages[$1].number - middle) }
    }

    /// Removes a row before the list is requested again.
    func remove(_ name: String) {
        guard let index = index(of: name) else { return }
        count -= 1
        if whole != nil {
            whole?.remove(at: index)
            return
        }
        var number = index / RowWindow.pageRows
        guard var page = pages.firstIndex(where: { $0.number == number }) else { return }
        pages[page].rows.remove(at: index % RowWindow.pageRows)
        // The rows after it move up.
        while let next = pages.firstIndex(where: { $0.number == number + 1 }), !pages[next].rows.isEmpty {
            pages[page].rows.append(pages[next].rows.removeFirst())
            page = next
            number += 1
        }
    }

    // MARK: What is seen

    subscript(index: Int) -> ListRow? {
        if let whole { return whole.indices.contains(index) ? whole[index] : nil }
        guard index >= 0, let page = pages.first(where: { $0.number == index / RowWindow.pageRows }) else { return nil }
        let place = index % RowWindow.pageRows
        return page.rows.indices.contains(place) ? page.rows[place] : nil
    }

    public func index(of name: String) -> Int? {
        if let whole { return whole.firstIndex { $0.name == name } }
        for page in pages {
            if let place = page.rows.firstIndex(where: { $0.name == name }) {
                return page.number * RowWindow.pageRows + place
            }
        }
        return nil
    }

    public func row(_ name: String) -> ListRow? { index(of: name).flatMap { self[$0] } }

    /// The number of kept rows.
    var keptCount: Int { whole?.count ?? pages.reduce(0) { $0 + $1.rows.count } }

    func see(_ range: Range<Int>) { seen = range }

    /// The places of the list's lines on the page at the last layout, in pixels from the page's top.
    struct Lines {
        var top = 0
        var step = 1
        var height = 0
        /// The number of rows on each line.
        var columns = 1
    }
    var lines = Lines()

    /// Returns the first row of the next or the previous letter.
    /// - Parameter isByTitle: false for a list that is not sorted by title. Then the leap covers a fortieth of the list, or a page if its
    ///   length is not yet known.
    func leap(from index: Int, forward: Bool, isByTitle: Bool) -> Int {
        let far = index + (forward ? 1 : -1) * (isCounted ? max(1, count / 40) : RowWindow.pageRows)
        guard isByTitle, let letter = self[index]?.letter else { return far }
        var next = index
        repeat { next += forward ? 1 : -1 } while self[next].map { $0.letter == letter } ?? false
        if self[next] == nil { return forward ? max(next, far) : min(next, far) }
        // Backward leaps go to the first row of a letter, too.
        if !forward, let letter = self[next]?.letter {
            while self[next - 1]?.letter == letter { next -= 1 }
        }
        return next
    }

    /// Returns the pages to request, each of them once.
    public func takeWanted() -> [Int] {
        if whole != nil { return [] }
        let isFresh = freshGeneration == generation
        if isFresh && isCounted && count == 0 { return [] }
        let first = max(0, seen.lowerBound - RowWindow.ahead) / RowWindow.pageRows
        var last = (seen.upperBound + RowWindow.ahead) / RowWindow.pageRows
        // There is nothing behind a known end; behind an unknown one may be rows.
        if isKnown { last = min(last, max(0, isCounted ? count - 1 : count) / RowWindow.pageRows) }
        var wanted: [Int] = []
        for number in min(first, last)...last
        where !asked.contains(number) && !pages.contains(where: { $0.number == number && !$0.isStale }) {
            wanted.append(number)
        }
        asked += wanted
        return wanted
    }
}
