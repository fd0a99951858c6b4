// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// A command line parsed by getopt_long(3), which also words the errors about unknown and incomplete options.
public struct Arguments {
    /// An option of any of the program's commands.
    public enum Option: CaseIterable {
        case config, help, version, strict
        case lcd, device, state, socket
        case output, from, speed, silences
        case seconds, budget, exercise
        case cache, account, stay
        case language
        case png, size, theme, at, text
        case screen, comfort, tree
        case panel, child, terminal, onPanel

        /// The name, written with two dashes.
        var name: StaticString {
            switch self {
            case .config: "config"
            case .help: "help"
            case .version: "version"
            case .strict: "strict"
            case .lcd: "lcd"
            case .device: "device"
            case .state: "state"
            case .socket: "socket"
            case .output: "output"
            case .from: "from"
            case .speed: "speed"
            case .silences: "silences"
            case .seconds: "seconds"
            case .budget: "budget"
            case .exercise: "exercise"
            case .cache: "cache"
            case .account: "account"
            case .stay: "stay"
            case .language: "language"
            case .png: "png"
            case .size: "size"
            case .theme: "theme"
            case .at: "at"
            case .text: "text-size"
            case .screen: "screen"
            case .comfort: "comfort"
            case .tree: "tree"
            case .panel: "panel"
            case .child: "child"
            case .terminal: "terminal"
            // The option of `play`.
            case .onPanel: "screen"
            }
        }

        /// The letter, written with one dash; nil for options with a name only.
        var letter: Unicode.Scalar? {
            switch self {
            case .config: "c"
            case .help: "h"
            case .version: "V"
            case .socket: "s"
            case .output: "o"
            case .seconds: "n"
            case .budget: "b"
            case .exercise: "x"
            case .strict, .lcd, .device, .state, .from, .speed, .silences, .cache, .account, .stay, .language, .png,
                .size,
                .theme, .at,
                .text,
                .screen,
                .comfort, .tree, .panel,
                .child,
                .terminal, .onPanel:
                nil
            }
        }

        var takesValue: Bool {
            self != .help && self != .version && self != .strict && self != .child && self != .tree && self != .onPanel
                && self != .stay
                && self != .exercise
        }
    }

    /// The options, in the order of the command line.
    private var given: [(option: Option, value: String)] = []
    public private(set) var operands: [String] = []

    /// Parses `words`, which begin with the program's name.
    /// - Parameter stopsAtOperand: leaves everything from the first operand on as operands.
    /// - Returns: nil after a usage error, which getopt has reported on standard error.
    public init?(_ words: [String], options: [Option], stopsAtOperand: Bool = false) {
        var letters = stopsAtOperand ? "+" : ""
        var long: [option] = []
        for (index, known) in options.enumerated() {
            let name = UnsafeRawPointer(known.name.utf8Start).assumingMemoryBound(to: CChar.self)
            // Codes below 256 are letters.
            long.append(option(name: name, has_arg: known.takesValue ? 1 : 0, flag: nil, val: Int32(256 + index)))
            if let letter = known.letter { letters += String(Character(letter)) + (known.takesValue ? ":" : "") }
        }
        long.append(option(name: nil, has_arg: 0, flag: nil, val: 0))
        var copies: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        copies.append(nil)
        defer { for copy in copies { free(copy) } }
        ns_restart_options()
        var isUsable = true
        while isUsable {
            let code = getopt_long(Int32(words.count), &copies, letters, long, nil)
            if code == -1 { break }
            let value = ns_option_argument().map { String(cString: $0) } ?? ""
            if code >= 256 {
                given.append((options[Int(code) - 256], value))
            } else if let option = options.first(where: { $0.letter.map { Int32($0.value) } == code }) {
                given.append((option, value))
            } else {
                isUsable = false
            }
        }
        if !isUsable { return nil }
        // getopt has moved the operands to the end.
        operands = copies[Int(ns_option_index())..<words.count].map { String(cString: $0!) }
    }

    /// Returns the last value given for an option.
    public func value(_ option: Option) -> String? { given.last { $0.option == option }?.value }

    /// Returns whether the command line has an option.
    public func has(_ option: Option) -> Bool { given.contains { $0.option == option } }
}
