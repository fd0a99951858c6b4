// SPDX-License-Identifier: Apache-2.0
/// The sleep timer of a listener.
public enum Sleep: Equatable, Sendable {
    case off
    /// After so many minutes from now.
    case minutes(Int)
    /// At the end of the current chapter; of the item, if it has no chapters.
    case chapter
    /// After so many chapter ends, at least 2. Each passed end counts down, and the last one is `chapter`.
    case chapters(Int)
    /// At the end of the item.
    case item
    /// At the end of the book; of the item, if it belongs to no book.
    case book

    /// The range in minutes.
    public static let lengths = 1...1440

    /// The range in chapters.
    public static let chapterCounts = 2...20

    /// The values to choose from.
    public static var choices: [Sleep] { steps + [.chapters(2), .chapters(3), .chapters(5)] }

    /// The cycle of a button's presses.
    public static let steps: [Sleep] = [.off, .minutes(15), .minutes(30), .minutes(45), .minutes(60), .chapter]

    /// Returns the next or the previous step. A value between the steps goes to the nearest in that direction.
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

    /// Reads the word of the configuration and the console: `off`, a number of minutes, `chapter`, `3 chapters`, `item` or `book`. Nil for
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
