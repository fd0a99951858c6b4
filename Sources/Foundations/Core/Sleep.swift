// SPDX-License-Identifier: Apache-2.0
/// The sleep timer of a listener.
public enum Sleep: Equatable, Sendable {
    case off
    /// So long from when it was set.
    case minutes(Int)
    /// With the chapter that is heard; with the item, where it has none.
    case chapter
    /// With the chapter that is so many ends away, from 2; each end that is heard takes one away, and the last is `chapter`.
    case chapters(Int)
    /// With the item.
    case item
    /// With the book; with the item, where it is of none.
    case book

    /// The range in minutes.
    public static let lengths = 1...1440

    /// The range in chapters.
    public static let chapterCounts = 2...20

    /// Those to choose from.
    public static var choices: [Sleep] { steps + [.chapters(2), .chapters(3), .chapters(5)] }

    /// The cycle of a button's presses.
    public static let steps: [Sleep] = [.off, .minutes(15), .minutes(30), .minutes(45), .minutes(60), .chapter]

    /// The next of the steps, or the one before; from one that is none of them by its length.
    public func step(forward: Bool, around: Bool) -> Sleep {
        let steps = Sleep.steps
        if let at = steps.firstIndex(of: self) {
            let next = at + (forward ? 1 : -1)
            if steps.indices.contains(next) { return steps[next] }
            return around ? steps[forward ? 0 : steps.count - 1] : self
        }
        guard case .minutes(let length) = self else { return forward ? (around ? .off : self) : .minutes(60) }
        func isBeyond(_ other: Sleep) -> Bool {
            if case .minutes(let minutes) = other { return forward ? minutes > length : minutes < length }
            return other == (forward ? .chapter : .off)
        }
        return (forward ? steps.first(where: isBeyond) : steps.last(where: isBeyond)) ?? .off
    }

    /// By its word in the configuration and at the console: `off`, a number of minutes, `chapter`, `3 chapters`, `item` or `book`. Nil for
    /// any other.
    public init?(word: String) {
        switch word {
        case "off": self = .off
        case "chapter": self = .chapter
        case "item": self = .item
        case "book": self = .book
        default:
            if word.hasSuffix(Sleep.chaptersWord) {
                guard let count = Int(word.dropLast(Sleep.chaptersWord.utf8.count)), Sleep.chapterCounts.contains(count)
                else { return nil }
                self = .chapters(count)
                return
            }
            guard let minutes = Int(word), Sleep.lengths.contains(minutes) else { return nil }
            self = .minutes(minutes)
        }
    }

    private static let chaptersWord = " chapters"

    public var word: String {
        switch self {
        case .off: "off"
        case .minutes(let minutes): "\(minutes)"
        case .chapter: "chapter"
        case .chapters(let count): "\(count)" + Sleep.chaptersWord
        case .item: "item"
        case .book: "book"
        }
    }

    /// The list of words, for an error message.
    public static var expected: String {
        "\(lengths.lowerBound) to \(lengths.upperBound) minutes, chapter, \(chapterCounts.lowerBound) to \(chapterCounts.upperBound) chapters, item, book or off"
    }
}
