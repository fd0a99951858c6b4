// SPDX-License-Identifier: Apache-2.0
import Design
import Model
import Pixels

/// Shows one screen, the transition to the next one, and the overlay above it. The director is itself a scene, so the panel's owner draws
/// one thing only. One thread.
public final class Director: Scene {
    public let stage: Stage
    public private(set) var scene: any Scene
    private var state = SpeakerStatus()
    /// The running transition to the next screen.
    private var change: SceneChange?
    /// A cover that both screens show.
    private var traveller: TravellingCover?
    private var over = ShownOverlay()
    /// The drawing of the overlay.
    private var screen = DrawnScreen()
    private var wantsFocus = false
    /// The gradients for new screens; nil if each scene keeps its own.
    private var gradients: GradientSequence?
    private var hasDrawn = false

    /// - Parameter gradients: each new screen gets the next gradient, so two screens in a row differ.
    public init(_ stage: Stage, _ scene: any Scene, gradients: GradientSequence? = nil) {
        self.stage = stage
        self.scene = scene
        self.gradients = gradients
        if let gradients { scene.lie(on: gradients.active) }
    }

    public func lie(on gradient: GradientToken) { scene.lie(on: gradient) }
    public func drawGround(on surface: Surface, within place: PixelRect) {
        scene.drawGround(on: surface, within: place)
    }

    // MARK: What is shown

    public func show(_ new: SpeakerStatus, at moment: Int) {
        state = new
        scene.show(new, at: moment)
        showAlarm(at: moment)
    }

    private func showAlarm(at moment: Int) {
        guard let alarm = state.alarm, alarm.state == .ringing else {
            if isRinging { over.takeAway(stage, at: moment) }
            return
        }
        var ringing = Overlay.ringing(title: alarm.title, words: state.title)
        // The time of day, if it differs from the alarm's time.
        if let minute = state.minuteOfDay, minute != alarm.minute {
            let words = state.title.isEmpty ? alarm.title : alarm.title + " · " + state.title
            ringing = .ringing(title: clockWords(minute: minute), words: words)
        }
        if !isRinging { return put(ringing, at: moment) }
        if over.overlay == ringing { return }
        over.turn(into: ringing)
        drawAnew()
    }

    /// Starts the transition from the screen on the surface to the next one.
    public func present(_ next: any Scene, over surface: Surface, at moment: Int) {
        let ground = hasDrawn ? Surface(unfilledWidth: stage.width, height: stage.height) : nil
        if let ground { scene.drawGround(on: ground, within: stage.bounds) }
        let (bars, covers) = (scene.bars, scene.covers)
        gradients?.next()
        if let gradients { next.lie(on: gradients.active) }
        next.show(state, at: moment)
        guard let ground else {
            scene = next
            return
        }
        _ = screen.uncover(surface)
        let to = Surface(unfilledWidth: stage.width, height: stage.height)
        if !stage.comfort.reducesMotion && !stage.comfort.savesPower { next.willCome() }
        _ = next.draw(on: to, at: moment)
        let before = surface.part(surface.bounds)
        // The surface is free for temporary drawings: the next frame draws all of it anew.
        next.drawGround(on: surface, within: stage.bounds)
        change = SceneChange(
            from: before, ground: ground, to: to, toGround: surface,
            bars: next.bars.filter { !$0.isEmpty && bars.contains($0) }, isShifted: !stage.comfort.reducesMotion,
            at: moment)
        let isStill = stage.comfort.reducesMotion || stage.comfort.savesPower
        traveller = isStill ? nil : TravellingCover(from: covers, to: next.covers, at: moment)
        change?.bare = traveller?.place ?? .zero
        scene = next
    }

    /// Shows an overlay in place of any other, except a ringing alarm.
    public func put(_ overlay: Overlay, at moment: Int) {
        if isRinging { return }
        over.put(overlay, in: scene.room, at: moment)
        // If the screen beneath has the focus, the overlay gets it.
        wantsFocus = (overlay.isModal || overlay.hasButton) && scene.focus != nil
        screen.forget()
    }

    /// Removes the overlay. A ringing alarm stays until it stops.
    public func takeAway(at moment: Int) { if !isRinging { over.takeAway(stage, at: moment) } }

    public var hasOverlay: Bool { over.overlay != nil }
    /// True if an overlay waits for an answer.
    public var isAsking: Bool { over.isAsking }
    /// True if an alarm waits for an answer.
    public var isRinging: Bool { over.isRinging }

    public func drawAnew() {
        screen.drawAnew()
        (change, traveller) = (nil, nil)
        scene.drawAnew()
    }

    public var elements: [Element] {
        if over.isModal { return screen.elements }
        return scene.elements.filter { !over.hides($0.frame, stage) } + screen.elements
    }

    public var focus: Int? {
        if over.isModal { return screen.focus }
        let all = scene.elements
        if over.hasButton, let focus = screen.focus { return elements.count - screen.elements.count + focus }
        guard let focus = scene.focus, all.indices.contains(focus), !over.hides(all[focus].frame, stage) else {
            return nil
        }
        // The index among the visible elements.
        return focus - all[..<focus].filter { over.hides($0.frame, stage) }.count
    }

    public func nextFrame(after moment: Int) -> Int? {
        if screen.isDue || change != nil || over.isMoving(stage, at: moment) { return moment }
        let next = over.isModal ? nil : scene.nextFrame(after: moment)
        guard let leaves = over.leaves(after: moment) else { return next }
        return min(next ?? leaves, leaves)
    }

    public var wantsTime: Bool { !screen.isStale && change == nil && !hasOverlay && scene.wantsTime }
    public func prepare(on surface: Surface, at moment: Int) { if wantsTime { scene.prepare(on: surface, at: moment) } }

    // MARK: Hands

    public func take(_ gesture: Gesture, at moment: Int) -> Element.Action {
        if !hasOverlay || !over.isModal && !isOn(gesture) {
            // A focus that moves on in the screen needs no toast any more.
            if over.hasButton && screen.focus != nil {
                screen.forget()
                takeAway(at: moment)
            }
            return scene.take(gesture, at: moment)
        }
        let action = screen.take(gesture)
        switch (gesture, action) {
        case (_, .dismiss), (_, .choose), (_, .show), (_, .undo): takeAway(at: moment)
        // A tap beside a menu closes it.
        case (.tap, .none): if over.isModal { takeAway(at: moment) }
        default: break
        }
        return action == .dismiss ? .none : action
    }

    private func isOn(_ gesture: Gesture) -> Bool {
        switch gesture {
        case .press(let x, let y), .tap(let x, let y): Touch.hit(screen.elements, x, y) != nil
        case .choose: screen.focus != nil
        default: false
        }
    }

    // MARK: Drawing

    public func draw(on surface: Surface, at moment: Int) -> [PixelRect] {
        var damage = screen.uncover(surface)
        if var change {
            damage = [surface.bounds]
            let place = scene.come(on: change.to, seconds: change.seconds(at: moment))
            if let place = change.goOn(at: moment, arrive: { traveller?.stay(stage, on: $0) })
                ? surface.bounds : place
            {
                scene.drawGround(on: surface, within: place)
                change.renew(place, ground: surface)
            }
            self.change = change.draw(stage, on: surface, at: moment) ? change : nil
            let isOnItsWay = self.change != nil && traveller?.draw(stage, on: surface, at: moment) ?? false
            if !isOnItsWay { traveller = nil }
        }
        if change == nil { damage += scene.draw(on: surface, at: moment) }
        hasDrawn = true
        over.room = scene.room
        over.goOn(stage, at: moment)
        guard let overlay = over.overlay else {
            screen.showNothing()
            return damage
        }
        let part = over.part(at: moment)
        let place = overlay.place(stage, in: over.room)
        let before = part < 1 ? surface.part(place) : nil
        // Covered elements stay hidden.
        let frame = overlay.frame(stage, in: over.room)
        stage.drawnTexts?.removeAll { overlay.isModal || !$0.frame.intersection(frame).isEmpty }
        let picture = Picture(stage, on: surface)
        screen.keep(place, of: surface)
        overlay.draw(picture, in: over.room, part: part, way: over.way(stage, at: moment))
        screen.show(picture.elements)
        if let before { surface.fade(in: place, over: before, part: part) }
        if wantsFocus {
            wantsFocus = false
            _ = screen.take(.focus(forward: true))
        }
        damage.append(place)
        return damage + screen.cover(stage, on: surface, at: moment)
    }
}
