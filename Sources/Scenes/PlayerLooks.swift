import Design
import Model
import Pixels

/// What stands at `PlayerLayout.changing` in one of the player's looks.
struct PlayerLook {
    let part: Surface
    var elements: [Element]
    /// That is spoken, in the transcript's count.
    var sentence: Int?
    /// Nothing of it was on its way elsewhere.
    let isSettled: Bool
}

/// How the player's looks, paused and playing, are got ready and give way to each other.
extension PlayerScene {
    func forgetLooks() {
        paused = nil
        playing = nil
        isFading = false
    }

    var spokenSentence: Int? { state.currentSegment.map { $0 + state.firstSegment } }

    public var wantsTime: Bool {
        isWhole && !isFading && (playback.target ? paused == nil : !isPlayingReady)
    }

    var isPlayingReady: Bool { playing.map { $0.sentence == spokenSentence } ?? false }

    public func prepare(on surface: Surface, at moment: Int) {
        guard wantsTime else { return }
        if playback.target {
            paused = look(surface, isPlaying: false, at: moment)
        } else {
            preparePlaying(surface, at: moment)
        }
    }

    /// The words alone where the rest of it is there: a hand that comes meanwhile waits for that only.
    func preparePlaying(_ surface: Surface, at moment: Int) {
        guard var look = playing else {
            playing = self.look(surface, isPlaying: true, at: moment)
            return
        }
        guard hasTranscript(isPlaying: true), let flow else {
            playing?.sentence = spokenSentence
            return
        }
        let frame = layout.changing
        let beneath = surface.part(frame)
        surface.put(look.part, x: frame.x, y: frame.y)
        let texts = stage.drawnTexts
        stage.drawnTexts = nil
        let now = now(at: moment)
        flow.show(now, elapsed: now.positionMilliseconds, at: moment, over: nil)
        flow.settle()
        flow.draw(Picture(stage, on: surface), at: moment)
        stage.drawnTexts = texts
        look.part.copy(frame, of: surface)
        look.sentence = spokenSentence
        playing = look
        surface.put(beneath, x: frame.x, y: frame.y)
    }

    /// On the screen, and in the looks that are not on it.
    func drawHeartAnew(_ surface: Surface, _ now: SpeakerStatus) -> PixelRect {
        let heart = drawnHeart
        still = drawPart(heart, on: surface, now, isPlaying: playback.target)
        playing = playing.map { renewHeart(of: $0, isPlaying: true, surface, now) }
        paused = paused.map { renewHeart(of: $0, isPlaying: false, surface, now) }
        return heart
    }

    /// As large as it is drawn: what a finger hits is more.
    private var drawnHeart: PixelRect {
        let side = stage.pixels(Metrics.symbol)
        return PixelRect(x: 0, y: 0, width: side, height: side).centred(in: layout.heart).intersection(stage.bounds)
    }

    private func drawPart(_ part: PixelRect, on surface: Surface, _ now: SpeakerStatus, isPlaying: Bool) -> [Element] {
        let picture = Picture(stage, on: surface)
        picture.canvas.clipped(to: part) { composeStill(picture, now, isPlaying: isPlaying) }
        return picture.elements
    }

    private func renewHeart(
        of look: PlayerLook, isPlaying: Bool, _ surface: Surface, _ now: SpeakerStatus
    ) -> PlayerLook {
        var look = look
        let element = still.first { $0.action == .toggleFavourite }
        look.elements = look.elements.map { $0.action == .toggleFavourite ? element ?? $0 : $0 }
        let shared = drawnHeart.intersection(layout.changing)
        if shared.isEmpty { return look }
        let beneath = surface.part(shared)
        // The artwork's edge may lie under it, which is other in the other look.
        if isPlaying != playback.target { _ = drawPart(shared, on: surface, now, isPlaying: isPlaying) }
        look.part.put(surface.part(shared), x: shared.x - layout.changing.x, y: shared.y - layout.changing.y)
        surface.put(beneath, x: shared.x, y: shared.y)
        return look
    }

    /// Drawn on the surface where it belongs, since it is the same around it, and taken away again.
    func look(_ surface: Surface, isPlaying: Bool, at moment: Int) -> PlayerLook {
        let frame = layout.changing
        let beneath = surface.part(frame)
        // What is not shown is not audited.
        let texts = stage.drawnTexts
        stage.drawnTexts = nil
        defer { stage.drawnTexts = texts }
        let now = now(at: moment)
        let picture = Picture(stage, on: surface)
        picture.canvas.clipped(to: frame) {
            compose(picture, now, isPlaying: isPlaying, isShown: false, at: moment)
        }
        defer { surface.put(beneath, x: frame.x, y: frame.y) }
        return PlayerLook(
            part: surface.part(frame), elements: picture.elements, sentence: spokenSentence, isSettled: true)
    }

    /// A moment on the way between the looks. - Parameter isNew: the one that it goes to has just been drawn.
    func fade(_ surface: Surface, _ now: SpeakerStatus, isNew: Bool, at moment: Int) -> [PixelRect] {
        let frame = layout.changing
        let target = playback.target
        liftProgress(surface)
        if !isFading {
            let isSettled = flow?.nextFrame(after: moment) == nil
            let shown = PlayerLook(
                part: surface.part(frame), elements: still, sentence: spokenSentence, isSettled: isSettled)
            if target == isNew { playing = shown } else { paused = shown }
            if !isPlayingReady { preparePlaying(surface, at: moment) }
            if paused == nil { paused = look(surface, isPlaying: false, at: moment) }
            isFading = true
        }
        guard let paused, let playing else { return [] }
        still = target ? playing.elements : paused.elements
        let step = Int((playback.part(at: moment) * 256).rounded())
        for y in 0..<frame.height {
            Rows.crossFade(
                surface.row(frame.y + y) + frame.x, paused.part.row(y), playing.part.row(y), count: frame.width,
                part: step)
        }
        // Which stands still meanwhile.
        var then = now
        then.positionMilliseconds = shownElapsed
        return [frame] + layProgress(surface, then)
    }

    /// It has come to where it went. The other look stays, for the way back.
    func endFade(_ surface: Surface, _ now: SpeakerStatus) -> [PixelRect] {
        let frame = layout.changing
        isFading = false
        guard let end = playback.target ? playing : paused else { return [] }
        liftProgress(surface)
        surface.put(end.part, x: frame.x, y: frame.y)
        still = end.elements
        if playback.target {
            playing = nil
        } else {
            paused = nil
            if let look = playing, !look.isSettled { playing?.sentence = nil }
        }
        return [frame] + layProgress(surface, now)
    }
}
