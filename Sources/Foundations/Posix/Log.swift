// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Writes messages to the journal or the terminal: one line each on standard error, "nightstand: …". Each message is one write(2), so lines
/// never mix. Any text becomes one line without control characters.
public enum Log {
    public static func warning(_ message: String) { write("<4>", "nightstand: warning: " + message) }
    public static func error(_ message: String) { write("<3>", "nightstand: " + message) }
    public static func notice(_ message: String) { write("<5>", "nightstand: " + message) }

    /// - Parameter priority: the prefix of sd-daemon(3), for the journal only, so that `journalctl -p warning` finds problems.
    private static func write(_ priority: String, _ line: String) {
        var line = (isJournal() ? priority : "") + escaped(line) + "\n"
        line.withUTF8 { bytes in _ = CPosix.write(2, bytes.baseAddress, bytes.count) }
    }

    /// Escapes control characters, marks that break lines or turn their direction, and bytes of paths that are not UTF-8.
    static func escaped(_ message: String) -> String {
        if message.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return message }
        var escaped = ""
        for scalar in message.unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7F: escaped += "\\x" + hex(scalar.value, digits: 2)
            case 0xF780...0xF7FF: escaped += "\\x" + hex(scalar.value & 0xFF, digits: 2)
            case 0x80..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                escaped += "\\u{" + hex(scalar.value, digits: scalar.value < 0x100 ? 2 : 4) + "}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func hex(_ value: UInt32, digits: Int) -> String {
        var text = ""
        for digit in (0..<digits).reversed() {
            let nibble = UInt8(value >> UInt32(4 * digit) & 0xF)
            text.unicodeScalars.append(Unicode.Scalar(nibble < 10 ? 0x30 + nibble : 0x37 + nibble))
        }
        return text
    }

    /// Returns true if standard error is the stream that systemd.exec(5) names in JOURNAL_STREAM.
    private static func isJournal() -> Bool {
        guard let named = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        return fstat(2, &status) == 0 && String(cString: named) == "\(status.st_dev):\(status.st_ino)"
    }
}
