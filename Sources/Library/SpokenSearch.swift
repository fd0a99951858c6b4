import CPosix
import Model
import Posix
import SQLite

/// Looks for sentences, in portions of a few million instructions. What changes meanwhile may be found or not.
///
/// The index knows of words in which sentences they are. What it does not know, phrases and beginnings, is read in the sentences that
/// it names. Which way is the cheapest hangs on how frequent the words are, which `SpokenPlan` reckons.
public final class SpokenSearch {
    /// Sentences that are read in a portion to see whether they match, and rows that are looked at.
    private static let mostRead = 250
    /// Blocks that are gone through in a portion where the index is of no use.
    private static let mostBlocks = 150

    private let library: Library
    private let tokenizer: WordTokenizer
    private let words: SpokenWords
    private var plan: SpokenPlan?
    /// All sentences up to this one were looked at.
    private var cursor: Int64
    private var isOver = false
    /// The block that was read last.
    private var block: (number: Int64, sentences: SpokenSentences?) = (-1, nil)
    /// Whose it is; nil where the item is away.
    private var item: SpokenItem?
    private var itemID: Item.ID?

    /// - Parameter text: see `SpokenWords`.
    /// - Returns: nil where no word is in it.
    public init?(_ library: Library, _ text: String) {
        guard let tokenizer = WordTokenizer(library.database) else { return nil }
        words = SpokenWords(text, tokenizer)
        if words.phrases.isEmpty { return nil }
        self.library = library
        self.tokenizer = tokenizer
        cursor = -1
    }

    /// The next ones, of present items: there may be none although some follow. Nil behind the last.
    public func next(_ limit: Int) -> [SpokenHit]? {
        var hits: [SpokenHit] = []
        return visit(limit) { id, sentences, place in
            hits.append(
                SpokenHit(
                    itemID: id, path: item?.path ?? "", title: item?.title ?? "",
                    milliseconds: sentences.starts[place], text: sentences.text(place)))
            return false
        } ? hits : nil
    }

    /// Items in which it is said, each once: there may be none although some follow. Nil behind the last.
    public func nextItems() -> [Item.ID]? {
        var items: [Item.ID] = []
        return visit(.max) { item, _, _ in
            items.append(item)
            return true
        } ? items : nil
    }

    /// Goes a portion further.
    /// - Parameter take: returns whether the rest of the item does not matter.
    /// - Returns: false if there was nothing left.
    private func visit(_ limit: Int, _ take: (Item.ID, SpokenSentences, Int) -> Bool) -> Bool {
        if isOver { return false }
        library.read(else: ()) { (database) throws(SQLiteError) in
            isOver = true
            guard try Library.hasSpokenIndex(database) else { return }
            if plan == nil { plan = try SpokenPlan(words, database) }
            switch plan?.way {
            case .index(let match, let isExact, let window):
                isOver = try !visitIndex(match, isExact, window, limit, database, take)
            case .blocks: isOver = try !visitBlocks(limit, database, take)
            case nil: break
            }
        }
        return true
    }

    // MARK: By the index

    /// Returns whether something may be left.
    private func visitIndex(
        _ match: String, _ isExact: Bool, _ window: Int64, _ limit: Int, _ database: Database,
        _ take: (Item.ID, SpokenSentences, Int) -> Bool
    ) throws(SQLiteError) -> Bool {
        let isWindowed = window < .max
        let end = isWindowed ? cursor + window * Int64(SpokenBlock.mostSentences) : .max
        var (found, read) = (0, 0)
        var skipsTo: Int64?
        repeat {
            if let skip = skipsTo { cursor = skip }
            skipsTo = nil
            let rows = try database.cached(
                "SELECT rowid FROM spokenWord WHERE spokenWord MATCH ? AND rowid > ? AND rowid <= ? ORDER BY rowid",
                .text(match), .integer(cursor), .integer(end))
            defer { rows.reset() }
            while try rows.step() {
                if found >= limit || read >= SpokenSearch.mostRead { return true }
                read += 1
                let row = rows.integer(0)
                guard row > cursor else { throw SQLiteError.indexOutOfOrder }
                let number = row / Int64(SpokenBlock.mostSentences)
                let place = Int(row % Int64(SpokenBlock.mostSentences))
                cursor = row
                try load(number, database)
                guard let itemID, let sentences = block.sentences, place < sentences.count else {
                    // Over the rest of an item that is away at once.
                    if block.sentences == nil, let item, item.lastBlock > number {
                        skipsTo = SpokenSearch.end(item)
                        break
                    }
                    continue
                }
                if !isExact && !sentences.withText(place, { words.match($0, tokenizer) }) { continue }
                found += 1
                if take(itemID, sentences, place), let item, item.lastBlock > number {
                    skipsTo = SpokenSearch.end(item)
                    break
                }
            }
        } while skipsTo != nil
        if !isWindowed { return false }
        cursor = max(cursor, end)
        let last = try database.integer("SELECT max(block) FROM spokenBlock") ?? -1
        return cursor < (last + 1) * Int64(SpokenBlock.mostSentences)
    }

    private static func end(_ item: SpokenItem) -> Int64 {
        (item.lastBlock + 1) * Int64(SpokenBlock.mostSentences) - 1
    }

    // MARK: Without it

    private func visitBlocks(
        _ limit: Int, _ database: Database, _ take: (Item.ID, SpokenSentences, Int) -> Bool
    ) throws(SQLiteError) -> Bool {
        let begins = words.phrases.first?.words.first ?? []
        var found = 0
        for _ in 0..<SpokenSearch.mostBlocks {
            let size = Int64(SpokenBlock.mostSentences)
            // Within a block that was begun, or at the start of the next.
            var number = (cursor + 1) / size
            let row = try database.cached("SELECT min(block) FROM spokenBlock WHERE block >= ?", .integer(number))
            defer { row.reset() }
            guard try row.step(), !row.isNull(0) else { return false }
            if row.integer(0) > number {
                number = row.integer(0)
                cursor = number * size - 1
            }
            row.reset()
            try load(number, database)
            if let itemID, let sentences = block.sentences {
                for place in Int((cursor + 1) % size)..<max(sentences.count, Int((cursor + 1) % size)) {
                    if found >= limit { return true }
                    cursor += 1
                    let isMatch = sentences.withText(place) {
                        SpokenSearch.mayBegin($0, begins) && words.match($0, tokenizer)
                    }
                    if !isMatch { continue }
                    found += 1
                    if take(itemID, sentences, place), let item {
                        cursor = SpokenSearch.end(item)
                        break
                    }
                }
            } else if let item {
                cursor = max(cursor, SpokenSearch.end(item))
            }
            cursor = max(cursor, (number + 1) * size - 1)
        }
        return true
    }

    /// False if no word of a text begins so; a quick look that knows ASCII only and takes all else for possible. Eight bytes at a time:
    /// this is what a search for a beginning does most.
    static func mayBegin(_ text: UnsafeRawBufferPointer, _ word: [UInt8]) -> Bool {
        guard let first = word.first, first < 0x80 else { return true }
        // In each of eight bytes: the bit that makes a letter small, the highest bit, all bits but that.
        let small: UInt64 = 0x2020_2020_2020_2020
        let highest: UInt64 = 0x8080_8080_8080_8080
        let others: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        let wanted = UInt64(first | 0x20) &* 0x0101_0101_0101_0101
        var place = 0
        while place < text.count {
            let eight: UInt64
            if place + 8 <= text.count {
                eight = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            } else {
                // Zeros behind the end are no letters.
                var last: UInt64 = 0
                for index in place..<text.count { last |= UInt64(text[index]) &<< UInt64(8 * (index - place)) }
                eight = last
            }
            if eight & highest != 0 { return true }
            // The highest bit of each byte that is the letter: it differs in nothing, so that no carry comes to it.
            var found = ~(((eight | small) ^ wanted) &+ others) & highest
            while found != 0 {
                if begins(text, place + found.trailingZeroBitCount / 8, word) { return true }
                found &= found &- 1
            }
            place += 8
        }
        return false
    }

    /// Whether a word begins at a place of the text, where its first letter stands.
    private static func begins(_ text: UnsafeRawBufferPointer, _ place: Int, _ word: [UInt8]) -> Bool {
        // Letters and digits alone tell what a word is; for others a look too many is made.
        if place > 0, text[place - 1] | 0x20 >= 0x61, text[place - 1] | 0x20 <= 0x7A { return false }
        return goesOn(text, place, word)
    }

    /// Whether the rest of `word` may stand behind its first letter at a place of the text.
    private static func goesOn(_ text: UnsafeRawBufferPointer, _ place: Int, _ word: [UInt8]) -> Bool {
        for index in 1..<max(1, word.count) {
            // The text ends; or a letter has a mark, or is none that ASCII has.
            if place + index >= text.count { return false }
            let (wanted, found) = (word[index], text[place + index])
            if wanted >= 0x80 || found >= 0x80 { return true }
            if wanted | 0x20 != found | 0x20 { return false }
        }
        return true
    }

    // MARK: Sentences

    /// Makes `block`, `item` and `itemID` those of a block. Of an item that is away there are no sentences.
    private func load(_ number: Int64, _ database: Database) throws(SQLiteError) {
        if block.number == number { return }
        block = (number, nil)
        let row = try database.cached(
            "SELECT item, sentences FROM spokenBlock WHERE block = ?", .integer(number))
        defer { row.reset() }
        guard try row.step() else {
            item = nil
            itemID = nil
            return
        }
        let id = row.integer(0)
        if item?.id != id {
            item = try SpokenItem(id, database)
            itemID = item?.isPresent ?? false ? id : nil
        }
        if itemID != nil { block.sentences = item?.sentences(row.bytes(1)) }
    }
}
