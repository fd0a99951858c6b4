// SPDX-License-Identifier: Apache-2.0
import Core
import Interaction
import Panel
import Pixels
import Posix
import Scenes

/// Turns fingers, keys, mice and the speaker's own buttons into gestures. A touch that wakes a panel does nothing else. The buttons of
/// standby act without waking it.
final class ScreenHands {
    /// The finger number of a pointer; no touch panel uses it.
    private static let pointerFinger = 1000

    /// Called after each action.
    var happened: () -> Void = {}
    private let light: ScreenLight
    private let frames: ScreenFrames
    private let rotation: PanelRotation
    private var acts: ScreenActs?
    private var recognizer: TouchRecognizer?
    /// The distance of two fingers at the last change of text size.
    private var pinched: Float = 1
    /// The moment of the first finger's touch.
    private var pressedAt = 0
    /// The least time of a touch before a pinch counts, in milliseconds. A sleeping hand's fingers touch for less.
    private static let pinchMilliseconds = 500
    /// True while the mouse's button is down.
    private var isPointing = false
    /// The finger on a button of standby.
    private var standbyFinger: Int?

    init(_ light: ScreenLight, _ frames: ScreenFrames, rotation: Int) {
        self.light = light
        self.frames = frames
        self.rotation = PanelRotation(rawValue: rotation) ?? .none
    }

    /// Handles gestures for this screen from now on.
    func work(_ acts: ScreenActs) {
        self.acts = acts
        recognizer = TouchRecognizer(TouchRecognizer.Settings(factor: acts.view.pixelsPerPoint))
    }

    var users: ScreenInputs.Users {
        ScreenInputs.Users(
            touched: { [self] place, moment in touched(place, moment) },
            key: { [self] key, press, moment in keyed(key, press, moment) },
            pointed: { [self] act, moment in pointed(act, moment) })
    }

    /// The moment at which a resting finger takes effect; nil for never.
    var deadline: Int? { recognizer?.deadline }

    /// Handles passed time.
    /// - Returns: true if it has an effect.
    func pass(_ moment: Int) -> Bool {
        let due = recognizer?.pass(moment) ?? []
        for output in due { act(output, at: moment) }
        return !due.isEmpty
    }

    /// - Parameter place: the place as a part of the unrotated panel.
    private func touched(_ place: ScreenInputs.Place, _ moment: Int) {
        guard let acts else { return }
        let pixel = place.calibration.pixel(
            place.x, place.y, rotation, width: acts.view.width, height: acts.view.height)
        let counts = take(
            Contact(finger: place.finger, phase: place.phase, x: pixel.x, y: pixel.y), at: moment)
        if counts && place.phase != .moved { frames.touched(at: moment) }
    }

    /// Handles a contact. Returns true if it counts.
    @discardableResult
    private func take(_ contact: Contact, at moment: Int) -> Bool {
        if isForStandby(contact, at: moment) { return false }
        let counts = light.machine.handActs(contact.phase, at: moment)
        if counts { for output in recognizer?.take(contact, at: moment) ?? [] { act(output, at: moment) } }
        happened()
        return counts
    }

    private func isForStandby(_ contact: Contact, at moment: Int) -> Bool {
        if contact.phase == .down, light.machine.light == .dimmed,
            let action = acts?.view.dimmedAction(atX: contact.x, y: contact.y)
        {
            standbyFinger = contact.finger
            light.machine.willActInStandby(at: moment)
            acts?.act(action, at: moment)
            happened()
            return true
        }
        guard standbyFinger == contact.finger else { return false }
        if contact.phase != .moved { standbyFinger = nil }
        return true
    }

    private func act(_ output: TouchRecognizer.Output, at moment: Int) {
        guard let acts else { return }
        switch output {
        case .gesture(let gesture):
            if case .press = gesture { (pinched, pressedAt) = (1, moment) }
            acts.take(gesture, at: moment)
        case .swipe(let direction, let x, let y):
            if direction == .right { acts.goBack(fromX: x, fromY: y, at: moment) }
            if direction == .left { acts.goOn(fromX: x, fromY: y, at: moment) }
        case .twoFingerTap: acts.act(.togglePlayback, at: moment)
        case .pinch(let part):
            // Each third that the fingers move apart or together is one step.
            if moment - pressedAt < ScreenHands.pinchMilliseconds { return }
            if part > pinched * 1.3 || part < pinched / 1.3 {
                acts.scaleText(isMore: part > pinched, at: moment)
                pinched = part
            }
        }
    }

    private func keyed(_ key: ScreenInputs.Key, _ press: ScreenInputs.Press, _ moment: Int) {
        guard let acts else { return }
        let counts = light.machine.handActs(press.phase, at: moment)
        if counts && press != .up { acts.answer(key, isAgain: press == .again, at: moment) }
        happened()
    }

    /// Handles a mouse that moves relatively.
    private func pointed(_ act: ScreenInputs.PointerAct, _ moment: Int) {
        guard let acts else { return }
        var phase = Contact.Phase.moved
        switch act {
        case .moved(let x, let y):
            acts.view.movePointer(byX: x, y: y, at: moment)
            if !isPointing {
                _ = light.machine.handActs(.moved, at: moment)
                return happened()
            }
        case .button(let isDown):
            isPointing = isDown
            phase = isDown ? .down : .up
        case .wheel(let steps):
            if light.machine.handActs(.moved, at: moment) { acts.turnWheel(steps, at: moment) }
            return happened()
        }
        let place = acts.view.pointerPlace
        take(Contact(finger: ScreenHands.pointerFinger, phase: phase, x: place.x, y: place.y), at: moment)
    }

    /// Shows a screen that a button of the speaker or a console requested, in the dark, too.
    func asked(for screen: ScreenName, at moment: Int) {
        light.machine.wake(at: moment)
        acts?.show(screen, at: moment)
        happened()
    }

    /// Handles a button of the speaker while a list is shown.
    func pressed(_ gesture: String, at moment: Int) {
        guard let acts else { return }
        let counts = light.machine.handActs(.down, at: moment)
        _ = light.machine.handActs(.up, at: moment)
        if counts {
            switch ButtonUse(gesture: gesture) {
            case .choose: acts.take(.choose, at: moment)
            case .hold: acts.take(.hold, at: moment)
            case .walk(let isForward, let isAgain): acts.walk(isForward: isForward, isAgain: isAgain, at: moment)
            case .turn(let isForward): acts.turn(isForward: isForward, at: moment)
            case .leave: acts.goBack(fromX: 0, fromY: 0, at: moment)
            case .tabs: acts.take(.tabs, at: moment)
            case nil: break
            }
        }
        happened()
    }
}
