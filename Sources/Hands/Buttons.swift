// SPDX-License-Identifier: Apache-2.0
import Configuration
import Controls
import Core
import Gpiod
import Posix

/// The buttons and knobs on GPIO lines and input devices: the kernel's edges, recognized as gestures, become commands to the speaker.
/// Control thread.
public final class Buttons {
    private let loop: EventLoop
    /// The configured map, and the map with the gestures of a voice that the listener has switched on.
    private let configured: GestureMap
    private var gestures: GestureMap
    private let perform: (Command, MonotonicTime) -> Void
    /// Offers a panel a gesture, "play press" or "jog right". Returns true if one has taken it.
    private let redirect: (String) -> Bool
    private var isMenuOpen = false
    private var isOnPanel = false
    /// The recognizer's contact of each line and of each key, by their indices in the configuration.
    private var contactsOfLines: [Int?] = []
    private var contactsOfKeys: [Int] = []
    private var recognizer: GestureRecognizer
    private var lines: ButtonLines?
    private var inputs: InputDevices?
    private var timer: EventLoop.TimerToken?

    /// - Parameters:
    ///   - warn: called with problems that the owner must fix.
    ///   - redirect: offers a panel a gesture, and returns true if one has taken it.
    ///   - perform: receives the commands, with the times of the presses.
    public init(
        configuration: Configuration, loop: EventLoop, warn: @escaping (String) -> Void,
        redirect: @escaping (String) -> Bool, perform: @escaping (Command, MonotonicTime) -> Void
    ) {
        self.loop = loop
        self.perform = perform
        self.redirect = redirect
        configured = configuration.gestures
        gestures = configured
        recognizer = GestureRecognizer(map: configuration.gestures) { _ in 0 }
        let (buttons, keys) = (configuration.buttons, configuration.keys)
        for (index, button) in buttons.enumerated() {
            let isFirst = !buttons[..<index].contains { $0.name == button.name }
            contactsOfLines.append(isFirst ? nil : recognizer.addContact(of: button.name, debounceMilliseconds: 0))
        }
        // The kernel already debounces keys.
        contactsOfKeys = keys.map { recognizer.addContact(of: $0.name, debounceMilliseconds: 0) }
        lines = ButtonLines(
            buttons, configuration.knobs, loop: loop, warn: warn,
            users: ButtonLines.Users(
                opened: { [self] index, milliseconds in
                    recognizer.reset(
                        buttons[index].name, contact: contactsOfLines[index], debounceMilliseconds: milliseconds)
                },
                held: { [self] index in hold(buttons[index].name, contactsOfLines[index]) },
                edge: { [self] index, event in
                    recognizer.receive(
                        Edge(
                            button: buttons[index].name, contact: contactsOfLines[index], isPressed: event.isActive,
                            timestamp: event.timestamp))
                },
                wake: { [self] in receive() }, turned: { [self] knob, steps, time in turn(knob, steps, time) }))
        if keys.isEmpty && configuration.knobs.allSatisfy({ $0.axes.isEmpty }) { return }
        inputs = InputDevices(
            keys: keys, knobs: configuration.knobs, loop: loop, warn: warn,
            users: InputDevices.Users(
                key: { [self] index, isPressed, time in
                    recognizer.receive(
                        Edge(
                            button: keys[index].name, contact: contactsOfKeys[index], isPressed: isPressed,
                            timestamp: time))
                }, held: { [self] index in hold(keys[index].name, contactsOfKeys[index]) },
                turned: { [self] knob, steps, time in turn(knob, steps, time) })
        ) { [self] in receive() }
    }

    /// Handles a button that is down when its line opens: a blind listener may hold play at power-on.
    private func hold(_ button: ButtonName, _ contact: Int?) {
        recognizer.hold(button, contact: contact, at: .now)
        // Wait until all lines are open.
        if timer == nil { timer = loop.schedule(at: .now) { [self] in receive() } }
    }

    /// Reports that the menu opened or closed. It changes the meaning of back, forward and play.
    public func setMenu(isOpen: Bool) {
        isMenuOpen = isOpen
        chooseMap()
    }

    /// Reports that a panel has taken the buttons, or returned them.
    public func setPanel(hasButtons: Bool) {
        isOnPanel = hasButtons
        chooseMap()
    }

    /// Reports that the listener switched the voice on or off, which adds or removes its gestures.
    public func setVoice(isOn: Bool) {
        gestures = configured
        if isOn {
            gestures.bindToMenu()
            gestures.bindToVoice()
        }
        chooseMap()
    }

    private func chooseMap() {
        recognizer.map = isMenuOpen ? gestures.inMenu : isOnPanel ? gestures.onPanel : gestures
    }

    /// Reads all lines and devices, since the clock must not run ahead of an unread edge.
    private func receive() {
        let now = MonotonicTime.now
        lines?.read()
        inputs?.read()
        for event in recognizer.advance(to: now) {
            if event.command == .switchVoice {
                // A long press undoes the effect of its beginning.
                let long = gestures[event.button, .long]
                if long == .toggleFavourite && event.gesture == .longer && gestures[event.button, .longer] == .none
                    && !isMenuOpen && !isOnPanel
                {
                    perform(long, event.timestamp)
                }
            } else if event.command != .describe, event.command != .lock,
                redirect(event.button.name + " " + event.gesture.name)
            {
                continue
            }
            perform(event.command, event.timestamp)
        }
        if let timer { loop.cancel(timer) }
        timer = recognizer.nextDeadline.map { deadline in loop.schedule(at: deadline) { [self] in receive() } }
    }

    private func turn(_ knob: KnobName, _ detents: Int, _ time: MonotonicTime) {
        let turn: KnobName.Turn = detents > 0 ? .right : .left
        let command = recognizer.map[knob, turn]
        if command == .none { return }
        let gesture = knob.name + " " + turn.name
        for _ in 0..<abs(detents) where !redirect(gesture) { perform(command, time) }
    }
}
