import CPosix
import Posix

/// A command line taken apart by getopt_long(3), which also words the complaints about unknown and incomplete options.
struct Arguments {
    /// An option as it may be written: `--name`, and `-letter` where there is one.
    struct Option {
        let name: StaticString
        let letter: Unicode.Scalar?
        let takesValue: Bool

        init(_ name: StaticString, _ letter: Unicode.Scalar? = nil, takesValue: Bool = false) {
            self.name = name
            self.letter = letter
            self.takesValue = takesValue
        }
    }

    /// The given options in order, by their place in the list of the known ones.
    private(set) var given: [(option: Int, value: String)] = []
    private(set) var operands: [String] = []

    /// Takes `words` apart, the first of which is the program's name.
    /// - Parameter stopsAtOperand: leaves everything from the first operand on as operands.
    /// - Returns: nil after a usage error, which getopt has reported on standard error.
    init?(_ words: [String], options: [Option], stopsAtOperand: Bool = false) {
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
                given.append((Int(code) - 256, value))
            } else if let index = options.firstIndex(where: { $0.letter.map { Int32($0.value) } == code }
            ) {
                given.append((index, value))
            } else {
                isUsable = false
            }
        }
        if !isUsable { return nil }
        // getopt has moved the operands to the end.
        operands = copies[Int(ns_option_index())..<words.count].map { String(cString: $0!) }
    }

    /// The last value given for an option.
    func value(_ option: Int) -> String? { given.last { $0.option == option }?.value }

    func has(_ option: Int) -> Bool { given.contains { $0.option == option } }
}
