import Core
import Posix

/// A condition on items, as MPD has them.
public indirect enum ItemFilter: Sendable {
    public enum Column: Sendable, Equatable {
        /// Where an item lacks it, what stands in for it (`Tag.fallbacks`); else it is as the empty text.
        case tag(Tag)
        /// Any of MPD's tags.
        case any
        /// The file's path, without the query's root.
        case file
    }

    public enum Comparison: Sendable, CaseIterable {
        case equals, begins, contains
    }

    case and([ItemFilter])
    case not(ItemFilter)
    /// Of several texts one is enough. With `foldsCase` upper and lower case are the same.
    case match(Column, Comparison, String, foldsCase: Bool)
    case pattern(Column, TextPattern)
    /// The file or folder of this whole path, or below it; "" for everything.
    case base(String)
    /// Seconds since 1970.
    case modifiedSince(Int64)
    case addedSince(Int64)
    /// One of these.
    case among(ItemSet)
}

extension ItemFilter {
    /// A text that all matches have in a tag, if the filter says so: what an index finds.
    func exact() -> (tag: Tag, text: [UInt8])? {
        switch self {
        case .match(.tag(let tag), .equals, let text, false):
            text.isEmpty || text.utf8.count > TagIndex.mostTextBytes ? nil : (tag, Array(text.utf8))
        case .and(let terms): terms.lazy.compactMap { $0.exact() }.first
        default: nil
        }
    }

    /// Says nothing.
    var isEverything: Bool {
        switch self {
        case .and(let terms): terms.allSatisfy { $0.isEverything }
        case .base(let path): path.isEmpty
        default: false
        }
    }

    /// The file or folder that all matches are, or are in.
    func commonBase() -> String? {
        switch self {
        case .base(let path): path.isEmpty ? nil : path
        case .and(let terms): terms.lazy.compactMap { $0.commonBase() }.first
        default: nil
        }
    }
}
