// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// A condition on items, as remote controls have them and as the library looks for them.
public indirect enum ItemFilter: Sendable {
    public enum Column: Sendable, Equatable {
        /// Falls back on `Tag.fallbacks` if an item lacks it; else it is as the empty text.
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
    /// The file or folder of this path, or below it, "" for everything: of the library a whole path, to a remote control as it calls it.
    case base(String)
    /// Seconds since 1970.
    case modifiedSince(Int64)
    case addedSince(Int64)
    /// Matches the songs in which these words occur, which have to be looked up first: until then none.
    case said(String)
    /// One of these.
    case among(ItemSet)
}

extension ItemFilter {
    /// Says nothing.
    public var isEverything: Bool {
        switch self {
        case .and(let terms): terms.allSatisfy { $0.isEverything }
        case .base(let path): path.isEmpty
        default: false
        }
    }

    /// The words still to be looked up (`said`), one after the other; nil if there are none.
    public func wordsSaid() -> String? {
        switch self {
        case .said(let words): words
        case .not(let term): term.wordsSaid()
        case .and(let terms): terms.lazy.compactMap { $0.wordsSaid() }.first
        default: nil
        }
    }

    /// The same condition, with the songs in which these words are said.
    public func replacing(said words: String, with items: ItemSet) -> ItemFilter {
        switch self {
        case .said(let own): own == words ? .among(items) : self
        case .not(let term): .not(term.replacing(said: words, with: items))
        case .and(let terms): .and(terms.map { $0.replacing(said: words, with: items) })
        default: self
        }
    }

    /// The file or folder that all matches are, or are in.
    public func commonBase() -> String? {
        switch self {
        case .base(let path): path.isEmpty ? nil : path
        case .and(let terms): terms.lazy.compactMap { $0.commonBase() }.first
        default: nil
        }
    }
}
