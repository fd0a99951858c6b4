import Configuration
import Controls
import Core
import Gpiod
import Posix

/// The buttons on GPIO lines: edges from the kernel, gestures from the recogniser, commands to the speaker. If the line of a
/// button cannot be opened, that is reported, and the other buttons work.
final class Buttons {
    private let loop: EventLoop
    private let warn: (String) -> Void
    private let perform: (Command, MonotonicTime) -> Void
    private var lines: [(button: Configuration.Button, line: InputLine)] = []
    /// Buttons whose lines could not be opened yet: early at boot the devices are root's alone, and a chip may be plugged in.
    private var missing: [Configuration.Button]
    /// What fails at the first attempt is reported; the attempts after it are silent.
    private var backoff = Backoff()
    private var isRetryDue = false
    private var recognizer: GestureRecognizer
    private var timer: EventLoop.TimerToken?
    private var events: [LineEvent] = []

    init(
        configuration: Configuration, loop: EventLoop, warn: @escaping (String) -> Void,
        perform: @escaping (Command, MonotonicTime) -> Void
    ) {
        self.loop = loop
        self.warn = warn
        self.perform = perform
        missing = configuration.buttons
        recognizer = GestureRecognizer(map: configuration.gestures) { _ in 0 }
        openMissing()
    }

    /// Opens the lines that are not open yet, and tries again later if some cannot be opened.
    private func openMissing() {
        let wanted = missing
        missing = []
        do throws(GpioError) {
            let board = try GpioBoard()
            for button in wanted { open(button, of: board) }
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

    private func open(_ button: Configuration.Button, of board: GpioBoard) {
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
                return miss(button, error.message)
            }
            recognizer.reset(button.name, debounceMilliseconds: line.kernelDebounces ? 0 : button.debounceMilliseconds)
            lines.append((button, line))
            if backoff.failures > 0 { Log.notice("button \(button.name.name): \(line.name) is there") }
        } catch {
            miss(button, error.message)
        }
    }

    private func miss(_ button: Configuration.Button, _ message: String) {
        missing.append(button)
        if backoff.failures == 0 { warn("button \(button.name.name): \(message)") }
    }

    private static func settings(_ button: Configuration.Button) -> LineSettings {
        let bias: LineSettings.Bias =
            switch button.bias {
            case .asIs: .asIs
            case .pullUp: .pullUp
            case .pullDown: .pullDown
            }
        return LineSettings(
            line: button.line, isActiveLow: button.isActiveLow, bias: bias,
            debounceMilliseconds: button.debounceMilliseconds)
    }

    /// Reads all lines, since the clock must not run ahead of an edge that is not read yet.
    private func receive() {
        let now = MonotonicTime.now
        for (button, line) in lines {
            events.removeAll(keepingCapacity: true)
            do throws(GpioError) { try line.readEvents(into: &events) } catch {
                // The chip was unplugged.
                loop.remove(line.descriptor)
                lines.removeAll { $0.line === line }
                missing.append(button)
                warn("button \(button.name.name): \(error.message)")
            }
            for event in events {
                recognizer.receive(Edge(button: button.name, isPressed: event.isActive, timestamp: event.timestamp))
            }
        }
        decide(at: now)
        retryMissing()
    }

    private func decide(at now: MonotonicTime) {
        for event in recognizer.advance(to: now) { perform(event.command, event.timestamp) }
        if let timer { loop.cancel(timer) }
        timer = recognizer.nextDeadline.map { deadline in loop.schedule(at: deadline) { [self] in receive() } }
    }
}
