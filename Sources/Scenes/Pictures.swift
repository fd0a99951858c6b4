import Pixels

/// Covers for lists: those that are there, and those that were looked for and not found, so that they can be fetched. One thread.
public final class Pictures {
    private var known: [String: Surface?] = [:]
    /// In the order in which they came.
    private var order: [String] = []
    /// Names that were drawn without a picture and not asked for yet.
    public private(set) var wanted: [(row: ListRow, side: Int)] = []
    /// Names that were asked for, and no answer has come.
    private var asked: [String] = []
    private static let most = 32

    public init() {}

    /// Nil says that there is none, so that nobody asks again.
    public func set(_ picture: Surface?, for row: ListRow) {
        let key = Pictures.key(row)
        asked.removeAll { $0 == key }
        if known[key] == nil { order.append(key) }
        known[key] = .some(picture)
        if order.count > Pictures.most { known[order.removeFirst()] = nil }
    }

    /// They are not wanted again before they were set.
    public func takeWanted() -> [(row: ListRow, side: Int)] {
        defer { wanted.removeAll() }
        for (row, _) in wanted { asked.append(Pictures.key(row)) }
        return wanted
    }

    func picture(_ row: ListRow, side: Int) -> Surface? {
        if let found = known[Pictures.key(row)] { return found }
        let key = Pictures.key(row)
        if !asked.contains(key) && !wanted.contains(where: { $0.row == row }) { wanted.append((row, side)) }
        return nil
    }

    private static func key(_ row: ListRow) -> String { "\(row.kind.rawValue) " + row.name }
}
