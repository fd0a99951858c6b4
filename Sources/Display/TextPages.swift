// SPDX-License-Identifier: Apache-2.0
/// Text cut into pages of a few rows, between words.
struct TextPage: Equatable {
    /// The rows of the page, each at most a row long, none empty.
    var lines: [[UInt8]]

    /// The reading or speaking time of the page, in characters, including the space before the next page.
    var weight: Int { lines.reduce(0) { $0 + $1.count + 1 } }
}

enum TextPages {
    /// Breaks `codes` between words (and inside those longer than a row) into as few pages of `rows` lines of `columns` as possible, evenly
    /// filled. Otherwise a sentence's last word could stand alone for an instant. Empty for no text.
    static func pages(_ codes: [UInt8], columns: Int, rows: Int) -> [TextPage] {
        guard !codes.isEmpty, columns > 0, rows > 0 else { return [] }
        let words = pieces(codes, columns: columns)
        let widest = lines(words, columns: columns)
        let count = (widest.count + rows - 1) / rows
        var best = widest
        if count > 1 {
            let longestWord = words.reduce(0) { max($0, $1.count) }
            // The narrowest rows with the same number of pages are filled most evenly.
            for width in max(longestWord, codes.count / (count * rows))..<max(columns, longestWord + 1) {
                let narrower = lines(words, columns: width)
                if narrower.count <= count * rows {
                    best = narrower
                    break
                }
            }
        }
        return stride(from: 0, to: best.count, by: rows).map {
            TextPage(lines: best[$0..<min($0 + rows, best.count)].map { Array($0) })
        }
    }

    /// Returns the words, with those longer than a row cut.
    private static func pieces(_ codes: [UInt8], columns: Int) -> [ArraySlice<UInt8>] {
        var result: [ArraySlice<UInt8>] = []
        for word in codes.split(separator: 0x20) {
            var rest = word
            while rest.count > columns {
                result.append(rest.prefix(columns))
                rest = rest.dropFirst(columns)
            }
            result.append(rest)
        }
        return result
    }

    private static func lines(_ words: [ArraySlice<UInt8>], columns: Int) -> [[UInt8]] {
        var result: [[UInt8]] = []
        var line: [UInt8] = []
        for word in words {
            if !line.isEmpty && line.count + 1 + word.count > columns {
                result.append(line)
                line = []
            }
            if !line.isEmpty { line.append(0x20) }
            line.append(contentsOf: word)
        }
        if !line.isEmpty { result.append(line) }
        return result
    }
}
