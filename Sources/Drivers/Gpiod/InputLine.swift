// SPDX-License-Identifier: Apache-2.0
import CGpiod
import Posix

/// An edge on a line.
public struct LineEvent: Equatable, Sendable {
    /// The logical level: true if an active-low line goes to ground.
    public let isActive: Bool
    /// The kernel's time stamp.
    public let timestamp: MonotonicTime
}

/// A GPIO input with both edges watched, released with this object. For the control thread.
public final class InputLine {
    /// The name, such as "GPIO17 (gpiochip0:17)".
    public let name: String
    /// The descriptor for epoll: readable while there are events.
    public let descriptor: Int32
    /// False if the caller must debounce by the events' time stamps.
    public let kernelDebounces: Bool

    private let chip: GpioChip
    private var input: ns_gpio_input

    init(
        chip: GpioChip, offset: Int, name: String, settings: LineSettings, consumer: String
    ) throws(GpioError) {
        let bias =
            switch settings.bias {
            case .asIs: NS_GPIO_BIAS_AS_IS
            case .pullUp: NS_GPIO_BIAS_PULL_UP
            case .pullDown: NS_GPIO_BIAS_PULL_DOWN
            }
        var input = ns_gpio_input()
        let status = ns_gpio_input_open(
            &input, chip.handle, UInt32(clamping: offset), consumer, settings.isActiveLow, bias,
            UInt32(clamping: max(0, min(settings.debounceMilliseconds, 1000)) * 1000),
            UInt32(clamping: max(16, min(settings.queuedEvents, 1024))))
        if status < 0 { throw .refused(line: name, holder: chip.lineConsumer(offset)) }
        self.chip = chip
        self.name = name
        self.input = input
        descriptor = input.fd
        kernelDebounces = input.kernel_debounces
    }

    deinit { ns_gpio_input_close(&input) }

    /// Returns true if the line is active now. Throws if the chip is gone.
    public func isActive() throws(GpioError) -> Bool {
        let level = ns_gpio_input_level(&input)
        if level < 0 { throw failure("read") }
        return level == 1
    }

    /// Appends all waiting events, oldest first. Throws if the chip is gone.
    public func readEvents(into events: inout [LineEvent]) throws(GpioError) {
        let batch = Int(NS_GPIO_EVENT_BATCH)
        var raw = [ns_gpio_event](repeating: ns_gpio_event(), count: batch)
        while true {
            let count = Int(ns_gpio_input_read(&input, &raw))
            if count < 0 {
                let code = PosixError.last("")
                if code.code == EINTR { continue }
                if code.code == EAGAIN { break }
                throw failure("read events of")
            }
            let now = MonotonicTime.now
            for event in raw.prefix(count) {
                events.append(LineEvent(isActive: event.is_active, timestamp: InputLine.time(event, now: now)))
            }
            if count < batch { break }
        }
    }

    /// Returns an event's time. An impossible time stamp, as from a driver without any, is replaced by the time of reading.
    private static func time(_ event: ns_gpio_event, now: MonotonicTime) -> MonotonicTime {
        let age = now.nanoseconds.subtractingReportingOverflow(event.nanoseconds)
        let isCredible = !age.overflow && age.partialValue >= 0 && event.nanoseconds > 0
        return isCredible ? MonotonicTime(nanoseconds: event.nanoseconds) : now
    }

    private func failure(_ operation: String) -> GpioError {
        GpioError(reason: .system, message: PosixError.last(operation + " GPIO line " + name).message)
    }
}
