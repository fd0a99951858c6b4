import Design
import Model
import Pixels
import Typography

/// The transcript as it runs by: the sentence that is spoken stands in the upper third and is marked, the others around it. Only what is seen is
/// laid out, however long the transcript is. One thread.
final class TranscriptFlow {
    private let stage: Stage
    let area: PixelRect
    private let isSmall: Bool
    private var state = SpeakerStatus()
    /// By index in the whole transcript.
    private var layouts: [Int: (plain: TextLayout, spoken: TextLayout)] = [:]
    private var current: Int?
    private var previous: Int?
    /// What can be shown, and the one of it that all others stand around: the current one, unless a hand went on to others.
    private var window = SentenceWindow()
    private var anchor = 0
    /// Of the whole transcript; nil while nobody has said.
    private var count: Int?
    /// Where more were asked for last, in milliseconds.
    private var asked: Int?
    /// 0 for the previous one marked, 1 for the current.
    private var mark = Reversible(Motion.sentence, isOn: true)
    /// How far the anchor stands from where it is read.
    private var glide = Glide()
    /// Until when a hand has it.
    private var handUntil = Int.min
    private var isHeld = false
    /// With the next frame it is elsewhere.
    private var willJump = false
    /// What was seen before a jump to somewhere else, while that comes up.
    private var before: Surface?
    private var jump = Reversible(Motion.sentence * 2, isOn: true)
    /// Beneath it all.
    private var beneath: Surface?
    private var inks: (plain: Color, spoken: Color)?
    /// What letters cover, by index, while they move.
    private var inkByIndex: [Int: (plain: Ink, spoken: Ink)] = [:]
    /// How it was last drawn where nothing else changed it: the place of the anchor, and how much of the mark the current one has.
    private var drawn: (current: Int, anchor: Int, y: Int, marked: Int)?
    /// Of each row of the area how much of 256 is drawn: towards the edges what was there before comes back.
    private var shares: [Int] = []
    /// For tests: false to draw letters one by one while they move, too.
    var gathersInk = true
    /// Rows that were drawn as if there were no edges.
    private var whole: [Range<Int>] = []
    private var sentencesShown: [Element] = []

    private static let mostLines = 40
    private static let mostLayouts = 128
    /// Sentences further apart are not scrolled through.
    private static let furthestScroll = 6
    /// A finger throws it no further.
    private static let furthestFling = 24
    /// More sentences are asked for where a hand has so few before it.
    private static let fewSentences = 20

    init(_ stage: Stage, area: PixelRect, isSmall: Bool) {
        self.stage = stage
        self.area = area.intersection(stage.bounds)
        self.isSmall = isSmall
        makeShares()
    }

    var elements: [Element] { sentencesShown }

    // MARK: What is spoken

    func show(_ new: SpeakerStatus, elapsed: Int, at moment: Int, over surface: Surface?) {
        if new.file != state.file || new.title != state.title { forget() }
        let hasOthers = new.firstSegment != state.firstSegment || new.segments != state.segments
        state = new
        state.positionMilliseconds = elapsed
        if hasOthers || window.range.isEmpty { takeSentences(at: moment) }
        let spoken = state.currentSegment.map { $0 + state.firstSegment }
        if spoken == current { return }
        let old = current
        current = spoken
        inkByIndex.removeAll()
        guard let spoken, let old, window.range.contains(old), window.range.contains(spoken) else {
            return go(to: spoken, over: surface, at: moment)
        }
        previous = old
        mark.set(false)
        mark.turn(true, at: moment)
        if isPaused(at: moment) { return }
        if !isNear(anchor, spoken) { return go(to: spoken, over: surface, at: moment) }
        // What is now at its place stands where it stood, and goes on from there.
        stand(around: spoken)
        if stage.comfort.reducesMotion {
            // One picture a sentence.
            glide = Glide()
            mark.set(true)
        } else {
            glide.ease(from: glide.value(at: moment), to: 0, duration: Motion.playback, at: moment)
        }
    }

    /// The speaker has told of others, around the one that is spoken. What a hand went on to stays.
    private func takeSentences(at moment: Int) {
        let told = SentenceWindow(state)
        if isPaused(at: moment) && !window.range.isEmpty {
            if window.add(told, near: anchor) { drawn = nil }
        } else {
            window = told
        }
    }

    private func forget() {
        layouts.removeAll()
        inkByIndex.removeAll()
        drawn = nil
        current = nil
        previous = nil
        (window, anchor, count, asked) = (SentenceWindow(), 0, nil, nil)
        glide = Glide()
        isHeld = false
        willJump = false
        handUntil = Int.min
    }

    private func isNear(_ a: Int, _ b: Int) -> Bool {
        abs(a - b) <= TranscriptFlow.furthestScroll && window.range.contains(a) && window.range.contains(b)
    }

    /// Without a way through what stands between, unless a hand has it.
    private func go(to spoken: Int?, over surface: Surface?, at moment: Int) {
        if isPaused(at: moment) { return }
        glide = Glide()
        anchor = spoken ?? 0
        guard let surface, beneath != nil, !area.isEmpty else { return }
        before = surface.part(area)
        jump.set(false)
        jump.turn(true, at: moment)
    }

    // MARK: By hand

    func isPaused(at moment: Int) -> Bool { isHeld || moment < handUntil }

    func drag(by distance: Int, at moment: Int) {
        let value = glide.value(at: moment) + Float(distance)
        glide = Glide(min(limits.upperBound, max(limits.lowerBound, value)))
        isHeld = true
        standAroundWhatIsSeen(at: moment)
    }

    func drop(speed: Int, at moment: Int) {
        isHeld = false
        handUntil = moment + Int(Motion.scrollPause * 1000)
        asked = nil
        glide.fling(from: glide.value(at: moment), speed: Float(speed), within: limits, at: moment)
    }

    /// Back to what is spoken.
    func follow(at moment: Int) {
        isHeld = false
        handUntil = Int.min
        guard let current else { return }
        if isNear(anchor, current) && !stage.comfort.reducesMotion {
            stand(around: current)
            glide.ease(from: glide.value(at: moment), to: 0, duration: Motion.content, at: moment)
        } else {
            willJump = anchor != current || glide.value(at: moment) != 0
        }
    }

    /// Around which place of the recording more sentences are wanted, in milliseconds; nil for none. Each place once.
    func wantedPlace(at moment: Int) -> Int? {
        guard isPaused(at: moment), let first = window.sentences.first, let last = window.sentences.last else {
            return nil
        }
        var place: Int?
        if anchor - window.first < TranscriptFlow.fewSentences && window.first > 0 { place = first.startMilliseconds }
        if window.range.upperBound - anchor < TranscriptFlow.fewSentences && window.range.upperBound < count ?? .max {
            place = last.startMilliseconds
        }
        if place == nil || place == asked { return nil }
        asked = place
        return place
    }

    /// Those that were wanted. - Parameter count: of the whole transcript.
    func add(_ sentences: SentenceWindow, count: Int?) {
        self.count = count
        if window.add(sentences, near: anchor) { drawn = nil }
    }

    /// All is where it belongs, and nothing moves any more.
    func settle() {
        glide = Glide()
        mark.set(true)
        previous = nil
        before = nil
        isHeld = false
        willJump = false
        handUntil = Int.min
        window = SentenceWindow(state)
        anchor = current ?? 0
    }

    /// How far a hand can move it: to the first and the last sentence that is known.
    private var limits: ClosedRange<Float> {
        guard window.range.contains(anchor) else { return 0...0 }
        let last = min(window.range.upperBound - 1, anchor + TranscriptFlow.furthestFling)
        let first = max(window.first, anchor - TranscriptFlow.furthestFling)
        return Float(min(0, -step(from: anchor, to: last)))...Float(max(0, -step(from: anchor, to: first)))
    }

    /// Nothing moves by it: only what all is told from is another.
    private func stand(around index: Int) {
        glide.shift(by: Float(step(from: anchor, to: index)))
        anchor = index
    }

    /// A hand may go far: what is not seen is not laid out.
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

    /// Of the next moment that it looks different; nil for none.
    func nextFrame(after moment: Int) -> Int? {
        if mark.isMoving(at: moment) || glide.isMoving(at: moment) || jump.isMoving(at: moment) { return moment }
        if before != nil || previous != nil || willJump || isHeld { return isHeld ? nil : moment }
        if handUntil > moment { return handUntil }
        if handUntil != Int.min { return moment }
        return nil
    }

    // MARK: Layout

    private var gap: Int { 2 * stage.pixels(Spacing.small) }

    private func layout(_ index: Int) -> (plain: TextLayout, spoken: TextLayout) {
        if let known = layouts[index] { return known }
        if layouts.count >= TranscriptFlow.mostLayouts {
            layouts = layouts.filter { abs($0.key - anchor) <= TranscriptFlow.furthestFling }
        }
        let text = window[index].text
        let width = area.width - 2 * stage.pixels(Spacing.related)
        let spoken = stage.set(
            text, isSmall ? .smallCurrentSentence : .currentSentence, width: width, lines: TranscriptFlow.mostLines)
        let plain = stage.typesetter.set(
            text, stage.style(isSmall ? .smallSentence : .sentence), over: spoken, width: width,
            lines: TranscriptFlow.mostLines)
        layouts[index] = (plain, spoken)
        return (plain, spoken)
    }

    private func height(_ index: Int) -> Int { layout(index).spoken.height + gap }

    /// From the top of one sentence to that of another. Both are known.
    private func way(from: Int, to: Int) -> Int {
        var sum = 0
        for index in min(from, to)..<max(from, to) { sum += height(index) }
        return from < to ? sum : -sum
    }

    /// The other stands so much lower than where it is read, when the one stands where that is read.
    private func step(from: Int, to: Int) -> Int {
        readingPlace(layout(from).spoken) + way(from: from, to: to) - readingPlace(layout(to).spoken)
    }

    private var fade: Int { Int(Float(area.height) * Metrics.transcriptFade) }

    /// Where a sentence begins while it is spoken and all stands still.
    private func readingPlace(_ spoken: TextLayout) -> Int {
        let inner = stage.pixels(Spacing.small)
        let wanted = max(fade / 2 + inner, Int(Float(area.height) * Metrics.readingPlace))
        // A long one begins higher, so that more of it is seen.
        return max(inner, min(wanted, area.height - spoken.height - inner))
    }

    // MARK: Drawing

    /// The surface has been drawn anew, and nothing of the transcript stands on it.
    func take(beneath surface: Surface) {
        beneath = area.isEmpty ? nil : surface.part(area)
        inks = nil
        drawn = nil
    }

    /// Returns whether anything changed.
    @discardableResult
    func draw(_ picture: Picture, at moment: Int, isBare: Bool = false) -> Bool {
        guard let current, let beneath else { return false }
        if handUntil != Int.min && !isPaused(at: moment) { follow(at: moment) }
        if willJump {
            willJump = false
            window = SentenceWindow(state)
            go(to: current, over: isBare ? nil : picture.surface, at: moment)
        }
        if isPaused(at: moment) { standAroundWhatIsSeen(at: moment) }
        guard window.range.contains(anchor) else { return false }
        let part = mark.part(at: moment)
        if part >= 1 { previous = nil }
        let place = area.y + readingPlace(layout(anchor).spoken) + Int(glide.value(at: moment).rounded())
        let marked = stage.theme.currentSentence.opacity(part).alpha
        if let drawn, drawn == (current, anchor, place, marked), !isBare, before == nil { return false }
        drawn = isBare ? nil : (current, anchor, place, marked)
        if !isBare { picture.surface.put(beneath, x: area.x, y: area.y) }
        let inks = inks ?? self.inks(picture, beneath)
        self.inks = inks
        let isMoving = (isHeld || glide.isMoving(at: moment)) && gathersInk
        sentencesShown.removeAll(keepingCapacity: true)
        whole.removeAll(keepingCapacity: true)
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
        fadeOut(picture.surface, beneath)
        // By hand it may go past all of the sentences that are known.
        if !isMoving || inkByIndex.count > 2 * sentencesShown.count { inkByIndex.removeAll() }
        guard let before else { return true }
        let come = jump.part(at: moment)
        if come >= 1 {
            self.before = nil
            drawn = nil
        } else {
            for y in 0..<area.height {
                let row = picture.surface.row(area.y + y) + area.x
                Rows.crossFade(row, before.row(y), row, count: area.width, part: Int(come * 256))
            }
        }
        return true
    }

    /// Of the worst that lies beneath, so that they do not change while they move.
    private func inks(_ picture: Picture, _ beneath: Surface) -> (plain: Color, spoken: Color) {
        let theme = stage.theme
        let (darkest, lightest) = picture.worst(of: beneath, in: beneath.bounds, theme.secondaryText)
        let spot = theme.currentSentence
        return (
            picture.readable(theme.secondaryText, on: darkest, lightest),
            picture.readable(theme.currentSentenceText, on: spot, spot)
        )
    }

    private func draw(
        _ index: Int, _ picture: Picture, y: Int, _ part: Float, _ inks: (plain: Color, spoken: Color), isMoving: Bool
    ) {
        let theme = stage.theme
        let inner = stage.pixels(Spacing.small)
        let set = layout(index)
        let frame = PixelRect(x: area.x, y: y - inner, width: area.width, height: set.spoken.height + 2 * inner)
        let shown = frame.intersection(area)
        if shown.isEmpty { return }
        // How much of the mark it has.
        let marked = index == current ? part : index == previous ? 1 - part : 0
        if marked > 0 {
            picture.canvas.fill(
                frame, radius: stage.pixels(Radius.chip), with: theme.currentSentence.opacity(marked))
        }
        let sentence = window[index]
        let ink = isMoving ? ink(index, set) : nil
        let isWhole = ink == nil || marked > 0
        if isWhole { whole.append(shown.y..<shown.maxY) }
        if marked < 1 {
            draw(set.plain, ink?.plain, picture, y: y, inks.plain.opacity(1 - marked), isWhole: isWhole)
        }
        if marked > 0 {
            draw(set.spoken, ink?.spoken, picture, y: y, inks.spoken.opacity(marked), isWhole: isWhole)
        }
        // In the order in which they are read.
        sentencesShown.insert(
            Element(
                frame: shown, label: sentence.text, value: index == current ? "being spoken" : "",
                hint: "plays from here", action: .seekTo(sentence.startMilliseconds), role: .text,
                isSelected: index == current), at: index < anchor ? 0 : sentencesShown.count)
        audit(set, picture, sentence.text, y, marked, inks)
    }

    private func draw(_ text: TextLayout, _ ink: Ink?, _ picture: Picture, y: Int, _ color: Color, isWhole: Bool) {
        if let ink {
            return picture.canvas.draw(ink, x: area.x, y: y, with: color) { row in
                isWhole ? 256 : shares[row - area.y]
            }
        }
        let outer = stage.pixels(Spacing.related)
        stage.painter.draw(text, on: picture.canvas, x: area.x + outer, y: y, width: area.width - 2 * outer, color)
    }

    /// What the letters of a sentence cover; nil for pictures among them.
    private func ink(
        _ index: Int, _ set: (plain: TextLayout, spoken: TextLayout)
    ) -> (plain: Ink, spoken: Ink)? {
        let outer = stage.pixels(Spacing.related)
        func made(_ text: TextLayout) -> Ink? {
            stage.painter.ink(text, inset: outer, width: area.width & ~3, room: area.width - 2 * outer)
        }
        let isSpoken = index == current || index == previous
        if let known = inkByIndex[index] { return known }
        guard let plain = made(set.plain), let spoken = isSpoken ? made(set.spoken) : plain else { return nil }
        inkByIndex[index] = (plain, spoken)
        return (plain, spoken)
    }

    /// For tests: the contrast of what is not fading out at an edge.
    private func audit(
        _ set: (plain: TextLayout, spoken: TextLayout), _ picture: Picture, _ text: String, _ y: Int, _ marked: Float,
        _ inks: (plain: Color, spoken: Color)
    ) {
        guard picture.drawnTexts != nil, let beneath, marked == 0 || marked == 1 else { return }
        if y < area.y + fade || y + set.spoken.height > area.maxY - fade { return }
        let outer = stage.pixels(Spacing.related)
        let frame = PixelRect(x: area.x + outer, y: y, width: set.spoken.width, height: set.spoken.height)
        var worst: Float
        if marked > 0 {
            worst = inks.spoken.contrast(with: stage.theme.currentSentence)
        } else {
            let place = PixelRect(x: outer, y: y - area.y, width: frame.width, height: frame.height)
            let (darkest, lightest) = beneath.extremes(in: place)
            worst = min(
                inks.plain.over(darkest).contrast(with: darkest), inks.plain.over(lightest).contrast(with: lightest))
        }
        picture.drawnTexts?.append(
            DrawnText(text: text, frame: frame, contrast: worst, isTruncated: set.spoken.isTruncated, isCut: false))
    }

    private func makeShares() {
        let fade = self.fade
        shares = [Int](repeating: 256, count: area.height)
        for line in 0..<fade {
            let share = min(256, max(0, (line * 2 + 1) * 128 / max(1, fade)))
            for y in [line, area.height - 1 - line] where y >= 0 && y < area.height { shares[y] = share }
        }
    }

    private func fadeOut(_ surface: Surface, _ beneath: Surface) {
        for rows in whole {
            for y in rows where shares[y - area.y] < 256 {
                let row = surface.row(y) + area.x
                Rows.crossFade(
                    row, row, beneath.row(y - area.y), count: area.width, part: 256 - shares[y - area.y])
            }
        }
    }
}
