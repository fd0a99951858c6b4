import Core
import Text

/// What songs of the queue are sorted by: numbers in front of texts.
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
    /// By its first value, or that of its fallback; tracks and discs by their numbers.
    func sortKey(_ tag: Tag) -> SortKey {
        var value: [UInt8] = []
        for known in [tag] + tag.fallbacks where value.isEmpty {
            visit { other, range in
                if other == known && value.isEmpty { value = Array(bytes[range]) }
            }
        }
        guard tag == .track || tag == .disc else { return .text(value) }
        var number: Int64 = 0
        for digit in value.prefix(9).prefix(while: { $0.isDigit }) { number = number * 10 + Int64(digit - 0x30) }
        return .number(number)
    }
}
