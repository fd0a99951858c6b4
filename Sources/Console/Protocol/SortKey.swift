// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// The key for sorting songs of the queue: numbers before texts.
enum SortKey: Comparable {
    case number(Int64)
    case text([UInt8])

    static func < (left: SortKey, right: SortKey) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        case (.number, .text): true
        case (.text, .number): false
        }
    }
}

extension TagList {
    /// Returns a song's key by its first value of a tag, or that of its fallback; tracks and discs by their numbers.
    func sortKey(_ tag: Tag) -> SortKey {
        var value: [UInt8] = []
        for known in [tag] + tag.fallbacks where value.isEmpty {
            visit { other, range in
                if other == known && value.isEmpty { value = Array(bytes[range]) }
            }
        }
        guard tag == .track || tag == .disc else { return .text(value) }
        return .number(Int64(String(decoding: value.prefix(9).prefix { $0.isDigit }, as: UTF8.self)) ?? 0)
    }
}
