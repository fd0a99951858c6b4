// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// The command of each gesture on each button, and the times of gestures: the defaults, changed by `[gestures]` in the configuration.
///
/// `BUTTON.GESTURE = COMMAND` binds a command: `play.long = favourite`, with the buttons of `ButtonName`, the gestures of `Gesture` and the
/// words of `Command`; `none` removes a binding. A button has either long presses or a hold: binding one removes the default of the other.
public struct GestureMap: Sendable {
    /// The time after which a press is long, or a hold begins.
    public var longMilliseconds = 500
    /// The time after which a press is longer: at least half a second more than a long one.
    public var longerMilliseconds: Int { max(1500, longMilliseconds + 500) }
    /// The longest gap between the two presses of a double press.
    public var doubleMilliseconds = 300
    /// The time between two repetitions of a hold.
    public var repeatMilliseconds = 200
    /// The time after a release during which another press is ignored, for a trembling hand; 0 for none.
    public var refuseMilliseconds = 0

    /// The time after which holding play switches the voice, after any other gestures: a blind listener can find this.
    static let voiceMilliseconds = 10_000
    /// The time after which holding back and forward together describes the buttons, and the time after which it locks them.
    static let describeMilliseconds = 1000
    static let lockMilliseconds = 4000

    /// Returns true if holding this button long enough switches the voice.
    func switchesVoice(_ button: ButtonName) -> Bool { button == .play }

    /// The commands of each knob for a detent to the right and to the left.
    private var turns: [Command] = [
        .volume(step: 2), .volume(step: -2), .skip(milliseconds: 10_000), .skip(milliseconds: -10_000),
    ]
    private var commands = [Command](repeating: .none, count: ButtonName.allCases.count * Gesture.allCases.count)
    /// The indices of bindings that the configuration made.
    private var isWritten = [Bool](repeating: false, count: ButtonName.allCases.count * Gesture.allCases.count)

    /// Makes the default map. Play pauses and resumes, held it marks a favorite, pressed twice it repeats the sentence. Back and forward
    /// skip 10 s, held they go to the previous and next item. Pulling the headphones pauses. Other buttons do what their names say. The
    /// volume repeats while its button is down: two presses are two steps.
    public init() {
        self[.play, .press] = .playPause
        self[.play, .long] = .toggleFavourite
        self[.play, .double] = .sentence(.again)
        self[.back, .press] = .skip(milliseconds: -10_000)
        self[.back, .long] = .previous
        self[.forward, .press] = .skip(milliseconds: 10_000)
        self[.forward, .long] = .next
        self[.favourite, .press] = .toggleFavourite
        self[.next, .press] = .next
        self[.previous, .press] = .previous
        self[.jack, .press] = .pause
        for gesture in [Gesture.press, .hold] {
            self[.volumeUp, gesture] = .volume(step: Command.volumeStep)
            self[.volumeDown, gesture] = .volume(step: -Command.volumeStep)
        }
    }

    public subscript(button: ButtonName, gesture: Gesture) -> Command {
        get { commands[index(button, gesture)] }
        set { commands[index(button, gesture)] = newValue }
    }

    /// The command of a knob's detent. By default the volume changes by 2 percentage points, and the jog skips 10 seconds.
    public subscript(knob: KnobName, turn: KnobName.Turn) -> Command {
        get { turns[knob.rawValue * 2 + turn.rawValue] }
        set { turns[knob.rawValue * 2 + turn.rawValue] = newValue }
    }

    private func index(_ button: ButtonName, _ gesture: Gesture) -> Int {
        button.rawValue * Gesture.allCases.count + gesture.rawValue
    }

    /// Returns true if a press acts at once when the button goes down, because it cannot become another gesture, or only a hold with the
    /// same command.
    func actsOnPressEdge(_ button: ButtonName) -> Bool {
        let hold = self[button, .hold]
        return self[button, .long] == .none && self[button, .longer] == .none && !waitsForSecond(button)
            && (hold == .none || hold == self[button, .press])
    }

    /// Returns true if a press waits for a second one, because its command must not run before a double press.
    func waitsForSecond(_ button: ButtonName) -> Bool {
        self[button, .double] != .none && !answersFirst(button)
    }

    /// Returns true if the first press of a double press acts at once, which is then no slower. If the second press plays a sentence, the
    /// first may pause or play before it.
    func answersFirst(_ button: ButtonName) -> Bool {
        switch self[button, .double] {
        case .sentence(.again), .loop(.sentence): self[button, .press] == .playPause && self[button, .hold] == .none
        default: false
        }
    }

    /// Binds a command to `BUTTON.GESTURE` or `KNOB.TURN`.
    public mutating func set(key: String, to value: String) throws(GestureError) {
        let parts = key.parts(between: ".", keepingEmpty: true)
        guard parts.count == 2 else {
            throw GestureError("unknown key '\(key)'", expected: "BUTTON.GESTURE such as play.long")
        }
        if let knob = KnobName(name: parts[0]) {
            guard let turn = KnobName.Turn.allCases.first(where: { $0.name == parts[1] }) else {
                throw GestureError("unknown turn '\(parts[1])'", expected: "right or left")
            }
            self[knob, turn] = try Command(parsing: value)
            return
        }
        guard let button = ButtonName(name: parts[0]) else {
            throw GestureError(
                "unknown button '\(parts[0])'",
                expected: Spelling.expectation(
                    of: parts[0], among: ButtonName.names + KnobName.allCases.map { $0.name }))
        }
        guard let gestureIndex = Gesture.names.firstIndex(of: parts[1]), let gesture = Gesture(rawValue: gestureIndex)
        else {
            throw GestureError(
                "unknown gesture '\(parts[1])'", expected: Spelling.expectation(of: parts[1], among: Gesture.names))
        }
        let command = try Command(parsing: value)
        let rivals: [Gesture] =
            switch gesture {
            case .hold: [.long, .longer]
            case .long, .longer: [.hold]
            case .press, .double, .triple: []
            }
        for rival in rivals where command != .none {
            if isWritten[index(button, rival)], self[button, rival] != .none {
                throw GestureError(
                    "'\(key)' beside '\(button.name).\(rival.name)'",
                    expected: "one of them: a held button cannot do both")
            }
            self[button, rival] = .none
        }
        self[button, gesture] = command
        isWritten[index(button, gesture)] = true
        // A press waits for a double press only if the configuration has one.
        if !isWritten[index(button, .double)] && waitsForSecond(button) { self[button, .double] = .none }
    }

    /// Binds a longer press of play to the library of a panel, unless configured otherwise: the way there without touch.
    public mutating func bindToPanel() {
        if self[.play, .hold] == .none && !isWritten[index(.play, .longer)] { self[.play, .longer] = .screen(.library) }
    }

    /// Binds a longer press of play to the menu of an LCD or a voice, unless configured otherwise.
    public mutating func bindToMenu() {
        if self[.play, .hold] == .none && !isWritten[index(.play, .longer)] { self[.play, .longer] = .menu(.open) }
    }

    /// Binds three presses of play to a spoken report, if there is a voice, unless configured otherwise.
    public mutating func bindToVoice() {
        if !isWritten[index(.play, .triple)] { self[.play, .triple] = .say }
    }

    /// The map while the menu is open: back, forward, next, previous and each knob move through it; play chooses, and held it goes back.
    /// Other buttons keep their meaning.
    public var inMenu: GestureMap {
        var map = self
        for button in [ButtonName.play, .back, .forward, .next, .previous] {
            for gesture in Gesture.allCases { map[button, gesture] = .none }
        }
        map[.play, .press] = .menu(.choose)
        map[.play, .long] = .menu(.back)
        for gesture in [Gesture.press, .hold] {
            for button in [ButtonName.back, .previous] { map[button, gesture] = .menu(.previous) }
            for button in [ButtonName.forward, .next] { map[button, gesture] = .menu(.next) }
        }
        for knob in KnobName.allCases {
            map[knob, .right] = .menu(.next)
            map[knob, .left] = .menu(.previous)
        }
        return map
    }

    /// The map of a panel while its focus moves through a list. It is the menu's, but holding back leaves the list, and the volume knob and
    /// a longer press of play keep their meaning. The panel answers the gestures, so the commands only mark them.
    public var onPanel: GestureMap {
        var map = inMenu
        map[.play, .longer] = self[.play, .longer]
        (map[.back, .hold], map[.back, .long], map[.back, .longer]) = (.none, .menu(.back), .menu(.back))
        for turn in KnobName.Turn.allCases { map[.volume, turn] = self[.volume, turn] }
        return map
    }
}
