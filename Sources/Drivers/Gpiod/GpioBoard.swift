// SPDX-License-Identifier: Apache-2.0
import CGpiod
import Posix

/// All GPIO chips of the board and their named lines. For the control thread, and only while lines are opened: the lines keep what they
/// need.
public final class GpioBoard {
    private var chips: [GpioChip] = []
    private var catalogue = LineCatalogue()

    /// Opens every chip in `folder`. Throws `.noChips` if there is none, and `.notPermitted`, naming device and group, if none may be
    /// opened.
    public init(folder: String = "/dev") throws(GpioError) {
        let names = ((try? Files.names(inFolder: folder)) ?? []).filter { $0.begins(with: "gpiochip") }
        var failure: PosixError?
        // Sort by number: gpiochip2 before gpiochip10.
        for name in names.filter({ $0.utf8.count == 9 }) + names.filter({ $0.utf8.count != 9 }) {
            do throws(PosixError) {
                let chip = try GpioChip(path: folder + "/" + name)
                if let known = chips.firstIndex(where: { $0.name == chip.name }) {
                    catalogue.chips[known].aliases.append(name)
                } else {
                    let lines = (0..<chip.lineCount).map { chip.lineName($0) }
                    catalogue.chips.append(LineCatalogue.Chip(name: chip.name, label: chip.label, lines: lines))
                    chips.append(chip)
                }
            } catch {
                if failure == nil || error.code == EACCES { failure = error }
            }
        }
        if !chips.isEmpty { return }
        guard let failure else {
            throw GpioError(reason: .noChips, message: "no GPIO chip: there is no \(folder)/gpiochip0")
        }
        if failure.code != EACCES && failure.code != EPERM {
            throw GpioError(reason: .system, message: failure.message)
        }
        // "open /dev/gpiochip0" without its first word.
        let path = failure.operation.dropping(bytes: 5)
        var group = [CChar](repeating: 0, count: Int(NS_GPIO_NAME_BYTES))
        ns_gpio_group_of(path, &group)
        throw GpioBoard.notPermitted(path, group: text(group))
    }

    static func notPermitted(_ path: String, group: String) -> GpioError {
        GpioError(
            reason: .notPermitted,
            message: "no permission for " + path
                + (group.isEmpty || group == "root"
                    ? ": give it to group gpio (a udev rule), and join that group"
                    : ": its users are group \(group) (sudo usermod -aG \(group) USER, then log in again)"))
    }

    /// Requests a line as an input with both edges watched.
    /// - Parameter consumer: our name, for other programs.
    public func input(_ settings: LineSettings, consumer: String) throws(GpioError) -> InputLine {
        let address = try catalogue.find(settings.line)
        return try InputLine(
            chip: chips[address.chip], offset: address.offset, name: catalogue.description(of: address),
            settings: settings, consumer: consumer)
    }

    /// Requests a line as an output, inactive.
    public func output(_ line: String, isActiveLow: Bool, consumer: String) throws(GpioError) -> OutputLine {
        let address = try catalogue.find(line)
        return try OutputLine(
            chip: chips[address.chip], offset: address.offset, name: catalogue.description(of: address),
            isActiveLow: isActiveLow, consumer: consumer)
    }
}
