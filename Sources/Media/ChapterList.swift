// SPDX-License-Identifier: Apache-2.0
import Text

/// Takes in the chapters that a foreign text names, and makes a list of them that callers can rely on: in order of time, one a moment,
/// within the audio, and bounded for any text.
struct ChapterList {
    static let mostChapters = 10_000
    private static let mostTitleBytes = 512
    /// Of all titles together.
    private static let mostBytes = 512 * 1024

    private var chapters: [Chapter] = []
    private var titleBytes = 0

    var isEmpty: Bool { chapters.isEmpty }
    var isFull: Bool { chapters.count == ChapterList.mostChapters }

    /// - Parameter title: UTF-8, as it stands in the text.
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

    /// In order of time.
    func sorted() -> [Chapter] {
        var places = Array(chapters.indices)
        // Of those that begin at the same moment the first named counts, unless only a later one has a title.
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
