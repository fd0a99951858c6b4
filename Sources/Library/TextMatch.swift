import Posix

/// Comparing texts, byte by byte or without regard to upper and lower case.
enum TextMatch {
    case same, begins, contains

    /// Whether `text` is, begins with or contains `needle`.
    func matchesExactly(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
        matches(text, needle) { $0 }
    }

    /// Whether `text`, in lower case, is, begins with or contains `needle`.
    func matches(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
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
