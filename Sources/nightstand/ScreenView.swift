import Configuration
import Core
import Design
import Interaction
import Model
import Pixels
import Posix
import Scenes
import Typography

/// The screens, and the picture that they are drawn on: which of them is shown, and what follows from what a hand does there.
final class ScreenView {
    let surface: Surface
    private let stage: Stage
    private let speaker: ScreenSpeaker
    private let director: Director
    private let player: PlayerScene
    private let pages: ScreenPages
    /// What is there once the speaker is.
    private var tab = Element.Tab.player
    private var place = ScreenMachine.Place.boot
    /// A clock is shown.
    private(set) var isStandby = false
    private var state = SpeakerStatus()
    /// When that was so.
    private var told = 0
    private var minuteOfDay: Int?
    private var artwork: Surface?
    private var standby: StandbyScene?
    /// Nil until a mouse moves that has no place of its own.
    private var pointer: Pointer?
    private var menu: ScreenMenu?
    /// Where a finger on the progress was last.
    private var looksFor: Int?
    private var isLooking = false
    private let happened: () -> Void

    /// So many sentences are asked for, before and after a place that a hand has gone on to.
    private static let neighbours = 60

    var width: Int { surface.width }
    var height: Int { surface.height }
    var pixelsPerPoint: Float { stage.scale.factor }
    var artworkSide: Int { PlayerScene.artworkSide(stage) }
    /// Between two frames, at least; 0 for what the panel does.
    var frameMilliseconds: Int { stage.frameMilliseconds }
    /// A list is shown, which a focus goes through.
    var hasList: Bool { place == .speaker && !isStandby && (tab != .player || director.isAsking) }
    /// In percent.
    var brightness: Int { pages.settings.brightness }

    init(
        _ settings: Configuration.Screen, _ memory: ScreenMemory, width: Int, height: Int, isDark: Bool,
        families: [FontFamily],
        speaker: ScreenSpeaker,
        changed: @escaping () -> Void
    ) throws(MissingLibrary) {
        let text = Float(settings.textPercent) / 100
        let scale =
            settings.scalePercent > 0
            ? PanelScale(factor: Float(settings.scalePercent) / 100, textSize: text)
            : PanelScale(width: width, height: height, textSize: text)
        let stage = try Stage(
            width: width, height: height, scale: scale,
            theme: Theme(isDark: isDark, hasMoreContrast: settings.hasMoreContrast), families: families)
        stage.comfort.reducesMotion = settings.reducesMotion
        stage.comfort.reducesTransparency = settings.reducesTransparency
        stage.comfort.savesPower = settings.savesPower
        self.stage = stage
        self.speaker = speaker
        happened = changed
        surface = Surface(unfilledWidth: width, height: height)
        player = PlayerScene(stage, artwork: nil, gradient: .duskBerry)
        director = Director(
            stage, MessageScene(stage, .boot, gradient: .icePeriwinkle),
            gradients: GradientSequence(seed: UInt64(truncatingIfNeeded: MonotonicTime.now.nanoseconds)))
        pages = ScreenPages(stage, ScreenSettings(settings, memory), speaker, changed: changed)
    }

    // MARK: What there is to show

    func show(_ new: SpeakerStatus, at moment: Int) {
        state = new
        told = moment
        if isStandby { state.minuteOfDay = minuteOfDay }
        if director.scene !== player { player.show(new, at: moment) }
        director.show(state, at: moment)
        pages.speakerChanged(new, isShown: tab)
    }

    func setArtwork(_ picture: Surface?) {
        artwork = picture
        player.setArtwork(picture)
        pages.setArtwork(picture)
        standby?.setArtwork(picture)
    }

    func drawAnew() { director.drawAnew() }

    /// Where it is, in the light that there is. Returns whether that changes anything.
    func set(
        _ place: ScreenMachine.Place, _ light: ScreenMachine.Light, isDark: Bool, at moment: Int
    ) -> Bool {
        let isDark = pages.settings.isDark(isNight: isDark)
        var isChanged = false
        if isDark != stage.theme.isDark {
            stage.theme = Theme(isDark: isDark, hasMoreContrast: stage.theme.hasMoreContrast)
            director.drawAnew()
            isChanged = true
        }
        // Dimmed, it is what a person looks at in the dark: a clock, and what plays.
        let wantsStandby = light == .dimmed && place == .speaker && tab == .player
        if place != self.place || wantsStandby != isStandby {
            self.place = place
            isStandby = wantsStandby
            present(at: moment)
            isChanged = true
        }
        return isChanged
    }

    /// The clock of the wall; nil where it is not known.
    func setClock(_ minute: Int?, at moment: Int) {
        if minute == minuteOfDay { return }
        minuteOfDay = minute
        if isStandby { director.show(stateNow(at: moment), at: moment) }
    }

    /// With the place where the ear is by now.
    private func stateNow(at moment: Int) -> SpeakerStatus {
        var now = state.later(by: moment - told)
        now.minuteOfDay = isStandby ? minuteOfDay : nil
        return now
    }

    private func present(at moment: Int) {
        let now = stateNow(at: moment)
        let next: any Scene
        switch place {
        case .boot: next = MessageScene(stage, .boot, gradient: .icePeriwinkle)
        case .error:
            next = MessageScene(
                stage, .failure("It may be starting. The screen tries again by itself."), gradient: .coralMist)
        case .speaker:
            if isStandby {
                let scene = standby ?? StandbyScene(stage)
                scene.setArtwork(artwork)
                standby = scene
                next = scene
            } else {
                standby = nil
                next = tab == .player ? player : pages.scene(tab)
            }
        }
        next.drawAnew()
        // The one that goes is told too, since the other is first drawn with what it was told last.
        director.show(now, at: moment)
        director.present(next, over: surface, at: moment)
    }

    // MARK: Frames

    func nextFrame(after moment: Int) -> Int? {
        let next = director.nextFrame(after: moment)
        guard let gone = pointer?.nextFrame(after: moment) else { return next }
        return min(next ?? gone, gone)
    }

    /// Returns what has changed.
    func draw(at moment: Int) -> [PixelRect] {
        let all = PixelRect(x: 0, y: 0, width: width, height: height)
        var damage = pointer?.takeAway(surface) ?? []
        damage += director.draw(on: surface, at: moment)
        damage += pointer?.draw(on: surface, at: moment) ?? []
        damage = damage.map { $0.intersection(all) }.filter { !$0.isEmpty }
        pages.fetchRows()
        pages.fetchPictures()
        if let place = player.wantedPlace(at: moment) { fetchSentences(around: place) }
        return damage
    }

    /// So many texts were shaped.
    var textsShaped: Int { stage.textsShaped }
    var missingFonts: [String] { stage.missingFonts }
    func giveBackFonts() { stage.giveBackFonts() }
    /// What a voice would say of it.
    var elements: [Element] { director.elements }
    var focus: Int? { director.focus }

    /// There is something to get ready while nothing else is to be done.
    var wantsTime: Bool { director.wantsTime }

    func prepare(at moment: Int) { director.prepare(on: surface, at: moment) }

    // MARK: Hands

    func take(_ gesture: Gesture, at moment: Int) {
        let action = director.take(gesture, at: moment)
        speaker.feel(Haptic(action, after: gesture))
        if action == .seek {
            if case .tap(let x, let y) = gesture, let place = seekPlace(x, y) { speaker.perform(.seekTo(place)) }
        } else if action == .volume {
            if case .tap(let x, let y) = gesture, let part = part(of: .volume, x, y) {
                speaker.tell("setvol \(Int((part * 100).rounded()))")
            }
        } else {
            act(action, at: moment)
        }
    }

    private func act(_ action: Element.Action, at moment: Int) {
        switch action {
        case .none, .seek, .volume: break
        case .show(let tab): go(to: tab, at: moment)
        case .leave: leave(at: moment)
        case .retry: speaker.retry()
        case .open(let kind, let name): follow(pages.open(kind, name), at: moment)
        case .play(let kind, let name): follow(pages.play(kind, name), at: moment)
        case .menu(let kind, let name): showMenu(kind, name, at: moment)
        case .choose(let index): choose(index, at: moment)
        case .search:
            pages.showSearch()
            present(at: moment)
        case .toggleFavourite:
            // Which it is when this is done.
            let words = state.isFavourite ? "Removed from Favorites" : "Added to Favorites"
            speaker.perform(action)
            director.put(.toast(words), at: moment)
        case .look(let place): look(at: place)
        default:
            if !pages.take(action) { speaker.perform(action) }
        }
    }

    /// Shows what is spoken where a finger is.
    private func look(at place: Int) {
        looksFor = place
        if isLooking { return }
        isLooking = true
        speaker.askSentences(around: place, neighbours: 0) { [self] told in
            isLooking = false
            player.showSentence(told?.segments.first?.text ?? "")
            happened()
            // The finger has gone on meanwhile.
            if told != nil, let next = looksFor, next != place { look(at: next) }
        }
    }

    /// For a hand that goes on through the transcript.
    private func fetchSentences(around place: Int) {
        let file = state.file
        speaker.askSentences(around: place, neighbours: ScreenView.neighbours) { [self] told in
            guard let told, state.file == file else { return }
            player.addSentences(told)
            happened()
        }
    }

    /// Letters become larger where two fingers go apart. - Parameter isMore: by one step; else smaller.
    func scaleText(isMore: Bool, at moment: Int) {
        _ = pages.take(.change(.textSize, isMore ? .more : .less))
        director.drawAnew()
        director.put(.toast("Text \(pages.settings.textPercent) %"), at: moment)
    }

    /// A key of a keyboard or of a remote control.
    func answer(_ key: ScreenInputs.Key, isAgain: Bool, at moment: Int) {
        let isTyping = tab == .library && pages.isSearching && !director.isAsking
        if isAgain && !key.repeats && !(key == .erase && isTyping) { return }
        switch key {
        case .move(let side): take(.move(side), at: moment)
        case .after: take(.focus(forward: true), at: moment)
        case .before: take(.focus(forward: false), at: moment)
        case .choose: take(.choose, at: moment)
        case .hold: take(.hold, at: moment)
        case .leave: goBack(fromX: -1, fromY: -1, at: moment)
        case .act(.toggleFavourite): act(.toggleFavourite, at: moment)
        case .act(let action): speaker.perform(action)
        case .louder: speaker.tell("volume +5")
        case .quieter: speaker.tell("volume -5")
        case .show(let tab): act(.show(tab), at: moment)
        case .search: search(at: moment)
        case .letter(let byte) where isTyping: act(.type(.letter(byte)), at: moment)
        case .erase where isTyping: act(.type(.erase), at: moment)
        case .letter(0x20): speaker.perform(.togglePlayback)
        case .erase: goBack(fromX: -1, fromY: -1, at: moment)
        case .letter: break
        }
    }

    private func search(at moment: Int) {
        if place != .speaker || tab == .library && pages.isSearching { return }
        _ = pages.closeAll()
        if tab != .library { go(to: .library, at: moment) }
        act(.search, at: moment)
    }

    /// Returns where the pointer is by then.
    func movePointer(byX x: Int, y: Int, at moment: Int) -> (x: Int, y: Int) {
        let pointer = pointer ?? Pointer(stage)
        self.pointer = pointer
        pointer.move(byX: x, y: y, at: moment)
        return (pointer.x, pointer.y)
    }

    /// Scrolls what lies under the pointer.
    func turnWheel(_ steps: Int, at moment: Int) {
        let (x, y) = pointer.map { ($0.x, $0.y) } ?? (width / 2, height / 2)
        take(.drag(x: x, y: y, byX: 0, byY: steps * Int(40 * stage.scale.factor)), at: moment)
        take(.drop(speedX: 0, speedY: 0), at: moment)
    }

    /// Where along a slider a touch is, 0…1.
    private func part(of action: Element.Action, _ x: Int, _ y: Int) -> Float? {
        guard let bar = director.elements.last(where: { $0.action == action && $0.frame.contains(x: x, y: y) })
        else { return nil }
        return min(1, max(0, Float(x - bar.frame.x) / Float(max(1, bar.frame.width - 1))))
    }

    /// Where in the recording a touch on the progress is, in milliseconds.
    private func seekPlace(_ x: Int, _ y: Int) -> Int? {
        guard let duration = state.durationMilliseconds,
            let bar = director.elements.last(where: { $0.action == .seek && $0.frame.contains(x: x, y: y) })
        else { return nil }
        let part = Float(x - bar.frame.x) / Float(max(1, bar.frame.width - 1))
        return Int(Float(duration) * min(1, max(0, part)))
    }

    /// A stroke to the right, or the key for it.
    func goBack(fromX x: Int, fromY y: Int, at moment: Int) {
        if director.isAsking { return director.takeAway(at: moment) }
        if place == .speaker && tab != .player && !isDragged(x, y) { leave(at: moment) }
    }

    /// To the screen before this one.
    private func leave(at moment: Int) {
        if tab == .library && pages.close() { return present(at: moment) }
        go(to: .player, at: moment)
    }

    private func follow(_ outcome: ScreenPages.Outcome, at moment: Int) {
        switch outcome {
        case .nothing: break
        case .plays: go(to: .player, at: moment)
        case .shows: present(at: moment)
        }
    }

    /// What the speaker says has changed, by MPD's names.
    func changed(_ names: [String]) { pages.speakerChanged(names, isShown: tab) }

    // MARK: What can be done with a row

    private func showMenu(_ kind: ListRow.Kind, _ name: String, at moment: Int) {
        guard let row = pages.row(kind, name) else { return }
        let made = ScreenMenu(row, isFavourite: row.playsFile == state.file && state.isFavourite)
        menu = made
        director.put(made.overlay, at: moment)
    }

    private func choose(_ index: Int, at moment: Int) {
        guard let menu, let deed = menu.deed(index) else { return }
        self.menu = nil
        switch deed {
        case .play: follow(pages.play(menu.row.kind, menu.row.name), at: moment)
        case .open: follow(pages.open(menu.row.kind, menu.row.name), at: moment)
        default:
            menu.perform(deed, speaker) { [self] words in
                if words.isEmpty { return }
                director.put(.toast(words), at: ScreenRun.moment)
                happened()
            }
        }
    }

    /// A stroke to the left: the way from the player where it has no room for tabs.
    func goOn(fromX x: Int, fromY y: Int, at moment: Int) {
        if place == .speaker && tab == .player && !isStandby && !director.isAsking && !isDragged(x, y) {
            go(to: .library, at: moment)
        }
    }

    /// Along the bar a stroke was a drag to another place.
    private func isDragged(_ x: Int, _ y: Int) -> Bool {
        director.elements.contains { $0.action == .seek && $0.frame.contains(x: x, y: y) }
    }

    private func go(to tab: Element.Tab, at moment: Int) {
        // Touched again, a tab goes back to its first screen.
        let hasClosed = tab == .library && self.tab == .library && pages.closeAll()
        if tab == self.tab && !isStandby && !hasClosed { return }
        self.tab = tab
        isStandby = false
        pages.willShow(tab, stateNow(at: moment))
        present(at: moment)
        // Where no bar has room to say what is playing, a banner does for a while.
        if tab != .player && state.state == .playing && !pages.scene(tab).hasNowBar {
            director.put(.banner(state.title), at: moment)
        }
    }
}
