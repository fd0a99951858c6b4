// SPDX-License-Identifier: Apache-2.0
import CGpiod
import Posix

/// An open GPIO chip. Its requested lines keep it alive.
final class GpioChip {
    let handle: OpaquePointer
    /// The kernel's name, such as "gpiochip0".
    let name: String
    /// The driver's label, such as "pinctrl-bcm2711".
    let label: String
    let lineCount: Int

    /// Throws the errno of the call: ENOTTY or ENODEV if the file is no GPIO chip.
    init(path: String) throws(PosixError) {
        guard let handle = ns_gpio_chip_open(path) else { throw .last("open " + path) }
        let (count, name, label) = namePair { ns_gpio_chip_describe(handle, $0, $1) }
        if count < 0 {
            let failure = PosixError.last("read " + path)
            ns_gpio_chip_close(handle)
            throw failure
        }
        self.handle = handle
        self.name = name
        self.label = label
        lineCount = Int(count)
    }

    deinit { ns_gpio_chip_close(handle) }

    /// Returns a line's name; "" if it has none, or cannot be queried.
    func lineName(_ offset: Int) -> String {
        namePair { ns_gpio_line_describe(handle, UInt32(clamping: offset), $0, $1) }.1
    }

    /// Returns the name of the program that uses a line; "" if there is none, or the kernel does not tell.
    func lineConsumer(_ offset: Int) -> String {
        namePair { ns_gpio_line_describe(handle, UInt32(clamping: offset), $0, $1) }.2
    }
}

/// Calls a shim function that fills in two names.
private func namePair(
    _ fill: (UnsafeMutablePointer<CChar>, UnsafeMutablePointer<CChar>) -> Int32
) -> (Int32, String, String) {
    var first = [CChar](repeating: 0, count: Int(NS_GPIO_NAME_BYTES))
    var second = first
    let result = fill(&first, &second)
    return (result, text(first), text(second))
}

/// Returns the text that a C function wrote, up to its terminator.
func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
