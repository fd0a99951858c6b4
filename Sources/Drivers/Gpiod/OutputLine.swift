// SPDX-License-Identifier: Apache-2.0
import CGpiod
import Posix

/// A GPIO output, inactive at the start and after its release. For the control thread.
public final class OutputLine {
    /// The name, such as "GPIO12 (gpiochip0:12)".
    public let name: String
    private let chip: GpioChip
    private var output: ns_gpio_output

    init(chip: GpioChip, offset: Int, name: String, isActiveLow: Bool, consumer: String) throws(GpioError) {
        var output = ns_gpio_output()
        let status = ns_gpio_output_open(&output, chip.handle, UInt32(clamping: offset), consumer, isActiveLow)
        if status < 0 { throw .refused(line: name, holder: chip.lineConsumer(offset)) }
        self.chip = chip
        self.name = name
        self.output = output
    }

    deinit {
        _ = ns_gpio_output_set(&output, false)
        ns_gpio_output_close(&output)
    }

    /// Sets the level. Throws if the chip is gone.
    public func set(_ isActive: Bool) throws(GpioError) {
        if ns_gpio_output_set(&output, isActive) < 0 {
            throw GpioError(reason: .system, message: PosixError.last("set GPIO line " + name).message)
        }
    }
}
