import CSQLite
import Posix

/// Comparing texts without regard to upper and lower case, as functions of SQL: `sameFolded(text, needle)`,
/// `beginsFolded(text, needle)` and `containsFolded(text, needle)`, where the needle is a blob in lower case already.
///
/// SQLite's own LIKE knows ASCII's letters only, and takes % and _ for more than themselves.
public enum TextMatch: Int, CaseIterable, Sendable {
    case same, begins, contains

    public var function: StaticString {
        switch self {
        case .same: "sameFolded"
        case .begins: "beginsFolded"
        case .contains: "containsFolded"
        }
    }

    /// Whether `text`, in lower case, is, begins with or contains `needle`.
    public func matches(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
        if text.allSatisfy({ $0 < 0x80 }) {
            return matches(text, needle) { $0 >= 0x41 && $0 <= 0x5A ? $0 + 32 : $0 }
        }
        var lower = String(decoding: text, as: UTF8.self).lowerCase
        return lower.withUTF8 { matches(UnsafeRawBufferPointer($0), needle) { $0 } }
    }

    private func matches(
        _ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer, _ folded: (UInt8) -> UInt8
    ) -> Bool {
        let room = text.count - needle.count
        if room < 0 || (self == .same && room != 0) { return false }
        var start = 0
        while start <= room {
            var count = 0
            while count < needle.count && folded(text[start + count]) == needle[count] { count += 1 }
            if count == needle.count { return true }
            if self != .contains { return false }
            start += 1
        }
        return false
    }
}

extension Database {
    /// Makes the functions of `TextMatch` known to this connection.
    public func addTextMatches() {
        for match in TextMatch.allCases {
            let name = match.function.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
            _ = sqlite3_create_function_v2(
                handle, name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                UnsafeMutableRawPointer(bitPattern: match.rawValue + 1),
                { context, _, values in
                    guard let values, let text = sqlite3_value_text(values[0]),
                        let match = TextMatch(rawValue: Int(bitPattern: sqlite3_user_data(context)) - 1)
                    else { return sqlite3_result_int(context, 0) }
                    let textBytes = Int(sqlite3_value_bytes(values[0]))
                    let needle = sqlite3_value_blob(values[1])
                    let needleBytes = Int(sqlite3_value_bytes(values[1]))
                    let isMatch = match.matches(
                        UnsafeRawBufferPointer(start: text, count: textBytes),
                        UnsafeRawBufferPointer(start: needle, count: needleBytes))
                    sqlite3_result_int(context, isMatch ? 1 : 0)
                }, nil, nil, nil)
        }
    }
}
