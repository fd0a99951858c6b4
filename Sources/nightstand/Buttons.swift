import Configuration
import Controls
import Gpiod
import Posix

/// The buttons on GPIO lines: edges from the kernel, gestures from the recogniser, commands to the appliance. A button that cannot
/// be had is reported and the others work.
final class Buttons {
    private let loop: EventLoop
    private let perform: (Controls.Command, MonotonicTime) -> Void
    private var lines: [(button: ButtonName, line: InputLine)] = []
    private var recognizer: GestureRecognizer
    private var timer: EventLoop.TimerToken?
    private var events: [LineEvent] = []

    init(
        configuration: Configuration, loop: EventLoop, warn: (String) -> Void,
        perform: @escaping (Controls.Command, MonotonicTime) -> Void
    ) {
        self.loop = loop
        self.perform = perform
        do throws(GpioError) {
            let board = try GpioBoard()
            for button in configuration.buttons {
                do throws(GpioError) {
                    let line = try board.input(Buttons.settings(button), consumer: "nightstand")
                    if try line.isActive() {
                        warn(
                            "button \(button.name.name): \(button.line) is pressed at the start; if nobody holds it, "
                                + "'active-low' is missing or one too many")
                    }
                    lines.append((button.name, line))
                } catch {
                    warn("button \(button.name.name): \(error.message)")
                }
            }
        } catch {
            warn("buttons: \(error.message)")
        }
        var software = [Int](repeating: 0, count: ButtonName.allCases.count)
        for (button, line) in lines where !line.kernelDebounces {
            software[button.rawValue] =
                configuration.buttons.first { $0.name == button }?.debounceMilliseconds ?? 0
        }
        recognizer = GestureRecognizer(map: configuration.gestures) { software[$0.rawValue] }
        for index in lines.indices {
            do throws(PosixError) {
                try loop.add(lines[index].line.descriptor, .readable) { [self] _ in receive() }
            } catch {
                warn("button \(lines[index].button.name): \(error.message)")
            }
        }
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
                Log.warning("button \(button.name): \(error.message)")
            }
            for event in events {
                recognizer.receive(Edge(button: button, isPressed: event.isActive, timestamp: event.timestamp))
            }
        }
        decide(at: now)
    }

    private func decide(at now: MonotonicTime) {
        for event in recognizer.advance(to: now) { perform(event.command, event.timestamp) }
        if let timer { loop.cancel(timer) }
        timer = recognizer.nextDeadline.map { deadline in loop.schedule(at: deadline) { [self] in receive() } }
    }
}
