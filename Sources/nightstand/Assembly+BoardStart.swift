import Posix
import Speaker

extension Assembly {
    /// What the kernel and the service manager say of this start. Nil where the kernel does not name it.
    static var boardStart: BoardStart? {
        guard let identity = firstLine("/proc/sys/kernel/random/boot_id"), !identity.isEmpty else { return nil }
        // A clock chip has set the clock, or a server has since.
        let isClockKnown =
            firstLine("/sys/class/rtc/rtc0/hctosys") == "1" || Files.exists("/run/systemd/timesync/synchronized")
        return BoardStart(identity: identity, isClockKnown: isClockKnown)
    }

    private static func firstLine(_ path: String) -> String? {
        guard let bytes = try? Files.readToEnd(path, limit: 256) else { return nil }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
