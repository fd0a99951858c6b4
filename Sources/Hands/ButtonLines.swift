// SPDX-License-Identifier: Apache-2.0
import Configuration
import Controls
import Gpiod
import Posix

/// The GPIO lines of buttons and knobs. A missing line gives one message and further attempts: early at boot only root may open the
/// devices, and a chip may appear later. The others work meanwhile. Control thread.
final class ButtonLines {
    /// The receivers of the lines' events. A button's number is its index in the configuration.
    struct Users {
        /// Called when a line has opened, with the time in milliseconds for debouncing its edges.
        let opened: (Int, Int) -> Void
        /// Called for a button with its line active at the opening.
        let held: (Int) -> Void
        let edge: (Int, LineEvent) -> Void
        /// Called when edges are waiting: then call `read`.
        let wake: () -> Void
        let turned: (KnobName, Int, MonotonicTime) -> Void
    }

    /// A button or a knob, by its index.
    private enum Part {
        case button(Int)
        case encoder(Int)
    }

    private let buttons: [Configuration.Button]
    private let encoders: [(knob: KnobName, encoder: Configuration.Encoder)]
    private let loop: EventLoop
    private let warn: (String) -> Void
    private let users: Users
    private var lines: [(index: Int, line: InputLine)] = []
    private var knobs: [EncoderLines] = []
    private var missing: [Part]
    private var backoff = Backoff()
    private var isRetryDue = false
    private var events: [LineEvent] = []

    init(
        _ buttons: [Configuration.Button], _ knobs: [Configuration.Knob], loop: EventLoop,
        warn: @escaping (String) -> Void, users: Users
    ) {
        self.buttons = buttons
        encoders = knobs.flatMap { knob in knob.encoders.map { (knob.name, $0) } }
        self.loop = loop
        self.warn = warn
        self.users = users
        missing = buttons.indices.map { .button($0) } + encoders.indices.map { .encoder($0) }
        openMissing()
    }

    /// Opens missing lines. Only the first failure gives a message.
    private func openMissing() {
        if missing.isEmpty { return }
        let wanted = missing
        missing = []
        do throws(GpioError) {
            let board = try GpioBoard()
            for part in wanted { open(part, of: board) }
        } catch {
            missing = wanted
            if backoff.failures == 0 { warn("buttons: \(error.message)") }
        }
        retryMissing()
    }

    private func retryMissing() {
        if missing.isEmpty { backoff.succeeded() }
        if missing.isEmpty || isRetryDue { return }
        isRetryDue = true
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: backoff.failed())) { [self] in
            isRetryDue = false
            openMissing()
        }
    }

    private func open(_ part: Part, of board: GpioBoard) {
        do throws(GpioError) {
            let reason =
                switch part {
                case .button(let index): try openButton(index, of: board)
                case .encoder(let index): try openEncoder(index, of: board)
                }
            if let reason { return miss(part, reason) }
            if backoff.failures > 0 { Log.notice(name(part) + ": it is there") }
        } catch { miss(part, error.message) }
    }

    private func miss(_ part: Part, _ reason: String) {
        missing.append(part)
        if backoff.failures == 0 { warn(name(part) + ": " + reason) }
    }

    /// Handles a lost line, as after an unplugged chip.
    private func lose(_ part: Part, _ reason: GpioError) {
        missing.append(part)
        warn(name(part) + ": " + reason.message)
    }

    private func name(_ part: Part) -> String {
        switch part {
        case .button(let index): "button " + buttons[index].name.name
        case .encoder(let index): "knob " + encoders[index].knob.name
        }
    }

    /// Opens a button's line. Returns the reason if the loop cannot watch it.
    private func openButton(_ index: Int, of board: GpioBoard) throws(GpioError) -> String? {
        let button = buttons[index]
        let line = try board.input(
            LineSettings(
                line: button.line, isActiveLow: button.isActiveLow, bias: ButtonLines.bias(button.bias),
                debounceMilliseconds: button.debounceMilliseconds), consumer: "nightstand")
        let isHeld = try line.isActive()
        if isHeld {
            warn(
                "button \(button.name.name): \(button.line) is pressed at the start; if nobody holds it, "
                    + "'active-low' is missing, or has to go")
        }
        do throws(PosixError) {
            try loop.add(line.descriptor, .readable) { [self] _ in users.wake() }
        } catch { return error.message }
        users.opened(index, line.kernelDebounces ? 0 : button.debounceMilliseconds)
        lines.append((index, line))
        if isHeld { users.held(index) }
        return nil
    }

    /// Opens a knob's lines. Returns the reason if the loop cannot watch them.
    private func openEncoder(_ index: Int, of board: GpioBoard) throws(GpioError) -> String? {
        let knob = encoders[index].knob
        var opened: EncoderLines?
        let lines = try EncoderLines(
            encoders[index].encoder, of: board, loop: loop, turned: { [self] in users.turned(knob, $0, $1) },
            lost: { [self] error in
                knobs.removeAll { $0 === opened }
                lose(.encoder(index), error)
                retryMissing()
            })
        opened = lines
        do throws(PosixError) { try lines.start() } catch {
            lines.close()
            return error.message
        }
        knobs.append(lines)
        return nil
    }

    static func bias(_ bias: Configuration.Bias) -> LineSettings.Bias {
        switch bias {
        case .asIs: .asIs
        case .pullUp: .pullUp
        case .pullDown: .pullDown
        }
    }

    /// Reads all waiting edges of the buttons' lines.
    func read() {
        for (index, line) in lines {
            events.removeAll(keepingCapacity: true)
            do throws(GpioError) { try line.readEvents(into: &events) } catch {
                loop.remove(line.descriptor)
                lines.removeAll { $0.line === line }
                lose(.button(index), error)
            }
            for event in events { users.edge(index, event) }
        }
        retryMissing()
    }
}
