// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// A condition on items, for clients' queries and the library's searches.
public indirect enum ItemFilter: Sendable {
    public enum Column: Sendable, Equatable {
        /// A tag, or its fallback (`Tag.fallbacks`) if an item lacks it; without either, the empty text.
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
    /// One of an item's texts has to match. With `foldsCase` case is ignored.
    case match(Column, Comparison, String, foldsCase: Bool)
    case pattern(Column, TextPattern)
    /// The file or folder at this path, or below it, "" for everything: a whole path in the library, a client's own form in its queries.
    case base(String)
    /// A time in seconds since 1970.
    case modifiedSince(Int64)
    case addedSince(Int64)
    /// The songs in which these words occur. They have to be looked up first: until then none match.
    case said(String)
    /// One of these items.
    case among(ItemSet)
}

extension ItemFilter {
    /// True if the filter has no condition.
    public var isEverything: Bool {
        switch self {
        case .and(let terms): terms.allSatisfy { $0.isEverything }
        case .base(let path): path.isEmpty
        default: false
        }
    }

    /// Returns the next words to look up (`said`), or nil if there are none.
    public func wordsSaid() -> String? {
        switch self {
        case .said(let words): words
        case .not(let term): term.wordsSaid()
        case .and(let terms): terms.lazy.compactMap { $0.wordsSaid() }.first
        default: nil
        }
    }

    /// Returns the same condition, with the songs in which these words occur.
    public func replacing(said words: String, with items: ItemSet) -> ItemFilter {
        switch self {
        case .said(let own): own == words ? .among(items) : self
        case .not(let term): .not(term.replacing(said: words, with: items))
        case .and(let terms): .and(terms.map { $0.replacing(said: words, with: items) })
        default: self
        }
    }

    /// Returns the file or folder that contains all matches.
    public func commonBase() -> String? {
        switch self {
        case .base(let path): path.isEmpty ? nil : path
        case .and(let terms): terms.lazy.compactMap { $0.commonBase() }.first
        default: nil
        }
    }
}
