// SPDX-License-Identifier: Apache-2.0
import Posix
import Text

/// A parsed command line in MPD's syntax: a word, then arguments divided by spaces or tabs. Each is bare or in double quotes, in which a
/// backslash escapes the next character.
public struct Request {
    /// The limit of arguments: no client needs more, and MPD's own limit is of this size.
    package static let maximumArguments = 64

    /// The command; "" if the line does not begin with a word.
    package private(set) var name = ""
    package private(set) var arguments: [String] = []
    /// The reason why the line is invalid; nil if it is valid. The name is set if it was readable.
    package private(set) var failure: ConsoleError?

    /// Parses a line without its newline, of any bytes.
    package init(line: ArraySlice<UInt8>) {
        do throws(ConsoleError) {
            let text = try Request.checked(line)
            var rest = text[...]
            name = try Request.takeWord(&rest)
            while let argument = try Request.takeArgument(&rest) {
                if arguments.count == Request.maximumArguments {
                    throw ConsoleError(.argument, "Too many arguments")
                }
                arguments.append(argument)
            }
        } catch {
            failure = error
        }
    }

    /// Returns the line without space at its end. A line may contain any byte of a file name except the newline. No name contains 0.
    private static func checked(_ line: ArraySlice<UInt8>) throws(ConsoleError) -> ArraySlice<UInt8> {
        var line = line
        while let last = line.last, last == .carriageReturn || last == .space || last == .tab { line.removeLast() }
        if line.contains(0) { throw ConsoleError(.unknown, "Control character in the command") }
        return line
    }

    private static func takeWord(_ rest: inout ArraySlice<UInt8>) throws(ConsoleError) -> String {
        skipSpace(&rest)
        guard let first = rest.first else { throw ConsoleError(.unknown, "No command given") }
        if !first.isLetter { throw ConsoleError(.unknown, "Letter expected") }
        let word = rest.prefix { !$0.isBlank }
        for byte in word where !byte.isLetter && !byte.isDigit && byte != .underscore {
            throw ConsoleError(.unknown, "Invalid word character")
        }
        rest = rest[word.endIndex...]
        return String(decoding: word, as: UTF8.self)
    }

    private static func takeArgument(_ rest: inout ArraySlice<UInt8>) throws(ConsoleError) -> String? {
        skipSpace(&rest)
        guard let first = rest.first else { return nil }
        if first == .quote { return try takeQuoted(&rest) }
        let word = rest.prefix { !$0.isBlank }
        if word.contains(.quote) { throw ConsoleError(.argument, "Space expected before opening '\"'") }
        if word.contains(where: { $0.isControl }) { throw ConsoleError(.unknown, "Control character in the command") }
        rest = rest[word.endIndex...]
        return String(nameOnTheWire: word)
    }

    private static func takeQuoted(_ rest: inout ArraySlice<UInt8>) throws(ConsoleError) -> String {
        var bytes: [UInt8] = []
        var index = rest.startIndex + 1
        while index < rest.endIndex, rest[index] != .quote {
            if rest[index] == .backslash { index += 1 }
            if index < rest.endIndex { bytes.append(rest[index]) }
            index += 1
        }
        if index >= rest.endIndex { throw ConsoleError(.argument, "Missing closing '\"'") }
        rest = rest[(index + 1)...]
        if let next = rest.first, !next.isBlank {
            throw ConsoleError(.argument, "Space expected after closing '\"'")
        }
        return String(nameOnTheWire: bytes[...])
    }

    private static func skipSpace(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { $0.isBlank }
    }
}

extension UInt8 {
    package static let tab: UInt8 = 0x09
    package static let newline: UInt8 = 0x0A
    package static let carriageReturn: UInt8 = 0x0D
    package static let space: UInt8 = 0x20
    package static let quote: UInt8 = 0x22
    package static let backslash: UInt8 = 0x5C
    package static let underscore: UInt8 = 0x5F

    package var isControl: Bool { self < .space || self == 0x7F }
    package var isBlank: Bool { self == .space || self == .tab }
}
