// SPDX-License-Identifier: Apache-2.0
import Design
import Pixels

/// The pressed and the focused element of a screen, with their marks. One thread.
struct Touch {
    private(set) var focus: Int?
    /// The focused element itself, to find it when its index changes.
    private var focused: (action: Element.Action, label: String)?
    private var pressed: Int?
    /// The element that sinks under a finger or returns. Depth 0 is as drawn, 1 is fully pressed.
    private var sinking: (index: Int, depth: Glide)?
    /// The enlarged card, and the moment when it changed.
    private var lift: (index: Int, since: Int)?
    /// True if the marks must be redrawn.
    private(set) var isDirty = false
    /// True makes its mark visible from afar.
    var isBold = false

    /// Returns the action of the touched or chosen element. Moves of the focus are handled here.
    mutating func take(_ gesture: Gesture, _ elements: [Element]) -> Element.Action {
        switch gesture {
        case .press(let x, let y):
            // A touch needs no focus, and the speaker's buttons get their own meaning again.
            set(nil, elements)
            press(Touch.hit(elements, x, y))
        case .release, .drag, .drop: press(nil)
        case .tap(let x, let y), .doubleTap(let x, let y):
            press(nil)
            return Touch.hit(elements, x, y).map { elements[$0].action } ?? .none
        case .longPress(let x, let y):
            press(nil)
            return Touch.hit(elements, x, y).map { Touch.menu(elements[$0].action) } ?? .none
        case .focus, .move, .enter, .run, .leap, .tabs: set(next(gesture, elements), elements)
        case .choose, .hold:
            guard let focus, elements.indices.contains(focus) else { return .none }
            return gesture == .hold ? Touch.menu(elements[focus].action) : elements[focus].action
        }
        return .none
    }

    private static func menu(_ action: Element.Action) -> Element.Action {
        switch action {
        case .open(let kind, let name): return .menu(kind, name)
        // A long press turns ten seconds into a chapter.
        case .back: return .previous
        case .forward: return .next
        // A half-asleep hand stays down longer than it means to.
        case .alarm: return action
        default: return .none
        }
    }

    private mutating func set(_ index: Int?, _ elements: [Element]) {
        isDirty = isDirty || index != focus
        focus = index
        focused = index.map { (elements[$0].action, elements[$0].label) }
    }

    /// Adopts a changed list of elements: the focus follows its element to the new index.
    mutating func relocate(_ elements: [Element]) {
        guard let at = focus, let focused else { return }
        let same = { (element: Element) in element.action == focused.action && element.label == focused.label }
        if elements.indices.contains(at) && same(elements[at]) { return }
        if let found = elements.firstIndex(where: same) { return set(found, elements) }
        // The element is gone: focus the one in its place, or before it.
        let places = Touch.places(elements)
        set(places.first { $0 >= at } ?? places.last, elements)
    }

    var withoutFocus: Touch {
        var touch = self
        touch.focus = nil
        return touch
    }

    /// Gives the focus to this one.
    mutating func focus(on index: Int, _ elements: [Element]) { set(index, elements) }

    /// Returns the indices of elements that can have the focus.
    private static func places(_ elements: [Element]) -> [Int] {
        elements.indices.filter { elements[$0].action != .none && elements[$0].isEnabled }
    }

    /// Returns the topmost element at a point.
    static func hit(_ elements: [Element], _ x: Int, _ y: Int) -> Int? {
        elements.lastIndex { $0.action != .none && $0.isEnabled && $0.frame.contains(x: x, y: y) }
    }

    private mutating func press(_ index: Int?) {
        if index != pressed { isDirty = true }
        pressed = index
    }

    /// Returns where a gesture moves the focus; nil for nowhere.
    func next(_ gesture: Gesture, _ elements: [Element]) -> Int? {
        let places = Touch.places(elements)
        switch gesture {
        case .enter:
            return places.first { if case .play = elements[$0].action { true } else { false } }
                ?? places.first { elements[$0].isRow } ?? places.first
        case .tabs:
            let tabs = places.filter { elements[$0].role == .tab }
            return tabs.first { elements[$0].isSelected } ?? tabs.first ?? focus
        case .run, .leap: return next(gesture.asStep, elements)
        case .focus(let forward):
            guard let at = focus.flatMap({ places.firstIndex(of: $0) }) else {
                return forward ? places.first : places.last
            }
            return places[(at + (forward ? 1 : places.count - 1)) % places.count]
        case .move(let side):
            guard let focus, elements.indices.contains(focus) else { return places.first }
            return Touch.nearest(elements[focus].frame, side, places.filter { $0 != focus }, elements) ?? focus
        default: return focus
        }
    }

    /// Returns the nearest element on a side. One straight ahead comes before a nearer one aside.
    private static func nearest(_ from: PixelRect, _ side: Side, _ places: [Int], _ elements: [Element]) -> Int? {
        var best: (index: Int, way: Int)?
        for index in places {
            let to = elements[index].frame
            let ahead: Int
            let aside: Int
            switch side {
            case .right: (ahead, aside) = (to.midX - from.midX, apart(from.y, from.maxY, to.y, to.maxY))
            case .left: (ahead, aside) = (from.midX - to.midX, apart(from.y, from.maxY, to.y, to.maxY))
            case .down: (ahead, aside) = (to.midY - from.midY, apart(from.x, from.maxX, to.x, to.maxX))
            case .up: (ahead, aside) = (from.midY - to.midY, apart(from.x, from.maxX, to.x, to.maxX))
            }
            if ahead <= 0 { continue }
            let isSideways = side == .left || side == .right
            let shift = abs(isSideways ? to.midY - from.midY : to.midX - from.midX)
            let across = isSideways ? from.height : from.width
            let way = ahead + (aside > 0 ? 4 * aside + 2 * across : 0) + shift / 4
            // An element further aside than ahead belongs to another direction.
            if aside > ahead || best.map({ way >= $0.way }) ?? false { continue }
            best = (index, way)
        }
        return best?.index
    }

    /// Returns the distance between two intervals; 0 if they overlap.
    private static func apart(_ a: Int, _ aEnd: Int, _ b: Int, _ bEnd: Int) -> Int { max(0, max(b - aEnd, a - bEnd)) }

    /// Draws a veil on the pressed element and a ring around the focused one; a focused card grows.
    /// - Parameter moment: nil if nothing moves.
    mutating func draw(
        _ picture: Picture, _ patches: Patches, _ elements: [Element], at moment: Int? = nil
    ) -> [PixelRect] {
        isDirty = false
        var damage: [PixelRect] = []
        let stage = picture.stage
        sink(elements, stage, at: moment)
        if let index = sinking?.index ?? pressed, elements.indices.contains(index) {
            let frame = elements[index].frame.intersection(stage.bounds)
            var (shown, around) = (frame, frame)
            if let moment, let depth = sinking?.depth.value(at: moment) {
                let shadow = shadow(of: elements[index], stage)
                let reach = stage.pixels(2 * Elevation.medium.blur + Elevation.medium.down)
                if shadow != nil { around = frame.inset(by: -reach).intersection(stage.bounds) }
                patches.keep(around, of: picture.surface)
                if let (place, radius) = shadow {
                    picture.shadow(of: place, radius: radius, .medium, lifted: max(0, depth / 2))
                }
                shown = Touch.draw(elements[index], sunk: depth, on: picture)
            } else {
                patches.keep(frame, of: picture.surface)
            }
            if index == pressed {
                picture.canvas.fill(shown, radius: radius(shown, stage), with: picture.theme.pressed)
            }
            damage.append(around)
        }
        if let focus, elements.indices.contains(focus) {
            let width = stage.scale.line(isBold ? SimpleMetrics.focusRing : Metrics.focusRing)
            let color = isBold ? picture.theme.text : picture.theme.accent
            var frame = elements[focus].frame.inset(by: -width).intersection(stage.bounds)
            // A nearly scrolled-out element has no room for a ring.
            let isSliver = min(frame.width, frame.height) <= 4 * width
            if !isSliver && Touch.isCard(elements[focus]) {
                if lift?.index != focus { lift = moment.map { (focus, $0) } }
                let reach = stage.pixels(2 * Elevation.focused.blur + Elevation.focused.down)
                let grown = Touch.grown(elements[focus].frame, by: liftPart(stage, at: moment), in: stage.bounds)
                let all = grown.inset(by: -reach).intersection(stage.bounds)
                patches.keep(all, of: picture.surface)
                Touch.draw(card: elements[focus].frame, as: grown, on: picture)
                // A card's letters begin at its edge, so the ring keeps a distance.
                frame = grown.inset(by: -width - stage.pixels(Spacing.mini)).intersection(stage.bounds)
                damage.append(all)
            } else {
                lift = nil
                patches.keep(frame, of: picture.surface)
                damage.append(frame)
            }
            if isSliver {
                picture.canvas.fill(frame, radius: 0, with: color)
                return damage
            }
            let radius = radius(frame, stage) + (isBold ? width : 0)
            picture.canvas.stroke(frame, radius: radius, width: width, with: color)
            picture.canvas.stroke(
                frame.inset(by: width), radius: max(0, radius - width), width: stage.scale.line(isBold ? 2 : 1),
                with: picture.theme.background)
        }
        return damage
    }

    /// Returns the part that casts a shadow; nil if there is none, or not all of it is visible.
    private func shadow(of element: Element, _ stage: Stage) -> (place: PixelRect, radius: Int)? {
        let frame = element.frame
        switch element.relief {
        case .flat: return nil
        case .disc: return (frame, frame.width / 2)
        case .cover:
            if frame.height < AlbumCard.height(stage, width: frame.width) { return nil }
            return (frame.top(frame.width), stage.pixels(Radius.card))
        }
    }

    /// Sinks the pressed element at once, and lets a released one spring back.
    private mutating func sink(_ elements: [Element], _ stage: Stage, at moment: Int?) {
        guard let moment, !stage.comfort.reducesMotion, !stage.comfort.savesPower else {
            sinking = nil
            return
        }
        if let pressed, elements.indices.contains(pressed), elements[pressed].role != .slider {
            sinking = (pressed, Glide(1))
        } else if let depth = sinking?.depth {
            if depth.target != 0 {
                sinking?.depth.spring(.press, from: 1, to: 0, at: moment)
                isDirty = true
            } else if depth.isMoving(at: moment) {
                isDirty = true
            } else {
                sinking = nil
            }
        }
    }

    /// Draws an element smaller and fills the freed border from its surroundings. Returns the drawn frame.
    private static func draw(_ element: Element, sunk depth: Float, on picture: Picture) -> PixelRect {
        let surface = picture.surface
        let frame = element.frame.intersection(surface.bounds)
        let isWide = element.role == .row || isCard(element)
        let least = isWide ? Metrics.pressedCard : Metrics.pressedButton
        let less = (1 - least) * depth / 2
        let (aside, above) = (Int((Float(frame.width) * less).rounded()), Int((Float(frame.height) * less).rounded()))
        if aside <= 0 && above <= 0 || frame.isEmpty { return frame }
        let small = frame.inset(x: aside, y: above)
        let drawn = surface.part(frame)
        for y in frame.y..<frame.maxY {
            // Rows above and below repeat the line beyond the edge; the sides repeat the pixel beyond it.
            if y < small.y || y >= small.maxY {
                let beyond = y < small.y ? max(0, frame.y - 1) : min(surface.height - 1, frame.maxY)
                Rows.copy(surface.row(y) + frame.x, surface.row(beyond) + frame.x, count: frame.width)
            } else {
                let row = surface.row(y)
                let (left, right) = (row[max(0, frame.x - 1)], row[min(surface.width - 1, frame.maxX)])
                for x in frame.x..<small.x { row[x] = left }
                for x in small.maxX..<frame.maxX { row[x] = right }
            }
        }
        picture.canvas.draw(drawn, scaledTo: small)
        return small
    }

    private static func isCard(_ element: Element) -> Bool {
        if case .open = element.action { return element.role == .button }
        return false
    }

    /// Returns the progress of the growing card, 0…1. Requests another drawing until it is complete.
    private mutating func liftPart(_ stage: Stage, at moment: Int?) -> Float {
        guard let moment, let lift, !stage.comfort.reducesMotion else { return 1 }
        let part = Float(moment - lift.since) / (Motion.focus * 1000)
        if part < 1 { isDirty = true }
        return Motion.easeOut(part)
    }

    private static func grown(_ frame: PixelRect, by part: Float, in bounds: PixelRect) -> PixelRect {
        let more = (Metrics.focusScale - 1) * part / 2
        return frame.inset(x: -Int(Float(frame.width) * more), y: -Int(Float(frame.height) * more))
            .intersection(bounds)
    }

    private static func draw(card frame: PixelRect, as grown: PixelRect, on picture: Picture) {
        let shown = frame.intersection(picture.surface.bounds)
        if shown.isEmpty { return }
        let card = picture.surface.part(shown)
        let radius = picture.stage.pixels(Radius.card)
        picture.shadow(of: grown, radius: radius, .focused)
        picture.canvas.draw(card, scaledTo: grown, radius: radius)
    }

    /// Returns the radius of a mark: a circle for a square element, unless marks are bold.
    private func radius(_ frame: PixelRect, _ stage: Stage) -> Int {
        frame.width == frame.height && !isBold ? frame.width / 2 : min(stage.pixels(Radius.card), frame.height / 2)
    }
}
