import Core
import Model

/// The letters of titles and names that are of no alphabet, such as Chinese ones: a keyboard cannot have them all, but it can have those that
/// lead on. First those that most have.
final class LetterPortions: Portions {
    private var listings: [Pages<[String]>]
    private let before: [UInt32]
    private let window: Range<Int>
    private var counts: [UInt32: Int] = [:]

    /// - Parameter before: only what follows this is counted.
    init(_ speaker: ConsoleSpeaker, after before: String, _ window: Range<Int>) {
        listings = [Tag.title, .album, .artist].map { speaker.values(of: [$0], matching: .and([])) }
        self.before = before.unicodeScalars.map { $0.value }
        self.window = window
    }

    func give(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) throws(ConsoleError) -> Bool {
        if let listing = listings.last {
            let values = listing(max(1, budget.left))
            budget.take(WorkBudget.pageCost)
            guard let values else {
                listings.removeLast()
                return false
            }
            for value in values { count(value[0]) }
            return false
        }
        var sorted = counts.map { ($0.key, $0.value) }
        sorted.sort { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 > $1.1 }
        for (letter, _) in sorted[window.clamped(to: 0..<sorted.count)] {
            guard let scalar = Unicode.Scalar(letter) else { continue }
            var text = String.UnicodeScalarView()
            text.append(scalar)
            response.field("letter", String(text))
        }
        return true
    }

    /// Each letter once for each text, however often that has it.
    private func count(_ text: String) {
        if !text.utf8.contains(where: { $0 >= 0xE0 }) { return }
        let letters = text.unicodeScalars.map { $0.value }
        var seen: Set<UInt32> = []
        for place in letters.indices.dropFirst(before.count) {
            let letter = letters[place]
            if !LetterPortions.isOfNoAlphabet(letter) { continue }
            if !before.isEmpty && !letters[(place - before.count)..<place].elementsEqual(before) { continue }
            if seen.insert(letter).inserted { counts[letter, default: 0] += 1 }
        }
    }

    /// Beyond the scripts that a keyboard has as they are; neither a mark, a sign, a picture nor an accented letter.
    private static func isOfNoAlphabet(_ letter: UInt32) -> Bool {
        switch letter {
        case 0x1E00...0x2E7F, 0x3000...0x3004, 0x3007...0x3020, 0x302A...0x3030, 0x303D...0x303F, 0x3099...0x309C,
            0x30FB, 0xD800...0xF8FF, 0xFB00...0xFF65, 0xFFE0...0xFFFF, 0x1_F000...0x1_FFFF, 0xE_0000...:
            false
        default: letter >= 0x0980
        }
    }
}
