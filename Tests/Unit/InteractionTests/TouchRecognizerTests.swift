// SPDX-License-Identifier: Apache-2.0
import Interaction
import Scenes
import Testing

@Suite struct FingersIntoGestures {
    private static let settings = TouchRecognizer.Settings(factor: 1)

    /// (finger, phase, x, y, moment)…
    private func recognized(
        _ contacts: [(Int, Contact.Phase, Int, Int, Int)], until end: Int? = nil
    ) -> [TouchRecognizer.Output] {
        var recognizer = TouchRecognizer(Self.settings)
        var outputs: [TouchRecognizer.Output] = []
        for (finger, phase, x, y, moment) in contacts {
            outputs += recognizer.take(Contact(finger: finger, phase: phase, x: x, y: y), at: moment)
        }
        if let end { outputs += recognizer.pass(end) }
        return outputs
    }

    @Test func aTapIsToldAtOnceAndASecondOneIsDouble() {
        let outputs = recognized([
            (0, .down, 50, 60, 0), (0, .moved, 53, 58, 40), (0, .up, 53, 58, 80), (0, .down, 55, 61, 250),
            (0, .up, 55, 61, 300),
        ])
        #expect(
            outputs == [
                .gesture(.press(x: 50, y: 60)), .gesture(.release), .gesture(.tap(x: 50, y: 60)),
                .gesture(.press(x: 55, y: 61)), .gesture(.release), .gesture(.doubleTap(x: 55, y: 61)),
            ])
    }

    @Test func aThirdTapBeginsAnew() {
        let taps = (0..<3).flatMap { [(0, Contact.Phase.down, 9, 9, $0 * 200), (0, .up, 9, 9, $0 * 200 + 50)] }
        #expect(
            recognized(taps).filter { $0 != .gesture(.release) && $0 != .gesture(.press(x: 9, y: 9)) } == [
                .gesture(.tap(x: 9, y: 9)), .gesture(.doubleTap(x: 9, y: 9)), .gesture(.tap(x: 9, y: 9)),
            ])
    }

    @Test func twoTapsFarApartOrLateAreTwo() {
        for (x, moment) in [(150, 200), (50, 400)] {
            let outputs = recognized([
                (0, .down, 50, 60, 0), (0, .up, 50, 60, 50), (0, .down, x, 60, moment), (0, .up, x, 60, moment + 50),
            ])
            #expect(outputs.last == .gesture(.tap(x: x, y: 60)))
        }
    }

    @Test func aLongPressComesWhileTheFingerIsDownAndNothingAfterIt() {
        var recognizer = TouchRecognizer(Self.settings)
        _ = recognizer.take(Contact(finger: 0, phase: .down, x: 5, y: 6), at: 1000)
        #expect(recognizer.deadline == 1500)
        let early = recognizer.pass(1499)
        let due = recognizer.pass(1500)
        #expect(early == [] && due == [.gesture(.longPress(x: 5, y: 6))])
        #expect(recognizer.deadline == nil)
        let moved = recognizer.take(Contact(finger: 0, phase: .moved, x: 90, y: 6), at: 1600)
        let left = recognizer.take(Contact(finger: 0, phase: .up, x: 90, y: 6), at: 1700)
        #expect(moved == [] && left == [.gesture(.release)])
    }

    @Test func aDragHasSteps() {
        let outputs = recognized([
            (0, .down, 100, 100, 0), (0, .moved, 100, 108, 16), (0, .moved, 100, 120, 32), (0, .moved, 104, 150, 48),
            (0, .up, 104, 150, 300),
        ])
        #expect(
            outputs == [
                .gesture(.press(x: 100, y: 100)), .gesture(.drag(x: 100, y: 100, byX: 0, byY: 20)),
                .gesture(.drag(x: 100, y: 100, byX: 4, byY: 30)),
                // It stood still for a quarter of a second: thrown it was not.
                .gesture(.drop(speedX: 0, speedY: 0)),
            ])
    }

    @Test func aQuickStrokeIsASwipeToo() {
        for (way, direction) in [(1, TouchRecognizer.Direction.right), (-1, .left)] {
            var contacts = [(0, Contact.Phase.down, 400, 200, 0)]
            for step in 1...10 { contacts.append((0, .moved, 400 + way * step * 20, 200 + step, step * 16)) }
            contacts.append((0, .up, 400 + way * 200, 210, 161))
            let outputs = recognized(contacts)
            #expect(outputs.last == .swipe(direction, fromX: 400, fromY: 200))
            guard case .gesture(.drop(let speedX, _)) = outputs[outputs.count - 2] else {
                Issue.record("no drop")
                return
            }
            #expect(abs(speedX - way * 1250) < 60)
        }
    }

    @Test func twoFingers() {
        #expect(
            recognized([(0, .down, 10, 10, 0), (1, .down, 90, 10, 20), (1, .up, 90, 10, 90), (0, .up, 10, 10, 95)]) == [
                .gesture(.press(x: 10, y: 10)), .gesture(.release), .twoFingerTap, .gesture(.release),
            ])
        let pinched = recognized([(0, .down, 0, 0, 0), (1, .down, 100, 0, 20), (1, .moved, 200, 0, 50)])
        #expect(pinched.last == .pinch(2))
        // A drag that a second finger joins ends where it is.
        let joined = recognized([(0, .down, 0, 0, 0), (0, .moved, 50, 0, 20), (1, .down, 100, 0, 50)])
        #expect(joined.last == .gesture(.drop(speedX: 0, speedY: 0)))
    }

    @Test func aFingerThatIsLostTapsNothing() {
        #expect(
            recognized([(0, .down, 10, 10, 0), (0, .lost, 10, 10, 50)]) == [
                .gesture(.press(x: 10, y: 10)), .gesture(.release),
            ])
    }

    /// For any events, every press ends, and no report names a finger that is not there.
    @Test(arguments: 0..<20) func whateverComes(seed: Int) {
        var random = SystemRandomNumberGenerator()
        var recognizer = TouchRecognizer(Self.settings)
        var isPressed = false
        var moment = 0
        func check(_ outputs: [TouchRecognizer.Output]) {
            for case .gesture(let gesture) in outputs {
                switch gesture {
                case .press:
                    #expect(!isPressed)
                    isPressed = true
                case .release, .drop, .longPress: isPressed = false
                case .tap, .doubleTap: #expect(!isPressed)
                case .drag: isPressed = true
                default: Issue.record("a gesture that is no finger's")
                }
            }
        }
        let phases: [Contact.Phase] = [.down, .moved, .moved, .up, .lost]
        for _ in 0..<500 {
            moment += Int.random(in: 0...300, using: &random)
            check(recognizer.pass(moment))
            check(
                recognizer.take(
                    Contact(
                        finger: Int.random(in: 0...3, using: &random), phase: phases.randomElement(using: &random)!,
                        x: Int.random(in: 0...800, using: &random), y: Int.random(in: 0...480, using: &random)),
                    at: moment))
        }
    }
}
