// SPDX-License-Identifier: Apache-2.0
import Posix

/// The folder in which the kernel has its input devices.
public enum InputFolder {
    public static let path = "/dev/input"

    /// Says when a device comes: "event0", "event1" ….
    public static func watch() throws(PosixError) -> DeviceFolder { try DeviceFolder(path, stem: "event") }
}
