import Configuration
import Panel
import Pixels
import Posix

/// The panel of the process that draws: found when it comes, looked for again when it is gone, and changed for a newer way to it.
final class ScreenPanel {
    struct Users {
        /// Another one than before: all of it is to be drawn.
        let opened: (any Panel) -> Void
        /// The last picture is shown, or something else about it has changed.
        let shown: () -> Void
    }

    /// Nil while there is none.
    private(set) var panel: (any Panel)?
    private let settings: Configuration.Screen
    /// Of a file that stands for a panel.
    private let fileSize: (width: Int, height: Int)
    private let loop: EventLoop
    private var users: Users?
    private var backoff = Backoff(firstMilliseconds: 500, longestMilliseconds: 5000)
    private var again: EventLoop.TimerToken?
    private var hasComplained = false
    /// Cards that come; nil where none is waited for.
    private var cards: DeviceFolder?

    init(_ settings: Configuration.Screen, fileSize: (width: Int, height: Int), loop: EventLoop) {
        self.settings = settings
        self.fileSize = fileSize
        self.loop = loop
    }

    func start(_ users: Users) {
        self.users = users
        // First, so that none comes between the two.
        watch()
        open()
    }

    func stop() {
        letGo()
        users = nil
    }

    /// Nothing can be shown on it any more. It is looked for until it is there.
    func lose(_ reason: String) {
        if !hasComplained { Log.warning("screen: " + reason) }
        hasComplained = true
        letGo()
        watch()
        again = loop.schedule(at: MonotonicTime.now.adding(milliseconds: backoff.failed())) { [self] in
            again = nil
            open()
        }
    }

    private var rotation: PanelRotation { PanelRotation(rawValue: settings.rotation) ?? .none }

    private var method: PanelMethod {
        switch settings.output {
        case .automatic: .automatic
        case .flip: .flip
        case .update: .update
        case .framebuffer: .framebuffer
        }
    }

    private func open() {
        if let due = again.take() { loop.cancel(due) }
        do throws(PosixError) {
            try take(Panels.open(device: settings.device, method: method, rotation: rotation, size: fileSize))
        } catch { lose(error.message) }
    }

    private func take(_ found: any Panel) throws(PosixError) {
        if found.descriptor >= 0 {
            try loop.add(found.descriptor, .readable) { [self] _ in
                found.takeEvents()
                users?.shown()
            }
        }
        Log.notice("screen: " + found.name)
        panel = found
        backoff.succeeded()
        hasComplained = false
        watch()
        users?.opened(found)
    }

    private func letGo() {
        if let panel, panel.descriptor >= 0 { loop.remove(panel.descriptor) }
        panel = nil
    }

    // MARK: Cards that come later

    /// The driver of a panel may come after this process, and until then the firmware's picture of the older kind is all there is.
    private var waitsForCard: Bool {
        if settings.device.isEmpty { return method != .framebuffer && panel?.isOlderKind ?? true }
        return panel == nil && settings.device.begins(with: Panels.cardFolder)
    }

    private func watch() {
        if waitsForCard == (cards != nil) { return }
        if let cards {
            loop.remove(cards.descriptor)
            self.cards = nil
            return
        }
        do throws(PosixError) {
            let cards = try DeviceFolder(Panels.cardFolder, stem: Panels.cardStem)
            try loop.add(cards.descriptor, .readable) { [self] _ in look() }
            self.cards = cards
        } catch { Log.warning("screen: " + error.message) }
    }

    /// udev takes a moment for the permissions of a card that has come, and the folder tells of them, too.
    private func look() {
        cards?.drain()
        if panel == nil { return open() }
        guard waitsForCard, let card = try? Panels.openCard(method: method, rotation: rotation) else { return }
        letGo()
        do throws(PosixError) { try take(card) } catch { lose(error.message) }
    }
}
