// SPDX-License-Identifier: Apache-2.0
import Configuration
import Panel
import Pixels
import Posix

/// The panel of the drawing process. It is found when it appears, searched again when lost, and replaced by a more modern driver.
final class ScreenPanel {
    struct Users {
        /// Called with another panel, which must be drawn completely.
        let opened: (any Panel) -> Void
        /// Called when the last picture is shown, or the panel has changed otherwise.
        let shown: () -> Void
    }

    /// The ways to find a panel.
    struct Finder {
        let open: () throws(PosixError) -> any Panel
        /// Opens the first card with a connected display; nil if there is none.
        let openCard: () throws(PosixError) -> (any Panel)?
        /// Returns true if a card that appears later may replace the present panel.
        let waitsForCard: ((any Panel)?) -> Bool
    }

    /// The panel; nil if there is none.
    private(set) var panel: (any Panel)?
    private let finder: Finder
    private let timers: any Timers
    /// Watches a descriptor and calls back when it is readable; nil ends the watch.
    private let watch: (Int32, (() -> Void)?) throws(PosixError) -> Void
    private var users: Users?
    private var backoff = Backoff(firstMilliseconds: 500, longestMilliseconds: 5000)
    private var again: EventLoop.TimerToken?
    private var hasComplained = false
    /// The folder in which cards appear; nil if none is expected.
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
        // Watch first, so that no card appears in between.
        watchForCards()
        open()
    }

    func stop() {
        letGo()
        users = nil
    }

    /// Gives up a panel that can show nothing any more, and searches for it again.
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

    /// udev sets a new card's permissions a moment later, and the folder reports that, too.
    private func look() {
        cards?.drain()
        if panel == nil { return open() }
        guard finder.waitsForCard(panel), let card = try? finder.openCard() else { return }
        letGo()
        do throws(PosixError) { try take(card) } catch { lose(error.message) }
    }
}

extension ScreenPanel.Finder {
    /// Makes the finder of the configured panel.
    /// - Parameter fileSize: the size of a file that stands for a panel.
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
                // The panel's driver may load after this process starts. Until then there is only the firmware's framebuffer.
                if device.isEmpty { return method != .framebuffer && panel?.isOlderKind ?? true }
                return panel == nil && device.begins(with: Panels.cardFolder)
            })
    }
}
