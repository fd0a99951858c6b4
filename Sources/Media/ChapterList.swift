// SPDX-License-Identifier: Apache-2.0
import Text

/// Collects the chapters of a foreign text into a reliable list: in order of time, at most one for each moment, within the audio, and of
/// limited size.
struct ChapterList {
    static let mostChapters = 10_000
    private static let mostTitleBytes = 512
    /// The limit of all titles together.
    private static let mostBytes = 512 * 1024

    private var chapters: [Chapter] = []
    private var titleBytes = 0

    var isEmpty: Bool { chapters.isEmpty }
    var isFull: Bool { chapters.count == ChapterList.mostChapters }

    /// - Parameter title: the title in UTF-8, unprocessed.
    mutating func add(_ startMilliseconds: Int, _ title: [UInt8], level: Int = 0) {
        guard startMilliseconds >= 0, startMilliseconds <= Int(Int32.max), !isFull else { return }
        let tidied = TextDecoding.tidied(title, most: ChapterList.mostTitleBytes)
        titleBytes += tidied.count
        let fits = titleBytes <= ChapterList.mostBytes
        chapters.append(
            Chapter(
                startMilliseconds: startMilliseconds, title: fits ? String(decoding: tidied, as: UTF8.self) : "",
                level: level))
    }

    /// Returns the chapters in order of time.
    func sorted() -> [Chapter] {
        var places = Array(chapters.indices)
        // Of chapters at the same moment the first counts, unless only a later one has a title.
        places.sort {
            let (a, b) = (chapters[$0], chapters[$1])
            if a.startMilliseconds != b.startMilliseconds { return a.startMilliseconds < b.startMilliseconds }
            return a.title.isEmpty == b.title.isEmpty ? $0 < $1 : b.title.isEmpty
        }
        var list: [Chapter] = []
        for place in places {
            let chapter = chapters[place]
            if list.last?.startMilliseconds != chapter.startMilliseconds { list.append(chapter) }
        }
        return list
    }
}
