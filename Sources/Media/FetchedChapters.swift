// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// Chapters in a file that a podcast's feed names, in the JSON of Podcasting 2.0. Worker thread.
public enum FetchedChapters {
    private static let mostBytes: Int64 = 1 << 20

    /// Returns the chapters of the feed itself: lines of milliseconds, a space and a title.
    public static func marks(_ text: String) -> [Chapter] {
        var list = ChapterList()
        for line in Array(text.utf8).split(separator: 0x0A) {
            let digits = line.prefix { $0.isDigit }
            let start = digits.reduce(Int64(0)) { $0.appendingSaturated(digit: $1) }
            if !digits.isEmpty { list.add(Int(clamping: start), Array(line.dropFirst(digits.count))) }
        }
        return list.sorted()
    }

    /// Reads the file. A malformed one gives the chapters before the fault.
    public static func read(_ source: MediaSource) -> [Chapter] {
        (try? ChaptersJSON.chapters(in: source.open(), most: mostBytes)) ?? []
    }
}
