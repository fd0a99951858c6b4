import Core
import Text

/// Chapters in a file that a podcast's feed named: JSON as Podcasting 2.0 has it. Worker thread.
public enum FetchedChapters {
    private static let mostBytes: Int64 = 1 << 20
    private static let pieceBytes = 16 * 1024

    /// Those that stood in the feed itself: a line for each, with milliseconds, a space and a title.
    public static func marks(_ text: String) -> [Chapter] {
        var list = ChapterList()
        for line in Array(text.utf8).split(separator: 0x0A) {
            let digits = line.prefix { $0.isDigit }
            let start = digits.reduce(Int64(0)) { $0.appendingSaturated(digit: $1) }
            if !digits.isEmpty { list.add(Int(clamping: start), Array(line.dropFirst(digits.count))) }
        }
        return list.sorted()
    }

    /// What is malformed holds the chapters that stand before the fault.
    public static func read(_ source: MediaSource) -> [Chapter] {
        let reader = ChaptersJSON()
        guard let file = try? source.open() else { return [] }
        var bytes = [UInt8](repeating: 0, count: pieceBytes)
        var offset: Int64 = 0
        while offset < mostBytes {
            let count = bytes.withUnsafeMutableBytes { (try? file.read(into: $0, at: offset)) ?? 0 }
            if count <= 0 { break }
            // A mark of the encoding is no JSON.
            let start = offset == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            offset += Int64(count)
            do throws(JSONError) { try reader.take(Array(bytes[start..<max(start, count)])) } catch { break }
        }
        return reader.chapters
    }
}
