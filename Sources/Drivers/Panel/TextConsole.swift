// SPDX-License-Identifier: Apache-2.0
import CPanel
import CPosix
import Posix

/// The virtual terminal on which the kernel writes text, over the picture on /dev/fb*. Only root or its owner may use it.
public enum TextConsole {
    private static let path = "/dev/tty0"

    /// Nothing is written from now on. Without the right, or without such a terminal, nothing changes.
    public static func take() { set(isGraphics: true) }

    /// Text again: also after a process that could not restore it.
    public static func giveBack() { set(isGraphics: false) }

    private static func set(isGraphics: Bool) {
        // Group tty may write to it, and no more.
        guard let file = try? FileDescriptor.open(path, O_WRONLY | O_NOCTTY) else { return }
        _ = ns_tty_set_graphics(file.number, isGraphics)
    }
}
