// SPDX-License-Identifier: Apache-2.0
import Scenes

/// A finger on the panel, or a mouse's held button, in pixels of the picture.
public struct Contact: Equatable, Sendable {
    public enum Phase: Equatable, Sendable {
        case down, moved, up
        /// The contact ended in an unknown way, since the device is gone.
        case lost
    }

    /// The number of the finger while it is down.
    public var finger: Int
    public var phase: Phase
    public var x: Int
    public var y: Int

    public init(finger: Int, phase: Phase, x: Int, y: Int) {
        self.finger = finger
        self.phase = phase
        self.x = x
        self.y = y
    }
}

/// Recognizes gestures from fingers. Moments are milliseconds of a monotonic clock. A pure value.
public struct TouchRecognizer: Sendable {
    /// A recognized gesture.
    public enum Output: Equatable, Sendable {
        case gesture(Gesture)
        /// A quick stroke, by its start. Drags have reported it, too.
        case swipe(Direction, fromX: Int, fromY: Int)
        /// A tap with two fingers at once.
        case twoFingerTap
        /// A pinch of two fingers: their distance, relative to the former one.
        case pinch(Float)
    }

    public enum Direction: Equatable, Sendable {
        case left, right, up, down
    }

    public struct Settings: Equatable, Sendable {
        /// The distance, in pixels, within which a finger has not moved.
        public var slop: Int
        public var longPressMilliseconds = 500
        /// The time between two taps of a double tap, and their distance.
        public var doubleTapMilliseconds = 300
        public var doubleTapDistance: Int
        /// The least speed of a swipe, in pixels a second, and its least distance.
        public var swipeSpeed: Int
        public var swipeDistance: Int

        /// - Parameter factor: the pixels per point.
        public init(factor: Float) {
            slop = max(4, Int(10 * factor))
            doubleTapDistance = Int(40 * factor)
            swipeSpeed = Int(300 * factor)
            swipeDistance = Int(60 * factor)
        }
    }

    private enum State: Equatable {
        case nothing
        /// One finger is down and has not moved.
        case pressed
        case dragging
        /// The rest of this touch is ignored, after a long press or a second finger.
        case over
        case two(apart: Int, hasMoved: Bool)
    }

    private struct Place: Equatable {
        var x: Int
        var y: Int
        var moment: Int
    }

    public let settings: Settings
    private var state = State.nothing
    private var fingers: [Contact] = []
    private var began = Place(x: 0, y: 0, moment: 0)
    private var last = Place(x: 0, y: 0, moment: 0)
    /// The last part of a drag, for its speed.
    private var trail: [Place] = []
    /// The last tap; nil if the next one cannot be a second tap.
    private var tap: Place?

    /// The last part of a drag that determines its speed, in milliseconds.
    private static let trailMilliseconds = 100
    private static let mostFingers = 10

    public init(_ settings: Settings) { self.settings = settings }

    /// The moment at which `pass` has a result without an event; nil for never.
    public var deadline: Int? { state == .pressed ? began.moment + settings.longPressMilliseconds : nil }

    /// Handles passed time.
    public mutating func pass(_ moment: Int) -> [Output] {
        guard let deadline, moment >= deadline else { return [] }
        state = .over
        tap = nil
        return [.gesture(.longPress(x: began.x, y: began.y))]
    }

    public mutating func take(_ contact: Contact, at moment: Int) -> [Output] {
        var outputs = pass(moment)
        switch contact.phase {
        case .down: down(contact, moment, &outputs)
        case .moved: moved(contact, moment, &outputs)
        case .up, .lost: up(contact, moment, &outputs)
        }
        return outputs
    }

    private mutating func down(_ contact: Contact, _ moment: Int, _ outputs: inout [Output]) {
        if fingers.contains(where: { $0.finger == contact.finger }) { return moved(contact, moment, &outputs) }
        if fingers.count >= TouchRecognizer.mostFingers { return }
        fingers.append(contact)
        if fingers.count == 1 {
            began = Place(x: contact.x, y: contact.y, moment: moment)
            last = began
            trail = [began]
            state = .pressed
            outputs.append(.gesture(.press(x: contact.x, y: contact.y)))
            return
        }
        // A second finger ends the first one's gesture.
        switch state {
        case .pressed: outputs.append(.gesture(.release))
        case .dragging: outputs.append(.gesture(.drop(speedX: 0, speedY: 0)))
        default: break
        }
        tap = nil
        state = fingers.count == 2 ? .two(apart: apart, hasMoved: false) : .over
    }

    private mutating func moved(_ contact: Contact, _ moment: Int, _ outputs: inout [Output]) {
        guard let index = fingers.firstIndex(where: { $0.finger == contact.finger }) else { return }
        fingers[index].x = contact.x
        fingers[index].y = contact.y
        switch state {
        case .pressed:
            if max(abs(contact.x - began.x), abs(contact.y - began.y)) <= settings.slop { return }
            state = .dragging
            tap = nil
            drag(contact, moment, &outputs)
        case .dragging: drag(contact, moment, &outputs)
        case .two(let before, let hasMoved):
            if !hasMoved && abs(apart - before) <= settings.slop { return }
            state = .two(apart: before, hasMoved: true)
            outputs.append(.pinch(Float(apart) / Float(max(1, before))))
        case .nothing, .over: break
        }
    }

    private mutating func drag(_ contact: Contact, _ moment: Int, _ outputs: inout [Output]) {
        let (byX, byY) = (contact.x - last.x, contact.y - last.y)
        last = Place(x: contact.x, y: contact.y, moment: moment)
        trail.append(last)
        trail.removeAll { $0.moment < moment - TouchRecognizer.trailMilliseconds }
        if byX == 0 && byY == 0 { return }
        outputs.append(.gesture(.drag(x: began.x, y: began.y, byX: byX, byY: byY)))
    }

    private mutating func up(_ contact: Contact, _ moment: Int, _ outputs: inout [Output]) {
        guard let index = fingers.firstIndex(where: { $0.finger == contact.finger }) else { return }
        fingers.remove(at: index)
        let isLost = contact.phase == .lost
        switch state {
        case .pressed:
            outputs.append(.gesture(.release))
            if !isLost { tapped(moment, &outputs) }
        case .dragging:
            if isLost {
                outputs.append(.gesture(.drop(speedX: 0, speedY: 0)))
            } else {
                drop(moment, &outputs)
            }
        case .two(_, let hasMoved):
            if !hasMoved && !isLost && moment - began.moment < settings.longPressMilliseconds {
                outputs.append(.twoFingerTap)
            }
        case .over: outputs.append(.gesture(.release))
        case .nothing: break
        }
        state = fingers.isEmpty ? .nothing : .over
    }

    private mutating func tapped(_ moment: Int, _ outputs: inout [Output]) {
        let here = Place(x: began.x, y: began.y, moment: moment)
        if let tap, began.moment - tap.moment <= settings.doubleTapMilliseconds,
            max(abs(tap.x - here.x), abs(tap.y - here.y)) <= settings.doubleTapDistance
        {
            self.tap = nil
            outputs.append(.gesture(.doubleTap(x: here.x, y: here.y)))
        } else {
            // Report it at once, since buttons must not wait for a second tap that rarely comes.
            tap = here
            outputs.append(.gesture(.tap(x: here.x, y: here.y)))
        }
    }

    private func speed(_ moment: Int) -> (x: Int, y: Int) {
        let recent = trail.filter { $0.moment >= moment - TouchRecognizer.trailMilliseconds }
        guard let first = recent.first, last.moment > first.moment else { return (0, 0) }
        // A finger that stood still before it left throws nothing.
        let time = max(last.moment - first.moment, moment - first.moment)
        return ((last.x - first.x) * 1000 / time, (last.y - first.y) * 1000 / time)
    }

    private mutating func drop(_ moment: Int, _ outputs: inout [Output]) {
        let speed = speed(moment)
        outputs.append(.gesture(.drop(speedX: speed.x, speedY: speed.y)))
        let (wayX, wayY) = (last.x - began.x, last.y - began.y)
        func isSwipe(_ speed: Int, _ way: Int, _ across: Int) -> Bool {
            abs(speed) >= settings.swipeSpeed && abs(way) >= settings.swipeDistance && (speed > 0) == (way > 0)
                && abs(way) > 2 * abs(across)
        }
        if isSwipe(speed.x, wayX, wayY) {
            outputs.append(.swipe(wayX > 0 ? .right : .left, fromX: began.x, fromY: began.y))
        } else if isSwipe(speed.y, wayY, wayX) {
            outputs.append(.swipe(wayY > 0 ? .down : .up, fromX: began.x, fromY: began.y))
        }
    }

    /// The approximate distance of the first two fingers.
    private var apart: Int {
        if fingers.count < 2 { return 0 }
        let (x, y) = (abs(fingers[0].x - fingers[1].x), abs(fingers[0].y - fingers[1].y))
        return max(x, y) + min(x, y) * 2 / 5
    }
}
