import Core
import Text

/// Chapters among the comments: CHAPTER001=01:02:03.456 and CHAPTER001NAME=title, as they are written into Ogg files and FLAC.
struct VorbisChapters {
    private var starts: [Int: Int] = [:]
    private var titles: [Int: [UInt8]] = [:]
    private var titleBytes = 0

    private static let mostTitleBytes = 512 * 1024

    /// - Parameter name: in upper case.
    /// - Returns: whether it is one of a chapter.
    mutating func take(_ name: [UInt8], _ text: [UInt8]) -> Bool {
        guard name.has("CHAPTER", at: 0), name.count >= 8 else { return false }
        let digits = name[7...].prefix { $0.isDigit }
        guard digits.count >= 1, digits.count <= 6 else { return false }
        let number = digits.reduce(0) { $0.appendingSaturated(digit: $1) }
        let rest = Array(name[digits.endIndex...])
        if starts.count >= ChapterList.mostChapters { return true }
        if rest.isEmpty {
            if let start = VorbisChapters.milliseconds(text), starts[number] == nil { starts[number] = start }
        } else if rest.count == 4, rest.has("NAME", at: 0), titles[number] == nil,
            titleBytes + text.count <= VorbisChapters.mostTitleBytes, titles.count < ChapterList.mostChapters
        {
            titleBytes += text.count
            titles[number] = text
        }
        return true
    }

    /// Of "01:02:03.456"; the fraction may be left out.
    static func milliseconds(_ text: [UInt8]) -> Int? {
        var values: [Int] = [0]
        var digits = 0
        var fraction: Int?
        for byte in text where !byte.isSpace {
            if byte.isDigit {
                digits += 1
                if digits > 9 { return nil }
                if fraction != nil {
                    if digits <= 3 { fraction = fraction?.appendingSaturated(digit: byte) }
                } else {
                    values[values.count - 1] = values[values.count - 1].appendingSaturated(digit: byte)
                }
            } else if byte == UInt8(ascii: ":"), fraction == nil, values.count < 3, digits > 0 {
                values.append(0)
                digits = 0
            } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ","), fraction == nil, digits > 0 {
                fraction = 0
                digits = 0
            } else {
                return nil
            }
        }
        guard values.count == 3, values[0] < 500, values[1] < 60, values[2] < 60 else { return nil }
        var thousandths = fraction ?? 0
        if fraction != nil { for _ in min(3, digits)..<3 { thousandths *= 10 } }
        return (values[0] * 3600 + values[1] * 60 + values[2]) * 1000 + thousandths
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
