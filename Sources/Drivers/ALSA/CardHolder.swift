// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// Finds the other program that uses a sound card, from /proc. For the feed thread, after a card was busy.
public enum CardHolder {
    /// Returns the program's name, of at most 15 bytes; nil if the kernel does not tell it, as in a sandbox, or if several programs use
    /// cards.
    /// - Parameters:
    ///   - device: ALSA's name, such as hw:1,0 or hdmi:CARD=vc4hdmi; a name without a card means any card.
    ///   - root: the folder of the kernel's files.
    public static func name(of device: String, root: String = "/proc") -> String? {
        let sound = root + "/asound"
        let cards = card(of: device).map { [$0] } ?? folders(sound, "card")
        var found: String?
        for card in cards {
            for stream in folders(sound + "/" + card, "pcm") where stream.utf8.last == UInt8(ascii: "p") {
                for sub in folders(sound + "/" + card + "/" + stream, "sub") {
                    let status = line(sound + "/" + card + "/" + stream + "/" + sub + "/status", "owner_pid")
                    guard let owner = status, owner != "\(getpid())" else { continue }
                    guard let name = line(root + "/" + owner + "/comm", "") else { return nil }
                    if let found, found != name { return nil }
                    found = name
                }
            }
        }
        return found
    }

    /// Returns the folder of the card in a device's name: card1 for hw:1,0, and DAC for front:CARD=DAC,DEV=0.
    static func card(of device: String) -> String? {
        guard let colon = device.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        var word = device.utf8[device.utf8.index(after: colon)...].prefix { $0 != UInt8(ascii: ",") }
        if word.starts(with: "CARD=".utf8) { word = word.dropFirst(5) }
        guard let first = word.first, !word.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") })
        else { return nil }
        let name = String(decoding: Array(word), as: UTF8.self)
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) ? "card" + name : name
    }

    private static func folders(_ path: String, _ prefix: StaticString) -> [String] {
        let wanted = UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
        return ((try? Files.names(inFolder: path)) ?? []).filter { $0.utf8.starts(with: wanted) }
    }

    /// Returns the value of a file's line "name : value", or its first line if the name is empty. Nil without such a line.
    private static func line(_ path: String, _ name: String) -> String? {
        guard let file = try? FileDescriptor.open(path, O_RDONLY), let bytes = try? file.read(4096) else { return nil }
        for line in bytes.split(separator: UInt8(ascii: "\n")) where line.starts(with: name.utf8) {
            let value = line.dropFirst(name.utf8.count).drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") }
            return value.isEmpty ? nil : String(decoding: Array(value), as: UTF8.self)
        }
        return nil
    }
}
