// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

extension Destination {
    /// The library's page fills this destination until it is first shown.
    static var player: Destination {
        Destination(.player, translated("Playing"), .speaker, filled: .speaker, .skyLavender) { LibraryPage($0) }
    }
}

/// The player. It has two looks, paused and playing, and cross-fades between them, since blur, title and transcript change together. A fade
/// can turn around at any point. The differing part of the hidden look is prepared in advance. So the first frame after a press of play
/// already belongs to the fade. One thread.
public final class PlayerScene: Scene {
    public let stage: Stage
    private(set) var layout: PlayerLayout
    private(set) var gradient: GradientToken
    var art: PlayerArtwork
    private(set) var told = ToldStatus()
    var looks = PlayerLooks()
    var strip = ProgressStrip()
    /// The transcripts of the two looks. The paused one stands where the cover leaves room.
    private var flows: (paused: TranscriptFlow?, playing: TranscriptFlow?)
    private(set) var screen = DrawnScreen()
    /// The only outdated parts of the last drawing.
    private var stale: [PixelRect] = []
    private var burst = HeartBurst()
    private var volume = VolumeDrag()
    /// The pixels under a heart that stands on glass, in either look.
    var heartGrounds: [Surface?] = [nil, nil]
    /// The shown minutes of the sleep timer.
    private var shownMinutes = 0
    /// The shown minutes until the chapter ends.
    private var shownChapterMinutes: Int?
    /// The elements of the shown look, without the parts that change by themselves.
    var still: [Element] = []
    /// The elements of the way back, while a hand holds the transcript.
    private var followPill: [Element] = []
    /// The moment of the last picture; nil after an event that needs the whole look drawn.
    private var drawnAt: Int?

    public init(_ stage: Stage, artwork: Surface?, gradient: GradientToken) {
        self.stage = stage
        self.gradient = gradient
        art = PlayerArtwork(artwork)
        layout = PlayerLayout(stage)
    }

    /// The picture; nil for none.
    public var artwork: Surface? { art.picture }

    /// Sets another picture. A visible one fades into it.
    public func setArtwork(_ picture: Surface?) {
        let isShown = strip.shownElapsed >= 0
        art = PlayerArtwork(picture)
        drawAnew()
        if isShown { art.change = .wanted }
    }

    // MARK: Content

    /// True if the player shows the time.
    public var hasClock: Bool { layout.isWide && !layout.header.isEmpty }
    /// The heart's frame as drawn; the touch area is larger.
    private var heart: PixelRect {
        let side = stage.pixels(Metrics.symbol)
        return layout.heart.middle(width: side, height: side).intersection(stage.bounds)
    }

    var state: SpeakerStatus { told.status }

    public func lie(on gradient: GradientToken) {
        if gradient == self.gradient { return }
        self.gradient = gradient
        drawAnew()
    }

    public func show(_ new: SpeakerStatus, at moment: Int) {
        drawnAt = nil
        let hasDrawn = strip.shownElapsed >= 0
        if !new.isAlike(state) { screen.drawAnew() }
        if new.isFavourite != state.isFavourite { stale.append(heart) }
        if new.minuteOfDay != state.minuteOfDay && hasClock { stale.append(layout.header) }
        if new.isFavourite && !state.isFavourite && new.file == state.file && hasDrawn {
            burst.begin(at: moment, isSmall: true)
        }
        let isStill = stage.comfort.reducesMotion || stage.comfort.savesPower
        if hasDrawn && !isStill && titleWords(new) != titleWords(state) { looks.title.want(at: moment) }
        told.tell(new, at: moment)
        looks.turn(to: new.state == .playing, at: moment)
        if !hasDrawn { looks.set(to: new.state == .playing) }
    }

    public func drawAnew() {
        drawnAt = nil
        screen.drawAnew()
        looks.forget()
        looks.title = ComingTitle()
        // Theme, comfort settings or text size may have changed.
        layout = PlayerLayout(stage)
        art.forgetTones()
        art.change = CoverChange()
        flows = (nil, nil)
    }

    func flow(isPlaying: Bool) -> TranscriptFlow? { isPlaying ? flows.playing : flows.paused }
    /// The transcript of the shown look.
    private var flow: TranscriptFlow? { flow(isPlaying: looks.isPlaying) }

    /// Returns the playback position, in milliseconds.
    func elapsed(at moment: Int) -> Int { told.elapsed(at: moment) }

    public var room: PixelRect {
        let end = layout.isWide || layout.hasHeartBelow ? layout.controls.y : stage.height - layout.tabs.height
        return stage.bounds.right(stage.width - layout.rail.width).top(end)
    }
    public var elements: [Element] { screen.elements }
    public var focus: Int? { screen.focus }

    public func nextFrame(after moment: Int) -> Int? {
        let change = nextChange(after: moment)
        guard told.status.isRunning, let fill = shownFlow?.nextFill else { return change }
        let passed = elapsed(at: moment)
        return fill > passed ? min(change ?? .max, moment + milliseconds(fill - passed)) : change
    }

    /// Returns the milliseconds until the given length of the recording has passed, rounded up so that something new is due then.
    private func milliseconds(_ way: Int) -> Int {
        let percent = max(1, told.status.speed.percent)
        return max(1, (way * 100 + percent - 1) / percent)
    }

    /// Returns when the player next changes, apart from the fill of the sentence.
    private func nextChange(after moment: Int) -> Int? {
        if screen.isDue || strip.isScrubStale || !stale.isEmpty || burst.isMoving(at: moment) || volume.isDirty {
            return moment
        }
        if art.change.isGoingOn || looks.title.isComing { return moment }
        if looks.isFading || looks.isMoving(at: moment) || looks.turnedUnseen(at: moment) { return moment }
        var next = shownFlow?.nextFrame(after: moment)
        if told.status.isRunning {
            let passed = elapsed(at: moment)
            var due = passed / 1000 * 1000 + 1000
            if let start = told.starts.first(where: { $0 > passed }) { due = min(due, start) }
            let at = moment + milliseconds(due - passed)
            next = min(next ?? at, at)
        }
        if let end = volume.ends(after: moment) { next = min(next ?? end, end) }
        if told.status.sleepMilliseconds != nil, let change = told.now(at: moment).nextSleepChange {
            next = min(next ?? .max, moment + change)
        }
        return next
    }

    // MARK: Hands

    public func take(_ gesture: Gesture, at moment: Int) -> Element.Action {
        drawnAt = nil
        if let action = drag(gesture, at: moment) { return action }
        switch gesture {
        case .doubleTap(let x, let y) where layout.artwork.contains(x: x, y: y):
            burst.begin(at: moment, isSmall: false)
            return state.isFavourite ? .none : .toggleFavourite
        case .drag(let x, let y, let byX, let byY):
            _ = screen.take(.release)
            if let flow = shownFlow, !volume.isHeld, flow.area.contains(x: x, y: y) {
                flow.drag(by: byY, at: moment)
                return .none
            }
            guard let percent = state.volumePercent, layout.artwork.contains(x: x, y: y),
                volume.isHeld || abs(byY) > abs(byX)
            else { return .none }
            return volume.move(by: byY, over: layout.artwork.height, from: percent).map { .setVolume($0) } ?? .none
        case .drop where volume.drop(at: moment): return .none
        case .drop(_, let speed):
            if let flow, flow.nextFrame(after: moment) == nil, flow.isPaused(at: moment) {
                flow.drop(speed: speed, at: moment)
            }
            return .none
        case .move(let side) where side == .left || side == .right:
            // A remote control's arrows seek while the progress has the focus.
            if let focus, elements.indices.contains(focus), elements[focus].action == .seek {
                return side == .left ? .back : .forward
            }
        default: break
        }
        let action = screen.take(gesture)
        if action == .dismiss {
            flow?.follow(at: moment)
            return .none
        }
        return action
    }

    /// Drags the progress. Returns nil if the gesture means something else.
    private func drag(_ gesture: Gesture, at moment: Int) -> Element.Action? {
        switch gesture {
        case .drag(let x, let y, let byX, _):
            guard let place = strip.drag(x: x, y: y, by: byX, duration: state.durationMilliseconds) else { return nil }
            _ = screen.take(.release)
            return .look(place)
        case .drop, .press:
            guard let place = strip.drop(), case .drop = gesture else { return nil }
            // Assume the new state until the speaker reports it.
            var then = state
            then.positionMilliseconds = place
            told.tell(then, at: moment)
            return .seekTo(place)
        default: return nil
        }
    }

    /// Returns the position around which a hand on the transcript needs more sentences, in milliseconds; nil for none. Returns each
    /// position once.
    public func wantedPlace(at moment: Int) -> Int? { flow?.wantedPlace(at: moment) }

    /// Adds those sentences from the speaker's answer.
    public func addSentences(_ told: SpeakerStatus) {
        drawnAt = nil
        flow?.add(SentenceWindow(told), count: told.segmentCount)
    }

    /// Returns true if the recording's chapters must be requested; once for each recording.
    public func wantsChapters() -> Bool { strip.wantsChapters(state) }

    /// - Parameter starts: the starts of the chapters, in milliseconds.
    public func show(chapters starts: [Int], of file: String) { strip.show(chapters: starts, of: file) }

    /// Shows the sentence at the finger's position on the progress; "" for none.
    public func showSentence(_ text: String) { strip.show(text) }

    // MARK: Drawing

    public func draw(on surface: Surface, at moment: Int) -> [PixelRect] {
        if let drawnAt, let flow = shownFlow, screen.isBare, moment < nextChange(after: drawnAt) ?? .max {
            return inkedAround { inInk { flow.pass(elapsed(at: moment), Picture(stage, on: surface)) } }
        }
        defer { drawnAt = moment }
        let damage = inkedAround { drawWhole(on: art.change.target(surface, at: moment), at: moment) }
        return art.change.draw(on: surface, at: moment) ?? damage
    }

    /// Draws with the theme that fits the artwork.
    func inInk<Result>(_ draw: () -> Result) -> Result {
        let theme = stage.theme
        stage.theme = art.ink(theme)
        defer { stage.theme = theme }
        return draw()
    }

    /// Draws with the artwork's theme on wide panels, where the artwork is the background.
    func inkedAround<Result>(_ draw: () -> Result) -> Result {
        layout.isWide && stage.hasBlur ? inInk(draw) : draw()
    }

    public func drawGround(on surface: Surface, within place: PixelRect) {
        let picture = Picture(stage, on: surface)
        inkedAround { picture.canvas.clipped(to: place) { drawBackground(picture, isPlaying: looks.isPlaying) } }
    }
    public var bars: [PixelRect] { [layout.rail, layout.tabs] }
    public var covers: [ShownCover] {
        let radius = stage.pixels(layout.isWide ? Radius.televisionArtwork : Radius.artwork)
        return artwork.map {
            [ShownCover(picture: $0, frame: layout.artwork, radius: radius, hasWords: !layout.isWide)]
        } ?? []
    }

    private func drawWhole(on surface: Surface, at moment: Int) -> [PixelRect] {
        let now = told.now(at: moment)
        let isNew = screen.isStale || looks.turnedUnseen(at: moment) || now.sleepMinutes != shownMinutes
        var damage = screen.uncover(surface)
        shownMinutes = now.sleepMinutes
        let chapterMinutes = chapterMinutes(now)
        if chapterMinutes != shownChapterMinutes && !looks.title.isComing {
            shownChapterMinutes = chapterMinutes
            if !isNew && !chapterPlace.isEmpty { stale.append(chapterPlace) }
        }
        if isNew {
            looks.forget()
            compose(surface, now, isPlaying: looks.isPlaying, at: moment)
            damage = [surface.bounds]
        }
        damage += looks.title.draw(stage, on: surface, at: moment, isOver: looks.isMoving(at: moment))
        if looks.isMoving(at: moment) {
            // The press shows at once. The fade begins with the next frame, since its first one would look the same.
            if looks.isFading || isNew || !looks.hasTurned {
                damage += fade(surface, now, isNew: isNew, at: moment)
            }
        } else if looks.isFading {
            damage += endFade(surface, now)
            damage += refresh(surface, now, at: moment)
        } else if !isNew {
            damage += refresh(surface, now, at: moment)
        }
        if !isNew { damage += stale.map { drawAnew($0, on: surface, now) } }
        stale = []
        looks.endFrame(at: moment)
        damage += layUpon(surface, at: moment)
        return isNew ? [surface.bounds] : damage
    }

    var hasTranscript: Bool { told.hasTranscript }
    /// The visible transcript.
    var shownFlow: TranscriptFlow? { hasTranscript ? flow : nil }

    func progress(_ now: SpeakerStatus) -> PlayerProgress {
        PlayerProgress(layout: layout, state: now, chapters: strip.chapters(of: now.file))
    }

    /// Draws one look completely.
    private func compose(_ surface: Surface, _ now: SpeakerStatus, isPlaying: Bool, at moment: Int) {
        let picture = Picture(stage, on: surface)
        picture.wantsCascade = looks.title.wantsCascade(at: moment)
        compose(picture, now, isPlaying: isPlaying, isShown: true, at: moment)
        looks.title.take(picture.cascade, on: surface, at: moment)
        still = picture.elements
        _ = strip.lay(progress(now), stage, on: surface)
    }

    /// - Parameter isShown: false for a look that is prepared for later.
    func compose(_ picture: Picture, _ now: SpeakerStatus, isPlaying: Bool, isShown: Bool, at moment: Int) {
        composeStill(picture, now, isPlaying: isPlaying)
        if !hasTranscript { return }
        inInk { composeWords(picture, now, isPlaying: isPlaying, isShown: isShown, at: moment) }
    }

    private func composeWords(
        _ picture: Picture, _ now: SpeakerStatus, isPlaying: Bool, isShown: Bool, at moment: Int
    ) {
        let area = transcriptArea(now, isPlaying: isPlaying)
        if flow(isPlaying: isPlaying)?.area != area.intersection(stage.bounds) {
            let new = TranscriptFlow(stage, area: area, layout.sentence)
            if isPlaying { flows.playing = new } else { flows.paused = new }
        }
        let flow = flow(isPlaying: isPlaying)
        flow?.take(beneath: picture.surface)
        flow?.show(now, elapsed: now.positionMilliseconds, at: moment, over: nil)
        if !isShown { flow?.settle() }
        flow?.draw(picture, at: moment, isBare: true)
    }

    /// Draws everything but the spoken words.
    func composeStill(_ picture: Picture, _ now: SpeakerStatus, isPlaying: Bool) {
        drawBackground(picture, isPlaying: isPlaying)
        drawHeader(picture, now)
        let isVeiled = !layout.isWide && hasTranscript && isPlaying
        func words() {
            drawTitle(picture, now, isPlaying: isPlaying, isVeiled: isVeiled)
            if !layout.isWide && hasTranscript && !isPlaying {
                drawGlass(picture, under: transcriptArea(now, isPlaying: false))
            }
            drawControls(picture, now, isPlaying: isPlaying, isVeiled: isVeiled)
            drawTrouble(picture, now)
            drawPill(picture, now)
        }
        drawArtwork(picture, isBlurred: isPlaying && !layout.isWide, isToned: isVeiled) {
            if isVeiled { veil(picture) }
            if !layout.isWide { words() }
        }
        if layout.isWide { words() }
        drawDetails(picture, now)
        TabBar(frame: layout.tabs, active: nil).draw(picture)
        Sidebar(frame: layout.rail, active: nil).draw(picture)
    }

    /// Redraws the parts that change by themselves.
    private func refresh(_ surface: Surface, _ now: SpeakerStatus, at moment: Int) -> [PixelRect] {
        var damage: [PixelRect] = []
        if strip.isDue(now.positionMilliseconds) { damage += strip.count(progress(now), stage, on: surface) }
        guard let flow = shownFlow else { return damage }
        inInk {
            flow.show(now, elapsed: now.positionMilliseconds, at: moment, over: surface)
            damage += flow.draw(Picture(stage, on: surface), at: moment)
        }
        return damage
    }

    /// Draws the temporary parts on top.
    private func layUpon(_ surface: Surface, at moment: Int) -> [PixelRect] {
        var damage: [PixelRect] = []
        let picture = Picture(stage, on: surface)
        if let flow = shownFlow, flow.isPaused(at: moment) {
            let pill = FollowPill(area: flow.area)
            let place = pill.frame(stage).inset(by: -2)
            screen.keep(place, of: surface)
            inInk { pill.draw(picture) }
            damage.append(place)
        }
        followPill = picture.elements
        if let place = strip.drawScrub(picture, keep: { screen.keep($0, of: surface) }) { damage.append(place) }
        if let place = volume.place(stage, coverAlone, at: moment) {
            screen.keep(place, of: surface)
            volume.draw(picture, in: place)
            damage.append(place)
        }
        if let place = burst.place(stage, heart: layout.heart, artwork: layout.artwork, at: moment) {
            screen.keep(place, of: surface)
            burst.draw(picture, in: place, at: moment)
            damage.append(place)
        }
        showElements()
        return damage + screen.cover(stage, on: surface, at: moment)
    }

    /// The cover's frame without the buttons on it.
    var coverAlone: PixelRect {
        layout.isWide ? layout.artwork : layout.artwork.top(layout.controls.y - layout.artwork.y)
    }

    private func showElements() { screen.show(still + strip.elements + followPill + (shownFlow?.elements ?? [])) }

    // MARK: As one picture, without what moves

    /// Returns the length of the picture's shorter side.
    public static func artworkSide(_ stage: Stage) -> Int {
        let frame = PlayerLayout(stage).artwork
        return max(frame.width, frame.height)
    }

    /// The content of the screen, without its moving parts.
    public struct Composed {
        public let surface: Surface
        public let elements: [Element]
        /// The texts, if requested.
        public let texts: [DrawnText]
    }

    /// Draws a moment between pause and playback.
    /// - Parameter part: 0 for paused, 1 for playing.
    public func frame(_ state: SpeakerStatus, part: Float) -> Surface {
        if part <= 0 { return compose(state, isPlaying: false).surface }
        if part >= 1 { return compose(state, isPlaying: true).surface }
        let paused = compose(state, isPlaying: false).surface
        let playing = compose(state, isPlaying: true).surface
        let step = Int((part * 256).rounded())
        for y in 0..<paused.height {
            Rows.crossFade(paused.row(y), paused.row(y), playing.row(y), count: paused.width, part: step)
        }
        drawSign(paused, playing: part)
        return paused
    }

    public func compose(_ state: SpeakerStatus, isPlaying: Bool, auditsTexts: Bool = false) -> Composed {
        told.tell(state, at: 0)
        let surface = Surface(width: stage.width, height: stage.height)
        stage.drawnTexts = auditsTexts ? [] : nil
        looks.set(to: isPlaying)
        inkedAround { compose(surface, state, isPlaying: isPlaying, at: 0) }
        showElements()
        return Composed(surface: surface, elements: elements, texts: stage.drawnTexts ?? [])
    }
}
