// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import TestSupport
import Testing

@testable import Controls

func time(milliseconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(milliseconds * 1_000_000)) }

/// A button down from one time to another, as a finger means it; milliseconds.
struct Press {
    let button: ButtonName
    let down: Double
    let up: Double
}

/// The acts of a finger on a real switch.
enum Hand {
    /// Presses of one button, each and each pause between them longer than any bounce.
    static func presses(
        _ button: ButtonName, count: Int, holding range: ClosedRange<Double>, pausing pause: ClosedRange<Double>,
        using generator: inout SeededGenerator
    ) -> [Press] {
        var presses: [Press] = []
        var clock = Double.random(in: 20...200, using: &generator).rounded()
        for _ in 0..<count {
            let up = clock + Double.random(in: range, using: &generator).rounded()
            presses.append(Press(button: button, down: clock, up: up))
            clock = up + Double.random(in: pause, using: &generator).rounded()
        }
        return presses
    }

    /// The edges that the kernel sees: at each end of a press a burst of `bounceMilliseconds` in which the contact opens and
    /// closes up to 20 times.
    static func edges(
        of presses: [Press], bounceMilliseconds: ClosedRange<Double>?, using generator: inout SeededGenerator
    ) -> [Edge] {
        var edges: [Edge] = []
        for press in presses {
            for (start, isPressed) in [(press.down, true), (press.up, false)] {
                edges.append(Edge(button: press.button, isPressed: isPressed, timestamp: time(milliseconds: start)))
                guard let bounceMilliseconds else { continue }
                let length = Double.random(in: bounceMilliseconds, using: &generator)
                let moments = (0..<2 * Int.random(in: 0...10, using: &generator))
                    .map { _ in Double.random(in: 0.001...length, using: &generator) }.sorted()
                for (i, moment) in moments.enumerated() {
                    edges.append(
                        Edge(
                            button: press.button, isPressed: isPressed == (i % 2 == 1),
                            timestamp: time(milliseconds: start + moment)))
                }
            }
        }
        return edges
    }

    /// Spikes of up to 2 ms on a line, in its quiet moments.
    static func glitches(between presses: [Press], using generator: inout SeededGenerator) -> [Edge] {
        var edges: [Edge] = []
        var quiet: [(from: Double, to: Double, isPressed: Bool)] = []
        for (i, press) in presses.enumerated() {
            quiet.append((press.down, press.up, true))
            if i + 1 < presses.count { quiet.append((press.up, presses[i + 1].down, false)) }
        }
        for stretch in quiet where stretch.to - stretch.from > 60 {
            let start = Double.random(in: stretch.from + 20...stretch.to - 20, using: &generator)
            let end = start + Double.random(in: 0.01...2, using: &generator)
            let button = presses[0].button
            edges.append(Edge(button: button, isPressed: !stretch.isPressed, timestamp: time(milliseconds: start)))
            edges.append(Edge(button: button, isPressed: stretch.isPressed, timestamp: time(milliseconds: end)))
        }
        return edges
    }
}

/// Returns the meaning of presses, computed from all of them at once, without bounce, batches or timers.
func oracle(_ presses: [Press], _ map: GestureMap) -> [GestureEvent] {
    var events: [GestureEvent] = []
    func emit(_ gesture: Gesture, _ button: ButtonName, _ at: Double) {
        let command = map[button, gesture]
        if command == .none { return }
        events.append(
            GestureEvent(
                button: button, gesture: gesture, command: command, timestamp: time(milliseconds: at)))
    }
    func hold(_ press: Press) {
        var at = press.down + Double(map.longMilliseconds)
        while at <= press.up {
            emit(.hold, press.button, at)
            at += Double(map.repeatMilliseconds)
        }
    }
    var i = 0
    func second(after press: Press, _ isFree: Bool) {
        guard isFree, i < presses.count, presses[i].down < press.up + Double(map.doubleMilliseconds) else { return }
        double(press.button)
    }
    func double(_ button: ButtonName) {
        let second = presses[i]
        emit(.double, button, second.down)
        i += 1
        guard map[button, .triple] != .none, i < presses.count,
            presses[i].down < second.up + Double(map.doubleMilliseconds)
        else { return }
        emit(.triple, button, presses[i].down)
        i += 1
    }
    while i < presses.count {
        let press = presses[i]
        let button = press.button
        let isLong = press.up - press.down >= Double(map.longMilliseconds)
        let (hasLong, hasHold) = (map[button, .long] != .none, map[button, .hold] != .none)
        let hasLonger = map[button, .longer] != .none
        // If the first press is answered at once, the second comes in addition.
        let isFree =
            !hasHold && map[button, .press] == .playPause && map[button, .double] == .sentence(.again)
        let hasDouble = map[button, .double] != .none && !isFree
        i += 1
        if hasLonger && press.up - press.down >= Double(map.longerMilliseconds) {
            emit(.longer, button, press.down + Double(map.longerMilliseconds))
        } else if !hasLong && !hasLonger && !hasDouble && (!hasHold || map[button, .hold] == map[button, .press]) {
            emit(.press, button, press.down)
            if hasHold { hold(press) }
            second(after: press, isFree && !(hasHold && isLong))
        } else if isLong && hasLong {
            emit(.long, button, hasLonger ? press.up : press.down + Double(map.longMilliseconds))
        } else if isLong && hasHold {
            hold(press)
        } else if !hasDouble {
            emit(.press, button, press.up)
            second(after: press, isFree)
        } else if i < presses.count, presses[i].down < press.up + Double(map.doubleMilliseconds) {
            double(button)
        } else {
            emit(.press, button, press.up + Double(map.doubleMilliseconds))
        }
    }
    return events
}

/// The way of the edges to the recognizer.
enum Delivery: CaseIterable {
    /// Each edge at its time, and a timer that is never late.
    case punctual
    /// The timer and the reads are up to 700 ms late, and the reads find batches.
    case late
    /// All at the very end.
    case atOnce

    func run(
        _ edges: [Edge], map: GestureMap, debounceMilliseconds: Int, using generator: inout SeededGenerator
    ) -> [GestureEvent] {
        var recognizer = GestureRecognizer(map: map) { _ in debounceMilliseconds }
        var events: [GestureEvent] = []
        var pending = edges[...]
        var now = MonotonicTime(nanoseconds: 0)
        let end = (edges.last?.timestamp ?? now).adding(milliseconds: 10_000)
        while now < end {
            // The next event that wakes the control thread: an edge or the timer.
            var wake = min(pending.first?.timestamp ?? end, recognizer.nextDeadline ?? end)
            switch self {
            case .punctual: break
            case .late: wake = wake.adding(milliseconds: Int.random(in: 0...700, using: &generator))
            case .atOnce: wake = end
            }
            now = max(now, wake)
            while let edge = pending.first, edge.timestamp <= now {
                recognizer.receive(edge)
                pending.removeFirst()
            }
            events += recognizer.advance(to: now)
            // Otherwise the control thread would spin.
            if let deadline = recognizer.nextDeadline { #expect(deadline > now, "a deadline in the past") }
        }
        #expect(recognizer.nextDeadline == nil, "an idle button keeps a timer")
        return events
    }
}
