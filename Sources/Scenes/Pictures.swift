// SPDX-License-Identifier: Apache-2.0
import Pixels

/// The covers for lists, including the rows known to have none, and the requests for missing ones. One thread.
public final class Pictures {
    private var known: [String: Surface?] = [:]
    /// The keys in the order in which they arrived.
    private var order: [String] = []
    /// The rows drawn without a picture and not requested yet.
    public private(set) var wanted: [(row: ListRow, side: Int)] = []
    /// The keys requested and not answered yet.
    private var asked: [String] = []
    /// The keys of pictures that may have changed. The old ones are shown until the answer.
    private var doubted: [String] = []
    private static let most = 32
    /// Reads a picture of that side at once, if nothing can arrive later; nil to request them.
    private let read: ((ListRow, Int) -> Surface?)?

    public init(_ read: ((ListRow, Int) -> Surface?)? = nil) { self.read = read }

    /// Stores a picture; nil says that there is none, until the library changes.
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

    /// Marks all pictures as possibly outdated, after a change of the library.
    public func doubt() { doubted = order }

    /// Returns the wanted rows. They are not wanted again before `set`.
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
