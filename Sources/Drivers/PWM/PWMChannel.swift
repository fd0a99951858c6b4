// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// A channel of a PWM chip, by the kernel's files. Its own thread; the files are not on a disk, so nothing waits.
public struct PWMChannel: ~Copyable {
    /// The kernel's folder of chips.
    public static let folder = "/sys/class/pwm"

    private let chip: String
    private let channel: Int
    private let periodNanoseconds: Int

    /// Requests the channel, switched off. Throws if it does not exist, or access is denied: udev takes a moment for the files of a new
    /// channel.
    /// - Parameters:
    ///   - chip: the name "pwmchip0", or the path of such a folder.
    ///   - hertz: the number of periods a second.
    public init(chip: String, channel: Int, hertz: Int) throws(PosixError) {
        self.chip = chip.utf8.first == UInt8(ascii: "/") ? chip : PWMChannel.folder + "/" + chip
        self.channel = channel
        periodNanoseconds = 1_000_000_000 / max(1, hertz)
        if !Files.exists(path("enable")) { try write("\(channel)", to: self.chip + "/export") }
        // The period must not be shorter than its on-time.
        try write("0", to: path("duty_cycle"))
        try write("\(periodNanoseconds)", to: path("period"))
        try write("1", to: path("enable"))
    }

    deinit {
        try? write("0", to: path("duty_cycle"))
        try? write("0", to: path("enable"))
    }

    /// - Parameter percent: the on-time of each period, 0…100.
    public borrowing func set(percent: Int) throws(PosixError) {
        try write("\(periodNanoseconds * min(100, max(0, percent)) / 100)", to: path("duty_cycle"))
    }

    private borrowing func path(_ name: String) -> String { chip + "/pwm\(channel)/" + name }

    private borrowing func write(_ text: String, to path: String) throws(PosixError) {
        let file = try FileDescriptor.open(path, O_WRONLY | O_TRUNC)
        do throws(PosixError) { try file.writeAll(Array(text.utf8)) } catch {
            throw PosixError(code: error.code, operation: "write \(text) to \(path)")
        }
    }
}
