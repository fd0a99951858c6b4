// SPDX-License-Identifier: Apache-2.0
import Design
import Model
import Pixels

/// The content of `PlayerLayout.changing` in one of the player's looks.
struct PlayerLook {
    let part: Surface
    var elements: [Element]
    /// The index of the spoken sentence in the whole transcript.
    var sentence: Int?
    /// True if the drawing caught no motion on its way.
    let isSettled: Bool
}

/// The player's two looks, paused and playing: the shown one, the prepared one, and the fade between both. Moments in milliseconds.
struct PlayerLooks {
    private var playback = Reversible(Motion.playback)
    /// The prepared look; both looks while one fades into the other.
    private(set) var paused: PlayerLook?
    private(set) var playing: PlayerLook?
    private(set) var isFading = false
    /// True if playback began or ended since the last frame.
    private(set) var hasTurned = false
    /// The look on the panel; nil before the first.
    private var shown: Bool?
    /// The title animation of the shown look.
    var title = ComingTitle()

    /// The shown look, or the one that a fade leads to.
    var isPlaying: Bool { playback.target }
    func isMoving(at moment: Int) -> Bool { playback.isMoving(at: moment) }

    mutating func turn(to isPlaying: Bool, at moment: Int) {
        if playback.target != isPlaying { hasTurned = true }
        playback.turn(isPlaying, at: moment)
    }

    /// Switches without a fade.
    mutating func set(to isPlaying: Bool) { playback.set(isPlaying) }

    /// Returns whether the look changed unseen, as in the dark or while another screen gave way.
    func turnedUnseen(at moment: Int) -> Bool { !isFading && !isMoving(at: moment) && shown != isPlaying }

    /// Forgets the prepared looks, because they are outdated.
    mutating func forget() { (paused, playing, isFading) = (nil, nil, false) }

    mutating func keep(_ look: PlayerLook, isPlaying: Bool) {
        if isPlaying { playing = look } else { paused = look }
    }

    /// - Parameter sentence: the index of the spoken sentence.
    func isReady(_ sentence: Int?, isPlaying: Bool) -> Bool {
        (isPlaying ? playing : paused).map { $0.sentence == sentence } ?? false
    }
    /// Returns true if the other look must be prepared. While paused, its sentence must be the current one. While playing, the paused
    /// look's sentence is corrected only when needed, not with each sentence.
    func lacksOther(_ sentence: @autoclosure () -> Int?) -> Bool {
        !isFading && (isPlaying ? paused == nil : !isReady(sentence(), isPlaying: true))
    }

    // MARK: The fade

    mutating func beginFade() { isFading = true }
    /// Returns the visible part of the playing look, 0…1.
    func playingPart(at moment: Int) -> Float { playback.part(at: moment) }

    /// Draws a moment of the fade. Returns the elements of the look that it leads to.
    /// - Parameter frame: the place of both looks.
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

    /// Ends the fade. Returns the look that it led to. The other look stays for the way back.
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

/// The preparation of the looks. They are drawn on the surface where they belong, with the same pixels around them.
extension PlayerScene {
    var spokenSentence: Int? { state.currentSegment.map { $0 + state.firstSegment } }

    public var wantsTime: Bool {
        !screen.isStale && !art.change.isGoingOn && !looks.title.isComing && looks.lacksOther(spokenSentence)
    }

    public func prepare(on surface: Surface, at moment: Int) {
        guard wantsTime else { return }
        inkedAround { prepareLook(isPlaying: !looks.isPlaying, surface, at: moment) }
    }

    /// Prepares a look; if it exists already, renews only its transcript, so that a touch waits as short as possible.
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

    /// Draws at `changing` and then restores the pixels. Hidden drawings are not audited.
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

    /// Redraws a part on the screen and in the prepared looks.
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
        // The artwork's edge below the part may differ in the other look.
        if isPlaying != looks.isPlaying { _ = drawPart(shared, on: surface, now, isPlaying: isPlaying) }
        look.part.put(
            surface.part(shared), x: shared.x - layout.changing.x, y: shared.y - layout.changing.y)
        surface.put(beneath, x: shared.x, y: shared.y)
        return look
    }

    // MARK: The fade

    /// Draws a moment of the fade.
    /// - Parameter isNew: true if the look that it leads to was just drawn.
    func fade(_ surface: Surface, _ now: SpeakerStatus, isNew: Bool, at moment: Int) -> [PixelRect] {
        let frame = layout.changing
        strip.lift(surface)
        if !looks.isFading {
            let shown = PlayerLook(
                part: surface.part(frame), elements: still, sentence: spokenSentence,
                isSettled: flow(isPlaying: looks.isPlaying == isNew)?.nextFrame(after: moment) == nil)
            looks.keep(shown, isPlaying: looks.isPlaying == isNew)
            // The paused look is not updated with each spoken sentence.
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
        // Drawn without motion.
        var then = now
        then.positionMilliseconds = strip.shownElapsed
        return [frame, strip.lay(progress(then), stage, on: surface)]
    }

    /// Draws the sign of play or pause. They never overlap: one shrinks away, then the other grows.
    /// - Parameter playing: the visible part of the playing look, 0…1.
    func drawSign(_ surface: Surface, playing: Float) {
        let picture = Picture(stage, on: surface)
        let (disc, theme) = (layout.buttons(stage).play, stage.theme)
        let side = stage.pixels(Metrics.playSymbol)
        picture.canvas.fill(disc.middle(width: side, height: side), with: theme.playDisc)
        // The visible part of the sign that is nearer.
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
