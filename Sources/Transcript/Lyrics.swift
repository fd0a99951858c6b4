// SPDX-License-Identifier: Apache-2.0
import Text

/// Reads LRC: lines after one or more time stamps in square brackets, and tags such as `[offset:500]`.
final class Lyrics: LineReader {
    private let list: CueList
    /// The length of the audio; an unknown one is set by a `[length:]` tag.
    private(set) var durationMilliseconds: Int?
    private let knownDuration: Int?
    private var offset: Int64 = 0
    private var stamps: [Int32] = []
    /// True if the third field of a stamp means hundredths. It means seconds after hours and minutes, unless a stamp of the file disproves
    /// that.
    private var colonBeforeFraction = false
    private var isHundredths = false

    init(_ list: CueList, durationMilliseconds: Int?) {
        self.list = list
        self.durationMilliseconds = durationMilliseconds
        knownDuration = durationMilliseconds
    }

    func take(_ bytes: [UInt8], _ line: Range<Int>) throws(TranscriptError) {
        var scanner = ByteScanner(bytes, line)
        stamps.removeAll(keepingCapacity: true)
        while let stamp = Lyrics.stamp(&scanner, colonBeforeFraction: colonBeforeFraction) { stamps.append(stamp) }
        if scanner.sawImpossibleSeconds { isHundredths = true }
        if stamps.isEmpty {
            readTag(&scanner)
            return
        }
        list.text.begin()
        list.text.append(bytes, scanner.position..<line.upperBound, markup: .lyrics)
        // A stamp after the last word gives the end of the line.
        let end =
            stamps.count == 1
            ? Lyrics.closingStamp(bytes, scanner.position..<line.upperBound, colonBeforeFraction: colonBeforeFraction)
            : nil
        for stamp in stamps { try list.append(start: stamp, end: end) }
    }

    func complete(with letter: [UInt8]) { list.complete(with: letter) }

    func finish() throws(TranscriptError) -> Bool {
        if isHundredths, !colonBeforeFraction {
            colonBeforeFraction = true
            offset = 0
            durationMilliseconds = knownDuration
            list.removeAll()
            return true
        }
        if list.cues.isEmpty {
            throw TranscriptError(message: "no line with a time, expected [01:02.50] before the text")
        }
        // A positive offset means earlier lyrics.
        list.shift(by: -offset)
        return false
    }

    /// Reads `[01:02.50]` and the spaces before it; leaves anything else.
    static func stamp(_ scanner: inout ByteScanner, colonBeforeFraction: Bool = false) -> Int32? {
        let start = scanner.position
        scanner.skipSpaces()
        if scanner.take("["), let time = scanner.time(colonBeforeFraction: colonBeforeFraction) {
            scanner.skipSpaces()
            if scanner.take("]") { return time }
        }
        scanner.position = start
        return nil
    }

    private static func closingStamp(_ bytes: [UInt8], _ range: Range<Int>, colonBeforeFraction: Bool) -> Int32? {
        guard let last = range.last(where: { !bytes[$0].isSpace }),
            bytes[last] == UInt8(ascii: ">") || bytes[last] == UInt8(ascii: "]")
        else { return nil }
        let open = bytes[last] == UInt8(ascii: ">") ? UInt8(ascii: "<") : UInt8(ascii: "[")
        guard let first = bytes[range.lowerBound..<last].suffix(16).lastIndex(of: open) else { return nil }
        var scanner = ByteScanner(bytes, first + 1..<last)
        let time = scanner.time(colonBeforeFraction: colonBeforeFraction)
        return scanner.position == last ? time : nil
    }

    /// Reads `[offset:±milliseconds]` and `[length:minutes:seconds]`; other tags (title, artist …) do not concern time.
    private func readTag(_ scanner: inout ByteScanner) {
        scanner.skipSpaces()
        guard scanner.take("[") else { return }
        scanner.skipSpaces()
        var name: [UInt8] = []
        while scanner.peek().isLetter, name.count < 8 {
            name.append(scanner.peek() | 0x20)
            scanner.position += 1
        }
        scanner.skipSpaces()
        guard scanner.take(":") else { return }
        scanner.skipSpaces()
        if name.elementsEqual("offset".utf8) {
            let isNegative = scanner.take("-")
            if !isNegative { _ = scanner.take("+") }
            guard let value = scanner.number() else { return }
            offset = isNegative ? -value : value
        } else if name.elementsEqual("length".utf8), durationMilliseconds == nil {
            durationMilliseconds = scanner.time().map { Int($0) }
        }
    }
}
