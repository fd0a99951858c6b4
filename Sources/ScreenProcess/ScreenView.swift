// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Interaction
import Model
import Pixels
import Posix
import Scenes
import Text

/// The screens, and the picture that they are drawn on: the shown screen, and the shown state of the speaker.
final class ScreenView {
    /// As scenes have drawn it.
    private let drawn: Surface
    /// As it is shown at night; nil by day.
    private var night: (picture: Surface, tone: NightTone)?
    let director: Director
    let player: PlayerScene
    let pages: ScreenPages
    /// In the player's place where a person wants it large and simple; nil else.
    let simple: SimplePlayer?
    private let stage: Stage
    private let settings: ScreenSettings
    /// Of a mouse that has no place of its own.
    private let pointer: Pointer
    /// The tab to show once the speaker is there.
    private(set) var tab = Element.Tab.player
    /// The tabs that a hand came through since the player, the last at the end; each once.
    private var tabsBefore: [Element.Tab] = []
    private(set) var place = ScreenMachine.Place.boot
    /// A clock is shown.
    private(set) var isStandby = false
    /// Since when it has not been bright; nil while it is.
    private var leftAt: Int?
    /// So long a page waits for the hand that left it.
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
    /// Between two frames, at least; 0 for what the panel does.
    var frameMilliseconds: Int { stage.frameMilliseconds }
    /// A list is shown, which a focus goes through. An alarm is answered by the speaker's buttons themselves.
    var hasList: Bool {
        place == .speaker && !isStandby && (tab != .player || director.isAsking) && !director.isRinging
    }

    /// True if the page's rows are still unknown.
    var isLoading: Bool { tab != .player && pages.scene(tab).isLoading }

    /// - Parameter changed: an answer for the page has come.
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

    /// The speaker reported changes, by MPD's names.
    func changed(_ names: [String]) { pages.speakerChanged(names, isShown: tab) }

    func setArtwork(_ picture: Surface?) {
        artwork = picture
        player.setArtwork(picture)
        simple?.setArtwork(picture)
        pages.setArtwork(picture)
        standby?.setArtwork(picture)
    }

    func drawAnew() { director.drawAnew() }

    /// Sets the place and the light. Returns whether that changes anything.
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
        // Dimmed, any page gives way to what a person looks at in the dark: a clock, and what plays. By day the words stay, for a listener
        // who follows them.
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

    /// A page that was left for long is not the one that a hand wants: the player comes then. In every light, in the dark, too.
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

    /// The clock of the wall; nil where it is not known. Returns whether another one is to be seen.
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

    /// A clock is seen, which goes on by itself.
    var hasClock: Bool {
        place == .speaker
            && (isStandby || director.isRinging || tab == .player && simple == nil && player.hasClock)
    }

    /// With the place where the ear is by now.
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
        // The one that goes is told too, since the other is first drawn with what it was told last.
        director.show(now, at: moment)
        director.present(next, over: drawn, at: moment)
    }

    func go(to tab: Element.Tab, at moment: Int) {
        let tab = lead(to: tab)
        // Touched again, a tab goes back to its first screen.
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

    /// Goes to the tab that was left for this one; to the player from the first.
    func goBack(at moment: Int) {
        let (last, rest) = (tabsBefore.last ?? .player, tabsBefore.dropLast())
        go(to: last, at: moment)
        tabsBefore = Array(rest)
    }

    /// The simple layout has two tabs, for any request.
    func lead(to tab: Element.Tab) -> Element.Tab { simple == nil || tab == .player ? tab : .library }

    /// What plays.
    private var playing: any Scene {
        if let simple { return simple }
        return player
    }

    func movePointer(byX x: Int, y: Int, at moment: Int) { pointer.move(byX: x, y: y, at: moment) }

    /// In the middle before it has moved.
    var pointerPlace: (x: Int, y: Int) { (pointer.x, pointer.y) }

    // MARK: Frames

    func nextFrame(after moment: Int) -> Int? {
        let next = director.nextFrame(after: moment)
        guard let gone = pointer.nextFrame(after: moment) else { return next }
        return min(next ?? gone, gone)
    }

    /// Returns what has changed.
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

    /// So many texts were shaped.
    var textsShaped: Int { stage.textsShaped }
    var missingFonts: [String] { stage.missingFonts }
    func giveBackFonts() { stage.giveBackFonts() }
    /// The elements, for a voice.
    var elements: [Element] { director.elements }
    var focus: Int? { director.focus }

    /// There is something to get ready while nothing else is to be done.
    var wantsTime: Bool { director.wantsTime }

    func prepare(at moment: Int) { director.prepare(on: drawn, at: moment) }
}
