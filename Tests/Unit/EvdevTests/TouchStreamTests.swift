// SPDX-License-Identifier: Apache-2.0
import CEvdev
import Posix
import Testing

@testable import Evdev

@Suite struct TouchStreamTests {
    private func raw(_ type: UInt32, _ code: Int, _ value: Int32) -> ns_input_event {
        ns_input_event(nanoseconds: 1_000_000, type: UInt16(type), code: UInt16(code), value: value)
    }

    private func place(_ code: Int, _ value: Int32) -> ns_input_event { raw(UInt32(NS_INPUT_PLACE), code, value) }
    private var report: ns_input_event { raw(NS_INPUT_SYNC.rawValue, 0, 0) }
    private var dropped: ns_input_event { raw(NS_INPUT_SYNC.rawValue, Int(NS_INPUT_DROPPED), 0) }
    private func button(_ value: Int32) -> ns_input_event { raw(NS_INPUT_KEY.rawValue, NS_TOUCH_BUTTON, value) }

    private let axis = TouchStream.Axis(least: 0, most: 100)

    private func told(
        _ events: [ns_input_event], hasSlots: Bool, slot: Int32 = 0
    ) -> [(Int, TouchEvent.Phase, Float, Float)] {
        var stream = TouchStream(hasSlots: hasSlots, across: axis, down: TouchStream.Axis(least: 100, most: 300))
        var touches: [TouchEvent] = []
        for event in events { stream.take(event, into: &touches) { $0 == UInt16(NS_TOUCH_SLOT) ? slot : 50 } }
        return touches.map { ($0.finger, $0.phase, $0.x, $0.y) }
    }

    private func expect(
        _ told: [(Int, TouchEvent.Phase, Float, Float)], _ wanted: [(Int, TouchEvent.Phase, Float, Float)]
    ) {
        #expect(told.count == wanted.count)
        for (a, b) in zip(told, wanted) { #expect(a == b) }
    }

    @Test func oneFinger() {
        expect(
            told(
                [
                    place(NS_TOUCH_X, 25), place(NS_TOUCH_Y, 200), report, button(1), report, place(NS_TOUCH_X, 50),
                    report,
                    button(0), report,
                ], hasSlots: false),
            [(0, .down, 0.25, 0.5), (0, .moved, 0.5, 0.5), (0, .up, 0.5, 0.5)])
    }

    @Test func twoFingersInSlots() {
        expect(
            told(
                [
                    place(NS_TOUCH_SLOT, 0), place(NS_TOUCH_TRACKING, 7), place(NS_TOUCH_SLOT_X, 10),
                    place(NS_TOUCH_SLOT_Y, 100), place(NS_TOUCH_SLOT, 1), place(NS_TOUCH_TRACKING, 8),
                    place(NS_TOUCH_SLOT_X, 90), place(NS_TOUCH_SLOT_Y, 300), report, place(NS_TOUCH_SLOT, 0),
                    place(NS_TOUCH_TRACKING, -1), report, place(NS_TOUCH_SLOT, 1), place(NS_TOUCH_SLOT_X, 80), report,
                    place(NS_TOUCH_TRACKING, 9), report,
                ], hasSlots: true),
            [
                (0, .down, 0.1, 0), (1, .down, 0.9, 1), (0, .up, 0.1, 0), (1, .moved, 0.8, 1),
                // Another finger where one was, within one report.
                (1, .up, 0.8, 1), (1, .down, 0.8, 1),
            ])
    }

    @Test func whatWasLostEndsTheTouches() {
        expect(
            told(
                [
                    place(NS_TOUCH_TRACKING, 7), place(NS_TOUCH_SLOT_X, 10), report, dropped,
                    place(NS_TOUCH_SLOT_X, 20),
                    report, place(NS_TOUCH_SLOT_X, 30), report, place(NS_TOUCH_TRACKING, -1), report,
                    place(NS_TOUCH_TRACKING, 8), report,
                ], hasSlots: true, slot: 2),
            [(0, .down, 0.1, 0), (0, .lost, 0.1, 0), (2, .down, 0.3, 0)])
    }

    @Test func rubbish() {
        var random = SystemRandomNumberGenerator()
        for hasSlots in [true, false] {
            var stream = TouchStream(hasSlots: hasSlots, across: axis, down: axis)
            var down = Set<Int>()
            var touches: [TouchEvent] = []
            for _ in 0..<20_000 {
                let event = raw(
                    UInt32.random(in: 0...4, using: &random), Int.random(in: 0...0x14F, using: &random),
                    Int32.random(in: -3...200, using: &random))
                let close = raw(
                    UInt32(NS_INPUT_PLACE), [NS_TOUCH_SLOT, NS_TOUCH_TRACKING, NS_TOUCH_X].randomElement()!, event.value
                )
                for one in [event, close, Bool.random() ? report : close] {
                    stream.take(one, into: &touches) { _ in Int32.random(in: -9...99) }
                }
                for touch in touches {
                    switch touch.phase {
                    case .down:
                        let isNew = down.insert(touch.finger).inserted
                        #expect(isNew)
                    case .moved: #expect(down.contains(touch.finger))
                    case .up, .lost:
                        let was = down.remove(touch.finger)
                        #expect(was != nil)
                    }
                    #expect((0...1).contains(touch.x) && (0...1).contains(touch.y))
                }
                touches = []
            }
        }
    }
}
