import Posix
import SQLite

/// How to find sentences with the least work, reckoned by how many pages of the index each word takes: which is known without
/// reading them.
struct SpokenPlan {
    enum Way {
        /// What the index says to this; `isExact` where nothing has to be looked up in the sentences. It is asked of so many blocks at a
        /// time, since it may go past much before it finds a sentence.
        case index(match: String, isExact: Bool, window: Int64)
        /// All sentences, one after the other: what is looked for is in so many of them that some are found at once.
        case blocks
    }

    let way: Way

    /// Sentences that a word is in for each page that it takes; those of frequent words take a byte each.
    private static let sentencesInPage = 1400.0
    /// What it costs to have FTS5 go past a sentence, and to read one, in instructions.
    private static let passCost = 100.0
    private static let readCost = 25_000.0
    /// Sentences that it goes past at a time.
    private static let mostPassed = 30_000.0
    /// FTS5 merges the sentences of all words with a beginning before it tells the first: some thousand instructions for each.
    private static let mostBeginningPages = 1

    init(_ words: SpokenWords, _ database: Database) throws(SQLiteError) {
        let (whole, beginnings) = words.distinct
        if whole.isEmpty {
            var best: (word: [UInt8], pages: Int)?
            for word in beginnings {
                let pages = try SpokenPlan.pages(word, isPrefix: true, database)
                if pages < best?.pages ?? .max { best = (word, pages) }
            }
            guard let best, best.pages <= SpokenPlan.mostBeginningPages else {
                way = .blocks
                return
            }
            way = .index(
                match: SpokenPlan.quoted(best.word) + " *", isExact: words.isOneBeginning, window: .max)
            return
        }
        if whole.count == 1 {
            way = .index(match: SpokenPlan.quoted(whole[0]), isExact: words.isPlain, window: .max)
            return
        }
        var counts: [Double] = []
        for word in whole {
            let pages = try SpokenPlan.pages(word, isPrefix: false, database)
            counts.append((Double(pages) + 0.25) * SpokenPlan.sentencesInPage)
        }
        let all = max(1, Double(try database.integer("SELECT max(block) FROM spokenBlock") ?? 0) * 12)
        var rarest = 0
        for number in counts.indices where counts[number] < counts[rarest] { rarest = number }
        var likelihood = 1.0
        for (number, count) in counts.enumerated() where number != rarest { likelihood *= min(1, count / all) }
        let wanted = 10 / max(1e-9, likelihood)
        // The rarest word alone, and its sentences read.
        let reading = min(counts[rarest], wanted) * SpokenPlan.readCost
        // All words, by the index.
        let passing = counts.reduce(0, +) * SpokenPlan.passCost * min(1, wanted / counts[rarest])
        if reading < passing {
            way = .index(match: SpokenPlan.quoted(whole[rarest]), isExact: false, window: .max)
        } else {
            var match = ""
            for word in whole { match += (match.isEmpty ? "" : " ") + SpokenPlan.quoted(word) }
            let share = SpokenPlan.mostPassed / max(1, counts.reduce(0, +))
            let window = share >= 1 ? .max : max(100, Int64(share * all / 12))
            way = .index(match: match, isExact: words.isPlain, window: window)
        }
    }

    /// As FTS5's language has a text. Words have neither quotes nor anything else that means something there.
    private static func quoted(_ word: [UInt8]) -> String { "\"" + String(decoding: word, as: UTF8.self) + "\"" }

    /// How many pages of the index lie between the beginning and the end of what it knows of a word; 0 for less than one. By its
    /// table of the words at which pages begin.
    private static func pages(_ word: [UInt8], isPrefix: Bool, _ database: Database) throws(SQLiteError) -> Int {
        // The index puts a 0 before each word.
        let first = [UInt8(ascii: "0")] + word
        // Bytes of UTF-8 are below 0xFF.
        let last = first + [isPrefix ? 0xFF : 0]
        var pages = 0
        var segment: Int64 = -1
        while true {
            let next = try database.cached(
                "SELECT segid FROM spokenWord_idx WHERE segid > ? ORDER BY segid LIMIT 1", .integer(segment))
            defer { next.reset() }
            guard try next.step() else { return pages }
            segment = next.integer(0)
            next.reset()
            let from = try page(
                """
                SELECT pgno / 2 FROM spokenWord_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1
                """, segment, first, database)
            // The page on which something else begins.
            let to = try page(
                """
                SELECT pgno / 2 FROM spokenWord_idx WHERE segid = ? AND term > ? ORDER BY term LIMIT 1
                """, segment, last, database)
            if let from, let to { pages += max(0, Int(clamping: to - from) - 1) }
        }
    }

    /// A page of a segment; the lowest bit of its number says something else.
    private static func page(
        _ sql: StaticString, _ segment: Int64, _ word: [UInt8], _ database: Database
    ) throws(SQLiteError) -> Int64? {
        let row = try database.cached(sql, .integer(segment), .blob(word))
        defer { row.reset() }
        return try row.step() ? row.integer(0) : nil
    }
}

extension SpokenWords {
    /// Nothing but one beginning, which the index can tell.
    fileprivate var isOneBeginning: Bool { phrases.count == 1 && phrases[0].words.count == 1 }
}
