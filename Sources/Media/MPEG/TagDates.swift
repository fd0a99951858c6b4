// SPDX-License-Identifier: Apache-2.0
import Text

/// The dates of ID3v2.2 and 2.3: the year, and day and time in separate frames. Together they form a date as in 2.4.
struct TagDates {
    private var year: [UInt8]?
    /// The day, DDMM.
    private var day: [UInt8]?
    /// The time, HHMM.
    private var time: [UInt8]?
    private var originalYear: [UInt8]?
    /// The publication date, used if there is no other.
    private var release: [UInt8]?

    /// Takes a frame; the first of each kind counts. Some programs write the frames of 2.3 into tags of 2.4.
    mutating func take(_ frame: String, _ text: [UInt8]) {
        switch frame {
        case "TYER": if year == nil { year = TagDates.digits(text, exactly: nil) }
        case "TORY": if originalYear == nil { originalYear = TagDates.digits(text, exactly: nil) }
        case "TDAT": if day == nil { day = TagDates.digits(text, exactly: 4) }
        case "TIME": if time == nil { time = TagDates.digits(text, exactly: 4) }
        default: if release == nil && !text.isEmpty { release = text }
        }
    }

    /// Returns the digits at the start of a text.
    private static func digits(_ text: [UInt8], exactly count: Int?) -> [UInt8]? {
        guard text.count >= 4, text.count == count ?? text.count, text[..<4].allSatisfy({ $0.isDigit }) else {
            return nil
        }
        return Array(text[..<4])
    }

    var originalDate: [UInt8]? { originalYear }

    var date: [UInt8]? {
        guard var date = year else { return release }
        guard let day else { return date }
        date += [UInt8(ascii: "-"), day[2], day[3], UInt8(ascii: "-"), day[0], day[1]]
        guard let time else { return date }
        date += [UInt8(ascii: "T"), time[0], time[1], UInt8(ascii: ":"), time[2], time[3]]
        return date
    }
}
