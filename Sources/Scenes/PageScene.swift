// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

/// A screen with scrolling content: favorites, library, settings. One thread.
public final class PageScene: Scene {
    public let stage: Stage
    private let page: any Page
    private var ground: PageGround
    private var layout: PageLayout
    private var told = ToldStatus()
    private var screen = DrawnScreen()
    private var scroll = Scroll()
    private var isSwiping = false
    /// The uncut frames of the scrolling elements, including the parts under a bar.
    private var whole: [PixelRect] = []
    /// The gesture that waits until its goal has scrolled into view.
    private var pending: Pending?
    private enum Pending {
        case gesture(Gesture)
        /// Gives the focus to the first element of the page.
        case first
    }
    /// The row to focus once it is known and drawn.
    private var wantedRow: Int?
    private var sign = FocusSign()
    private var bar = PageBar()
    private var wantsCascade = false
    private var cascade: Cascade?

    init(_ stage: Stage, _ page: any Page, gradient: GradientToken) {
        self.stage = stage
        self.page = page
        ground = PageGround(gradient)
        layout = page.layout(stage, isPlaying: false)
        screen.setBold(!layout.way.isEmpty)
    }

    public func lie(on gradient: GradientToken) {
        if gradient == ground.gradient { return }
        ground = PageGround(gradient)
        drawAnew()
    }

    public func show(_ new: SpeakerStatus, at moment: Int) {
        if new != told.status { screen.drawAnew() }
        told.tell(new, at: moment)
        arrange()
    }

    private func arrange() {
        layout = page.layout(stage, isPlaying: !told.status.title.isEmpty)
    }

    /// Sets the small picture of the playing item.
    public func setArtwork(_ picture: Surface?) {
        bar.artwork = picture
        screen.drawAnew()
    }

    public func drawAnew() {
        screen.drawAnew()
        ground.forget()
        arrange()
    }

    /// Returns the length of that cover's shorter side, in pixels.
    public static func artworkSide(_ stage: Stage) -> Int { stage.pixels(Metrics.fullBarArtwork) }

    // MARK: The speaker

    /// Requests the content.
    public func load() {
        page.load()
        drawAnew()
    }

    /// Requests the rows drawn as placeholder shapes. Call it after each frame.
    public func fetch() { page.fetch() }

    /// Handles a new state of the speaker.
    public func changed(from old: SpeakerStatus, isShown: Bool) { page.changed(from: old, isShown: isShown) }

    /// Handles another change on the speaker, by MPD's name for it.
    public func changed(_ name: String, isShown: Bool) { page.changed(name, isShown: isShown) }

    /// Returns a visible row.
    public func row(_ kind: ListRow.Kind, _ name: String) -> ListRow? { page.row(kind, name) }

    /// Returns true if the content handled the action.
    public func take(_ action: Element.Action) -> Bool {
        if !page.take(action) { return false }
        drawAnew()
        return true
    }

    /// True if the rows are unknown or not drawn yet.
    public var isLoading: Bool { page.isLoading || screen.isStale }

    /// True if the page takes a keyboard's letters.
    public var takesLetters: Bool { page.takesLetters }

    /// True if a bar or a tab here leads to the player.
    public var leadsToPlayer: Bool { !layout.nowBar.isEmpty || elements.contains { $0.action == .show(.player) } }

    public var room: PixelRect { layout.content.top(layout.content.height - layout.covered) }
    public var elements: [Element] { screen.elements }
    public var focus: Int? { screen.focus }

    public func nextFrame(after moment: Int) -> Int? {
        if screen.isDue || pending != nil || scroll.isMoving(at: moment) || page.isMoving(at: moment) { return moment }
        let second = layout.nowBar.isEmpty ? nil : told.nextSecond(after: moment)
        guard let end = sign.end(after: moment) else { return second }
        return min(end, second ?? end)
    }

    // MARK: Hands

    private var limit: Float {
        let height = Column.height(stage, width: width) { page.layOut(&$0, at: 0) }
        return Float(max(0, height + layout.covered + layout.margin - layout.content.height))
    }

    private var width: Int { layout.content.width - 2 * layout.margin }

    public func take(_ gesture: Gesture, at moment: Int) -> Element.Action {
        if screen.hasNewTouch { screen.drawAnew() }
        switch gesture {
        case .drag(let x, let y, let byX, let byY):
            _ = screen.take(gesture)
            if isSwiping || !scroll.isHeld && abs(byX) > abs(byY) {
                isSwiping = page.swipe(elements, x: x, y: y, by: byX, at: moment)
                if isSwiping {
                    screen.drawAnew()
                    return .none
                }
            }
            guard layout.content.contains(x: x, y: y) else { return .none }
            scroll.drag(by: byY, limit: limit, at: moment)
            screen.drawAnew()
            return .none
        case .drop(_, let speed):
            if isSwiping {
                isSwiping = false
                screen.drawAnew()
                return page.endSwipe(least: stage.pixels(Metrics.swipeDistance), at: moment)
            }
            if !scroll.isHeld { return .none }
            let pulled = scroll.drop(speed: speed, limit: limit, at: moment)
            return pulled > Float(stage.pixels(Metrics.pullDistance)) / 3 && page.isRefreshable ? .refresh : .none
        case .press where scroll.isMoving(at: moment):
            // A touch stops a running scroll, and does nothing else.
            scroll.stop(at: moment)
            return .none
        case .run, .leap:
            if !runs(gesture, at: moment) { walk(gesture.asStep, at: moment) }
            return .none
        case .focus, .move, .enter:
            wantedRow = nil
            walk(gesture, at: moment)
            return .none
        case .tabs:
            _ = screen.take(gesture)
            return .none
        default: return layout.way.isEmpty ? screen.take(gesture) : takeSimply(gesture)
        }
    }

    /// Handles a hand that presses long or trembles: it touches an element once.
    private func takeSimply(_ gesture: Gesture) -> Element.Action {
        switch gesture {
        case .hold: return .leave
        case .longPress(let x, let y): return screen.take(.tap(x: x, y: y))
        case .doubleTap:
            _ = screen.take(gesture)
            return .none
        default: return screen.take(gesture)
        }
    }

    private func walk(_ gesture: Gesture, at moment: Int) {
        if scrolls(towards: gesture, at: moment) { return }
        // After the last element comes the first of the page, not the first visible one.
        if case .focus(true) = gesture, let focus, let next = screen.next(gesture), next <= focus, scroll.target > 0 {
            pending = .first
            return run(to: 0, at: moment)
        }
        _ = screen.take(gesture)
        reveal(at: moment)
    }

    /// Moves the focus at once by lines or letters of the list. Returns false if the focus is on no row.
    private func runs(_ gesture: Gesture, at moment: Int) -> Bool {
        guard let list = page.rows, list.count > 0, let from = wantedRow ?? focusedRow(list) else { return false }
        let lines = list.lines
        var goal = from
        switch gesture {
        case .run(let count): goal += count * lines.columns
        case .leap(let forward): goal = list.leap(from: from, forward: forward, isByTitle: page.isByTitle)
        default: return false
        }
        goal = min(list.count - 1, max(0, goal))
        wantedRow = goal
        let above = lines.top + goal / lines.columns * lines.step + (layout.header.isEmpty ? layout.margin : 0)
        let room = layout.content.height - layout.covered - lines.height
        pending = nil
        scroll.run(to: min(limit, max(0, Float(above - room / 2))), isAnimated: false, at: moment)
        screen.drawAnew()
        return true
    }

    private func focusedRow(_ list: RowWindow) -> Int? {
        guard let focus, elements.indices.contains(focus), case .open(_, let name) = elements[focus].action else {
            return nil
        }
        return list.index(of: name)
    }

    /// Ends a run: focuses the element it has reached.
    private func endRun(at moment: Int) {
        guard let wanted = wantedRow, let list = page.rows, let row = list[wanted],
            let index = elements.firstIndex(where: { $0.action == .open(row.kind, row.name) })
        else { return }
        wantedRow = nil
        screen.focus(on: index)
        let number = "\(wanted + 1) / \(list.count)"
        sign.show(page.isByTitle ? row.letter.map { String($0) } ?? number : number, at: moment)
    }

    /// Scrolls first if the next element in that direction is out of sight.
    private func scrolls(towards gesture: Gesture, at moment: Int) -> Bool {
        let isDown: Bool
        switch gesture {
        case .focus(let forward): isDown = forward
        case .move(.down): isDown = true
        case .move(.up): isDown = false
        default: return false
        }
        guard let focus, elements.indices.contains(focus) else { return false }
        let frame = elements[focus].frame
        if !isScrolled(frame) || leadsOn(gesture, from: focus) { return false }
        let value = scroll.target
        let step = Float(min(stage.pixels(Metrics.rowHeight) + layout.margin, layout.content.height / 2))
        let goal = min(limit, max(0, value + (isDown ? step : -step)))
        if goal == value { return false }
        pending = .gesture(gesture)
        run(to: goal, at: moment)
        return true
    }

    /// Returns true if a frame belongs to the scrolling content, and not to a bar.
    private func isScrolled(_ frame: PixelRect) -> Bool {
        frame.maxY <= layout.content.maxY - layout.covered && frame.y >= layout.content.y && frame.x >= layout.content.x
    }

    private func leadsOn(_ gesture: Gesture, from focus: Int) -> Bool {
        guard let next = screen.next(gesture), next != focus else { return false }
        if case .focus(let forward) = gesture, forward != (next > focus) { return false }
        return isScrolled(elements[next].frame)
    }

    private func run(to goal: Float, at moment: Int) {
        // A long way is skipped, since the page would request all the rows on it.
        let isNear = abs(goal - scroll.value(at: moment)) < Float(3 * layout.content.height)
        scroll.run(to: goal, isAnimated: isNear && !stage.comfort.reducesMotion, at: moment)
        screen.drawAnew()
    }

    /// Continues an action that waited for a row.
    private func goOn(at moment: Int) {
        guard let waiting = pending else { return }
        switch waiting {
        case .first:
            if scroll.isMoving(at: moment) { return }
            screen.focusFirst()
        case .gesture(let gesture):
            if let focus, !leadsOn(gesture, from: focus), scroll.isMoving(at: moment) { return }
            if focus != nil { _ = screen.take(gesture) }
        }
        pending = nil
        reveal(at: moment)
    }

    /// Scrolls the focused element into view.
    private func reveal(at moment: Int) {
        guard let focus, elements.indices.contains(focus), isScrolled(elements[focus].frame) else { return }
        let frame = whole.indices.contains(focus) ? whole[focus] : elements[focus].frame
        let lower = layout.content.maxY - layout.covered
        let value = scroll.value(at: moment)
        var goal = value
        if frame.maxY + layout.margin > lower { goal += Float(frame.maxY + layout.margin - lower) }
        if frame.y < layout.content.y + layout.margin { goal -= Float(layout.content.y + layout.margin - frame.y) }
        goal = min(limit, max(0, goal))
        if goal != value { run(to: goal, at: moment) }
    }

    // MARK: Drawing

    public func willCome() { wantsCascade = true }

    @discardableResult public func come(on surface: Surface, seconds: Float?) -> PixelRect? {
        guard let cascade else { return nil }
        cascade.draw(stage, on: surface, seconds: seconds)
        if seconds == nil { self.cascade = nil }
        return cascade.place
    }

    public func drawGround(on surface: Surface, within place: PixelRect) {
        surface.fill(place, with: ground.gradient, stage)
    }
    public private(set) var covers: [ShownCover] = []
    public var bars: [PixelRect] { [layout.sidebar, layout.tabs, layout.nowBar, layout.way] }

    public func draw(on surface: Surface, at moment: Int) -> [PixelRect] {
        let isMoving = scroll.isMoving(at: moment) || page.isMoving(at: moment) || scroll.isHeld
        if !isMoving { ground.forget() }
        var damage = screen.uncover(surface)
        if screen.isStale || isMoving || pending != nil || scroll.isStale(at: moment) {
            if !scroll.isHeld && !scroll.isMoving(at: moment) { scroll.keep(within: limit, at: moment) }
            damage = screen.compose(stage, on: surface) { compose($0, at: moment, isMoving: isMoving) }
            goOn(at: moment)
            endRun(at: moment)
        } else {
            damage += bar.count(nowBar(at: moment), stage, on: surface)
        }
        damage += screen.cover(stage, on: surface, at: moment)
        guard let place = sign.place(stage, in: layout.content, at: moment) else { return damage }
        screen.keep(place, of: surface)
        sign.draw(Picture(stage, on: surface), in: place)
        return damage + [place]
    }

    private func compose(_ picture: Picture, at moment: Int, isMoving: Bool) {
        let canvas = picture.canvas
        scroll.draw(at: moment)
        page.endMotion(at: moment)
        let beside = ground.draw(picture, isKept: isMoving) { picture in
            let hasPlayer = layout.lacksNowBar
            TabBar(frame: layout.tabs, active: page.tab, hasWords: !layout.isCompact, hasPlayer: hasPlayer).draw(
                picture)
            Sidebar(frame: layout.sidebar, active: page.tab, hasPlayer: hasPlayer).draw(picture)
            SimpleWay(frame: layout.way).draw(picture)
        }
        // No bar covers these texts.
        let texts = picture.drawnTexts
        picture.drawnTexts?.removeAll()
        canvas.clipped(to: layout.content) {
            let top = layout.content.y - scroll.drawn + (layout.header.isEmpty ? layout.margin : 0)
            var column = Column(
                picture, x: layout.content.x + layout.margin, top: top, width: width, visible: layout.content)
            picture.wantsCascade = wantsCascade
            page.layOut(&column, at: moment)
            (cascade, wantsCascade) = (picture.cascade, false)
            if page.isRefreshable && scroll.drawn < 0 { drawPull(picture) }
        }
        clipElements(picture)
        if let texts { picture.drawnTexts?.append(contentsOf: texts) }
        drawHeader(picture)
        bar.draw(nowBar(at: moment), picture)
        covers = picture.covers
        for element in beside { picture.add(element) }
        let head = layout.header
        let first = picture.readFirst { !head.isEmpty && head.contains($0.frame) }
        whole = picture.elements.prefix(first).map { $0.frame } + whole
    }

    private func nowBar(at moment: Int) -> NowBar {
        let isFull = layout.hasFullBar
        let side = NowBar.artworkSide(stage, isFull: isFull)
        return NowBar(
            frame: layout.nowBar, state: told.status, elapsed: told.elapsed(at: moment),
            artwork: layout.nowBar.isEmpty ? nil : bar.artwork(side: side), isFull: isFull)
    }

    /// Cuts off the parts of elements under a bar.
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
        let part = min(1, Float(-scroll.drawn) * 3 / Float(stage.pixels(Metrics.pullDistance)))
        var room = layout.content
        _ = room.cutTop(stage.pixels(Spacing.small))
        Ring(part: part * Metrics.loadingPart).draw(picture, in: room.cutTop(size).middle(width: size), width: 2)
    }

    private func drawHeader(_ picture: Picture) {
        let frame = layout.header
        if frame.isEmpty { return }
        let theme = stage.theme
        if scroll.drawn > 0 { picture.glass(frame, radius: 0, .ultraThin, isBlurred: false, hasStroke: false) }
        let (margin, target) = (stage.pixels(Spacing.mini), stage.pixels(Metrics.target))
        let room = frame.inset(x: margin + target, y: 0)
        let back = PixelRect(x: frame.x + margin, y: frame.y, width: target, height: frame.height)
            .middle(height: target)
        picture.draw(.chevronLeft, in: back, points: Metrics.tabSymbol, theme.accent)
        picture.add(back, translated("Back"), hint: translated("goes to the screen before"), action: .leave)
        let letters = stage.letters([page.title], .screenTitle, width: room.width)
        picture.write(page.title, TypeStyle.screenTitle.scaled(by: letters), in: room, theme.text, align: .center)
        picture.add(room, page.title, role: .heading)
    }
}
