// SPDX-License-Identifier: Apache-2.0
import Core

/// The items to list, and their order.
public struct ItemQuery: Sendable {
    public enum Order: Sendable, Equatable {
        case path, added, modified
        /// By the first text of a tag, byte by byte, and by the path among equals; tracks and discs as numbers. Items without it, or
        /// what stands in for it, come first.
        case tag(Tag)
    }

    /// Only what is in this folder (its whole path); nil for everything.
    public var folder: String?
    /// At any depth below the folder.
    public var isRecursive = true
    public let filter: ItemFilter?
    /// The same made ready, once for all pages of an answer.
    public let match: ItemMatch?
    public var order = Order.path
    /// Of equals the path still goes upwards where the order is a tag.
    public var isDescending = false
    /// The part that `ItemFilter.Column.file` leaves out at the start of a path, with the "/" behind it.
    public let root: String

    public init(
        folder: String? = nil, isRecursive: Bool = true, filter: ItemFilter? = nil, order: Order = .path,
        isDescending: Bool = false, root: String = ""
    ) {
        self.folder = folder
        self.isRecursive = isRecursive
        self.filter = filter
        self.order = order
        self.isDescending = isDescending
        self.root = root
        match = filter.map { ItemMatch($0, root: root) }
    }
}
