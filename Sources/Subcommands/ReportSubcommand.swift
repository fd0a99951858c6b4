// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Core
import Invocation
import Posix
import Text
import Wire

/// `nightstand report`: prints up to 60 lines for a helper, with nothing personal: no titles, no names of files, no addresses.
public enum ReportSubcommand {
    private static let mostLines = 60
    /// The limit of lines for the journal, for overlays and for cards each.
    private static let mostOfEach = 8
    private static let mostLineBytes = 160

    /// Returns the exit code.
    public static func run(_ words: [String], configPath: String?) -> Int32 {
        guard let arguments = Arguments(words, options: [.config, .socket, .help]), arguments.operands.isEmpty else {
            return Usage.misused()
        }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        let path = arguments.value(.config) ?? configPath
        let configuration = try? Configuration.load(path: path)
        var lines = ["nightstand " + Invocation.version]
        lines += board()
        lines.append(
            "configuration: "
                + (configuration.map { "\($0.mistakes.count) mistakes" + parts(of: $0) } ?? "cannot be read"))
        lines += journal()
        lines += speaker(arguments.value(.socket) ?? configuration?.console.socketPath ?? "")
        return Usage.say(lines.prefix(mostLines).map { String(bytes: $0.utf8.prefix(mostLineBytes)) + "\n" }.joined())
    }

    // MARK: The board

    private static func board() -> [String] {
        var lines = [
            "board: "
                + (text("/proc/device-tree/model") ?? text("/sys/class/dmi/id/product_name") ?? "unknown"),
            "system: " + (value("PRETTY_NAME=", in: "/etc/os-release") ?? "unknown"),
            "kernel: " + (text("/proc/sys/kernel/osrelease") ?? "unknown") + " "
                + (text("/proc/sys/kernel/arch") ?? ""),
            "memory: " + (value("MemTotal:", in: "/proc/meminfo") ?? "?") + ", available "
                + (value("MemAvailable:", in: "/proc/meminfo") ?? "?"),
        ]
        if let heat = text("/sys/class/thermal/thermal_zone0/temp").flatMap({ Int($0) }) {
            lines.append("temperature: \(heat / 1000) degrees")
        }
        for name in ["/boot/firmware/config.txt", "/boot/config.txt"] where Files.exists(name) {
            let overlays = self.lines(of: name).filter {
                $0.begins(with: "dtoverlay=") || $0.begins(with: "dtparam=") || $0.begins(with: "enable_uart=")
            }
            lines += overlays.prefix(mostOfEach).map { "config.txt: " + $0 }
            break
        }
        let cards = self.lines(of: "/proc/asound/cards").filter { $0.utf8.contains(UInt8(ascii: "[")) }
        lines += cards.isEmpty ? ["card: none"] : cards.prefix(mostOfEach).map { "card: " + $0 }
        lines.append("LCD: " + (Files.exists("/dev/lcd") ? "/dev/lcd" : "none"))
        lines += self.lines(of: "/proc/fb").prefix(2).map { "framebuffer: " + $0 }
        for name in ((try? Files.names(inFolder: "/sys/class/drm")) ?? []).prefix(32)
        where text("/sys/class/drm/" + name + "/status") == "connected" {
            lines.append("display: " + name)
        }
        return lines
    }

    /// Names the enabled parts, only by section.
    private static func parts(of configuration: Configuration) -> String {
        let parts: [(name: String, isOn: Bool)] = [
            ("lcd", !configuration.lcd.device.isEmpty), ("screen", configuration.screen.isEnabled),
            ("voice", configuration.voice.isEnabled), ("network", configuration.network.isEnabled),
            ("buttons", !configuration.buttons.isEmpty || !configuration.keys.isEmpty),
            ("serial", !configuration.console.serialDevice.isEmpty), ("listen", configuration.console.listen != nil),
        ]
        return parts.map { $0.isOn ? ", " + $0.name : "" }.joined()
    }

    // MARK: The speaker

    private static func speaker(_ socketPath: String) -> [String] {
        do throws(SpeakerConnection.Failure) {
            let speaker = try SpeakerConnection(socketPath: socketPath)
            var lines = [
                "state: " + (try speaker.ask("status").value("state") ?? "unknown") + ", uptime "
                    + (try speaker.ask("stats").value("uptime") ?? "?") + " s"
            ]
            for field in try speaker.ask("counters").fields
            where field.value.utf8.first.map({ $0 >= 0x30 && $0 <= 0x39 }) == true {
                lines.append(field.name + ": " + field.value)
            }
            return lines
        } catch {
            return ["speaker: does not answer"]
        }
    }

    // MARK: The journal

    /// Returns the last warnings, without possible names.
    private static func journal() -> [String] {
        let words = [
            "journalctl", "-u", "nightstand", "-p", "warning", "-n", "\(mostOfEach)", "--no-pager", "-o", "cat",
        ]
        return output(of: words).map { "journal: " + withoutNames($0) }
    }

    /// The possible first words of a message. A name may follow them, up to its reason: "nightstand: My Diary: not fetched".
    private static let areas = [
        "nightstand:", "warning:", "alarms:", "bridge:", "buttons:", "console:", "fetch:", "haptics:", "headphones:",
        "household:", "LCD", "light:", "screen:", "words:",
    ]

    /// Returns a line's areas and its reason, without quoted words, names of files, and addresses. Names have spaces, too: a path hides all
    /// behind it, and a name that begins at an unknown word hides the reason.
    static func withoutNames(_ line: String) -> String {
        let words = line.parts(between: " ")
        let areaCount = words.prefix { areas.contains($0) || $0.begins(with: "/dev/") }.count
        let afterColon = words.lastIndex { $0.utf8.last == UInt8(ascii: ":") }.map { $0 + 1 } ?? 0
        var kept = Array(words[..<areaCount])
        var reason = Array(words[max(areaCount, afterColon)...])
        if afterColon > areaCount {
            kept.append("…:")
            let quotes = words[areaCount..<afterColon].reduce(0) { $0 + $1.utf8.filter { $0 == quote }.count }
            if quotes % 2 == 1, reason.contains(where: isQuoted) { reason.insert("'", at: 0) }
        }
        if let first = reason.firstIndex(where: isQuoted), let last = reason.lastIndex(where: isQuoted) {
            reason.replaceSubrange(first...last, with: ["'…'"])
        }
        if let path = reason.firstIndex(where: isPath) { reason.replaceSubrange(path..., with: ["…"]) }
        if reason.contains(where: endsName) { reason = ["…"] }
        return (kept + reason.map { isAddress($0) ? "…" : $0 }).joined(separator: " ")
    }

    private static let quote = UInt8(ascii: "'")

    private static func isQuoted(_ word: String) -> Bool { word.utf8.contains(quote) }

    /// Returns true for the first word of a path, other than one of the system's.
    private static func isPath(_ word: String) -> Bool {
        word.utf8.first == UInt8(ascii: "/")
            && !["/dev/", "/etc/", "/proc/", "/run/nightstand", "/sys/", "/usr/"].contains { word.begins(with: $0) }
    }

    /// Returns true for a word that ends or continues a name: "Diary/one.mp3", "example.org", "me@home". Its first word is unknown.
    private static func endsName(_ word: String) -> Bool {
        let bytes = Array(word.utf8)
        if word == "Input/output" || word.begins(with: "nightstand") || bytes.first == UInt8(ascii: "/") {
            return false
        }
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "\\") { return true }
            if byte == UInt8(ascii: "."), index + 1 < bytes.count, bytes[index + 1] >= 0x41 { return true }
        }
        return false
    }

    /// Returns true for a numeric address of the Internet or of a device, including punctuation around it.
    private static func isAddress(_ word: String) -> Bool {
        let hasOthers = word.utf8.contains {
            !($0 >= 0x28 && $0 <= 0x3B || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x66 || $0 == 0x5B || $0 == 0x5D)
        }
        return !hasOthers
            && (word.utf8.filter { $0 == 0x3A }.count > 1 || word.utf8.filter { $0 == 0x2E }.count > 2)
    }

    private static func output(of words: [String]) -> [String] {
        var pipe: [Int32] = [-1, -1]
        let input = FileDescriptor(owning: "/dev/null".withPath { ns_open($0, O_RDONLY, 0) })
        if input.number < 0 || ns_pipe(&pipe) < 0 { return [] }
        let result = FileDescriptor(owning: pipe[0])
        do {
            let itsOutput = FileDescriptor(owning: pipe[1])
            if words.withCStrings({ ns_start_between($0, input.number, itsOutput.number) }) < 0 { return [] }
        }
        var bytes: [UInt8] = []
        while bytes.count < 65_536, let piece = try? result.read(4096), !piece.isEmpty { bytes += piece }
        return lines(bytes)
    }

    // MARK: Files

    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func lines(of path: String) -> [String] {
        lines((try? Files.readToEnd(path, limit: 65_536)) ?? []).map(trimmed)
    }

    private static func text(_ path: String) -> String? {
        guard let first = lines(of: path).first else { return nil }
        return first.isEmpty ? nil : first
    }

    /// Returns the rest of the line that begins with a word, without quotes.
    private static func value(_ word: String, in path: String) -> String? {
        lines(of: path).first { $0.begins(with: word) }.map {
            trimmed(String(bytes: $0.utf8.dropFirst(word.utf8.count).filter { $0 != UInt8(ascii: "\"") }))
        }
    }

    /// Returns the text without blanks and without the zero at the end of a kernel's text.
    private static func trimmed(_ text: String) -> String {
        var bytes = Array(text.utf8)[...]
        while let first = bytes.first, first <= 0x20 { bytes = bytes.dropFirst() }
        while let last = bytes.last, last <= 0x20 { bytes = bytes.dropLast() }
        return String(bytes: bytes)
    }
}

extension String {
    fileprivate init(bytes: some Sequence<UInt8>) { self.init(decoding: Array(bytes), as: UTF8.self) }
}
