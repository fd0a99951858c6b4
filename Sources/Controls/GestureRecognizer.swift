import Core
import Posix

/// A gesture that a button has made.
public struct GestureEvent: Equatable, Sendable {
    public let button: ButtonName
    public let gesture: Gesture
    /// What is bound to it, never `.none`.
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
    }

    private struct Button {
        var debouncer: Debouncer
        var phase = Phase.idle
    }

    /// If the process slept through a hold, it makes up for no more than this many repeats at once.
    private static let mostRepeatsAtOnce: Int64 = 16

    private let map: GestureMap
    private var buttons: [Button]
    private var decided: [GestureEvent] = []

    /// - Parameter debounceMilliseconds: for each button, how long its level must be stable; 0 if the kernel debounces.
    public init(map: GestureMap, debounceMilliseconds: (ButtonName) -> Int) {
        self.map = map
        buttons = ButtonName.allCases.map {
            Button(debouncer: Debouncer(stableMilliseconds: debounceMilliseconds($0)))
        }
    }

    /// Begins anew with a button whose line was just opened.
    public mutating func reset(_ button: ButtonName, debounceMilliseconds: Int) {
        buttons[button.rawValue] = Button(debouncer: Debouncer(stableMilliseconds: debounceMilliseconds))
    }

    /// Takes an edge; each button's edges come in order of time.
    public mutating func receive(_ edge: Edge) {
        let change = buttons[edge.button.rawValue].debouncer.receive(isPressed: edge.isPressed, at: edge.timestamp)
        if let change { follow(change, of: edge.button) }
    }

    /// Tells that all edges up to `now` were received. Returns what was decided since the last call, in order of time.
    public mutating func advance(to now: MonotonicTime) -> [GestureEvent] {
        for button in ButtonName.allCases {
            if let change = buttons[button.rawValue].debouncer.advance(to: now) { follow(change, of: button) }
            // It is not known yet what the edges under way will settle to, so a threshold after them has to wait.
            pass(min(now, buttons[button.rawValue].debouncer.unsettledSince ?? now), of: button)
        }
        defer { decided.removeAll() }
        return decided
    }

    /// When `advance` has to be called next if no edge comes before; nil if no button is in use.
    public var nextDeadline: MonotonicTime? {
        var soonest: MonotonicTime?
        for button in ButtonName.allCases {
            let deadline = buttons[button.rawValue].debouncer.nextDeadline ?? phaseDeadline(of: button)
            if let deadline { soonest = min(deadline, soonest ?? deadline) }
        }
        return soonest
    }

    private func phaseDeadline(of button: ButtonName) -> MonotonicTime? {
        switch buttons[button.rawValue].phase {
        case .idle, .spent: return nil
        case .down(let since):
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
            phase = .spent
        case (_, true) where map.actsOnPressEdge(button):
            decide(button, .press, at: time)
            phase =
                map[button, .hold] == .none
                ? .spent : .holding(next: time.adding(milliseconds: map.longMilliseconds))
        case (_, true):
            phase = .down(since: time)
        case (.down, false) where map[button, .double] != .none:
            phase = .pressed(until: time.adding(milliseconds: map.doubleMilliseconds))
        case (.down, false):
            decide(button, .press, at: time)
            phase = .idle
        case (_, false):
            phase = .idle
        }
        buttons[button.rawValue].phase = phase
    }

    /// Lets a button's time pass, up to and including `time`.
    private mutating func pass(_ time: MonotonicTime, of button: ButtonName) {
        guard let deadline = phaseDeadline(of: button), time >= deadline else { return }
        switch buttons[button.rawValue].phase {
        case .idle, .spent: break
        case .down where map[button, .long] != .none:
            decide(button, .long, at: deadline)
            buttons[button.rawValue].phase = .spent
        case .down, .holding:
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
