// SPDX-License-Identifier: Apache-2.0
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
    /// Pictures that may have changed: the old ones are shown until the answer.
    private var doubted: [String] = []
    private static let most = 32
    /// Reads a picture of that side at once, for whom nothing arrives later; nil has them asked for.
    private let read: ((ListRow, Int) -> Surface?)?

    public init(_ read: ((ListRow, Int) -> Surface?)? = nil) { self.read = read }

    /// Nil says that there is none, which holds until the library changes.
    /// - Returns: true if it differs from the shown one.
    @discardableResult
    public func set(_ picture: Surface?, for row: ListRow) -> Bool {
        let key = Pictures.key(row)
        asked.removeAll { $0 == key }
        let old = known[key].flatMap { $0 }
        defer { keep(picture, key) }
        guard let picture, let old else { return picture != nil || old != nil }
        return !picture.isAlike(old)
    }

    private func keep(_ picture: Surface?, _ key: String) {
        if known[key] == nil { order.append(key) }
        known[key] = .some(picture)
        if order.count > Pictures.most { known[order.removeFirst()] = nil }
    }

    /// The library has changed: covers may have come, gone or been replaced.
    public func doubt() { doubted = order }

    /// They are not wanted again before they were set.
    public func takeWanted() -> [(row: ListRow, side: Int)] {
        defer { wanted.removeAll() }
        for (row, _) in wanted { asked.append(Pictures.key(row)) }
        return wanted
    }

    func picture(_ row: ListRow, side: Int) -> Surface? {
        let key = Pictures.key(row)
        if let read, known[key] == nil { keep(read(row, side), key) }
        let isDoubted = doubted.contains(key)
        if isDoubted { doubted.removeAll { $0 == key } }
        if let found = known[key], !isDoubted { return found }
        if !asked.contains(key) && !wanted.contains(where: { $0.row == row }) { wanted.append((row, side)) }
        return known[key].flatMap { $0 }
    }

    private static func key(_ row: ListRow) -> String { "\(row.kind.rawValue) " + row.name }
}
