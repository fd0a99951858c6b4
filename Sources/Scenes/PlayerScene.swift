import Core
import Design
import Model
import Pixels
import Typography

/// The player. It has two looks, paused and playing: all between the two is a cross-fade of them, since blur, title and transcript change
/// together, and turned round on the way it goes back from where it is. The look that is not shown is got ready ahead, as far as the two
/// differ: the first frame after play is pressed is a cross-fade like any other. One thread.
public final class PlayerScene: Scene {
    public let stage: Stage
    private(set) var layout: PlayerLayout
    private(set) var gradient: GradientToken
    /// Nil for none.
    public private(set) var artwork: Surface?
    /// At a quarter of their sizes.
    var blurredArtwork: Surface?
    /// As words and glass stand on it: other than the former in the dark.
    var tonedArtwork: Surface?
    var backdrop: Surface?
    var backdropTint: Color?

    var state = SpeakerStatus()
    /// When `state` was told.
    var told = 0
    var playback = Reversible(Motion.playback)
    /// The look that is not shown, once it is ready; both while one fades into the other.
    var paused: PlayerLook?
    var playing: PlayerLook?
    var isFading = false
    var isWhole = false
    /// All is as it was but for this.
    private var isHeartStale = false
    /// It began or ceased to play since the last frame.
    private var hasTurned = false
    /// The look that stands on the panel, once one does.
    private var settled: Bool?
    /// Minutes of the sleep timer, as they stand there.
    private var shownMinutes = 0
    /// On the bar, in milliseconds.
    var shownElapsed = -1
    var isBarStale = false
    var flow: TranscriptFlow?
    private var progress: (place: PixelRect, beneath: Surface, drawn: PlayerProgress.Drawn)?
    private let patches = Patches()
    var burst = HeartBurst()
    var still: [Element] = []
    private var moving: [Element] = []
    var touch = Touch()
    var scrub: Scrub?

    public init(_ stage: Stage, artwork: Surface?, gradient: GradientToken) {
        self.stage = stage
        self.artwork = artwork
        self.gradient = gradient
        layout = PlayerLayout(stage)
    }

    /// Another picture, as when it has been read.
    public func setArtwork(_ picture: Surface?) {
        artwork = picture
        blurredArtwork = nil
        drawAnew()
    }

    // MARK: What there is to show

    public func lie(on gradient: GradientToken) {
        if gradient == self.gradient { return }
        self.gradient = gradient
        drawAnew()
    }

    public func show(_ new: SpeakerStatus, at moment: Int) {
        if !new.isAlike(state) { isWhole = false }
        if new.isFavourite != state.isFavourite { isHeartStale = true }
        if new.isFavourite && !state.isFavourite && new.file == state.file && shownElapsed >= 0 {
            burst.begin(at: moment, isSmall: true)
        }
        state = new
        told = moment
        if playback.target != (new.state == .playing) { hasTurned = true }
        playback.turn(new.state == .playing, at: moment)
        if shownElapsed < 0 { playback.set(new.state == .playing) }
    }

    public func drawAnew() {
        isWhole = false
        forgetLooks()
        // Theme, comfort and the size of text may be others.
        layout = PlayerLayout(stage)
        tonedArtwork = nil
        backdrop = nil
        backdropTint = nil
        flow = nil
        patches.forget()
    }

    /// Where the ear is, in milliseconds.
    func elapsed(at moment: Int) -> Int { state.elapsed(after: moment - told) }

    /// How it stands by now.
    func now(at moment: Int) -> SpeakerStatus { state.later(by: moment - told) }

    public var elements: [Element] {
        still + moving + (hasTranscript(isPlaying: playback.target) ? flow?.elements ?? [] : [])
    }
    public var focus: Int? { touch.focus }

    public func nextFrame(after moment: Int) -> Int? {
        if !isWhole || turnedUnseen(at: moment) || playback.isMoving(at: moment) || isFading || isHeartStale
            || burst.isMoving(at: moment) || touch.isDirty
            || scrub?.isDirty ?? false
        {
            return moment
        }
        var next = hasTranscript(isPlaying: playback.target) ? flow?.nextFrame(after: moment) : nil
        if state.state == .playing {
            let passed = elapsed(at: moment)
            var due = passed / 1000 * 1000 + 1000
            for sentence in state.segments where sentence.startMilliseconds > passed {
                due = min(due, sentence.startMilliseconds)
                break
            }
            let at = moment + max(1, (due - passed) * 100 / max(1, state.speed.percent))
            next = min(next ?? at, at)
        }
        if let change = now(at: moment).nextSleepChange { next = min(next ?? .max, moment + change) }
        return next
    }

    // MARK: Drawing

    public func draw(on surface: Surface, at moment: Int) -> [PixelRect] {
        var damage = isWhole ? patches.restore(surface) : []
        let now = now(at: moment)
        let isNew = !isWhole || turnedUnseen(at: moment) || now.sleepMinutes != shownMinutes
        shownMinutes = now.sleepMinutes
        if isNew {
            patches.forget()
            forgetLooks()
            compose(surface, now, isPlaying: playback.target, at: moment)
            damage = [surface.bounds]
        }
        if playback.isMoving(at: moment) {
            // The hand sees at once that it was felt; the fade, of which there is nothing to see yet, begins with the next frame.
            if isFading || isNew || !hasTurned { damage += fade(surface, now, isNew: isNew, at: moment) }
        } else if isFading {
            damage += endFade(surface, now)
            damage += refresh(surface, now, at: moment)
        } else if !isNew {
            damage += refresh(surface, now, at: moment)
        }
        hasTurned = false
        if isHeartStale && !isNew { damage.append(drawHeartAnew(surface, now)) }
        isHeartStale = false
        isWhole = true
        if !playback.isMoving(at: moment) { settled = playback.target }
        damage += layUpon(surface, at: moment)
        return isNew ? [surface.bounds] : damage
    }

    /// It began or ceased to play while nobody drew it, as in the dark or while another screen gave way.
    private func turnedUnseen(at moment: Int) -> Bool {
        !isFading && !playback.isMoving(at: moment) && settled != playback.target
    }

    // MARK: Parts

    /// The bar's knob may reach into what changes.
    func liftProgress(_ surface: Surface) {
        if let progress { surface.put(progress.beneath, x: progress.place.x, y: progress.place.y) }
    }

    /// - Parameter known: what was drawn last on what lies there still.
    func layProgress(
        _ surface: Surface, _ now: SpeakerStatus, known: PlayerProgress.Drawn? = nil
    ) -> [PixelRect] {
        var shown = now
        if let scrub { shown.positionMilliseconds = scrub.place }
        let bar = PlayerProgress(layout: layout, state: shown)
        let place = bar.place(stage).intersection(surface.bounds)
        let beneath = surface.part(place)
        let picture = Picture(stage, on: surface)
        progress = (place, beneath, bar.draw(picture, known: known))
        moving = picture.elements
        shownElapsed = now.positionMilliseconds
        isBarStale = false
        return [place]
    }

    /// A second on.
    private func countProgress(_ surface: Surface, _ now: SpeakerStatus) -> [PixelRect] {
        if let (place, beneath, _) = progress, !isBarStale, scrub == nil {
            let picture = Picture(stage, on: surface)
            let bar = PlayerProgress(layout: layout, state: now)
            if let damage = bar.count(picture, from: &progress!.drawn, over: beneath, at: place) {
                moving = picture.elements
                shownElapsed = now.positionMilliseconds
                return damage
            }
        }
        liftProgress(surface)
        return layProgress(surface, now, known: progress?.drawn)
    }

    func hasTranscript(isPlaying: Bool) -> Bool { isPlaying && !state.segments.isEmpty }

    /// All of one look.
    func compose(
        _ surface: Surface, _ now: SpeakerStatus, isPlaying: Bool, at moment: Int
    ) {
        let picture = Picture(stage, on: surface)
        compose(picture, now, isPlaying: isPlaying, isShown: true, at: moment)
        (still, _) = (picture.elements, layProgress(surface, now))
    }

    /// - Parameter isShown: false for a look that is got ready for later.
    func compose(_ picture: Picture, _ now: SpeakerStatus, isPlaying: Bool, isShown: Bool, at moment: Int) {
        composeStill(picture, now, isPlaying: isPlaying)
        if hasTranscript(isPlaying: isPlaying) {
            let area = transcriptArea(now)
            if flow?.area != area.intersection(stage.bounds) {
                flow = TranscriptFlow(stage, area: area, isSmall: layout.hasSmallSentences)
            }
            flow?.take(beneath: picture.surface)
            flow?.show(now, elapsed: now.positionMilliseconds, at: moment, over: nil)
            if !isShown { flow?.settle() }
            flow?.draw(picture, at: moment, isBare: true)
        }
    }

    /// All but the words that are spoken.
    func composeStill(_ picture: Picture, _ now: SpeakerStatus, isPlaying: Bool) {
        drawBackground(picture)
        drawHeader(picture, now)
        let hasTranscript = hasTranscript(isPlaying: isPlaying)
        let isVeiled = !layout.isWide && hasTranscript
        drawArtwork(picture, isBlurred: isPlaying, isToned: isVeiled) {
            if isVeiled { veil(picture) }
            drawTitle(picture, now, isPlaying: isPlaying, hasTranscript: hasTranscript)
            drawControls(picture, isPlaying: isPlaying, isVeiled: isVeiled)
        }
        drawDetails(picture, now)
        TabBar(frame: layout.tabs, active: nil).draw(picture)
    }

    /// What goes on by itself.
    private func refresh(_ surface: Surface, _ now: SpeakerStatus, at moment: Int) -> [PixelRect] {
        var damage: [PixelRect] = []
        if now.positionMilliseconds / 1000 != shownElapsed / 1000 || isBarStale || scrub?.isDirty ?? false {
            damage += countProgress(surface, now)
        }
        guard hasTranscript(isPlaying: playback.target), let flow else { return damage }
        flow.show(now, elapsed: now.positionMilliseconds, at: moment, over: surface)
        if flow.nextFrame(after: moment) == moment || flow.isPaused(at: moment) {
            if flow.draw(Picture(stage, on: surface), at: moment) { damage.append(flow.area) }
        }
        return damage
    }

    /// What lies on top for a while.
    private func layUpon(_ surface: Surface, at moment: Int) -> [PixelRect] {
        var damage: [PixelRect] = []
        let picture = Picture(stage, on: surface)
        if hasTranscript(isPlaying: playback.target), let flow, flow.isPaused(at: moment) {
            let pill = FollowPill(area: flow.area)
            let place = pill.frame(stage)
            patches.keep(place.inset(by: -2), of: surface)
            pill.draw(picture)
            moving = moving.filter { $0.action != .dismiss } + picture.elements
            damage.append(place.inset(by: -2))
        } else {
            moving = moving.filter { $0.action != .dismiss }
        }
        if scrub != nil, let bar = elements.last(where: { $0.action == .seek }) {
            let place = scrub!.frame(stage, above: bar.frame)
            patches.keep(place, of: surface)
            scrub!.draw(picture, in: place)
            damage.append(place)
        }
        if let place = burst.place(stage, heart: layout.heart, artwork: layout.artwork, at: moment) {
            patches.keep(place, of: surface)
            burst.draw(picture, in: place, at: moment)
            damage.append(place)
        }
        damage += touch.draw(picture, patches, elements)
        return damage
    }
}
