// SPDX-License-Identifier: Apache-2.0
import Core
import Media
import Text

/// Times and durations in feeds.
enum FeedDate {
    /// Parses "Fri, 20 Nov 2026 18:00:00 +0100" (RFC 2822), with or without the weekday and the seconds, and with zones such as "GMT"; or
    /// "2026-11-20T18:00:00Z". Returns seconds since 1970; nil for any other text, or before 1971.
    static func seconds(_ text: [UInt8]) -> Int64? {
        var numbers: [Int64] = []
        var month: Int64 = 0
        var zone: Int64 = 0
        var words = text.prefix(64).split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == 0x2C }
        if let first = words.first, first.count >= 10, first[first.startIndex + 4] == UInt8(ascii: "-") {
            return iso(Array(first))
        }
        if words.count > 1, let first = words.first, first.allSatisfy({ $0 >= 0x41 }) { words.removeFirst() }
        for word in words {
            if let found = monthNumber(word) {
                month = found
            } else if word.first == UInt8(ascii: "+") || word.first == UInt8(ascii: "-") {
                if let value = Int64(digits: word.dropFirst(), most: 9), word.count == 5 {
                    // No overflow: four digits.
                    zone = (value / 100 * 60 + value % 100) * 60 * (word.first == UInt8(ascii: "-") ? -1 : 1)
                }
            } else if word.contains(UInt8(ascii: ":")) {
                for part in word.split(separator: UInt8(ascii: ":")) {
                    guard let value = Int64(digits: part, most: 9) else { return nil }
                    numbers.append(value)
                }
            } else if let value = Int64(digits: word, most: 9) {
                numbers.append(value)
            } else if let hours = americanZone(word) {
                zone = hours * 3600
            }
        }
        guard month > 0, numbers.count >= 4 else { return nil }
        let year = numbers[1] < 70 ? numbers[1] + 2000 : numbers[1] < 100 ? numbers[1] + 1900 : numbers[1]
        return seconds(
            year, month, numbers[0], numbers[2], numbers[3], numbers.count > 4 ? numbers[4] : 0, zone)
    }

    private static func iso(_ text: [UInt8]) -> Int64? {
        func at(_ place: Int, _ count: Int) -> Int64? {
            place + count <= text.count ? Int64(digits: text[place..<place + count], most: 9) : nil
        }
        guard let year = at(0, 4), let month = at(5, 2), let day = at(8, 2) else { return nil }
        return seconds(year, month, day, at(11, 2) ?? 0, at(14, 2) ?? 0, at(17, 2) ?? 0, 0)
    }

    private static func seconds(
        _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64, _ minute: Int64, _ second: Int64, _ zone: Int64
    ) -> Int64? {
        guard (1971...9998).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 25, minute < 61,
            second < 62
        else { return nil }
        // Days since 1970 in the Gregorian calendar; the year begins with March.
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return (era * 146_097 + dayOfEra - 719_468) * 86_400 + hour * 3600 + minute * 60 + second - zone
    }

    /// Parses "3723", "62:03" or "1:02:03" as seconds. nil for any other text, or more than 4 days.
    static func duration(_ text: [UInt8]) -> Int64? {
        guard let seconds = Chapter.milliseconds(text).map({ Int64($0 / 1000) }), seconds > 0, seconds < 4 * 86_400
        else { return nil }
        return seconds
    }

    private static func monthNumber(_ word: ArraySlice<UInt8>) -> Int64? {
        guard word.count >= 3 else { return nil }
        let start = word.prefix(3).map { $0 | 0x20 }
        let months = Array("janfebmaraprmayjunjulaugsepoctnovdec".utf8)
        for month in 0..<12 where start.elementsEqual(months[3 * month..<3 * month + 3]) { return Int64(month + 1) }
        return nil
    }

    private static func americanZone(_ word: ArraySlice<UInt8>) -> Int64? {
        guard word.count == 3 else { return nil }
        let zones = Array("ESTEDTCSTCDTMSTMDTPSTPDT".utf8)
        let hours: [Int64] = [-5, -4, -6, -5, -7, -6, -8, -7]
        for zone in hours.indices where word.elementsEqual(zones[3 * zone..<3 * zone + 3]) { return hours[zone] }
        return nil
    }
}
