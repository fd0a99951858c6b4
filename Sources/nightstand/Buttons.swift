import Configuration
import Controls
import Core
import Gpiod
import Posix

/// The buttons and knobs on GPIO lines and input devices: edges from the kernel, gestures from the recogniser, commands to the speaker. If
/// the line of a button cannot be opened, that is reported, and the other buttons work.
final class Buttons {
    private let loop: EventLoop
    private let gestures: GestureMap
    private let warn: (String) -> Void
    private let perform: (Command, MonotonicTime) -> Void
    /// Whether somebody else answers a button's gesture, as a screen with a list does.
    private let redirect: (ButtonName, Gesture) -> Bool
    private let buttons: [Configuration.Button]
    private let encoders: [(knob: KnobName, encoder: Configuration.Encoder)]
    /// Which of the recogniser's contacts a line is, and a key; by their indices in the configuration.
    private var contactsOfLines: [Int?] = []
    private var contactsOfKeys: [Int] = []
    private var lines: [(index: Int, line: InputLine)] = []
    private var knobs: [EncoderLines] = []
    /// Those whose lines could not be opened yet: early at boot the devices are root's alone, and a chip may be plugged in.
    private var missingButtons: [Int]
    private var missingEncoders: [Int]
    /// What fails at the first attempt is reported; the attempts after it are silent.
    private var backoff = Backoff()
    private var isRetryDue = false
    private var recognizer: GestureRecognizer
    private var inputs: InputDevices?
    private var timer: EventLoop.TimerToken?
    private var events: [LineEvent] = []

    init(
        configuration: Configuration, loop: EventLoop, warn: @escaping (String) -> Void,
        redirect: @escaping (ButtonName, Gesture) -> Bool, perform: @escaping (Command, MonotonicTime) -> Void
    ) {
        self.loop = loop
        self.warn = warn
        self.perform = perform
        self.redirect = redirect
        gestures = configuration.gestures
        buttons = configuration.buttons
        encoders = configuration.knobs.flatMap { knob in knob.encoders.map { (knob.name, $0) } }
        missingButtons = Array(buttons.indices)
        missingEncoders = Array(encoders.indices)
        recognizer = GestureRecognizer(map: configuration.gestures) { _ in 0 }
        for (index, button) in buttons.enumerated() {
            let isFirst = !buttons[..<index].contains { $0.name == button.name }
            contactsOfLines.append(isFirst ? nil : recognizer.addContact(of: button.name, debounceMilliseconds: 0))
        }
        // The kernel tells of a key when it is down for good.
        contactsOfKeys = configuration.keys.map { recognizer.addContact(of: $0.name, debounceMilliseconds: 0) }
        openMissing()
        if configuration.keys.isEmpty && configuration.knobs.allSatisfy({ $0.axes.isEmpty }) { return }
        inputs = InputDevices(
            keys: configuration.keys, knobs: configuration.knobs, loop: loop, warn: warn,
            users: InputDevices.Users(
                key: { [self] index, isPressed, time in
                    recognizer.receive(
                        Edge(
                            button: configuration.keys[index].name, contact: contactsOfKeys[index],
                            isPressed: isPressed,
                            timestamp: time))
                }, turned: { [self] knob, steps, time in turn(knob, steps, time) })
        ) { [self] in receive() }
    }

    // MARK: Lines

    /// Opens the lines that are not open yet, and tries again later if some cannot be opened.
    private func openMissing() {
        if missingButtons.isEmpty && missingEncoders.isEmpty { return }
        let (wantedButtons, wantedEncoders) = (missingButtons, missingEncoders)
        missingButtons = []
        missingEncoders = []
        do throws(GpioError) {
            let board = try GpioBoard()
            for index in wantedButtons { openButton(index, of: board) }
            for index in wantedEncoders { openEncoder(index, of: board) }
        } catch {
            (missingButtons, missingEncoders) = (wantedButtons, wantedEncoders)
            if backoff.failures == 0 { warn("buttons: \(error.message)") }
        }
        retryMissing()
    }

    private func retryMissing() {
        let isWhole = missingButtons.isEmpty && missingEncoders.isEmpty
        if isWhole { backoff.succeeded() }
        if isWhole || isRetryDue { return }
        isRetryDue = true
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: backoff.failed())) { [self] in
            isRetryDue = false
            openMissing()
        }
    }

    private func openButton(_ index: Int, of board: GpioBoard) {
        let button = buttons[index]
        do throws(GpioError) {
            let line = try board.input(Buttons.settings(button), consumer: "nightstand")
            if try line.isActive() {
                warn(
                    "button \(button.name.name): \(button.line) is pressed at the start; if nobody holds it, "
                        + "'active-low' is missing, or has to go")
            }
            do throws(PosixError) {
                try loop.add(line.descriptor, .readable) { [self] _ in receive() }
            } catch {
                return missButton(index, error.message)
            }
            recognizer.reset(
                button.name, contact: contactsOfLines[index],
                debounceMilliseconds: line.kernelDebounces ? 0 : button.debounceMilliseconds)
            lines.append((index, line))
            if backoff.failures > 0 { Log.notice("button \(button.name.name): \(line.name) is there") }
        } catch {
            missButton(index, error.message)
        }
    }

    private func missButton(_ index: Int, _ message: String) {
        missingButtons.append(index)
        if backoff.failures == 0 { warn("button \(buttons[index].name.name): \(message)") }
    }

    private func openEncoder(_ index: Int, of board: GpioBoard) {
        let knob = encoders[index].knob
        do throws(GpioError) {
            var opened: EncoderLines?
            opened = try EncoderLines(
                encoders[index].encoder, of: board, loop: loop, turned: { [self] in turn(knob, $0, $1) },
                lost: { [self] error in
                    knobs.removeAll { $0 === opened }
                    missingEncoders.append(index)
                    warn("knob \(knob.name): \(error.message)")
                    retryMissing()
                })
            guard let opened else { return }
            do throws(PosixError) { try opened.start() } catch {
                opened.close()
                return missEncoder(index, error.message)
            }
            knobs.append(opened)
            if backoff.failures > 0 { Log.notice("knob \(knob.name): its lines are there") }
        } catch {
            missEncoder(index, error.message)
        }
    }

    private func missEncoder(_ index: Int, _ message: String) {
        missingEncoders.append(index)
        if backoff.failures == 0 { warn("knob \(encoders[index].knob.name): \(message)") }
    }

    private static func settings(_ button: Configuration.Button) -> LineSettings {
        LineSettings(
            line: button.line, isActiveLow: button.isActiveLow, bias: bias(button.bias),
            debounceMilliseconds: button.debounceMilliseconds)
    }

    static func bias(_ bias: Configuration.Bias) -> LineSettings.Bias {
        switch bias {
        case .asIs: .asIs
        case .pullUp: .pullUp
        case .pullDown: .pullDown
        }
    }

    // MARK: What they tell

    /// Reads all lines and devices, since the clock must not run ahead of an edge that is not read yet.
    private func receive() {
        let now = MonotonicTime.now
        for (index, line) in lines {
            let name = buttons[index].name
            events.removeAll(keepingCapacity: true)
            do throws(GpioError) { try line.readEvents(into: &events) } catch {
                // The chip was unplugged.
                loop.remove(line.descriptor)
                lines.removeAll { $0.line === line }
                missingButtons.append(index)
                warn("button \(name.name): \(error.message)")
            }
            for event in events {
                recognizer.receive(
                    Edge(
                        button: name, contact: contactsOfLines[index], isPressed: event.isActive,
                        timestamp: event.timestamp))
            }
        }
        inputs?.read()
        decide(at: now)
        retryMissing()
    }

    private func decide(at now: MonotonicTime) {
        for event in recognizer.advance(to: now) where !redirect(event.button, event.gesture) {
            perform(event.command, event.timestamp)
        }
        if let timer { loop.cancel(timer) }
        timer = recognizer.nextDeadline.map { deadline in loop.schedule(at: deadline) { [self] in receive() } }
    }

    private func turn(_ knob: KnobName, _ detents: Int, _ time: MonotonicTime) {
        let command = gestures[knob, detents > 0 ? .right : .left]
        if command == .none { return }
        for _ in 0..<abs(detents) { perform(command, time) }
    }
}
