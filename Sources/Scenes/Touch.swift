import Design
import Pixels

/// What is pressed and what has the focus of a screen's elements, and what follows from it. One thread.
struct Touch {
    private(set) var focus: Int?
    /// What that is, for when it stands elsewhere among the others.
    private var focused: (action: Element.Action, label: String)?
    private var pressed: Int?
    /// Which card stands larger, and since when.
    private var lift: (index: Int, since: Int)?
    /// It looks otherwise than when it was last drawn.
    private(set) var isDirty = false
    /// What shows it is seen from afar.
    var isBold = false

    /// Of the element that is touched or chosen; what is done with the focus is done here.
    mutating func take(_ gesture: Gesture, _ elements: [Element]) -> Element.Action {
        switch gesture {
        case .press(let x, let y): press(Touch.hit(elements, x, y))
        case .release, .drag, .drop: press(nil)
        case .tap(let x, let y), .doubleTap(let x, let y):
            press(nil)
            return Touch.hit(elements, x, y).map { elements[$0].action } ?? .none
        case .longPress(let x, let y):
            press(nil)
            return Touch.hit(elements, x, y).map { Touch.menu(elements[$0].action) } ?? .none
        case .focus, .move: set(next(gesture, elements), elements)
        case .choose, .hold:
            guard let focus, elements.indices.contains(focus) else { return .none }
            return gesture == .hold ? Touch.menu(elements[focus].action) : elements[focus].action
        case .unfocus: set(nil, elements)
        }
        return .none
    }

    private static func menu(_ action: Element.Action) -> Element.Action {
        if case .open(let kind, let name) = action { return .menu(kind, name) }
        return .none
    }

    private mutating func set(_ index: Int?, _ elements: [Element]) {
        isDirty = isDirty || index != focus
        focus = index
        focused = index.map { (elements[$0].action, elements[$0].label) }
    }

    /// The elements are others: what had the focus keeps it wherever it stands now.
    mutating func relocate(_ elements: [Element]) {
        guard let at = focus, let focused else { return }
        let same = { (element: Element) in element.action == focused.action && element.label == focused.label }
        if elements.indices.contains(at) && same(elements[at]) { return }
        if let found = elements.firstIndex(where: same) { return set(found, elements) }
        // It has gone: whatever stands in its place.
        let can = elements.indices.contains(at) && elements[at].action != .none && elements[at].isEnabled
        set(can ? at : nil, elements)
    }

    /// What lies on top is hit first.
    static func hit(_ elements: [Element], _ x: Int, _ y: Int) -> Int? {
        elements.lastIndex { $0.action != .none && $0.isEnabled && $0.frame.contains(x: x, y: y) }
    }

    private mutating func press(_ index: Int?) {
        if index != pressed { isDirty = true }
        pressed = index
    }

    /// Where a gesture would bring the focus; nil for nowhere.
    func next(_ gesture: Gesture, _ elements: [Element]) -> Int? {
        let places = elements.indices.filter { elements[$0].action != .none && elements[$0].isEnabled }
        switch gesture {
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

    /// What lies straight ahead comes before what lies nearer but aside.
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
            // On a slant it is the other direction.
            if aside > ahead || best.map({ way >= $0.way }) ?? false { continue }
            best = (index, way)
        }
        return best?.index
    }

    /// Between two stretches; 0 where they share something.
    private static func apart(_ a: Int, _ aEnd: Int, _ b: Int, _ bEnd: Int) -> Int { max(0, max(b - aEnd, a - bEnd)) }

    /// A veil on what is pressed, a ring around what has the focus, which a card comes towards the eye with.
    /// - Parameter moment: nil where nothing moves.
    mutating func draw(
        _ picture: Picture, _ patches: Patches, _ elements: [Element], at moment: Int? = nil
    ) -> [PixelRect] {
        isDirty = false
        var damage: [PixelRect] = []
        let stage = picture.stage
        if let pressed, elements.indices.contains(pressed) {
            let frame = elements[pressed].frame
            patches.keep(frame, of: picture.surface)
            picture.canvas.fill(frame, radius: radius(frame, stage), with: picture.theme.pressed)
            damage.append(frame)
        }
        if let focus, elements.indices.contains(focus) {
            let width = stage.scale.line(isBold ? SimpleMetrics.focusRing : Metrics.focusRing)
            let color = isBold ? picture.theme.text : picture.theme.accent
            var frame = elements[focus].frame.inset(by: -width).intersection(stage.bounds)
            // Of what is nearly scrolled away there is no room for a ring.
            let isSliver = min(frame.width, frame.height) <= 4 * width
            if !isSliver && Touch.isCard(elements[focus]) {
                if lift?.index != focus { lift = moment.map { (focus, $0) } }
                let reach = stage.pixels(2 * Elevation.focused.blur + Elevation.focused.down)
                let grown = Touch.grown(elements[focus].frame, by: liftPart(stage, at: moment), in: stage.bounds)
                let all = grown.inset(by: -reach).intersection(stage.bounds)
                patches.keep(all, of: picture.surface)
                Touch.draw(card: elements[focus].frame, as: grown, on: picture)
                frame = grown.inset(by: -width).intersection(stage.bounds)
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

    private static func isCard(_ element: Element) -> Bool {
        if case .open = element.action { return element.role == .button }
        return false
    }

    /// How far it has come, 0…1; it is drawn again until it is there.
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

    /// Of a square one a circle, but where none is round.
    private func radius(_ frame: PixelRect, _ stage: Stage) -> Int {
        frame.width == frame.height && !isBold ? frame.width / 2 : min(stage.pixels(Radius.card), frame.height / 2)
    }
}
