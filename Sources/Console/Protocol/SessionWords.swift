// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import Text
import Wire

/// The sentences of a session's last answer, so that it can play one of them. Control thread.
final class SpokenHits {
    /// The limit of kept sentences; an answer may have more.
    private static let mostKept = 100

    private var first = 0
    private var kept: [SpokenHit] = []

    func begin(at number: Int) {
        first = number
        kept = []
    }

    func append(_ hit: SpokenHit) {
        if kept.count < SpokenHits.mostKept { kept.append(hit) }
    }

    subscript(number: Int) -> SpokenHit? {
        kept.indices.contains(number - first) ? kept[number - first] : nil
    }
}

/// Spoken words in the library.
extension Session {
    /// The default number of sentences in an answer.
    private static let usualCount = 10

    /// Answers `say WORDS [START:END]`. An argument with a space in it is a phrase: it was typed in quotes.
    func say(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) -> Portions {
        var words = arguments[...]
        var range = 0..<Session.usualCount
        if words.count > 1, let last = words.last, Session.isRange(last) {
            range = try Argument.range(last)
            words.removeLast()
        }
        let parts = words.map { Session.isPhrase($0) ? "\"" + $0 + "\"" : $0 }
        guard let listing = host.said(parts.joined(separator: " ")) else {
            throw Argument.wrong(words.joined(separator: " "), "There is no word in it")
        }
        hits.begin(at: range.lowerBound)
        // Some words may not be in the index yet.
        if host.status.isReadingWords { response.field("updating", 1) }
        return .sentences(listing, host.names, range, hits)
    }

    /// Returns whether the text is a range such as `10:20` or `10:`.
    private static func isRange(_ text: String) -> Bool {
        var hasColon = false
        for (place, byte) in text.utf8.enumerated() {
            if byte == UInt8(ascii: ":") {
                if hasColon || place == 0 { return false }
                hasColon = true
            } else if !byte.isDigit {
                return false
            }
        }
        return hasColon
    }

    private static func isPhrase(_ text: String) -> Bool {
        let quote = UInt8(ascii: "\"")
        return text.utf8.contains { $0 <= 0x20 } && !text.utf8.contains { $0 == quote }
    }

    /// Plays a sentence of the last answer.
    func playSaid(_ argument: String?) throws(ConsoleError) {
        let number = try argument.map { text throws(ConsoleError) in try Argument.unsigned(text) } ?? 1
        guard let hit = hits[number - 1] else {
            throw ConsoleError(.noExist, "say has not told a sentence of that number")
        }
        try host.play(song: hit.itemID, fromMilliseconds: hit.milliseconds)
    }
}

extension Portions {
    /// Lists a window of found sentences.
    static func sentences(
        _ listing: @escaping SpokenListing, _ names: SongNames, _ range: Range<Int>, _ hits: SpokenHits
    ) -> Portions {
        /// The whole page is in memory.
        let mostInPage = 64
        var number = 0
        var page: Awaited<[SpokenHit]?>?
        return Portions(isWaiting: page.map { $0.outcome == nil } ?? false) {
            budget, response throws(ConsoleError) in
            guard let asked = page else {
                // One more than the page shows whether others follow.
                page = listing(min(mostInPage, (range.upperBound - number).addingSaturated(1)))
                return false
            }
            budget.take(WorkBudget.pageCost)
            let found: [SpokenHit]
            switch asked.outcome {
            case nil: return false
            case .failure(let error): throw error
            case .success(nil): return true
            case .success(let hits?): found = hits
            }
            page = nil
            for hit in found {
                if number >= range.upperBound {
                    response.field("more", "\(range.upperBound):\(range.upperBound + range.count)")
                    return true
                }
                if number >= range.lowerBound {
                    response.field("hit", number + 1)
                    response.field("file", path: names.uri(of: hit.path))
                    response.field("Title", hit.title)
                    response.field("start", milliseconds: hit.milliseconds)
                    response.field("text", hit.text)
                    hits.append(hit)
                }
                number += 1
            }
            return false
        }
    }
}
