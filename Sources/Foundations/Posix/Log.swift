import CPosix

/// Messages for the person who reads the journal or the terminal: one line each on standard error, "nightstand: …".
/// Control and feed threads only; one write(2) a message, so lines never mix.
public enum Log {
    public static func warning(_ message: String) { write("<4>", "nightstand: warning: " + message) }
    public static func error(_ message: String) { write("<3>", "nightstand: " + message) }
    public static func notice(_ message: String) { write("<5>", "nightstand: " + message) }

    /// - Parameter priority: as sd-daemon(3) has it, for the journal alone: `journalctl -p warning` finds what is wrong.
    private static func write(_ priority: String, _ line: String) {
        var line = (isJournal() ? priority : "") + line + "\n"
        line.withUTF8 { bytes in _ = CPosix.write(2, bytes.baseAddress, bytes.count) }
    }

    /// Whether standard error is the stream that systemd.exec(5) names in JOURNAL_STREAM.
    private static func isJournal() -> Bool {
        guard let named = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        return fstat(2, &status) == 0 && String(cString: named) == "\(status.st_dev):\(status.st_ino)"
    }
}
