// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// The audiobook tags, as their taggers write them:
///
/// * the narrator in TXXX:NARRATOR or NARRATEDBY, else in TCOM (Audiobookshelf, Mp3tag's Audible scripts, beets-audible, Plex);
/// * the series in TXXX:SERIES, else MVNM (iTunes, beets-audible), else GRP1; its number in TXXX:SERIES-PART or PART, else MVIN;
/// * both in TIT1, where it reads "Series, Book 3" (Mp3tag's Audible scripts, beets-audible).
///
/// Names of TXXX are compared without case, spaces, hyphens and underscores, since ffmpeg and others vary them.
struct BookTags {
    enum Field {
        case narrator, series, seriesPart, movement, movementNumber, language
    }

    /// Values by their source, the best first. Several narrators may come from one source; worse sources are then ignored.
    private struct Candidates {
        private(set) var rank = Int.max
        private(set) var texts: [[UInt8]] = []

        mutating func add(_ text: [UInt8], rank: Int) {
            if text.isEmpty || rank > self.rank || texts.count == 32 { return }
            if rank < self.rank { texts = [] }
            self.rank = rank
            texts.append(text)
        }
    }

    private var narrators = Candidates()
    private var series = Candidates()
    private var seriesPart = Candidates()

    static func field(named name: [UInt8]) -> Field? {
        var plain: [UInt8] = []
        for byte in name.prefix(32) where byte != 0x20 && byte != 0x2D && byte != 0x5F {
            plain.append(byte.isLetter ? byte & ~0x20 : byte)
        }
        switch String(decoding: plain, as: UTF8.self) {
        case "NARRATOR", "NARRATORS", "NARRATEDBY", "READBY", "READER": return .narrator
        case "SERIES", "SERIESNAME", "SERIESTITLE": return .series
        case "SERIESPART", "SERIESSEQUENCE", "SERIESPOSITION", "SERIESNUMBER", "SERIESINDEX", "PART": return .seriesPart
        case "MVNM", "MOVEMENTNAME": return .movement
        case "MVIN", "MOVEMENT": return .movementNumber
        case "LANGUAGE", "LANG": return .language
        default: return nil
        }
    }

    mutating func take(_ field: Field, _ text: [UInt8]) {
        switch field {
        case .narrator: narrators.add(text, rank: 0)
        case .series: series.add(text, rank: 0)
        case .seriesPart: seriesPart.add(text, rank: 0)
        case .movement: take(movement: text)
        case .movementNumber: take(movementNumber: text)
        case .language: break
        }
    }

    mutating func take(composer text: [UInt8]) { narrators.add(text, rank: 1) }

    mutating func take(movement text: [UInt8]) { series.add(text, rank: 1) }

    /// Reads "2/7": the second of seven.
    mutating func take(movementNumber text: [UInt8]) {
        seriesPart.add(TagTexts.tidy(Array(text.prefix { $0 != UInt8(ascii: "/") })), rank: 1)
    }

    /// - Parameter isSeries: true if it is a series, even without the form "Series, Book 3".
    mutating func take(grouping text: [UInt8], isSeries: Bool) {
        let mark = Array(", book ".utf8)
        let lower = text.map { $0.isLetter ? $0 | 0x20 : $0 }
        var at = text.count - mark.count - 1
        while at > 0 && !lower[at...].starts(with: mark) { at -= 1 }
        if at > 0 {
            series.add(Array(text[..<at]), rank: 2)
            seriesPart.add(TagTexts.tidy(Array(text[(at + mark.count)...])), rank: 2)
        } else if isSeries {
            series.add(text, rank: 3)
        }
    }

    var values: [(tag: Tag, text: [UInt8])] {
        var values: [(tag: Tag, text: [UInt8])] = narrators.texts.map { (.narrator, $0) }
        if let first = series.texts.first { values.append((.series, first)) }
        if let first = seriesPart.texts.first { values.append((.seriesPart, first)) }
        return values
    }
}
