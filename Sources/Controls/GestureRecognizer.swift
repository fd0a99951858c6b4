// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// A recognized gesture of a button.
public struct GestureEvent: Equatable, Sendable {
    public let button: ButtonName
    public let gesture: Gesture
    /// Its command, never `.none`.
    public let command: Command
    /// The time of the decision, by the edges' clock: that of the completing edge, or of the passed threshold.
    public let timestamp: MonotonicTime
}

/// Recognizes gestures from edges by the kernel's time stamps alone. So a process that runs late, and finds a second's edges in one batch,
/// decides as if it had been on time.
///
/// The control thread reads the clock, then passes all edges of all lines to `receive`. It calls `advance` with that clock, and sets one
/// timer to `nextDeadline`. The clock is read first, so that no older edge stays unread.
public struct GestureRecognizer {
    private enum Phase {
        case idle
        /// The button is down; the gesture is still undecided.
        case down(since: MonotonicTime)
        /// The button is down in a hold.
        case holding(next: MonotonicTime)
        /// The button is down, and its command was given.
        case spent
        /// The button is up after a press that may become the first of a double press.
        case pressed(until: MonotonicTime)
        /// The button is down, and its press has acted. Its release starts the wait for a second press, unless it is held first.
        case answered(holdAt: MonotonicTime?)
        /// The button is up after a press that has acted; a second may still make a double press.
        case free(until: MonotonicTime)
        /// The button is down in the second press; its release starts the wait for a third.
        case twice
        /// The button is up after the second press; a third may still come.
        case freeTwice(until: MonotonicTime)
    }

    private struct Button {
        var phase = Phase.idle
        /// The number of closed contacts: the button is down while one is closed.
        var closedCount = 0
        /// The time of the last release, ignored or not.
        var released: MonotonicTime?
        /// True while it is down in an ignored press.
        var isRefused = false
        /// The time since which it has been down; nil once that was long enough for the voice.
        var heldSince: MonotonicTime?
        /// True if it was down before its first edge, so that none of its gestures has acted.
        var isFromBefore = false
    }

    /// A line or a key of a button. Most buttons have one.
    private struct Contact {
        let button: ButtonName
        var debouncer: Debouncer
    }

    /// The most repeats at once, to catch up after the process slept through a hold.
    private static let mostRepeatsAtOnce: Int64 = 16

    /// The meaning of gestures. If it changes while a button is down, the new map decides about that button.
    public var map: GestureMap
    private var buttons = [Button](repeating: Button(), count: ButtonName.allCases.count)
    /// The contacts: first one for each button, in their order.
    private var contacts: [Contact]
    private var decided: [GestureEvent] = []
    /// The time since which back and forward are down together, and whether the buttons were described.
    private var chord: (since: MonotonicTime, isDescribed: Bool)?

    /// - Parameter debounceMilliseconds: returns the time that a button's level must be stable; 0 if the kernel debounces.
    public init(map: GestureMap, debounceMilliseconds: (ButtonName) -> Int) {
        self.map = map
        contacts = ButtonName.allCases.map {
            Contact(button: $0, debouncer: Debouncer(stableMilliseconds: debounceMilliseconds($0)))
        }
    }

    /// Resets a contact of a button, nil for its first one, after its line was opened.
    public mutating func reset(_ button: ButtonName, contact: Int? = nil, debounceMilliseconds: Int) {
        let contact = contact ?? button.rawValue
        let wasClosed = contacts[contact].debouncer.isPressed
        contacts[contact].debouncer = Debouncer(stableMilliseconds: debounceMilliseconds)
        if !wasClosed { return }
        buttons[button.rawValue].closedCount -= 1
        if buttons[button.rawValue].closedCount == 0 {
            buttons[button.rawValue].phase = .idle
            buttons[button.rawValue].heldSince = nil
        }
    }

    /// Records that a contact was down before its line or device was opened. The button makes no gesture until it is pressed again, but
    /// holding it on still switches the voice.
    public mutating func hold(_ button: ButtonName, contact: Int? = nil, at time: MonotonicTime) {
        let contact = contact ?? button.rawValue
        if !map.switchesVoice(button) || contacts[contact].debouncer.isPressed { return }
        contacts[contact].debouncer.hold()
        buttons[button.rawValue].closedCount += 1
        if buttons[button.rawValue].closedCount > 1 { return }
        buttons[button.rawValue].phase = .spent
        buttons[button.rawValue].heldSince = time
        buttons[button.rawValue].isFromBefore = true
    }

    /// Adds a contact to a button. Returns its number.
    public mutating func addContact(of button: ButtonName, debounceMilliseconds: Int) -> Int {
        contacts.append(Contact(button: button, debouncer: Debouncer(stableMilliseconds: debounceMilliseconds)))
        return contacts.count - 1
    }

    /// Takes an edge; each contact's edges come in order of time.
    public mutating func receive(_ edge: Edge) {
        let contact = edge.contact ?? edge.button.rawValue
        let change = contacts[contact].debouncer.receive(isPressed: edge.isPressed, at: edge.timestamp)
        if let change { settle(change, of: edge.button) }
    }

    /// Handles a stable change of a contact: the first closed contact presses its button, the last opened one releases it.
    private mutating func settle(_ change: Debouncer.Change, of button: ButtonName) {
        buttons[button.rawValue].closedCount += change.isPressed ? 1 : -1
        if !change.isPressed || buttons[button.rawValue].closedCount == 1 {
            buttons[button.rawValue].isFromBefore = false
            buttons[button.rawValue].heldSince = change.isPressed && map.switchesVoice(button) ? change.timestamp : nil
        }
        let isMeant =
            buttons[button.rawValue].closedCount == (change.isPressed ? 1 : 0) && !refuses(change, of: button)
        // Check the chord first, since the press of the second button could act.
        watchChord(change.timestamp)
        if isMeant { follow(change, of: button) }
    }

    /// Times the chord while both buttons are down. The gestures of each end with it.
    private mutating func watchChord(_ time: MonotonicTime) {
        let pair = [ButtonName.back, .forward]
        if !pair.allSatisfy({ buttons[$0.rawValue].closedCount > 0 && !buttons[$0.rawValue].isRefused }) {
            chord = nil
        } else if chord == nil {
            chord = (time, false)
            for button in pair { buttons[button.rawValue].phase = .spent }
        }
    }

    /// The time at which both buttons have been down long enough.
    private var chordDeadline: MonotonicTime? {
        chord.map {
            $0.since.adding(
                milliseconds: $0.isDescribed ? GestureMap.lockMilliseconds : GestureMap.describeMilliseconds)
        }
    }

    private mutating func passChord(_ now: MonotonicTime) {
        while let known = chord, let due = chordDeadline, due <= now {
            decided.append(
                GestureEvent(
                    button: .back, gesture: .longer, command: known.isDescribed ? .lock : .describe, timestamp: due))
            if known.isDescribed {
                // Act once for each hold.
                chord = (MonotonicTime(nanoseconds: .max / 2), true)
                return
            }
            chord = (known.since, true)
        }
    }

    /// Returns true if a press follows a release too soon, or for the release of such a press.
    private mutating func refuses(_ change: Debouncer.Change, of button: ButtonName) -> Bool {
        let index = button.rawValue
        if change.isPressed {
            buttons[index].isRefused =
                buttons[index].released.map {
                    change.timestamp < $0.adding(milliseconds: map.refuseMilliseconds)
                } ?? false
            return buttons[index].isRefused
        }
        buttons[index].released = change.timestamp
        defer { buttons[index].isRefused = false }
        return buttons[index].isRefused
    }

    /// Returns the time of the first edge of all present bursts at a button's contacts.
    private func unsettledSince(_ button: ButtonName) -> MonotonicTime? {
        var first: MonotonicTime?
        for contact in contacts where contact.button == button {
            if let since = contact.debouncer.unsettledSince { first = min(since, first ?? since) }
        }
        return first
    }

    /// Reports that all edges up to `now` were received. Returns the gestures decided since the last call, in order of time.
    public mutating func advance(to now: MonotonicTime) -> [GestureEvent] {
        for index in contacts.indices {
            if let change = contacts[index].debouncer.advance(to: now) { settle(change, of: contacts[index].button) }
        }
        for button in ButtonName.allCases {
            // The result of the present bursts is unknown, so later thresholds must wait.
            pass(min(now, unsettledSince(button) ?? now), of: button)
            if let due = voiceDeadline(of: button), due <= now, unsettledSince(button) == nil {
                buttons[button.rawValue].heldSince = nil
                let gesture = buttons[button.rawValue].isFromBefore ? Gesture.hold : .longer
                decided.append(
                    GestureEvent(button: button, gesture: gesture, command: .switchVoice, timestamp: due))
            }
        }
        if unsettledSince(.back) == nil, unsettledSince(.forward) == nil { passChord(now) }
        defer { decided.removeAll() }
        return decided
    }

    /// The time to call `advance` next, if no edge comes before; nil if no button is in use.
    public var nextDeadline: MonotonicTime? {
        var soonest: MonotonicTime?
        for contact in contacts {
            if let deadline = contact.debouncer.nextDeadline { soonest = min(deadline, soonest ?? deadline) }
        }
        if let due = chordDeadline, chord!.since.nanoseconds < .max / 2, unsettledSince(.back) == nil,
            unsettledSince(.forward) == nil
        {
            soonest = min(due, soonest ?? due)
        }
        for button in ButtonName.allCases where unsettledSince(button) == nil {
            for deadline in [phaseDeadline(of: button), voiceDeadline(of: button)] {
                if let deadline { soonest = min(deadline, soonest ?? deadline) }
            }
        }
        return soonest
    }

    /// Returns the time at which a button that stays down switches the voice.
    private func voiceDeadline(of button: ButtonName) -> MonotonicTime? {
        buttons[button.rawValue].heldSince?.adding(milliseconds: GestureMap.voiceMilliseconds)
    }

    private func phaseDeadline(of button: ButtonName) -> MonotonicTime? {
        switch buttons[button.rawValue].phase {
        // In these phases nothing happens without a press.
        case .idle, .spent, .free, .twice, .freeTwice: return nil
        case .answered(let holdAt): return holdAt
        case .down(let since):
            if map[button, .longer] != .none { return since.adding(milliseconds: map.longerMilliseconds) }
            if map[button, .long] == .none && map[button, .hold] == .none { return nil }
            return since.adding(milliseconds: map.longMilliseconds)
        case .holding(let next): return next
        case .pressed(let until): return until
        }
    }

    /// Handles a stable level.
    private mutating func follow(_ change: Debouncer.Change, of button: ButtonName) {
        let time = change.timestamp
        pass(time, of: button)
        let phase: Phase
        switch (buttons[button.rawValue].phase, change.isPressed) {
        case (.pressed, true):
            decide(button, .double, at: time)
            phase = map[button, .triple] == .none ? .spent : .twice
        case (.free(let until), true) where time < until:
            decide(button, .double, at: time)
            phase = map[button, .triple] == .none ? .spent : .twice
        case (.freeTwice(let until), true) where time < until:
            decide(button, .triple, at: time)
            phase = .spent
        case (.twice, false):
            phase = .freeTwice(until: time.adding(milliseconds: map.doubleMilliseconds))
        case (_, true) where chord?.since == time: phase = .spent
        case (_, true) where map.actsOnPressEdge(button):
            decide(button, .press, at: time)
            let holdAt = map[button, .hold] == .none ? nil : time.adding(milliseconds: map.longMilliseconds)
            phase = map.answersFirst(button) ? .answered(holdAt: holdAt) : holdAt.map { .holding(next: $0) } ?? .spent
        case (_, true):
            phase = .down(since: time)
        case (.down(let since), false) where isLong(button, since, time):
            decide(button, .long, at: time)
            phase = .idle
        case (.down, false) where map.waitsForSecond(button):
            phase = .pressed(until: time.adding(milliseconds: map.doubleMilliseconds))
        case (.down, false):
            decide(button, .press, at: time)
            phase = map.answersFirst(button) ? .free(until: time.adding(milliseconds: map.doubleMilliseconds)) : .idle
        case (.answered, false):
            phase = .free(until: time.adding(milliseconds: map.doubleMilliseconds))
        case (_, false):
            phase = .idle
        }
        buttons[button.rawValue].phase = phase
    }

    /// Returns true for a long press that had to wait for its release.
    private func isLong(_ button: ButtonName, _ since: MonotonicTime, _ time: MonotonicTime) -> Bool {
        map[button, .longer] != .none && map[button, .long] != .none
            && time >= since.adding(milliseconds: map.longMilliseconds)
    }

    /// Advances a button's time, up to and including `time`.
    private mutating func pass(_ time: MonotonicTime, of button: ButtonName) {
        guard let deadline = phaseDeadline(of: button), time >= deadline else { return }
        switch buttons[button.rawValue].phase {
        case .idle, .spent, .free, .twice, .freeTwice: break
        case .down where map[button, .longer] != .none:
            decide(button, .longer, at: deadline)
            buttons[button.rawValue].phase = .spent
        case .down where map[button, .long] != .none:
            decide(button, .long, at: deadline)
            buttons[button.rawValue].phase = .spent
        case .down, .answered, .holding:
            let interval = Int64(map.repeatMilliseconds) * 1_000_000
            let count = (time.nanoseconds - deadline.nanoseconds) / interval + 1
            for i in 0..<min(count, GestureRecognizer.mostRepeatsAtOnce) {
                decide(button, .hold, at: MonotonicTime(nanoseconds: deadline.nanoseconds + i * interval))
            }
            buttons[button.rawValue].phase = .holding(
                next: MonotonicTime(nanoseconds: deadline.nanoseconds + count * interval))
        case .pressed:
            decide(button, .press, at: deadline)
            buttons[button.rawValue].phase = .idle
        }
    }

    private mutating func decide(_ button: ButtonName, _ gesture: Gesture, at time: MonotonicTime) {
        let command = map[button, gesture]
        if command == .none { return }
        let event = GestureEvent(button: button, gesture: gesture, command: command, timestamp: time)
        decided.insert(event, at: (decided.lastIndex { $0.timestamp <= time } ?? -1) + 1)
    }
}
