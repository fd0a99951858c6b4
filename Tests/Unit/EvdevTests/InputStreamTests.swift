// SPDX-License-Identifier: Apache-2.0
import CEvdev
import Posix
import TestSupport
import Testing

@testable import Evdev

@Suite struct InputStreamTests {
    private func raw(_ type: UInt32, _ code: Int, _ value: Int32, _ milliseconds: Int64 = 1) -> ns_input_event {
        ns_input_event(nanoseconds: milliseconds * 1_000_000, type: UInt16(type), code: UInt16(code), value: value)
    }

    private func key(_ code: Int, _ value: Int32, _ milliseconds: Int64 = 1) -> ns_input_event {
        raw(NS_INPUT_KEY.rawValue, code, value, milliseconds)
    }

    private func taken(_ all: [ns_input_event], down: Set<UInt16> = []) -> [InputEvent] {
        var stream = InputStream()
        var events: [InputEvent] = []
        for event in all { stream.take(event, into: &events) { down.contains($0) } }
        return events
    }

    @Test func aKeyThatRepeatsIsPressedOnceAndHeld() {
        let events = taken([key(164, 1, 5), key(164, 2, 300), key(164, 2, 330), key(164, 0, 340), key(164, 0, 341)])
        #expect(events.map(\.change) == [.key(isPressed: true), .repeated, .repeated, .key(isPressed: false)])
        #expect(events.map(\.timestamp.nanoseconds) == [5_000_000, 300_000_000, 330_000_000, 340_000_000])
    }

    /// A key that is down as its device is opened is told to come up, and can be pressed after that.
    @Test func aKeyThatWasDownBeforeComesUp() {
        var stream = InputStream()
        var events: [InputEvent] = []
        stream.hold(164)
        for event in [key(164, 0, 5), key(164, 1, 9)] { stream.take(event, into: &events) { _ in true } }
        #expect(events.map(\.change) == [.key(isPressed: false), .key(isPressed: true)])
    }

    @Test func aReleaseThatNobodyPressedIsNothing() { #expect(taken([key(164, 0), key(30, 2)]) == []) }

    @Test func knobs() {
        let events = taken([-1, 0, 3, 100_000].map { raw(NS_INPUT_AXIS.rawValue, 7, $0) })
        #expect(events.map(\.change) == [.turned(-1), .turned(3), .turned(100)])
    }

    @Test func whatWasLostIsFoundAgain() {
        let dropped = raw(NS_INPUT_SYNC.rawValue, Int(NS_INPUT_DROPPED), 0)
        let end = raw(NS_INPUT_SYNC.rawValue, 0, 0)
        // 30 was released while the program did not read, and 31 is still down. The bytes between are the rest of an incomplete report.
        let events = taken([key(30, 1), key(31, 1), dropped, key(30, 1), key(32, 1), end, key(31, 0)], down: [31])
        #expect(events.map(\.code) == [30, 31, 30, 31])
        #expect(events.suffix(2).allSatisfy { $0.change == .key(isPressed: false) })
    }

    @Test func aDeviceThatGoesLetsGo() {
        var stream = InputStream()
        var events: [InputEvent] = []
        for code in [164, 115] { stream.take(key(code, 1), into: &events) { _ in true } }
        events = []
        stream.end(at: MonotonicTime(nanoseconds: 9), into: &events)
        #expect(events.map(\.code) == [115, 164])
        #expect(stream.down.isEmpty)
    }

    /// For any bytes, presses and releases of a key alternate.
    @Test func rubbish() {
        var random = SeededGenerator(seed: 3)
        var stream = InputStream()
        var down: Set<UInt16> = []
        for _ in 0..<100_000 {
            let event = ns_input_event(
                nanoseconds: Int64(bitPattern: random.next()), type: UInt16(random.next() % 4),
                code: UInt16(random.next() % 8), value: Int32(truncatingIfNeeded: random.next() % 4) - 1)
            var events: [InputEvent] = []
            stream.take(event, into: &events) { $0 % 2 == 0 }
            for event in events {
                #expect(event.timestamp.nanoseconds >= 0)
                guard case .key(let isPressed) = event.change else { continue }
                #expect(isPressed ? down.insert(event.code).inserted : down.remove(event.code) != nil)
            }
        }
    }
}
