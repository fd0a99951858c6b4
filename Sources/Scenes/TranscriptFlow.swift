// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

/// The moving transcript. The spoken sentence stands marked in the upper third, with the others around it. Only visible sentences are laid
/// out, however long the transcript is. One thread.
final class TranscriptFlow {
    private let stage: Stage
    let area: PixelRect
    private var texts: SentenceTexts
    private var ground: TranscriptGround
    private var state = SpeakerStatus()
    private var mark = SpokenMark()
    /// The known sentences, and the anchor that positions all others: the spoken one, unless a hand scrolled away.
    private var window = SentenceWindow()
    private var anchor = 0
    /// The distance of the anchor from its reading position.
    private var glide = Glide()
    private var hand = HandHold()
    private var more = MoreSentences()
    private var jump = TranscriptJump()
    /// The last complete drawing: the anchor's place, and the strength of the current sentence's mark.
    private var drawn: (current: Int, anchor: Int, y: Int, marked: Int)?
    /// The drawn spoken part of the current sentence, and its place at rest: its top, and the visible lines.
    private var drawnFill = SentenceFill.whole
    private var filled: (y: Int, lines: PixelRect)?
    /// True if the last drawing was in motion, when edges may cut a line. At rest it is drawn once more.
    private var isDrawnMoving = false
    private(set) var elements: [Element] = []

    /// The most sentences to scroll through; a longer way is a jump.
    private static let furthestScroll = 6
    /// The most sentences that a fling passes.
    private static let furthestFling = 24

    /// - Parameter gathersInk: for tests: false to draw letters one by one while they move, too.
    init(_ stage: Stage, area: PixelRect, _ style: TypeStyle = .sentence, gathersInk: Bool = true) {
        self.stage = stage
        self.area = area.intersection(stage.bounds)
        texts = SentenceTexts(stage, width: self.area.width, style, gathersInk: gathersInk)
        ground = TranscriptGround(area: self.area, fade: TranscriptFlow.fade(self.area))
    }

    /// Returns the height of the fade at either edge, in pixels.
    private static func fade(_ area: PixelRect) -> Int { Int(Float(area.height) * Metrics.transcriptFade) }

    // MARK: What is spoken

    func show(_ new: SpeakerStatus, elapsed: Int, at moment: Int, over surface: Surface?) {
        if new.file != state.file || new.title != state.title { forget() }
        let hasOthers = new.firstSegment != state.firstSegment || new.segments != state.segments
        state = new
        state.positionMilliseconds = elapsed
        if hasOthers || window.range.isEmpty { takeSentences(at: moment) }
        let spoken = state.currentSegment.map { $0 + state.firstSegment }
        if spoken == mark.current { return goAlong(over: surface, at: moment) }
        texts.forgetInks()
        guard let spoken, let old = mark.current, window.range.contains(old), window.range.contains(spoken) else {
            mark.set(spoken)
            return go(to: spoken, over: surface, at: moment)
        }
        mark.pass(to: spoken, at: moment)
        if isPaused(at: moment) { return }
        if !isNear(anchor, spoken) { return go(to: spoken, over: surface, at: moment) }
        // The new anchor starts at its present place and moves on from there.
        stand(around: spoken)
        if stage.comfort.reducesMotion {
            // Without motion, one picture per sentence.
            glide = Glide()
            mark.end()
        } else {
            glide.ease(from: glide.value(at: moment), to: 0, duration: Motion.playback, at: moment)
        }
    }

    /// Takes the speaker's sentences around the spoken one. A hand's position stays.
    private func takeSentences(at moment: Int) {
        let told = SentenceWindow(state)
        if isPaused(at: moment) && !window.range.isEmpty {
            if window.add(told, near: anchor) { drawn = nil }
        } else {
            window = told
        }
    }

    private func forget() {
        texts.forget()
        drawn = nil
        mark.forget()
        (window, anchor, more, glide, hand) = (SentenceWindow(), 0, MoreSentences(), Glide(), HandHold())
        jump.isWanted = false
    }

    private func isNear(_ a: Int, _ b: Int) -> Bool {
        abs(a - b) <= TranscriptFlow.furthestScroll && window.range.contains(a) && window.range.contains(b)
    }

    /// Jumps to the spoken sentence without scrolling, unless a hand holds the transcript.
    private func go(to spoken: Int?, over surface: Surface?, at moment: Int) {
        if isPaused(at: moment) { return }
        anchor = spoken ?? 0
        glide = Glide(rest(anchor))
        guard let surface, ground.isKnown, !area.isEmpty else { return }
        jump.begin(surface.part(area), at: moment)
    }

    /// Scrolls through the lines of a spoken sentence that is higher than the area.
    private func goAlong(over surface: Surface?, at moment: Int) {
        guard let current = mark.current, anchor == current, window.range.contains(current), !isPaused(at: moment),
            !glide.isMoving(at: moment)
        else { return }
        let rest = rest(current)
        if rest == glide.target { return }
        if !stage.comfort.reducesMotion {
            return glide.ease(from: glide.target, to: rest, duration: Motion.playback, at: moment)
        }
        glide = Glide(rest)
        if let surface, ground.isKnown, !area.isEmpty { jump.begin(surface.part(area), at: moment) }
    }

    /// Returns the offset of a sentence from its reading position. It is 0 for a sentence that fits. For a longer one, the line spoken now
    /// stands in the upper third, as far as its ends allow.
    private func rest(_ index: Int) -> Float {
        if !window.range.contains(index) { return 0 }
        let spoken = layout(index).spoken
        let place = readingPlace(spoken)
        let free = area.height - place - stage.pixels(Spacing.small)
        let (start, end) = (window[index].startMilliseconds, window[index].endMilliseconds)
        if spoken.height <= free || end <= start { return 0 }
        let part = Float(max(0, state.positionMilliseconds - start)) / Float(end - start)
        let count = max(1, spoken.lines.count)
        let height = max(1, spoken.height / count)
        let seen = max(1, (area.height - place) / height)
        // As many whole lines as fit, with the spoken one in the upper third.
        let first = min(Int(Float(count) * min(0.999, part)) - seen / 3, count - seen)
        return Float(-max(0, first) * height)
    }

    // MARK: By hand

    func isPaused(at moment: Int) -> Bool { hand.isPaused(at: moment) }

    func drag(by distance: Int, at moment: Int) {
        let value = glide.value(at: moment) + Float(distance)
        glide = Glide(min(limits.upperBound, max(limits.lowerBound, value)))
        hand.hold()
        standAroundWhatIsSeen(at: moment)
    }

    func drop(speed: Int, at moment: Int) {
        hand.drop(at: moment)
        more.askAgain()
        glide.fling(from: glide.value(at: moment), speed: Float(speed), within: limits, at: moment)
    }

    /// Returns to the spoken sentence.
    func follow(at moment: Int) {
        hand = HandHold()
        guard let current = mark.current else { return }
        if isNear(anchor, current) && !stage.comfort.reducesMotion {
            stand(around: current)
            glide.ease(from: glide.value(at: moment), to: rest(current), duration: Motion.content, at: moment)
        } else {
            jump.isWanted = anchor != current || glide.value(at: moment) != rest(current)
        }
    }

    /// Returns the position around which more sentences are needed, in milliseconds; nil for none. Returns each position once.
    func wantedPlace(at moment: Int) -> Int? {
        isPaused(at: moment) ? more.wantedPlace(in: window, at: anchor) : nil
    }

    /// Adds the requested sentences.
    /// - Parameter count: the number of sentences in the whole transcript.
    func add(_ sentences: SentenceWindow, count: Int?) {
        more.count = count
        if window.add(sentences, near: anchor) { drawn = nil }
    }

    /// Ends all motions at their goals.
    func settle() {
        mark.settle()
        jump.settle()
        window = SentenceWindow(state)
        anchor = mark.current ?? 0
        (glide, hand) = (Glide(rest(anchor)), HandHold())
    }

    /// The range of a hand's scrolling: from the first to the last known sentence.
    private var limits: ClosedRange<Float> {
        guard window.range.contains(anchor) else { return 0...0 }
        let last = min(window.range.upperBound - 1, anchor + TranscriptFlow.furthestFling)
        let first = max(window.first, anchor - TranscriptFlow.furthestFling)
        let end = layout(last).spoken
        let beyond = max(0, end.height + readingPlace(end) + stage.pixels(Spacing.small) - area.height)
        return Float(min(0, -step(from: anchor, to: last)) - beyond)...Float(max(0, -step(from: anchor, to: first)))
    }

    /// Changes the anchor without moving anything.
    private func stand(around index: Int) {
        glide.shift(by: Float(step(from: anchor, to: index)))
        anchor = index
    }

    /// Moves the anchor to a visible sentence. A hand may scroll far, and hidden sentences are not laid out.
    private func standAroundWhatIsSeen(at moment: Int) {
        while window.range.contains(anchor) {
            let value = Int(glide.value(at: moment))
            let next = anchor + (value < 0 ? 1 : -1)
            if value == 0 || !window.range.contains(next) { return }
            let rest = value + step(from: anchor, to: next)
            if value < 0 ? rest > 0 : rest < 0 { return }
            stand(around: next)
        }
    }

    /// Returns the moment of the next change; nil for none.
    func nextFrame(after moment: Int) -> Int? {
        if mark.isMoving(at: moment) || glide.isMoving(at: moment) || jump.isMoving(at: moment) { return moment }
        if hand.isHeld { return nil }
        if isDrawnMoving { return moment }
        if jump.isOnItsWay || mark.isOnItsWay || jump.isWanted { return moment }
        return hand.ends(after: moment)
    }

    // MARK: Layout

    private func layout(_ index: Int) -> SentenceTexts.Pair<TextLayout> {
        texts.layout(index, window[index].text) { abs($0 - anchor) <= TranscriptFlow.furthestFling }
    }

    /// The spoken part of the current sentence. Without motion the whole sentence has one ink.
    private var fill: SentenceFill {
        guard let current = mark.current, window.range.contains(current), !stage.comfort.reducesMotion,
            !stage.comfort.savesPower
        else { return .whole }
        return SentenceFill(
            layout(current).spoken, of: window[current], elapsed: state.positionMilliseconds,
            percent: state.speed.percent, leastStep: stage.pixels(Metrics.fillStep))
    }

    /// The position at which the spoken part grows, in milliseconds; nil if it is not visible.
    var nextFill: Int? { filled == nil ? nil : drawnFill.next }

    /// True if the spoken part has its own ink.
    var fills: Bool { fill != .whole }

    private func height(_ index: Int) -> Int { layout(index).spoken.height + 2 * stage.pixels(Spacing.small) }

    /// Returns the distance from the top of one sentence to that of another. Both must be known.
    private func way(from: Int, to: Int) -> Int {
        var sum = 0
        for index in min(from, to)..<max(from, to) { sum += height(index) }
        return from < to ? sum : -sum
    }

    /// Returns how far the second sentence is below its reading position while the first is at its own.
    private func step(from: Int, to: Int) -> Int {
        readingPlace(layout(from).spoken) + way(from: from, to: to) - readingPlace(layout(to).spoken)
    }

    /// Returns the top of a spoken sentence at rest.
    private func readingPlace(_ spoken: TextLayout) -> Int {
        let inner = stage.pixels(Spacing.small)
        let wanted = max(TranscriptFlow.fade(area) / 2 + inner, Int(Float(area.height) * Metrics.readingPlace))
        // A long sentence begins higher, so that more of it is visible.
        return max(inner, min(wanted, area.height - spoken.height - inner))
    }

    // MARK: Drawing

    /// Adopts a surface that was drawn anew without the transcript.
    func take(beneath surface: Surface) {
        ground.take(surface)
        drawn = nil
    }

    /// Draws the transcript. Returns the changed places.
    @discardableResult
    func draw(_ picture: Picture, at moment: Int, isBare: Bool = false) -> [PixelRect] {
        guard let current = mark.current, ground.isKnown else { return [] }
        if hand.hasEnded(at: moment) { follow(at: moment) }
        if jump.isWanted {
            jump.isWanted = false
            window = SentenceWindow(state)
            go(to: current, over: isBare ? nil : picture.surface, at: moment)
        }
        if isPaused(at: moment) { standAroundWhatIsSeen(at: moment) }
        guard window.range.contains(anchor) else { return [] }
        let part = mark.part(at: moment)
        let place = area.y + readingPlace(layout(anchor).spoken) + Int(glide.value(at: moment).rounded())
        let marked = stage.theme.currentSentence.opacity(part).alpha
        let isMoving = hand.isHeld || glide.isMoving(at: moment)
        let fill = fill
        if let drawn, drawn == (current, anchor, place, marked), !isBare, !jump.isOnItsWay, isMoving == isDrawnMoving,
            fill.reached == drawnFill.reached || !isMoving && fill.reached > drawnFill.reached
        {
            return grow(to: fill, picture)
        }
        isDrawnMoving = isMoving
        drawn = (current, anchor, place, marked)
        (drawnFill, filled) = (fill, nil)
        if !isBare { ground.clear(picture.surface, within: area) }
        ground.begin()
        drawSentences(picture, from: place, part, isMoving: isMoving)
        ground.fadeOut(picture.surface)
        // A hand may move many sentences, so keep only the coverage in use.
        texts.keepInks(isMoving ? 2 * elements.count : 0)
        if jump.isOnItsWay && !jump.draw(picture.surface, area, at: moment) { drawn = nil }
        return [area]
    }

    /// Draws what was spoken since the last picture, if nothing else changed. Returns the changed places.
    /// - Parameter elapsed: the present position, in milliseconds.
    func pass(_ elapsed: Int, _ picture: Picture) -> [PixelRect] {
        state.positionMilliseconds = elapsed
        return grow(to: fill, picture)
    }

    /// Draws the growth of the spoken part at its place.
    private func grow(to fill: SentenceFill, _ picture: Picture) -> [PixelRect] {
        let old = drawnFill
        drawnFill = fill
        guard let (y, lines) = filled, let current = mark.current, fill.reached != old.reached else { return [] }
        let text = layout(current).spoken
        let height = text.style.lineHeight
        var damage: [PixelRect] = []
        for piece in edge(text).grown(from: old.reached, to: fill.reached) {
            // Letters may reach slightly into neighboring lines.
            let place = PixelRect(
                x: area.x + piece.columns.lowerBound, y: y + piece.lines.lowerBound * height - height / 8,
                width: piece.columns.count, height: height + height / 4
            ).intersection(spot(lines))
            if place.isEmpty { continue }
            ground.clear(picture.surface, within: place)
            picture.canvas.clipped(to: place) {
                picture.canvas.fill(spot(lines), radius: stage.pixels(Radius.chip), with: stage.theme.currentSentence)
                picture.canvas.clipped(to: lines) {
                    drawFilled(text, nil, picture, y: y, 1, ground.colors(picture), fill)
                }
            }
            damage.append(place)
        }
        return damage
    }

    private func edge(_ text: TextLayout) -> FillEdge {
        FillEdge(text: text, width: area.width, margin: texts.margin)
    }

    /// Returns what the mark covers at rest.
    private func spot(_ lines: PixelRect) -> PixelRect {
        lines.inset(x: 0, y: -stage.pixels(Spacing.small)).intersection(area)
    }

    /// Draws the spoken sentence in its two inks.
    private func drawFilled(
        _ text: TextLayout, _ ink: Ink?, _ picture: Picture, y: Int, _ marked: Float, _ inks: TranscriptGround.Inks,
        _ fill: SentenceFill
    ) {
        let height = text.style.lineHeight
        for piece in edge(text).pieces(fill.reached) {
            var place = area
            (place.x, place.width) = (area.x + piece.columns.lowerBound, piece.columns.count)
            if ink != nil {
                (place.y, place.height) = (y + piece.lines.lowerBound * height, piece.lines.count * height)
            }
            picture.canvas.clipped(to: place) {
                draw(
                    text, ink, lines: piece.lines, picture, y: y,
                    (piece.isRead ? inks.spoken : inks.ahead).opacity(marked), isWhole: true)
            }
        }
    }

    /// Draws the anchor and the visible sentences below it, then those above.
    private func drawSentences(_ picture: Picture, from place: Int, _ part: Float, isMoving: Bool) {
        elements.removeAll(keepingCapacity: true)
        let inks = ground.colors(picture)
        let known = window.range
        picture.canvas.clipped(to: area) {
            var y = place
            var index = anchor
            while index < known.upperBound && y < area.maxY {
                draw(index, picture, y: y, part, inks, isMoving: isMoving)
                y += height(index)
                index += 1
            }
            y = place
            index = anchor - 1
            while index >= known.lowerBound && y > area.y {
                y -= height(index)
                draw(index, picture, y: y, part, inks, isMoving: isMoving)
                index -= 1
            }
        }
    }

    private func draw(
        _ index: Int, _ picture: Picture, y: Int, _ part: Float, _ inks: TranscriptGround.Inks, isMoving: Bool
    ) {
        let theme = stage.theme
        let inner = stage.pixels(Spacing.small)
        let set = layout(index)
        let frame = PixelRect(x: area.x, y: y - inner, width: area.width, height: set.spoken.height + 2 * inner)
        let shown = frame.intersection(area)
        if shown.isEmpty { return }
        let marked = mark.share(index, part)
        // At rest no edge cuts or fades a line.
        let lines = isMoving ? area : wholeLines(of: set.spoken, y: y)
        if marked > 0 && !lines.isEmpty {
            picture.canvas.fill(
                isMoving ? frame : spot(lines), radius: stage.pixels(Radius.chip),
                with: theme.currentSentence.opacity(marked))
        }
        let sentence = window[index]
        let ink = isMoving ? texts.ink(index, set, isSpoken: mark.hasSome(index)) : nil
        let isWhole = ink == nil || marked > 0
        if isWhole && isMoving { ground.fadesLater(shown.y..<shown.maxY) }
        picture.canvas.clipped(to: lines) {
            if marked < 1 {
                draw(set.plain, ink?.plain, picture, y: y, inks.plain.opacity(1 - marked), isWhole: isWhole)
            }
            if marked > 0 {
                let fill = index == mark.current ? drawnFill : .whole
                drawFilled(set.spoken, ink?.spoken, picture, y: y, marked, inks, fill)
            }
        }
        if index == mark.current && !isMoving && marked == 1 && !lines.isEmpty { filled = (y, lines) }
        // The elements stay in reading order.
        elements.insert(
            Element(
                frame: shown, label: sentence.text, value: index == mark.current ? translated("being spoken") : "",
                hint: translated("plays from here"), action: .seekTo(sentence.startMilliseconds), role: .text,
                isSelected: index == mark.current), at: index < anchor ? 0 : elements.count)
        if !isMoving { audit(set.spoken, picture, sentence.text, lines, marked, inks) }
    }

    /// Returns the frame of the lines that are completely visible.
    private func wholeLines(of text: TextLayout, y: Int) -> PixelRect {
        let height = max(1, text.height / max(1, text.lines.count))
        let above = max(0, area.y - y)
        let first = y + (above + height - 1) / height * height
        let end = y + (area.maxY - y) / height * height
        return PixelRect(x: area.x, y: first, width: area.width, height: max(0, min(end, y + text.height) - first))
    }

    private func draw(
        _ text: TextLayout, _ ink: Ink?, lines: Range<Int>? = nil, _ picture: Picture, y: Int, _ color: Color,
        isWhole: Bool
    ) {
        if let ink {
            return picture.canvas.draw(ink, x: area.x, y: y, with: color) { isWhole ? 256 : ground.share($0) }
        }
        let inner = area.inset(x: texts.margin, y: 0)
        stage.painter.draw(text, lines: lines, on: picture.canvas, x: inner.x, y: y, width: inner.width, color)
    }

    /// Records the contrast of a sentence's visible lines, for tests.
    private func audit(
        _ text: TextLayout, _ picture: Picture, _ words: String, _ lines: PixelRect, _ marked: Float,
        _ inks: TranscriptGround.Inks
    ) {
        guard picture.drawnTexts != nil, !lines.isEmpty, marked == 0 || marked == 1 else { return }
        let frame = PixelRect(x: area.x + texts.margin, y: lines.y, width: text.width, height: lines.height)
        let contrast =
            marked > 0
            ? min(
                inks.spoken.contrast(with: stage.theme.currentSentence),
                inks.ahead.contrast(with: stage.theme.currentSentence)) : ground.contrast(of: inks.plain, in: frame)
        picture.audit(text, words, frame, contrast)
    }
}

/// The request for further sentences when a hand reaches the end of the known ones.
struct MoreSentences {
    /// The number of sentences in the whole transcript; nil if unknown.
    var count: Int?
    /// The position of the last request, in milliseconds.
    private var asked: Int?

    /// The number of sentences ahead below which more are requested.
    private static let few = 20

    mutating func askAgain() { asked = nil }

    /// Returns the position around which to request sentences, in milliseconds; nil for none. Returns each position once.
    mutating func wantedPlace(in window: SentenceWindow, at anchor: Int) -> Int? {
        guard let first = window.sentences.first, let last = window.sentences.last else { return nil }
        var place: Int?
        if anchor - window.first < MoreSentences.few && window.first > 0 { place = first.startMilliseconds }
        if window.range.upperBound - anchor < MoreSentences.few && window.range.upperBound < count ?? .max {
            place = last.startMilliseconds
        }
        if place == nil || place == asked { return nil }
        asked = place
        return place
    }
}
