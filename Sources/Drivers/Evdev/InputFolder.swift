// SPDX-License-Identifier: Apache-2.0
import Posix

/// The folder of the kernel's input devices.
public enum InputFolder {
    public static let path = "/dev/input"

    /// Watches for new devices: "event0", "event1" ….
    public static func watch() throws(PosixError) -> DeviceFolder { try DeviceFolder(path, stem: "event") }
}
