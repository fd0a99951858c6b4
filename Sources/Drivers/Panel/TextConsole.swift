import CPanel
import CPosix
import Posix

/// The virtual terminal that the kernel writes text on, over whatever is drawn on /dev/fb*. Only root may, or who owns it.
public enum TextConsole {
    private static let path = "/dev/tty0"

    /// Nothing is written from now on. Whoever has no right to that, or where there is no such terminal, changes nothing.
    public static func take() { set(isGraphics: true) }

    /// Text again: also for whoever comes after a process that could not do that itself.
    public static func giveBack() { set(isGraphics: false) }

    private static func set(isGraphics: Bool) {
        // Group tty may write to it, and no more.
        guard let file = try? FileDescriptor.open(path, O_WRONLY | O_NOCTTY) else { return }
        _ = ns_tty_set_graphics(file.number, isGraphics)
    }
}
