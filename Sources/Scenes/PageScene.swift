import Core
import Design
import Model
import Pixels
import Typography

/// A screen with something that scrolls: favourites, library, settings. One thread.
public final class PageScene: Scene {
    public let stage: Stage
    private let page: any Page
    private var gradient: GradientToken
    private var layout: PageLayout
    private var state = SpeakerStatus()
    private var told = 0
    private var artwork: Surface?
    /// How far it is scrolled, in pixels.
    private var scroll = Glide()
    private var isHeld = false
    private var isSwiping = false
    private var isWhole = false
    private var shownSecond = -1
    private var drawn: [Element] = []
    private var touch = Touch()
    private let patches = Patches()
    /// The frames of the first of `drawn`, beyond what a bar lies upon.
    private var whole: [PixelRect] = []
    /// Waits until what it goes to has scrolled into view.
    private var pending: Gesture?
    /// The bar's, with nothing on it, while what stands there changes by the second.
    private var glass: Surface?

    init(_ stage: Stage, _ page: any Page, gradient: GradientToken) {
        self.stage = stage
        self.page = page
        self.gradient = gradient
        layout = PageLayout(stage, hasHeader: !page.title.isEmpty, isPlaying: false)
    }

    public func lie(on gradient: GradientToken) {
        if gradient == self.gradient { return }
        self.gradient = gradient
        drawAnew()
    }

    public func show(_ new: SpeakerStatus, at moment: Int) {
        if new != state { isWhole = false }
        state = new
        told = moment
        layout = PageLayout(stage, hasHeader: !page.title.isEmpty, isPlaying: !state.title.isEmpty)
    }

    /// The small picture of what is playing.
    public func setArtwork(_ picture: Surface?) {
        artwork = picture
        isWhole = false
    }

    public func drawAnew() {
        isWhole = false
        layout = PageLayout(stage, hasHeader: !page.title.isEmpty, isPlaying: !state.title.isEmpty)
    }

    /// What is playing is told along its lower edge.
    public var hasNowBar: Bool { !layout.nowBar.isEmpty }

    public var elements: [Element] { drawn }
    public var focus: Int? { touch.focus }

    private func elapsed(at moment: Int) -> Int { state.elapsed(after: moment - told) }

    public func nextFrame(after moment: Int) -> Int? {
        if !isWhole || touch.isDirty || pending != nil || scroll.isMoving(at: moment) || page.isMoving(at: moment) {
            return moment
        }
        if layout.nowBar.isEmpty || state.state != .playing { return nil }
        let passed = elapsed(at: moment)
        return moment + max(1, (1000 - passed % 1000) * 100 / max(1, state.speed.percent))
    }

    // MARK: Hands

    private var limit: Float {
        let height = page.height(stage, width: width)
        return Float(max(0, height + layout.covered + layout.margin - layout.content.height))
    }

    private var width: Int { layout.content.width - 2 * layout.margin }

    public func take(_ gesture: Gesture, at moment: Int) -> Element.Action {
        isWhole = isWhole && !touch.isDirty
        switch gesture {
        case .drag(let x, let y, let byX, let byY):
            _ = touch.take(gesture, drawn)
            if isSwiping || !isHeld && abs(byX) > abs(byY) {
                isSwiping = page.swipe(drawn, x: x, y: y, by: byX, at: moment)
                if isSwiping {
                    isWhole = false
                    return .none
                }
            }
            guard layout.content.contains(x: x, y: y) else { return .none }
            isHeld = true
            var value = scroll.value(at: moment) - Float(byY)
            // Beyond the ends it follows at a third of the way.
            if value < 0 || value > limit { value = scroll.value(at: moment) - Float(byY) / 3 }
            scroll = Glide(value)
            isWhole = false
            return .none
        case .drop(_, let speed):
            if isSwiping {
                isSwiping = false
                isWhole = false
                return page.endSwipe(at: moment)
            }
            if !isHeld { return .none }
            isHeld = false
            let value = scroll.value(at: moment)
            if value < 0 || value > limit {
                let isPulled = value < -Float(stage.pixels(Metrics.pullDistance)) / 3
                scroll.spring(.grid, from: value, to: min(max(0, value), limit), at: moment)
                return isPulled && page.isRefreshable ? .refresh : .none
            }
            scroll.fling(from: value, speed: -Float(speed), within: 0...limit, at: moment)
            return .none
        case .press where scroll.isMoving(at: moment):
            // A finger stops what runs, and does nothing else.
            scroll = Glide(scroll.value(at: moment))
            return .none
        case .focus, .move:
            if scrolls(towards: gesture, at: moment) { return .none }
            _ = touch.take(gesture, drawn)
            reveal(at: moment)
            return .none
        default: break
        }
        return touch.take(gesture, drawn)
    }

    /// Where the next element that way is out of sight it is brought into view first.
    private func scrolls(towards gesture: Gesture, at moment: Int) -> Bool {
        let isDown: Bool
        switch gesture {
        case .focus(let forward): isDown = forward
        case .move(.down): isDown = true
        case .move(.up): isDown = false
        default: return false
        }
        guard let focus = touch.focus, drawn.indices.contains(focus) else { return false }
        let frame = drawn[focus].frame
        if !isScrolled(frame) || leadsOn(gesture, from: focus) { return false }
        let value = scroll.target
        let step = Float(min(stage.pixels(Metrics.rowHeight) + layout.margin, layout.content.height / 2))
        let goal = min(limit, max(0, value + (isDown ? step : -step)))
        if goal == value { return false }
        pending = gesture
        run(to: goal, at: moment)
        return true
    }

    /// Whether it stands on what scrolls, and not on a bar.
    private func isScrolled(_ frame: PixelRect) -> Bool {
        frame.maxY <= layout.content.maxY - layout.covered && frame.y >= layout.content.y && frame.x >= layout.content.x
    }

    private func leadsOn(_ gesture: Gesture, from focus: Int) -> Bool {
        guard let next = touch.next(gesture, drawn), next != focus else { return false }
        if case .focus(let forward) = gesture, forward != (next > focus) { return false }
        return isScrolled(drawn[next].frame)
    }

    private func run(to goal: Float, at moment: Int) {
        if stage.comfort.reducesMotion {
            scroll = Glide(goal)
        } else {
            scroll.ease(from: scroll.value(at: moment), to: goal, duration: Motion.playback, at: moment)
        }
        isWhole = false
    }

    /// What waited for a row goes on once it is there.
    private func goOn(at moment: Int) {
        guard let gesture = pending else { return }
        guard let focus = touch.focus else {
            pending = nil
            return
        }
        if !leadsOn(gesture, from: focus) && scroll.isMoving(at: moment) { return }
        pending = nil
        _ = touch.take(gesture, drawn)
        reveal(at: moment)
    }

    /// What has the focus is scrolled into view.
    private func reveal(at moment: Int) {
        guard let focus = touch.focus, drawn.indices.contains(focus) else { return }
        let frame = whole.indices.contains(focus) ? whole[focus] : drawn[focus].frame
        if !isScrolled(drawn[focus].frame) { return }
        let lower = layout.content.maxY - layout.covered
        let value = scroll.value(at: moment)
        var goal = value
        if frame.maxY + layout.margin > lower { goal += Float(frame.maxY + layout.margin - lower) }
        if frame.y < layout.content.y + layout.margin { goal -= Float(layout.content.y + layout.margin - frame.y) }
        goal = min(limit, max(0, goal))
        if goal != value { run(to: goal, at: moment) }
    }

    // MARK: Drawing

    public func draw(on surface: Surface, at moment: Int) -> [PixelRect] {
        let second = elapsed(at: moment) / 1000
        let isMoving = scroll.isMoving(at: moment) || page.isMoving(at: moment) || isHeld
        var damage = isWhole ? patches.restore(surface) : []
        if !isWhole || isMoving || pending != nil
            || !scroll.isMoving(at: moment) && scrolled != Int(scroll.value(at: moment))
        {
            patches.forget()
            keepWithin(at: moment)
            compose(Picture(stage, on: surface), at: moment)
            damage = [surface.bounds]
            goOn(at: moment)
        } else if second != shownSecond && glass != nil {
            redrawBar(surface, at: moment)
            damage.append(layout.nowBar)
        }
        shownSecond = second
        isWhole = true
        damage += touch.draw(Picture(stage, on: surface), patches, drawn, at: moment)
        return damage
    }

    /// A list may have become shorter than where it stands.
    private func keepWithin(at moment: Int) {
        if isHeld || scroll.isMoving(at: moment) { return }
        if scroll.target > limit { scroll = Glide(limit) }
    }

    private var scrolled = 0

    private func compose(_ picture: Picture, at moment: Int) {
        let canvas = picture.canvas
        scrolled = Int(scroll.value(at: moment))
        canvas.fill(stage.bounds, with: gradient.gradient(isDark: stage.theme.isDark))
        canvas.clipped(to: layout.content) {
            let top = layout.content.y - scrolled + (layout.header.isEmpty ? layout.margin : 0)
            page.draw(
                picture, x: layout.content.x + layout.margin, top: top, width: width, visible: layout.content,
                at: moment)
            if page.isRefreshable && scrolled < 0 { drawPull(picture) }
        }
        clipElements(picture)
        drawHeader(picture)
        let bar = nowBar(at: moment)
        bar.drawGlass(picture)
        glass = state.state == .playing && !bar.frame.isEmpty ? picture.surface.part(bar.frame) : nil
        bar.draw(picture)
        TabBar(frame: layout.tabs, active: page.tab, hasWords: !layout.isCompact).draw(picture)
        Sidebar(frame: layout.sidebar, active: page.tab).draw(picture)
        drawn = picture.elements
        touch.relocate(drawn)
    }

    private func nowBar(at moment: Int) -> NowBar {
        NowBar(
            frame: layout.nowBar, state: state, elapsed: elapsed(at: moment), artwork: artwork,
            isFull: layout.hasFullBar)
    }

    /// Beneath it all is as it was, so that its glass is blurred once only.
    private func redrawBar(_ surface: Surface, at moment: Int) {
        if let glass { surface.put(glass, x: layout.nowBar.x, y: layout.nowBar.y) }
        nowBar(at: moment).draw(Picture(stage, on: surface))
    }

    /// What lies under a bar is not touched through it.
    private func clipElements(_ picture: Picture) {
        var free = layout.content
        free.height -= layout.covered
        picture.drawnTexts?.removeAll { !free.contains($0.frame) }
        whole = picture.elements.map { $0.frame }.filter { !$0.intersection(free).isEmpty }
        picture.keepElements { element in
            var element = element
            element.frame = element.frame.intersection(free)
            return element.frame.isEmpty ? nil : element
        }
    }

    private func drawPull(_ picture: Picture) {
        let size = stage.pixels(Metrics.spinner)
        let part = min(1, Float(-scrolled) * 3 / Float(stage.pixels(Metrics.pullDistance)))
        let place = PixelRect(
            x: layout.content.midX - size / 2, y: layout.content.y + stage.pixels(Spacing.small), width: size,
            height: size)
        Ring(part: part * Metrics.loadingPart).draw(picture, in: place, width: 2)
    }

    private func drawHeader(_ picture: Picture) {
        let frame = layout.header
        if frame.isEmpty { return }
        let theme = stage.theme
        if scrolled > 0 { picture.glass(frame, radius: 0, .ultraThin, isBlurred: false, hasStroke: false) }
        let target = stage.pixels(Metrics.target)
        let back = PixelRect(
            x: frame.x + stage.pixels(Spacing.mini), y: frame.y + (frame.height - target) / 2, width: target,
            height: target)
        picture.draw(.chevronLeft, in: back, points: Metrics.tabSymbol, theme.accent)
        picture.add(Element(frame: back, label: "Back", hint: "goes to the screen before", action: .leave))
        let room = PixelRect(
            x: back.maxX, y: frame.y, width: frame.width - 2 * (back.maxX - frame.x), height: frame.height)
        picture.write(page.title, .screenTitle, in: room, theme.text, align: .center)
        picture.add(Element(frame: room, label: page.title, role: .heading))
    }
}
