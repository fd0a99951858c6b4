// SPDX-License-Identifier: Apache-2.0
import CPanel
import CPosix
import Posix

/// The virtual terminal on which the kernel writes text over the picture on /dev/fb*. Only root or its owner may use it.
public enum TextConsole {
    private static let path = "/dev/tty0"

    /// Switches text off. Without permission, or without such a terminal, nothing changes.
    public static func take() { set(isGraphics: true) }

    /// Switches text on again, also after a process that could not.
    public static func giveBack() { set(isGraphics: false) }

    private static func set(isGraphics: Bool) {
        // Group tty may only write to it.
        guard let file = try? FileDescriptor.open(path, O_WRONLY | O_NOCTTY) else { return }
        _ = ns_tty_set_graphics(file.number, isGraphics)
    }
}
