// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// A panel's lamp, by /sys/class/backlight. One thread.
public final class Backlight {
    private static let folder = "/sys/class/backlight"

    public let name: String
    private let brightness: FileDescriptor
    private let most: Int
    private var last = -1

    /// - Parameter name: a name in the folder, or "" for the first.
    /// - Throws: `ENOENT` if there is none, `EACCES` if the package's rule has not given it to the group.
    public convenience init(_ name: String = "") throws(PosixError) {
        try self.init(name, folder: Backlight.folder)
    }

    init(_ name: String, folder: String) throws(PosixError) {
        var name = name
        if name.isEmpty {
            let names = try Files.names(inFolder: folder).filter { !$0.begins(with: ".") }
            guard let first = names.sorted().first else {
                throw PosixError(code: ENOENT, operation: "look into " + folder)
            }
            name = first
        }
        self.name = name
        let path = folder + "/" + name
        let text = try Files.readToEnd(path + "/max_brightness", limit: 64)
        most = Backlight.number(text)
        if most < 1 { throw PosixError(code: EINVAL, operation: "read " + path + "/max_brightness") }
        brightness = try FileDescriptor.open(path + "/brightness", O_WRONLY)
    }

    private static func number(_ text: [UInt8]) -> Int {
        var value = 0
        for byte in text {
            guard byte >= 0x30 && byte <= 0x39, value < 1 << 24 else { break }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }

    /// - Parameter percent: the brightness; 0 is off, other values give at least the lamp's minimum.
    public func set(percent: Int) {
        let value = percent <= 0 ? 0 : max(1, most * min(100, percent) / 100)
        if value == last { return }
        let text = Array("\(value)\n".utf8)
        // The panel still works if its lamp fails, so ignore the error and try again at the next change.
        last = pwrite(brightness.number, text, text.count, 0) == text.count ? value : -1
    }
}
