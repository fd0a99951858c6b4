/// A piece of a transcript as a JSON file has it: a sentence, a caption or a single word.
public struct TimedText: Equatable, Sendable {
    /// White space at the start matters in a file of words: where some have it, those without go on with the word before.
    public var text: String
    public var startMilliseconds: Int
    public var endMilliseconds: Int?
    /// 0…1.
    public var confidence: Double?
    /// Nil: the same as before.
    public var speaker: String?

    public init(
        text: String, startMilliseconds: Int, endMilliseconds: Int? = nil, confidence: Double? = nil,
        speaker: String? = nil
    ) {
        self.text = text
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
        self.confidence = confidence
        self.speaker = speaker
    }
}

extension Transcript {
    /// Joins a file of single words (Podcasting 2.0 JSON, whisper by words) into sentences. Files of longer pieces are left as they are.
    ///
    /// A sentence ends at its punctuation, at a pause of 0.7 s, with its speaker, at a comma past 80 bytes, and at 120 bytes.
    /// Its confidence is the mean of its words'.
    public static func joiningWords(_ pieces: [TimedText]) -> [Segment] {
        let order = stableOrder(pieces.map { $0.startMilliseconds })
        let pieces = order.map { $0.map { pieces[$0] } } ?? pieces
        guard Words.areWords(pieces) else {
            return pieces.map {
                Segment(
                    text: $0.text, startMilliseconds: $0.startMilliseconds,
                    endMilliseconds: $0.endMilliseconds ?? Cue.noEnd, confidence: $0.confidence)
            }
        }
        var words = Words(areSpaced: pieces.dropFirst().contains { $0.text.utf8.first?.isSpace ?? false })
        for piece in pieces { words.append(piece) }
        words.finish()
        return words.sentences
    }
}

/// Words on their way to sentences.
struct Words {
    private static let pauseMilliseconds = 700
    /// Between the starts of words, where ends are not known.
    private static let startPauseMilliseconds = 2500
    private static let commaBytes = 80
    private static let mostBytes = 120

    private(set) var sentences: [Segment] = []
    /// The words come with their spaces.
    private let areSpaced: Bool
    private var text: [UInt8] = []
    private var start = 0
    private var end: Int?
    private var lastStart = 0
    private var confidenceSum = 0.0
    private var confidenceCount = 0
    private var speaker: String?

    init(areSpaced: Bool) {
        self.areSpaced = areSpaced
    }

    /// Nine in ten pieces are single words: what stands alone in sentences ("Yes.") does not make a file of words.
    static func areWords(_ pieces: [TimedText]) -> Bool {
        var words = 0
        var texts = 0
        for piece in pieces {
            let (isEmpty, isWord) = shape(piece.text)
            if isEmpty { continue }
            texts += 1
            if isWord { words += 1 }
        }
        return texts > 1 && words * 10 >= texts * 9
    }

    /// Without spaces inside, and no longer than words of its script get: Chinese and Thai sentences have no spaces either.
    private static func shape(_ text: String) -> (isEmpty: Bool, isWord: Bool) {
        var isEmpty = true
        var hasGap = false
        var isParted = false
        var weight = 0
        for byte in text.utf8 {
            if byte.isSpace {
                hasGap = !isEmpty
                continue
            }
            if hasGap { isParted = true }
            isEmpty = false
            switch byte {
            case 0x80..<0xC0: break
            case 0xE3...0xE9: weight += 6
            case 0xE0, 0xE1, 0xEA...0xED: weight += 2
            default: weight += 1
            }
        }
        return (isEmpty, !isEmpty && !isParted && weight <= 36)
    }

    mutating func append(_ piece: TimedText) {
        let source = Array(piece.text.utf8)
        guard let first = source.firstIndex(where: { !$0.isSpace }), let last = source.lastIndex(where: { !$0.isSpace })
        else { return }
        let word = source[first...last]
        let isPunctuation = !word.contains { $0.isLetter || $0.isDigit || $0 >= 0x80 }
        let goesOn =
            !text.isEmpty
            && (areSpaced
                ? first == 0 && !Words.isUnspaced(word[first]) : isPunctuation && Words.isClosing(word[first]))
        if !text.isEmpty, isBreak(before: word, goesOn: goesOn, piece) { finish() }
        if text.isEmpty { start = Cue.held(piece.startMilliseconds) }
        if text.isEmpty || !goesOn {
            if !text.isEmpty, areSpaced ? first > 0 : Words.takesSpace(text, word) { text.append(UInt8(ascii: " ")) }
        }
        text.append(contentsOf: word)
        lastStart = Cue.held(piece.startMilliseconds)
        end = piece.endMilliseconds.map { max(Cue.held($0), end ?? Cue.noEnd) } ?? end
        if let confidence = piece.confidence {
            confidenceSum += confidence
            confidenceCount += 1
        }
        speaker = piece.speaker ?? speaker
    }

    mutating func finish() {
        if text.isEmpty { return }
        sentences.append(
            Segment(
                text: String(decoding: text, as: UTF8.self), startMilliseconds: start,
                endMilliseconds: end ?? Cue.noEnd,
                confidence: confidenceCount > 0 ? confidenceSum / Double(confidenceCount) : nil))
        text.removeAll(keepingCapacity: true)
        end = nil
        confidenceSum = 0
        confidenceCount = 0
    }

    private func isBreak(before word: ArraySlice<UInt8>, goesOn: Bool, _ piece: TimedText) -> Bool {
        if let next = piece.speaker, let speaker, next != speaker { return true }
        // The rest of a word, and punctuation, stay with it whatever the pause.
        if goesOn { return text.count >= 4 * Words.mostBytes }
        let next = Int64(Cue.held(piece.startMilliseconds))
        let pause = end.map { next - Int64($0) >= Int64(Words.pauseMilliseconds) }
        if pause ?? (next - Int64(lastStart) >= Int64(Words.startPauseMilliseconds)) { return true }
        if text.count + 1 + word.count > Words.mostBytes { return true }
        if text.count >= Words.commaBytes, let byte = text.last, Words.isComma(byte) { return true }
        let startsLower = word.first.map { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") } ?? false
        return Words.endsSentence(text[...]) && !(startsLower && text.last == UInt8(ascii: "."))
    }

    /// Punctuation that ends a sentence, perhaps inside quotes, and not an abbreviation or an initial.
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

    /// No space where Chinese or Japanese meets the same.
    private static func takesSpace(_ text: [UInt8], _ word: ArraySlice<UInt8>) -> Bool {
        !(isUnspaced(text.last { $0 & 0xC0 != 0x80 } ?? 0) && isUnspaced(word.first ?? 0))
    }

    /// The first byte of a Chinese or Japanese character or of full-width punctuation.
    private static func isUnspaced(_ lead: UInt8) -> Bool { (lead >= 0xE3 && lead <= 0xE9) || lead == 0xEF }
}
