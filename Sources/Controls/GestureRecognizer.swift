// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// A gesture that a button has made.
public struct GestureEvent: Equatable, Sendable {
    public let button: ButtonName
    public let gesture: Gesture
    /// Its command, never `.none`.
    public let command: Command
    /// When it was decided, by the edges' clock: the edge that completed it, or the threshold that it passed.
    public let timestamp: MonotonicTime
}

/// Makes gestures of edges. It goes by the kernel's time stamps alone: a process that was scheduled late, and finds a second's
/// edges in one batch, decides as one that was there in time.
///
/// The control thread reads the clock, then all edges of all lines, gives these to `receive`, calls `advance` with that
/// clock, and sets one timer to `nextDeadline`. The clock comes first, so that no edge older than it is left unread.
public struct GestureRecognizer {
    private enum Phase {
        case idle
        /// Down; it is not known yet which gesture this will be.
        case down(since: MonotonicTime)
        /// Down in a hold.
        case holding(next: MonotonicTime)
        /// Down, and its command was given already.
        case spent
        /// Up after a press that may still become the first of a double press.
        case pressed(until: MonotonicTime)
        /// Down, its press answered on the way: its release is the beginning of the wait for a second, unless it is held first.
        case answered(holdAt: MonotonicTime?)
        /// Up after a press that was answered, and of which a second may still make a double press.
        case free(until: MonotonicTime)
        /// Down after the second; its release is the beginning of the wait for a third.
        case twice
        /// Up after the second, and a third may still come.
        case freeTwice(until: MonotonicTime)
    }

    private struct Button {
        var phase = Phase.idle
        /// Contacts that are closed: the button is down while one is.
        var closedCount = 0
        /// When it came up last, meant or not.
        var released: MonotonicTime?
        /// It is down, and that was not meant.
        var isRefused = false
        /// Since when it has been down; nil once that was long enough for the voice.
        var heldSince: MonotonicTime?
        /// It was down before its first edge, so nothing of its gestures has acted.
        var isFromBefore = false
    }

    /// A line or a key that stands for a button. Most buttons have one.
    private struct Contact {
        let button: ButtonName
        var debouncer: Debouncer
    }

    /// If the process slept through a hold, it makes up for no more than this many repeats at once.
    private static let mostRepeatsAtOnce: Int64 = 16

    /// What gestures mean. If it changes with a button down, the new map decides about that button.
    public var map: GestureMap
    private var buttons = [Button](repeating: Button(), count: ButtonName.allCases.count)
    /// First one of each button, in their order.
    private var contacts: [Contact]
    private var decided: [GestureEvent] = []
    /// Since when back and forward are down together, and how much of that was decided.
    private var chord: (since: MonotonicTime, isDescribed: Bool)?

    /// - Parameter debounceMilliseconds: for each button, how long its level must be stable; 0 if the kernel debounces.
    public init(map: GestureMap, debounceMilliseconds: (ButtonName) -> Int) {
        self.map = map
        contacts = ButtonName.allCases.map {
            Contact(button: $0, debouncer: Debouncer(stableMilliseconds: debounceMilliseconds($0)))
        }
    }

    /// Starts anew for a contact of a button, nil for the one that every button has, after its line was opened.
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

    /// A contact is down as its line or device is opened, since before that. The button makes no gesture until it is pressed anew, but it
    /// switches the voice as any other that stays down.
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

    /// Gives a button one more contact, and its number.
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

    /// A contact has closed or opened for good: the first of a button presses it, the last releases it.
    private mutating func settle(_ change: Debouncer.Change, of button: ButtonName) {
        buttons[button.rawValue].closedCount += change.isPressed ? 1 : -1
        if !change.isPressed || buttons[button.rawValue].closedCount == 1 {
            buttons[button.rawValue].isFromBefore = false
            buttons[button.rawValue].heldSince = change.isPressed && map.switchesVoice(button) ? change.timestamp : nil
        }
        let isMeant =
            buttons[button.rawValue].closedCount == (change.isPressed ? 1 : 0) && !refuses(change, of: button)
        // Before that the press of the second could act.
        watchChord(change.timestamp)
        if isMeant { follow(change, of: button) }
    }

    /// Counts from when both buttons are down until one comes up. The gestures of each are over with that.
    private mutating func watchChord(_ time: MonotonicTime) {
        let pair = [ButtonName.back, .forward]
        if !pair.allSatisfy({ buttons[$0.rawValue].closedCount > 0 && !buttons[$0.rawValue].isRefused }) {
            chord = nil
        } else if chord == nil {
            chord = (time, false)
            for button in pair { buttons[button.rawValue].phase = .spent }
        }
    }

    /// When both have been down for long enough.
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
                // Once for each hold.
                chord = (MonotonicTime(nanoseconds: .max / 2), true)
                return
            }
            chord = (known.since, true)
        }
    }

    /// Returns whether a button comes down too soon after it came up, or comes up from that.
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

    /// The first edge of all bursts under way at a button's contacts.
    private func unsettledSince(_ button: ButtonName) -> MonotonicTime? {
        var first: MonotonicTime?
        for contact in contacts where contact.button == button {
            if let since = contact.debouncer.unsettledSince { first = min(since, first ?? since) }
        }
        return first
    }

    /// Tells that all edges up to `now` were received. Returns what was decided since the last call, in order of time.
    public mutating func advance(to now: MonotonicTime) -> [GestureEvent] {
        for index in contacts.indices {
            if let change = contacts[index].debouncer.advance(to: now) { settle(change, of: contacts[index].button) }
        }
        for button in ButtonName.allCases {
            // It is not known yet what the edges under way will settle to, so a threshold after them has to wait.
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

    /// When `advance` has to be called next if no edge comes before; nil if no button is in use.
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

    /// When a button that stays down switches the voice.
    private func voiceDeadline(of button: ButtonName) -> MonotonicTime? {
        buttons[button.rawValue].heldSince?.adding(milliseconds: GestureMap.voiceMilliseconds)
    }

    private func phaseDeadline(of button: ButtonName) -> MonotonicTime? {
        switch buttons[button.rawValue].phase {
        // Nothing happens by itself where a second press does not come.
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

    /// A level that proved stable.
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

    /// A press that was no longer one, and is long: it had to wait for its release.
    private func isLong(_ button: ButtonName, _ since: MonotonicTime, _ time: MonotonicTime) -> Bool {
        map[button, .longer] != .none && map[button, .long] != .none
            && time >= since.adding(milliseconds: map.longMilliseconds)
    }

    /// Lets a button's time pass, up to and including `time`.
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
