// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Interaction
import Model
import Pixels
import Posix
import Scenes
import Text

/// The screens and their picture: the visible screen, and the speaker's shown state.
final class ScreenView {
    /// The picture as scenes have drawn it.
    private let drawn: Surface
    /// The picture as shown at night; nil by day.
    private var night: (picture: Surface, tone: NightTone)?
    let director: Director
    let player: PlayerScene
    let pages: ScreenPages
    /// The large and simple player; nil if the normal one is in use.
    let simple: SimplePlayer?
    private let stage: Stage
    private let settings: ScreenSettings
    /// The arrow of a mouse that moves relatively.
    private let pointer: Pointer
    /// The tab that is shown once the speaker is connected.
    private(set) var tab = Element.Tab.player
    /// The tabs visited since the player, the latest last, each once.
    private var tabsBefore: [Element.Tab] = []
    private(set) var place = ScreenMachine.Place.boot
    /// True if the night clock is shown.
    private(set) var isStandby = false
    /// The moment since which the panel has not been bright; nil while it is.
    private var leftAt: Int?
    /// The time that a left page waits for the hand, in milliseconds.
    private static let keptMilliseconds = 600_000
    /// The speaker's last state, and its moment.
    private var told = (state: SpeakerStatus(), moment: 0)
    private var minuteOfDay: Int?
    private var artwork: Surface?
    private var standby: StandbyScene?

    /// The picture for the panel.
    var surface: Surface { night?.picture ?? drawn }
    var width: Int { drawn.width }
    var height: Int { drawn.height }
    var pixelsPerPoint: Float { stage.scale.factor }
    var artworkSide: Int { simple == nil ? PlayerScene.artworkSide(stage) : SimplePlayer.artworkSide(stage) }
    var state: SpeakerStatus { told.state }
    /// The least time between two frames, in milliseconds; 0 for the panel's own rate.
    var frameMilliseconds: Int { stage.frameMilliseconds }
    /// True if a list is shown, in which a focus moves. Alarms are answered by the speaker's own buttons.
    var hasList: Bool {
        place == .speaker && !isStandby && (tab != .player || director.isAsking) && !director.isRinging
    }

    /// True if the page's rows are still unknown.
    var isLoading: Bool { tab != .player && pages.scene(tab).isLoading }

    /// - Parameter changed: called when an answer for the page has arrived.
    init(
        _ stage: Stage, _ settings: ScreenSettings, _ speaker: ScreenSpeaker,
        changed: @escaping () -> Void
    ) {
        self.stage = stage
        self.settings = settings
        drawn = Surface(unfilledWidth: stage.width, height: stage.height)
        player = PlayerScene(stage, artwork: nil, gradient: .duskBerry)
        pointer = Pointer(stage)
        director = Director(
            stage, MessageScene(stage, .boot, gradient: .icePeriwinkle),
            gradients: GradientSequence(seed: UInt64(truncatingIfNeeded: MonotonicTime.now.nanoseconds)))
        pages = ScreenPages(stage, settings, speaker, changed: changed)
        simple = settings.isSimple ? SimplePlayer(stage, gradient: .duskBerry) : nil
    }

    // MARK: Content

    func show(_ new: SpeakerStatus, at moment: Int) {
        told = (new, moment)
        told.state.minuteOfDay = minuteOfDay
        if director.scene !== playing { playing.show(new, at: moment) }
        director.show(state, at: moment)
        pages.speakerChanged(new, isShown: tab)
    }

    /// Handles changes on the speaker, by MPD's names.
    func changed(_ names: [String]) { pages.speakerChanged(names, isShown: tab) }

    func setArtwork(_ picture: Surface?) {
        artwork = picture
        player.setArtwork(picture)
        simple?.setArtwork(picture)
        pages.setArtwork(picture)
        standby?.setArtwork(picture)
    }

    func drawAnew() { director.drawAnew() }

    /// Sets place and light. Returns true if the picture changes.
    func set(
        _ place: ScreenMachine.Place, _ light: ScreenMachine.Light, isNight: Bool, at moment: Int
    ) -> Bool {
        let theme = settings.theme(isNight: isNight)
        var isChanged = false
        if theme != stage.theme {
            stage.theme = theme
            director.drawAnew()
            isChanged = true
        }
        // When dimmed, any page yields to the night clock. By day the player stays while it shows spoken words.
        let wantsStandby = light == .dimmed && place == .speaker && (isNight || !followsWords)
        if wantsStandby && director.isAsking { director.takeAway(at: moment) }
        if place != self.place || wantsStandby != isStandby {
            self.place = place
            isStandby = wantsStandby
            present(at: moment)
            isChanged = true
        }
        return isChanged
    }

    private var followsWords: Bool {
        tab == .player && simple == nil && state.state == .playing && !state.segments.isEmpty
    }

    /// Returns to the player if a page was left for long, in any light, even in the dark.
    func keepPage(_ light: ScreenMachine.Light, at moment: Int) {
        if light != .bright {
            leftAt = leftAt ?? moment
            return
        }
        guard let left = leftAt.take(), moment - left >= ScreenView.keptMilliseconds, tab != .player else { return }
        _ = pages.closeAll()
        tabsBefore = []
        tab = .player
        if !isStandby { present(at: moment) }
    }

    /// Sets the wall clock's minute; nil if unknown. Returns true if the screen shows it.
    func setClock(_ minute: Int?, at moment: Int) -> Bool {
        if minute == minuteOfDay { return false }
        minuteOfDay = minute
        if hasClock { director.show(stateNow(at: moment), at: moment) }
        return hasClock
    }

    /// Returns the act of a button drawn on a dimmed screen, standby or the player; nil for none.
    func dimmedAction(atX x: Int, y: Int) -> Element.Action? {
        guard isStandby || tab == .player, !director.isAsking, !director.isRinging else { return nil }
        let action = director.elements.last { $0.frame.contains(x: x, y: y) && $0.action != .none }?.action
        return [.togglePlayback, .back, .forward].first { $0 == action }
    }

    /// True if a clock is visible, which changes by itself.
    var hasClock: Bool {
        place == .speaker
            && (isStandby || director.isRinging || tab == .player && simple == nil && player.hasClock)
    }

    /// Returns the state with the present playback position.
    private func stateNow(at moment: Int) -> SpeakerStatus {
        var now = state.later(by: moment - told.moment)
        now.minuteOfDay = minuteOfDay
        return now
    }

    func present(at moment: Int) {
        var now = stateNow(at: moment)
        // An absent speaker's alarm is unknown.
        if place != .speaker { now.alarm = nil }
        let next: any Scene
        switch place {
        case .boot: next = MessageScene(stage, .boot, gradient: .icePeriwinkle)
        case .error:
            next = MessageScene(
                stage, .failure(translated("It may be starting. The screen tries again by itself.")),
                gradient: .coralMist)
        case .speaker:
            if isStandby {
                let scene = standby ?? StandbyScene(stage)
                scene.setArtwork(artwork)
                standby = scene
                next = scene
            } else {
                standby = nil
                next = tab == .player ? playing : pages.scene(tab)
            }
        }
        next.drawAnew()
        // Update the leaving screen as well, since the new one is first drawn with the last state.
        director.show(now, at: moment)
        director.present(next, over: drawn, at: moment)
    }

    func go(to tab: Element.Tab, at moment: Int) {
        let tab = lead(to: tab)
        // A second touch on the library's tab returns to its first screen.
        let hasClosed = tab == .library && self.tab == .library && pages.closeAll()
        if tab == self.tab && !isStandby && !hasClosed { return }
        if tab != self.tab {
            let left = self.tab
            tabsBefore.removeAll { $0 == tab || $0 == left }
            if tab == .player { tabsBefore = [] } else { tabsBefore.append(left) }
        }
        self.tab = tab
        isStandby = false
        pages.willShow(tab, stateNow(at: moment))
        present(at: moment)
        // Without a bar for the title, a banner shows it for a while.
        if tab != .player && simple == nil && state.state == .playing && !pages.scene(tab).leadsToPlayer {
            director.put(.toast(Toast(state.title, .playing)), at: moment)
        }
    }

    /// Returns to the tab before this one, and from the first to the player.
    func goBack(at moment: Int) {
        let (last, rest) = (tabsBefore.last ?? .player, tabsBefore.dropLast())
        go(to: last, at: moment)
        tabsBefore = Array(rest)
    }

    /// Returns the tab to show. The simple layout has only two.
    func lead(to tab: Element.Tab) -> Element.Tab { simple == nil || tab == .player ? tab : .library }

    /// The player in use.
    private var playing: any Scene {
        if let simple { return simple }
        return player
    }

    func movePointer(byX x: Int, y: Int, at moment: Int) { pointer.move(byX: x, y: y, at: moment) }

    /// The pointer's place; the middle before it has moved.
    var pointerPlace: (x: Int, y: Int) { (pointer.x, pointer.y) }

    // MARK: Frames

    func nextFrame(after moment: Int) -> Int? {
        let next = director.nextFrame(after: moment)
        guard let gone = pointer.nextFrame(after: moment) else { return next }
        return min(next ?? gone, gone)
    }

    /// Draws the screen. Returns the changed places.
    func draw(at moment: Int) -> [PixelRect] {
        let all =
            pointer.takeAway(drawn) + director.draw(on: drawn, at: moment) + pointer.draw(on: drawn, at: moment)
        let damage = all.map { $0.intersection(drawn.bounds) }.filter { !$0.isEmpty }
        if stage.theme.isNight != (night != nil) {
            night = stage.theme.isNight ? (Surface(unfilledWidth: width, height: height), NightTone()) : nil
            night?.tone.write(drawn.bounds, of: drawn, to: surface)
            return [drawn.bounds]
        }
        for rect in damage { night?.tone.write(rect, of: drawn, to: surface) }
        return damage
    }

    /// The number of texts shaped so far.
    var textsShaped: Int { stage.textsShaped }
    var missingFonts: [String] { stage.missingFonts }
    func giveBackFonts() { stage.giveBackFonts() }
    /// The elements, for a screen reader.
    var elements: [Element] { director.elements }
    var focus: Int? { director.focus }

    /// True if the scene can prepare something in idle time.
    var wantsTime: Bool { director.wantsTime }

    func prepare(at moment: Int) { director.prepare(on: drawn, at: moment) }
}
