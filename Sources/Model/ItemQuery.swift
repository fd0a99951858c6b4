// SPDX-License-Identifier: Apache-2.0
import Core

/// The items to list, and their order.
public struct ItemQuery: Sendable {
    public enum Order: Sendable, Equatable {
        case path, added, modified
        /// By the first text of a tag, byte by byte, and by the path among equals; tracks and discs as numbers. Items without it and its
        /// fallback come first.
        case tag(Tag)
    }

    /// The whole path of a folder that contains all matches; nil for everything.
    public var folder: String?
    /// True for items at any depth below the folder.
    public var isRecursive = true
    public let filter: ItemFilter?
    /// The prepared filter, made once for all pages of an answer.
    public let match: ItemMatch?
    public var order = Order.path
    /// True for a descending order. Equal items still have ascending paths if the order is a tag.
    public var isDescending = false
    /// The start of a path that `ItemFilter.Column.file` leaves out, including the "/" behind it.
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
