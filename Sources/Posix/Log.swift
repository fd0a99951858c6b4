import CPosix

/// Messages for the person who reads the journal or the terminal: one line each on standard error, "nightstand: …".
/// Control and feed threads only; one write(2) a message, so lines never mix.
public enum Log {
    public static func warning(_ message: String) { write("nightstand: warning: " + message + "\n") }
    public static func error(_ message: String) { write("nightstand: " + message + "\n") }
    public static func notice(_ message: String) { write("nightstand: " + message + "\n") }

    private static func write(_ line: String) {
        var line = line
        line.withUTF8 { bytes in _ = CPosix.write(2, bytes.baseAddress, bytes.count) }
    }
}
