// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// A named position in a recording. Lists of chapters are in order of time.
public struct Chapter: Equatable, Sendable {
    public var startMilliseconds: Int
    /// The title; empty if unknown.
    public var title: String
    /// The level of a talking book's heading, 1 to 6; 0 for other chapters.
    public var level: Int

    public init(startMilliseconds: Int, title: String, level: Int = 0) {
        self.startMilliseconds = startMilliseconds
        self.title = title
        self.level = level
    }

    /// Returns the milliseconds of "3723", "62:03" or "01:02:03.456"; nil for anything else, or more than 500 hours.
    /// - Parameter leastParts: the least number of parts; hours are the third.
    public static func milliseconds(_ text: [UInt8], leastParts: Int = 1) -> Int? {
        var seconds = 0
        var part = 0
        var parts = 1
        var digits = 0
        // The value of the next decimal in thousandths; nil before the point.
        var unit: Int?
        var thousandths = 0
        for byte in text where !byte.isSpace {
            if byte.isDigit {
                digits += 1
                if digits > 9 { return nil }
                guard let place = unit else {
                    part = part.appendingSaturated(digit: byte)
                    continue
                }
                thousandths += Int(byte & 15) * place
                unit = place / 10
            } else if byte == UInt8(ascii: ":"), unit == nil, parts < 3, digits > 0, parts == 1 || part < 60 {
                seconds = min(seconds + min(part, 1_800_000), 1_800_000) * 60
                parts += 1
                (part, digits) = (0, 0)
            } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ","), unit == nil, digits > 0 {
                (unit, digits) = (100, 0)
            } else {
                return nil
            }
        }
        guard digits > 0 || unit != nil, parts >= leastParts, parts == 1 || part < 60 else { return nil }
        seconds += min(part, 1_800_000)
        return seconds < 1_800_000 ? seconds * 1000 + thousandths : nil
    }
}

extension [Chapter] {
    /// Returns the chapters that begin within the audio.
    /// - Parameter durationMilliseconds: the length of the audio; nil if unknown, which keeps all.
    public func within(_ durationMilliseconds: Int?) -> [Chapter] {
        guard let durationMilliseconds else { return self }
        return filter { $0.startMilliseconds < durationMilliseconds }
    }

    /// Returns the chapters with late ones moved to the end of the audio, for books with times slightly beyond their files.
    public func clamped(to durationMilliseconds: Int?) -> [Chapter] {
        guard let durationMilliseconds, durationMilliseconds > 0 else { return self }
        var clamped: [Chapter] = []
        for var chapter in self {
            chapter.startMilliseconds = Swift.min(chapter.startMilliseconds, durationMilliseconds - 1)
            if clamped.last?.startMilliseconds != chapter.startMilliseconds { clamped.append(chapter) }
        }
        return clamped
    }

    /// Returns the range of a chapter, in milliseconds; nil for an invalid number.
    /// - Parameters:
    ///   - number: the chapter's number, from 1.
    ///   - durationMilliseconds: the end of the last chapter; nil if unknown.
    public func bounds(ofNumber number: Int, durationMilliseconds: Int? = nil) -> Range<Int>? {
        guard number > 0, number <= count else { return nil }
        let start = self[number - 1].startMilliseconds
        let end = number < count ? self[number].startMilliseconds : durationMilliseconds ?? .max
        return start..<Swift.max(start, end)
    }
}
