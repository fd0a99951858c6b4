// SPDX-License-Identifier: Apache-2.0
import Design
import Model
import Pixels

/// The content of `PlayerLayout.changing` in one of the player's looks.
struct PlayerLook {
    let part: Surface
    var elements: [Element]
    /// That is spoken, in the transcript's count.
    var sentence: Int?
    /// Nothing of it was on its way elsewhere.
    let isSettled: Bool
}

/// The player's looks, paused and playing: the shown one, the other as far as it is ready, and the fade between both. Moments in
/// milliseconds.
struct PlayerLooks {
    private var playback = Reversible(Motion.playback)
    /// The look that is not shown, once it is ready; both while one fades into the other.
    private(set) var paused: PlayerLook?
    private(set) var playing: PlayerLook?
    private(set) var isFading = false
    /// It began or ceased to play since the last frame.
    private(set) var hasTurned = false
    /// The look that stands on the panel, once one does.
    private var shown: Bool?
    /// In the look that is shown.
    var title = ComingTitle()

    /// The look that is shown, or that it goes to.
    var isPlaying: Bool { playback.target }
    func isMoving(at moment: Int) -> Bool { playback.isMoving(at: moment) }

    mutating func turn(to isPlaying: Bool, at moment: Int) {
        if playback.target != isPlaying { hasTurned = true }
        playback.turn(isPlaying, at: moment)
    }

    /// At once.
    mutating func set(to isPlaying: Bool) { playback.set(isPlaying) }

    /// Returns whether the look changed unseen, as in the dark or while another screen gave way.
    func turnedUnseen(at moment: Int) -> Bool { !isFading && !isMoving(at: moment) && shown != isPlaying }

    /// All that was got ready looks otherwise by now.
    mutating func forget() { (paused, playing, isFading) = (nil, nil, false) }

    mutating func keep(_ look: PlayerLook, isPlaying: Bool) {
        if isPlaying { playing = look } else { paused = look }
    }

    /// - Parameter sentence: that is spoken.
    func isReady(_ sentence: Int?, isPlaying: Bool) -> Bool {
        (isPlaying ? playing : paused).map { $0.sentence == sentence } ?? false
    }
    /// While it plays the sentence of the paused look is put right once it is wanted, and not with each that passes.
    func lacksOther(_ sentence: @autoclosure () -> Int?) -> Bool {
        !isFading && (isPlaying ? paused == nil : !isReady(sentence(), isPlaying: true))
    }

    // MARK: The fade

    mutating func beginFade() { isFading = true }
    /// Returns the visible part of the playing look, 0…1.
    func playingPart(at moment: Int) -> Float { playback.part(at: moment) }

    /// A moment on the way between the looks. Returns the elements of the one that it goes to. - Parameter frame: what both fill.
    func blend(on surface: Surface, _ frame: PixelRect, at moment: Int) -> [Element]? {
        guard let paused, let playing else { return nil }
        let step = Int((playback.part(at: moment) * 256).rounded())
        for y in 0..<frame.height {
            Rows.crossFade(
                surface.row(frame.y + y) + frame.x, paused.part.row(y), playing.part.row(y), count: frame.width,
                part: step)
        }
        return isPlaying ? playing.elements : paused.elements
    }

    /// It has come to where it went, and that is returned. The other look stays, for the way back.
    mutating func endFade() -> PlayerLook? {
        isFading = false
        let end = isPlaying ? playing : paused
        if end == nil { return nil }
        if isPlaying {
            playing = nil
        } else {
            paused = nil
            if let look = playing, !look.isSettled { playing?.sentence = nil }
        }
        return end
    }

    mutating func endFrame(at moment: Int) {
        hasTurned = false
        if !isMoving(at: moment) { shown = isPlaying }
    }
}

/// The preparation of the looks, drawn on the surface where they belong, with the same pixels around them.
extension PlayerScene {
    var spokenSentence: Int? { state.currentSegment.map { $0 + state.firstSegment } }

    public var wantsTime: Bool {
        !screen.isStale && !art.change.isGoingOn && !looks.title.isComing && looks.lacksOther(spokenSentence)
    }

    public func prepare(on surface: Surface, at moment: Int) {
        guard wantsTime else { return }
        inkedAround { prepareLook(isPlaying: !looks.isPlaying, surface, at: moment) }
    }

    /// The words alone where the rest of it is there: a hand that comes meanwhile waits for that only.
    private func prepareLook(isPlaying: Bool, _ surface: Surface, at moment: Int) {
        guard var look = isPlaying ? looks.playing : looks.paused else {
            return looks.keep(self.look(surface, isPlaying: isPlaying, at: moment), isPlaying: isPlaying)
        }
        look.sentence = spokenSentence
        if hasTranscript, let flow = flow(isPlaying: isPlaying) {
            apart(on: surface) {
                let frame = layout.changing
                surface.put(look.part, x: frame.x, y: frame.y)
                let now = told.now(at: moment)
                inInk {
                    flow.show(now, elapsed: now.positionMilliseconds, at: moment, over: nil)
                    flow.settle()
                    flow.draw(Picture(stage, on: surface), at: moment)
                }
                look.part.copy(frame, of: surface)
            }
        }
        looks.keep(look, isPlaying: isPlaying)
    }

    private func look(_ surface: Surface, isPlaying: Bool, at moment: Int) -> PlayerLook {
        let frame = layout.changing
        return apart(on: surface) {
            let picture = Picture(stage, on: surface)
            picture.canvas.clipped(to: frame) {
                compose(picture, told.now(at: moment), isPlaying: isPlaying, isShown: false, at: moment)
            }
            return PlayerLook(
                part: surface.part(frame), elements: picture.elements, sentence: spokenSentence, isSettled: true)
        }
    }

    /// Draws at `changing`, and restores the pixels. Hidden drawings are not audited.
    private func apart<Result>(on surface: Surface, _ draw: () -> Result) -> Result {
        let frame = layout.changing
        let (beneath, texts) = (surface.part(frame), stage.drawnTexts)
        stage.drawnTexts = nil
        defer {
            stage.drawnTexts = texts
            surface.put(beneath, x: frame.x, y: frame.y)
        }
        return draw()
    }

    // MARK: A part

    /// On the screen, and in the looks that are not on it.
    func drawAnew(_ part: PixelRect, on surface: Surface, _ now: SpeakerStatus) -> PixelRect {
        still = drawPart(part, on: surface, now, isPlaying: looks.isPlaying)
        for (look, isPlaying) in [(looks.playing, true), (looks.paused, false)] {
            if let look { looks.keep(renew(part, of: look, isPlaying, surface, now), isPlaying: isPlaying) }
        }
        return part
    }

    private func drawPart(_ part: PixelRect, on surface: Surface, _ now: SpeakerStatus, isPlaying: Bool) -> [Element] {
        let picture = Picture(stage, on: surface)
        picture.canvas.clipped(to: part) { composeStill(picture, now, isPlaying: isPlaying) }
        return picture.elements
    }

    private func renew(
        _ part: PixelRect, of look: PlayerLook, _ isPlaying: Bool, _ surface: Surface, _ now: SpeakerStatus
    ) -> PlayerLook {
        var look = look
        look.elements = look.elements.map { old in
            still.first { $0.label == old.label && $0.frame == old.frame } ?? old
        }
        let shared = part.intersection(layout.changing)
        if shared.isEmpty { return look }
        let beneath = surface.part(shared)
        // The artwork's edge may lie under it, which is other in the other look.
        if isPlaying != looks.isPlaying { _ = drawPart(shared, on: surface, now, isPlaying: isPlaying) }
        look.part.put(
            surface.part(shared), x: shared.x - layout.changing.x, y: shared.y - layout.changing.y)
        surface.put(beneath, x: shared.x, y: shared.y)
        return look
    }

    // MARK: The fade

    /// A moment on the way between the looks. - Parameter isNew: the one that it goes to has just been drawn.
    func fade(_ surface: Surface, _ now: SpeakerStatus, isNew: Bool, at moment: Int) -> [PixelRect] {
        let frame = layout.changing
        strip.lift(surface)
        if !looks.isFading {
            let shown = PlayerLook(
                part: surface.part(frame), elements: still, sentence: spokenSentence,
                isSettled: flow(isPlaying: looks.isPlaying == isNew)?.nextFrame(after: moment) == nil)
            looks.keep(shown, isPlaying: looks.isPlaying == isNew)
            // The paused look is not kept up with what is spoken.
            let isBehind = !isNew && !looks.isPlaying && shownFlow?.fills ?? false
            for isPlaying in [true, false]
            where !looks.isReady(spokenSentence, isPlaying: isPlaying) || !isPlaying && isBehind {
                prepareLook(isPlaying: isPlaying, surface, at: moment)
            }
            looks.beginFade()
        }
        guard let elements = looks.blend(on: surface, frame, at: moment) else { return [] }
        still = elements
        drawSign(surface, playing: looks.playingPart(at: moment))
        // Without motion.
        var then = now
        then.positionMilliseconds = strip.shownElapsed
        return [frame, strip.lay(progress(then), stage, on: surface)]
    }

    /// The signs of play and pause never stand on each other: the one shrinks and goes, then the other comes.
    /// - Parameter playing: the visible part of the playing look, 0…1.
    func drawSign(_ surface: Surface, playing: Float) {
        let picture = Picture(stage, on: surface)
        let (disc, theme) = (layout.buttons(stage).play, stage.theme)
        let side = stage.pixels(Metrics.playSymbol)
        picture.canvas.fill(disc.middle(width: side, height: side), with: theme.playDisc)
        // The visible part of the nearer sign.
        let part = abs(playing * 2 - 1)
        let size = Metrics.playSymbol * (Metrics.signLeast + (1 - Metrics.signLeast) * part)
        picture.draw(playing > 0.5 ? .pause : .play, in: disc, points: size, theme.playSymbol.opacity(part))
    }

    func endFade(_ surface: Surface, _ now: SpeakerStatus) -> [PixelRect] {
        let frame = layout.changing
        guard let end = looks.endFade() else { return [] }
        strip.lift(surface)
        surface.put(end.part, x: frame.x, y: frame.y)
        still = end.elements
        return [frame, strip.lay(progress(now), stage, on: surface)]
    }
}
