// SPDX-License-Identifier: Apache-2.0
import Posix

/// The file that assigns fonts to characters, in addition to Debian's: a line for each font file, and the first one with a character
/// counts.
///
///     U+0600-06FF U+FB50-FDFF   /usr/share/fonts/truetype/noto/NotoNaskhArabic-Regular.ttf
///     * bold                    /usr/local/share/fonts/Atkinson-Bold.otf
public enum FontTable {
    public struct Mistake: Error {
        public var line: Int
        public var problem: String
        public var expected: String
    }

    /// The largest table.
    public static let mostBytes = 64 * 1024
    private static let mostFiles = 100

    /// Returns the families of a table, followed by Debian's.
    public static func families(_ bytes: [UInt8]) throws(Mistake) -> [FontFamily] {
        var families: [FontFamily] = []
        // Consecutive weights for the same characters form one family.
        var last: [ClosedRange<UInt32>]?
        var count = 0
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D })
            guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
            guard let entry = try entry(line, line: index + 1) else { continue }
            count += 1
            if count > mostFiles { throw mistake(index + 1, "more than \(mostFiles) files", "fewer") }
            if last != nil, last == entry.ranges, !families.isEmpty {
                families[families.count - 1].files.append(entry.file)
            } else {
                families.append(
                    FontFamily(entry.file.path.pathName, package: "", ranges: entry.ranges, files: [entry.file]))
            }
            last = entry.ranges
        }
        for index in families.indices { families[index].files.sort { $0.weight.rawValue < $1.weight.rawValue } }
        return families + FontFamily.standard
    }

    /// Reads `RANGES [WEIGHT] FILE`; a file's name may contain spaces.
    private static func entry(
        _ line: ArraySlice<UInt8>, line number: Int
    ) throws(Mistake) -> (ranges: [ClosedRange<UInt32>], file: FontFamily.File)? {
        guard let slash = line.firstIndex(of: UInt8(ascii: "/")) else {
            throw mistake(number, "no file", "RANGES [WEIGHT] /PATH/OF/A/FONT")
        }
        var path = line[slash...]
        while let end = path.last, end == 0x20 || end == 0x09 || end == 0x0D { path.removeLast() }
        var ranges: [ClosedRange<UInt32>] = []
        var isForAll = false
        var weight = FontWeight.regular
        for word in line[..<slash].split(whereSeparator: { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }) {
            if word.elementsEqual([UInt8(ascii: "*")]) {
                isForAll = true
            } else if let range = range(word) {
                ranges.append(range)
            } else if let named = FontWeight(name: String(decoding: word, as: UTF8.self)) {
                weight = named
            } else {
                throw mistake(
                    number, "'" + String(decoding: word, as: UTF8.self) + "'",
                    "U+0600-06FF, U+1F600, * for all, or a weight: light, regular, medium, semibold, bold")
            }
        }
        if ranges.isEmpty != isForAll {
            throw mistake(number, isForAll ? "* and a range" : "no characters", "ranges such as U+0600-06FF, or *")
        }
        return (ranges, FontFamily.File(weight, String(decoding: path, as: UTF8.self)))
    }

    private static func mistake(_ line: Int, _ problem: String, _ expected: String) -> Mistake {
        Mistake(line: line, problem: problem, expected: expected)
    }

    /// Reads "U+0600-06FF", "U+0600-U+06FF" or "U+1F600".
    private static func range(_ word: ArraySlice<UInt8>) -> ClosedRange<UInt32>? {
        let ends = word.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count <= 2, let from = character(ends[0], isMarked: true) else { return nil }
        guard ends.count == 2 else { return from...from }
        guard let to = character(ends[1], isMarked: false), from <= to else { return nil }
        return from...to
    }

    private static func character(_ word: ArraySlice<UInt8>, isMarked: Bool) -> UInt32? {
        var digits = word
        if digits.count > 2, digits.first == UInt8(ascii: "U") || digits.first == UInt8(ascii: "u"),
            digits[digits.startIndex + 1] == UInt8(ascii: "+")
        {
            digits = digits.dropFirst(2)
        } else if isMarked {
            return nil
        }
        if digits.isEmpty || digits.count > 6 { return nil }
        var value: UInt32 = 0
        for digit in digits {
            switch digit {
            case 0x30...0x39: value = value << 4 | UInt32(digit - 0x30)
            case 0x41...0x46: value = value << 4 | UInt32(digit - 0x41 + 10)
            case 0x61...0x66: value = value << 4 | UInt32(digit - 0x61 + 10)
            default: return nil
            }
        }
        return value <= 0x10FFFF ? value : nil
    }
}

extension FontWeight {
    init?(name: String) {
        switch name {
        case "light": self = .light
        case "regular": self = .regular
        case "medium": self = .medium
        case "semibold": self = .semibold
        case "bold": self = .bold
        default: return nil
        }
    }
}
