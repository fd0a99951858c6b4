import Design
import Model
import Pixels

/// The screen that is shown, how one gives way to another, and what comes up over it. Itself a scene, so that whoever owns the panel shows one
/// thing only. One thread.
public final class Director: Scene {
    public let stage: Stage
    public private(set) var scene: any Scene
    private var state = SpeakerStatus()
    /// What was seen before, while the next screen comes; and that, drawn apart.
    private var change: (from: Surface, to: Surface, isShifted: Bool)?
    private var changing = Reversible(Motion.content, isOn: true)
    private var overlay: Overlay?
    /// How much of the overlay is seen.
    private var coming = Reversible(Motion.overlay)
    private var cameAt = 0
    /// Its way for each part that was seen of it, when it turned round.
    private var wayBack: Float = 1
    private var leavesAt: Int?
    private var patches = Patches()
    private var layer: [Element] = []
    private var touch = Touch()
    private var isWhole = false
    private var wantsFocus = false
    /// Nil where each scene keeps the one that it was made with.
    private var gradients: GradientSequence?
    private var hasDrawn = false

    /// - Parameter gradients: every screen that comes lies on the next of them, never on the one before it.
    public init(_ stage: Stage, _ scene: any Scene, gradients: GradientSequence? = nil) {
        self.stage = stage
        self.scene = scene
        self.gradients = gradients
        if let gradients { scene.lie(on: gradients.active) }
    }

    public func lie(on gradient: GradientToken) { scene.lie(on: gradient) }

    // MARK: What is shown

    public func show(_ new: SpeakerStatus, at moment: Int) {
        state = new
        scene.show(new, at: moment)
    }

    /// Another screen comes up over the one that is on the surface.
    public func present(_ next: any Scene, over surface: Surface, at moment: Int) {
        gradients?.next()
        if let gradients { next.lie(on: gradients.active) }
        next.show(state, at: moment)
        if !hasDrawn {
            scene = next
            return
        }
        _ = patches.restore(surface)
        let to = Surface(unfilledWidth: stage.width, height: stage.height)
        _ = next.draw(on: to, at: moment)
        change = (surface.part(surface.bounds), to, !stage.comfort.reducesMotion)
        changing.set(false)
        changing.turn(true, at: moment)
        scene = next
    }

    /// What stands over the screen gives way to this.
    public func put(_ overlay: Overlay, at moment: Int) {
        self.overlay = overlay
        touch = Touch()
        // Who came by the focus goes on by it.
        wantsFocus = overlay.isModal && scene.focus != nil
        layer = []
        coming.set(false)
        coming.turn(true, at: moment)
        cameAt = moment
        leavesAt = overlay.stay.map { moment + $0 }
    }

    public func takeAway(at moment: Int) {
        if coming.target { wayBack = way(at: moment) / max(0.01, coming.part(at: moment)) }
        coming.turn(false, at: moment)
        leavesAt = nil
    }

    public var hasOverlay: Bool { overlay != nil }
    /// Something waits for an answer.
    public var isAsking: Bool { overlay?.isModal ?? false && coming.target }

    /// It comes by a spring, and leaves from where it is.
    private func way(at moment: Int) -> Float {
        if !coming.target { return wayBack * coming.part(at: moment) }
        return isSpringing(at: moment) ? Spring.entrance.value(at: Float(moment - cameAt) / 1000) : 1
    }

    private func isSpringing(at moment: Int) -> Bool {
        guard let overlay, overlay.moves, coming.target, !stage.comfort.reducesMotion else { return false }
        return moment < cameAt + Int(Spring.entrance.settled() * 1000)
    }

    public func drawAnew() {
        isWhole = false
        change = nil
        patches.forget()
        scene.drawAnew()
    }

    public var elements: [Element] {
        if let overlay, overlay.isModal { return layer }
        guard let overlay, case .banner = overlay else { return scene.elements + layer }
        // What it covers is not there.
        let frame = overlay.frame(stage)
        return scene.elements.filter { !frame.contains(x: $0.frame.midX, y: $0.frame.midY) } + layer
    }

    public var focus: Int? {
        if overlay?.isModal ?? false { return touch.focus }
        guard let focus = scene.focus, let overlay, case .banner = overlay else { return scene.focus }
        // By its place among those that the banner leaves.
        let frame = overlay.frame(stage)
        let all = scene.elements
        if !all.indices.contains(focus) || frame.contains(x: all[focus].frame.midX, y: all[focus].frame.midY) {
            return nil
        }
        return focus - all[..<focus].filter { frame.contains(x: $0.frame.midX, y: $0.frame.midY) }.count
    }

    public func nextFrame(after moment: Int) -> Int? {
        if !isWhole || change != nil || coming.isMoving(at: moment) || isSpringing(at: moment) || touch.isDirty {
            return moment
        }
        if overlay != nil && !coming.target { return moment }
        var next = overlay?.isModal ?? false ? nil : scene.nextFrame(after: moment)
        if let leavesAt { next = min(next ?? leavesAt, max(moment, leavesAt)) }
        return next
    }

    public var wantsTime: Bool { isWhole && change == nil && overlay == nil && scene.wantsTime }
    public func prepare(on surface: Surface, at moment: Int) { if wantsTime { scene.prepare(on: surface, at: moment) } }

    // MARK: Hands

    public func take(_ gesture: Gesture, at moment: Int) -> Element.Action {
        guard let overlay else { return scene.take(gesture, at: moment) }
        if overlay.isModal || isOn(gesture) {
            let action = touch.take(gesture, layer)
            switch (gesture, action) {
            case (_, .dismiss): takeAway(at: moment)
            // Beside a menu is out of it.
            case (.tap, .none): if overlay.isModal { takeAway(at: moment) }
            case (_, .choose), (_, .show): takeAway(at: moment)
            default: break
            }
            return action == .dismiss ? .none : action
        }
        return scene.take(gesture, at: moment)
    }

    private func isOn(_ gesture: Gesture) -> Bool {
        switch gesture {
        case .press(let x, let y), .tap(let x, let y): Touch.hit(layer, x, y) != nil
        default: false
        }
    }

    // MARK: Drawing

    public func draw(on surface: Surface, at moment: Int) -> [PixelRect] {
        var damage = isWhole ? patches.restore(surface) : []
        if !isWhole { patches.forget() }
        if let change {
            damage = [surface.bounds]
            let part = changing.part(at: moment)
            if part >= 1 {
                surface.put(change.to, x: 0, y: 0)
                self.change = nil
                damage += scene.draw(on: surface, at: moment)
            } else {
                blend(change, surface, part)
            }
        } else {
            damage += scene.draw(on: surface, at: moment)
        }
        isWhole = true
        hasDrawn = true
        if let leavesAt, moment >= leavesAt { takeAway(at: moment) }
        layer = []
        guard let overlay else { return damage }
        let part = coming.part(at: moment)
        if part <= 0 && !coming.target {
            self.overlay = nil
            return damage
        }
        let place = overlay.place(stage)
        patches.keep(place, of: surface)
        let picture = Picture(stage, on: surface)
        let before = part < 1 ? surface.part(place) : nil
        // What it lies upon is not read through it.
        let frame = overlay.frame(stage)
        stage.drawnTexts?.removeAll { overlay.isModal || !$0.frame.intersection(frame).isEmpty }
        overlay.draw(picture, part: part, way: way(at: moment))
        if let before {
            for y in 0..<place.height {
                let row = surface.row(place.y + y) + place.x
                Rows.crossFade(row, before.row(y), row, count: place.width, part: Int(part * 256))
            }
        }
        layer = picture.elements
        if wantsFocus {
            wantsFocus = false
            _ = touch.take(.focus(forward: true), layer)
        }
        damage.append(place)
        damage += touch.draw(picture, patches, layer)
        return damage
    }

    /// The next screen comes from a little below while it fades in.
    private func blend(_ change: (from: Surface, to: Surface, isShifted: Bool), _ surface: Surface, _ part: Float) {
        let shift = change.isShifted ? Int(Float(stage.pixels(Motion.screenOffset)) * (1 - part)) : 0
        let step = Int((part * 256).rounded())
        for y in 0..<surface.height {
            let from = max(0, y - shift)
            Rows.crossFade(
                surface.row(y), change.from.row(y), change.to.row(from), count: surface.width, part: step)
        }
    }
}
