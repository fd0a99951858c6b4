// SPDX-License-Identifier: Apache-2.0
import Posix

/// The lines of a board, by chip, and the search for a configured one.
struct LineCatalogue {
    struct Chip {
        /// The kernel's name, such as "gpiochip0".
        let name: String
        /// Other names under /dev for the same chip: a Pi 5's gpiochip4 is a link to gpiochip0.
        var aliases: [String] = []
        /// The driver's label, such as "pinctrl-bcm2711".
        let label: String
        /// The names by offset, "" for an unnamed line.
        let lines: [String]
    }

    struct Address: Equatable {
        let chip: Int
        let offset: Int
    }

    var chips: [Chip] = []

    /// Finds a line by the kernel's name (`GPIO17`), the BCM number (`17`), or chip and offset (`gpiochip0:17`, `/dev/gpiochip0:17`). Names
    /// are searched on all chips, since chip numbers differ between boards and kernels. Throws `.noSuchLine`, which lists the existing
    /// lines.
    func find(_ text: String) throws(GpioError) -> Address {
        // Other kernels than Raspberry Pi's name lines by their function. The first chip's offsets are still the BCM numbers.
        let number = Int(text.begins(with: "GPIO") ? text.dropping(bytes: 4) : text)
        if let found = named(text) ?? number.flatMap({ named("GPIO\($0)") ?? numbered($0) }) { return found }
        if let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) {
            let chipText = String(text[..<colon]).pathName
            let offsetText = String(text[text.utf8.index(after: colon)...])
            if let chip = chips.firstIndex(where: { $0.name == chipText || $0.aliases.contains(chipText) }) {
                if let offset = Int(offsetText), chips[chip].lines.indices.contains(offset) {
                    return Address(chip: chip, offset: offset)
                }
                throw GpioError(
                    reason: .noSuchLine,
                    message: "no line '\(offsetText)' on \(chipText): it has 0 to \(chips[chip].lines.count - 1)")
            }
            throw GpioError(
                reason: .noSuchLine,
                message: "no GPIO chip '\(chipText)': there are " + chips.map { $0.name }.joined(separator: ", "))
        }
        throw GpioError(reason: .noSuchLine, message: "no GPIO line '\(text)': there are \(summary)")
    }

    private func named(_ name: String) -> Address? {
        if name.isEmpty { return nil }
        for (chip, description) in chips.enumerated() {
            if let offset = description.lines.firstIndex(of: name) { return Address(chip: chip, offset: offset) }
        }
        return nil
    }

    private func numbered(_ number: Int) -> Address? {
        guard
            let chip = chips.firstIndex(where: {
                $0.label.begins(with: "pinctrl-bcm2") || $0.label == "pinctrl-rp1"
            }), chips[chip].lines.indices.contains(number)
        else { return nil }
        return Address(chip: chip, offset: number)
    }

    /// Returns "GPIO17 (gpiochip0:17)".
    func description(of address: Address) -> String {
        let chip = chips[address.chip]
        let place = "\(chip.name):\(address.offset)"
        let name = chip.lines[address.offset]
        return name.isEmpty ? place : name + " (" + place + ")"
    }

    /// The most entries of a chip in `summary`: enough for every name on a Raspberry Pi's header.
    private static let mostEntries = 40

    /// The list of lines, such as "gpiochip0: ID_SDA, ID_SCL, GPIO2 to GPIO27, 26 without a name; gpiochip1: BT_ON, WL_ON".
    var summary: String {
        var parts: [String] = []
        for chip in chips {
            var entries = LineCatalogue.runs(in: chip.lines)
            if entries.count > LineCatalogue.mostEntries {
                let more = entries.count - LineCatalogue.mostEntries
                entries.removeLast(more)
                entries.append("and \(more) more")
            }
            let unnamed = chip.lines.count { $0.isEmpty }
            if unnamed > 0 { entries.append("\(unnamed) without a name (\(chip.name):0 to \(chip.lines.count - 1))") }
            parts.append(chip.name + ": " + (entries.isEmpty ? "no lines" : entries.joined(separator: ", ")))
        }
        return parts.joined(separator: "; ")
    }

    /// Returns names in their order, with consecutive ones joined: "GPIO2 to GPIO27".
    private static func runs(in names: [String]) -> [String] {
        var runs: [(first: String, last: String, count: Int)] = []
        for name in names where !name.isEmpty {
            if let run = runs.last, successor(of: run.last) == name {
                runs[runs.count - 1] = (run.first, name, run.count + 1)
            } else {
                runs.append((name, name, 1))
            }
        }
        return runs.map { run in
            switch run.count {
            case 1: run.first
            case 2: run.first + ", " + run.last
            default: run.first + " to " + run.last
            }
        }
    }

    /// Returns "GPIO10" for "GPIO9"; nil if the name does not end in a number.
    private static func successor(of name: String) -> String? {
        let digits = name.utf8.reversed().prefix { $0 >= 0x30 && $0 <= 0x39 }.count
        guard digits > 0, let number = Int(name.dropping(bytes: name.utf8.count - digits)), number < .max else {
            return nil
        }
        return String(Substring(name.utf8.dropLast(digits))) + "\(number + 1)"
    }
}
