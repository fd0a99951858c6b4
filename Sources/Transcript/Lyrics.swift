/// LRC: lines behind one or more time stamps in square brackets, and tags such as `[offset:500]`.
enum Lyrics {
    /// - Parameter durationMilliseconds: of the audio; set from a `[length:]` tag if nil.
    static func parse(_ bytes: [UInt8], durationMilliseconds: inout Int?) throws(TranscriptError) -> CueList {
        var duration = durationMilliseconds
        var isHundredths = false
        // Three fields mean hours, minutes and seconds, unless one of the file's stamps shows that the last are hundredths.
        var list = read(bytes, colonBeforeFraction: false, &duration, &isHundredths)
        if isHundredths {
            duration = durationMilliseconds
            list = read(bytes, colonBeforeFraction: true, &duration, &isHundredths)
        }
        if list.cues.isEmpty {
            throw TranscriptError(message: "no line with a time, expected [01:02.50] before the text")
        }
        durationMilliseconds = duration
        return list
    }

    private static func read(
        _ bytes: [UInt8], colonBeforeFraction: Bool, _ duration: inout Int?, _ isHundredths: inout Bool
    ) -> CueList {
        var list = CueList(reservingBytes: bytes.count)
        var offset = 0
        var stamps: [Int] = []
        for line in Lines(bytes) {
            var scanner = ByteScanner(bytes, line)
            stamps.removeAll(keepingCapacity: true)
            while let stamp = stamp(&scanner, colonBeforeFraction: colonBeforeFraction) { stamps.append(stamp) }
            if scanner.sawImpossibleSeconds { isHundredths = true }
            if stamps.isEmpty {
                readTag(&scanner, &offset, &duration)
                continue
            }
            list.text.begin()
            list.text.append(bytes, scanner.position..<line.upperBound, markup: .lyrics)
            // A stamp behind the last word says when the line ends.
            let end =
                stamps.count == 1
                ? closingStamp(bytes, scanner.position..<line.upperBound, colonBeforeFraction: colonBeforeFraction)
                : nil
            for stamp in stamps {
                list.append(Cue(start: stamp, end: end ?? Cue.noEnd, text: list.text.current))
            }
        }
        // A positive offset shows the lyrics sooner.
        list.shift(by: -offset)
        return list
    }

    /// Takes `[01:02.50]` and the spaces before it; leaves anything else.
    static func stamp(_ scanner: inout ByteScanner, colonBeforeFraction: Bool = false) -> Int? {
        let start = scanner.position
        scanner.skipSpaces()
        if scanner.take("["), let time = scanner.time(colonBeforeFraction: colonBeforeFraction) {
            scanner.skipSpaces()
            if scanner.take("]") { return time }
        }
        scanner.position = start
        return nil
    }

    private static func closingStamp(_ bytes: [UInt8], _ range: Range<Int>, colonBeforeFraction: Bool) -> Int? {
        guard let last = range.last(where: { !bytes[$0].isSpace }),
            bytes[last] == UInt8(ascii: ">") || bytes[last] == UInt8(ascii: "]")
        else { return nil }
        let open = bytes[last] == UInt8(ascii: ">") ? UInt8(ascii: "<") : UInt8(ascii: "[")
        guard let first = bytes[range.lowerBound..<last].suffix(16).lastIndex(of: open) else { return nil }
        var scanner = ByteScanner(bytes, first + 1..<last)
        let time = scanner.time(colonBeforeFraction: colonBeforeFraction)
        return scanner.position == last ? time : nil
    }

    /// `[offset:±milliseconds]` and `[length:minutes:seconds]`; the others (title, artist …) say nothing about time.
    private static func readTag(_ scanner: inout ByteScanner, _ offset: inout Int, _ duration: inout Int?) {
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
            offset = Int(value) * (isNegative ? -1 : 1)
        } else if name.elementsEqual("length".utf8), duration == nil {
            duration = scanner.time()
        }
    }
}
