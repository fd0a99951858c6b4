// SPDX-License-Identifier: Apache-2.0
import Posix

/// The lines that a board has, chip by chip, and which of them a configuration means.
struct LineCatalogue {
    struct Chip {
        /// The kernel's name, "gpiochip0".
        let name: String
        /// Other names under /dev for the same chip: a Pi 5's gpiochip4 is a link to gpiochip0.
        var aliases: [String] = []
        /// The driver's, "pinctrl-bcm2711".
        let label: String
        /// By offset, "" if a line has none.
        let lines: [String]
    }

    struct Address: Equatable {
        let chip: Int
        let offset: Int
    }

    var chips: [Chip] = []

    /// Finds a line written as the kernel names it (`GPIO17`), by its BCM number (`17`), or by chip and offset
    /// (`gpiochip0:17`, `/dev/gpiochip0:17`). Names are sought over all chips, since the numbers of chips differ from one board
    /// and kernel to the next. Throws `.noSuchLine`, naming the lines that there are.
    func find(_ text: String) throws(GpioError) -> Address {
        // A kernel from outside Raspberry Pi names lines by their function; the first chip's offsets are the BCM numbers still.
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

    /// "GPIO17 (gpiochip0:17)".
    func description(of address: Address) -> String {
        let chip = chips[address.chip]
        let place = "\(chip.name):\(address.offset)"
        let name = chip.lines[address.offset]
        return name.isEmpty ? place : name + " (" + place + ")"
    }

    /// Most entries that a chip gets in `summary`: enough for every name on a Raspberry Pi's header.
    private static let mostEntries = 40

    /// "gpiochip0: ID_SDA, ID_SCL, GPIO2 to GPIO27, 26 without a name; gpiochip1: BT_ON, WL_ON".
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

    /// Names in their order, with those that count up drawn together: "GPIO2 to GPIO27".
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

    /// "GPIO9" gives "GPIO10"; nil if the name does not end in a number.
    private static func successor(of name: String) -> String? {
        let digits = name.utf8.reversed().prefix { $0 >= 0x30 && $0 <= 0x39 }.count
        guard digits > 0, let number = Int(name.dropping(bytes: name.utf8.count - digits)), number < .max else {
            return nil
        }
        return String(Substring(name.utf8.dropLast(digits))) + "\(number + 1)"
    }
}
