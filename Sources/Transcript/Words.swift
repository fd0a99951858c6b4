// SPDX-License-Identifier: Apache-2.0
import Text

/// Joins a file of single words (Podcasting 2.0 JSON, whisper by words) into sentences. Files of longer pieces stay unchanged.
///
/// A sentence ends at its punctuation, at a pause of 0.7 s, with its speaker, at a comma past 80 bytes, and at 120 bytes.
struct Words {
    private static let pauseMilliseconds: Int64 = 700
    /// The pause between the starts of words, if ends are unknown.
    private static let startPauseMilliseconds: Int64 = 2500
    private static let commaBytes = 80
    private static let mostBytes = 120

    /// The place of a word.
    enum Place: Equatable {
        /// The word is empty.
        case nowhere
        case newSentence
        case sentence(isGlued: Bool)
    }

    /// True if the words include their spaces: a word without one continues the word before it.
    private let areSpaced: Bool
    /// The text of the present sentence.
    private var text: [UInt8] = []
    private var end: Int32?
    private var lastStart: Int32 = 0
    private var speaker: UInt16 = 0

    init(areSpaced: Bool) {
        self.areSpaced = areSpaced
    }

    /// Returns true if nine in ten pieces are single words. Single-word sentences ("Yes.") do not make a file of words.
    static func areWords(_ list: CueList) -> Bool {
        list.texts > 1 && list.words * 10 >= list.texts * 9
    }

    /// Returns true for a text without spaces that is no longer than a word of its script: Chinese and Thai sentences have no spaces,
    /// either.
    static func isWord(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        // A Chinese character counts for six Latin letters.
        if range.count > 36 * 3 { return false }
        var weight = 0
        for byte in bytes[range] {
            switch byte {
            case UInt8(ascii: " "): return false
            case 0x80..<0xC0: break
            case 0xE3...0xE9: weight += 6
            case 0xE0, 0xE1, 0xEA...0xED: weight += 2
            default: weight += 1
            }
        }
        return weight <= 36
    }

    /// Places the words, in order of their starts.
    mutating func place(_ cue: Cue, _ bytes: [UInt8]) -> Place {
        let word = bytes[cue.text]
        guard let first = word.first else { return .nowhere }
        let isPunctuation = !word.contains { $0.isLetter || $0.isDigit || $0 >= 0x80 }
        let goesOn =
            !text.isEmpty
            && (areSpaced ? !cue.isParted && !Words.isUnspaced(first) : isPunctuation && Words.isClosing(first))
        let isNew = text.isEmpty || isBreak(before: word, goesOn: goesOn, cue)
        if isNew {
            text.removeAll(keepingCapacity: true)
            end = nil
        }
        let isGlued = !isNew && (goesOn || !(areSpaced ? cue.isParted : Words.takesSpace(text, word)))
        if !isNew, !isGlued { text.append(UInt8(ascii: " ")) }
        text.append(contentsOf: word)
        lastStart = cue.start
        if cue.end != Cue.noEnd { end = max(cue.end, end ?? Cue.noEnd) }
        if cue.speaker != 0 { speaker = cue.speaker }
        return isNew ? .newSentence : .sentence(isGlued: isGlued)
    }

    private func isBreak(before word: ArraySlice<UInt8>, goesOn: Bool, _ cue: Cue) -> Bool {
        if cue.speaker != 0, speaker != 0, cue.speaker != speaker { return true }
        // The rest of a word, and punctuation, stay with it across any pause.
        if goesOn { return text.count >= 4 * Words.mostBytes }
        let pause = end.map { Int64(cue.start) - Int64($0) >= Words.pauseMilliseconds }
        if pause ?? (Int64(cue.start) - Int64(lastStart) >= Words.startPauseMilliseconds) { return true }
        if text.count + 1 + word.count > Words.mostBytes { return true }
        if text.count >= Words.commaBytes, let byte = text.last, Words.isComma(byte) { return true }
        let startsLower = word.first.map { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") } ?? false
        return Words.endsSentence(text[...]) && !(startsLower && text.last == UInt8(ascii: "."))
    }

    /// Returns true for punctuation that ends a sentence, perhaps inside quotes, and is no abbreviation or initial.
    static func endsSentence(_ text: ArraySlice<UInt8>) -> Bool {
        var text = text
        while let last = text.last {
            if last == UInt8(ascii: "\"") || last == UInt8(ascii: "'") || last == UInt8(ascii: ")")
                || last == UInt8(ascii: "]")
            {
                text = text.dropLast()
            } else if ends(text, "”") || ends(text, "’") || ends(text, "」") {
                text = text.dropLast(3)
            } else if ends(text, "»") {
                text = text.dropLast(2)
            } else {
                break
            }
        }
        if text.last == UInt8(ascii: "!") || text.last == UInt8(ascii: "?") { return true }
        if ends(text, "…") || ends(text, "。") || ends(text, "！") || ends(text, "？") || ends(text, "।") { return true }
        guard text.last == UInt8(ascii: ".") else { return false }
        text = text.dropLast()
        let word = text[(text.lastIndex { $0.isSpace } ?? text.startIndex - 1) + 1..<text.endIndex]
        if word.count == 1, word.first?.isLetter ?? false { return false }
        return !abbreviations.contains { word.elementsEqual($0.utf8) }
    }

    private static let abbreviations = [
        "Mr", "Mrs", "Ms", "Dr", "St", "Prof", "Sr", "Jr", "Rev", "Capt", "Mt", "vs", "Mme", "Hr", "Fr", "Nr", "No",
    ]

    private static func ends(_ text: ArraySlice<UInt8>, _ mark: StaticString) -> Bool {
        mark.withUTF8Buffer { text.suffix($0.count).elementsEqual($0) }
    }

    private static func isClosing(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: ";"),
            UInt8(ascii: ":"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "%"):
            true
        default: false
        }
    }

    private static func isComma(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":")
    }

    /// Returns false between Chinese or Japanese characters, which take no space.
    private static func takesSpace(_ text: [UInt8], _ word: ArraySlice<UInt8>) -> Bool {
        !(isUnspaced(text.last { $0 & 0xC0 != 0x80 } ?? 0) && isUnspaced(word.first ?? 0))
    }

    /// Returns true for the first byte of a Chinese or Japanese character or of full-width punctuation.
    private static func isUnspaced(_ lead: UInt8) -> Bool { (lead >= 0xE3 && lead <= 0xE9) || lead == 0xEF }
}
