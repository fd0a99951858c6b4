// SPDX-License-Identifier: Apache-2.0
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

    /// The way to find one.
    struct Finder {
        let open: () throws(PosixError) -> any Panel
        /// The first card with something connected; nil where there is none.
        let openCard: () throws(PosixError) -> (any Panel)?
        /// Returns whether to wait for a card that comes later, while this is the panel.
        let waitsForCard: ((any Panel)?) -> Bool
    }

    /// Nil while there is none.
    private(set) var panel: (any Panel)?
    private let finder: Finder
    private let timers: any Timers
    /// Has something called whenever a descriptor is readable; nil for no more.
    private let watch: (Int32, (() -> Void)?) throws(PosixError) -> Void
    private var users: Users?
    private var backoff = Backoff(firstMilliseconds: 500, longestMilliseconds: 5000)
    private var again: EventLoop.TimerToken?
    private var hasComplained = false
    /// Cards that come; nil where none is waited for.
    private var cards: DeviceFolder?

    init(
        _ finder: Finder, _ timers: any Timers,
        watch: @escaping (Int32, (() -> Void)?) throws(PosixError) -> Void
    ) {
        self.finder = finder
        self.timers = timers
        self.watch = watch
    }

    func start(_ users: Users) {
        self.users = users
        // First, so that none comes between the two.
        watchForCards()
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
        watchForCards()
        again = timers.schedule(at: timers.now.adding(milliseconds: backoff.failed())) { [self] in
            again = nil
            open()
        }
    }

    private func open() {
        if let due = again.take() { timers.cancel(due) }
        do throws(PosixError) {
            try take(finder.open())
        } catch { lose(error.message) }
    }

    private func take(_ found: any Panel) throws(PosixError) {
        if found.descriptor >= 0 {
            try watch(found.descriptor) { [self] in
                found.takeEvents()
                users?.shown()
            }
        }
        Log.notice("screen: " + found.name)
        panel = found
        backoff.succeeded()
        hasComplained = false
        watchForCards()
        users?.opened(found)
    }

    private func letGo() {
        if let panel, panel.descriptor >= 0 { try? watch(panel.descriptor, nil) }
        panel = nil
    }

    // MARK: Cards that come later

    private func watchForCards() {
        if finder.waitsForCard(panel) == (cards != nil) { return }
        if let cards {
            try? watch(cards.descriptor, nil)
            self.cards = nil
            return
        }
        do throws(PosixError) {
            let cards = try DeviceFolder(Panels.cardFolder, stem: Panels.cardStem)
            try watch(cards.descriptor) { [self] in look() }
            self.cards = cards
        } catch { Log.warning("screen: " + error.message) }
    }

    /// udev takes a moment for the permissions of a card that has come, and the folder tells of them, too.
    private func look() {
        cards?.drain()
        if panel == nil { return open() }
        guard finder.waitsForCard(panel), let card = try? finder.openCard() else { return }
        letGo()
        do throws(PosixError) { try take(card) } catch { lose(error.message) }
    }
}

extension ScreenPanel.Finder {
    /// Of the panel that the configuration names.
    /// - Parameter fileSize: of a file that stands for a panel.
    init(_ settings: Configuration.Screen, fileSize: (width: Int, height: Int)) {
        let rotation = PanelRotation(rawValue: settings.rotation) ?? .none
        let method: PanelMethod =
            switch settings.output {
            case .automatic: .automatic
            case .flip: .flip
            case .update: .update
            case .framebuffer: .framebuffer
            }
        let device = settings.device
        self.init(
            open: { () throws(PosixError) in
                try Panels.open(device: device, method: method, rotation: rotation, size: fileSize)
            }, openCard: { () throws(PosixError) in try Panels.openCard(method: method, rotation: rotation) },
            waitsForCard: { panel in
                // The driver of a panel may come after this process, and until then the firmware's picture of the older kind is all
                // there is.
                if device.isEmpty { return method != .framebuffer && panel?.isOlderKind ?? true }
                return panel == nil && device.begins(with: Panels.cardFolder)
            })
    }
}
