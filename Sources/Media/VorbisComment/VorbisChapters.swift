// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// Chapters among the comments of Ogg and FLAC files: CHAPTER001=01:02:03.456 and CHAPTER001NAME=title.
struct VorbisChapters {
    private var starts: [Int: Int] = [:]
    private var titles: [Int: [UInt8]] = [:]
    private var titleBytes = 0

    private static let mostTitleBytes = 512 * 1024

    /// - Parameter name: the name in upper case.
    /// - Returns: true if it belongs to a chapter.
    mutating func take(_ name: [UInt8], _ text: [UInt8]) -> Bool {
        guard name.has("CHAPTER", at: 0), name.count >= 8 else { return false }
        let digits = name[7...].prefix { $0.isDigit }
        guard let number = Int64(digits: digits, most: 6).map({ Int($0) }) else { return false }
        let rest = Array(name[digits.endIndex...])
        if starts.count >= ChapterList.mostChapters { return true }
        if rest.isEmpty {
            if let start = Chapter.milliseconds(text, leastParts: 3), starts[number] == nil { starts[number] = start }
        } else if rest.count == 4, rest.has("NAME", at: 0), titles[number] == nil,
            titleBytes + text.count <= VorbisChapters.mostTitleBytes, titles.count < ChapterList.mostChapters
        {
            titleBytes += text.count
            titles[number] = text
        }
        return true
    }

    var list: [Chapter] {
        if starts.isEmpty { return [] }
        var list = ChapterList()
        for (number, start) in starts {
            let title = titles[number] ?? []
            list.add(start, TextDecoding.utf8(fromSingleBytes: title, title.indices))
        }
        return list.sorted()
    }
}
