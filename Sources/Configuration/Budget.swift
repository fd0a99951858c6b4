// SPDX-License-Identifier: Apache-2.0
import Controls
import Posix

/// The limits of the figures of `nightstand profile`: an INI file with one section, `[budget]`, and a key for each limited figure.
/// `board/budgets` has those of the boards.
public struct Budget: Sendable {
    /// The largest number: far above every figure, and a thousand times as much still fits.
    private static let most: Int64 = 1_000_000_000_000

    public let file: String
    // One for each figure; line 0 for a figure without a bound.
    private var lines = [Int](repeating: 0, count: ProfileFigure.allCases.count)
    private var bounds = [Int64](repeating: 0, count: ProfileFigure.allCases.count)

    public static func load(path: String) throws(ConfigurationError) -> Budget {
        let bytes: [UInt8]
        do throws(PosixError) { bytes = try Files.read(path, limit: Configuration.mostBytes) } catch {
            throw ConfigurationError(file: path, line: 0, problem: error.reason)
        }
        return try Budget(parsing: bytes, file: path)
    }

    /// - Parameter file: its name for messages.
    public init(parsing bytes: [UInt8], file: String) throws(ConfigurationError) {
        self.file = file
        for entry in try INIFile.entries(of: bytes, file: file) {
            if let problem = take(entry) { throw ConfigurationError(file: file, line: entry.line, problem: problem) }
        }
        if lines.allSatisfy({ $0 == 0 }) {
            throw ConfigurationError(file: file, line: 0, problem: "no budget in it, expected figures under [budget]")
        }
    }

    /// Returns the bound of a figure, in thousandths of its unit, and its line; nil if the figure has none.
    public func bound(of figure: ProfileFigure) -> (thousandths: Int64, line: Int)? {
        let line = lines[figure.rawValue]
        return line == 0 ? nil : (bounds[figure.rawValue], line)
    }

    /// Takes an entry. Returns the problem with it, nil for none.
    private mutating func take(_ entry: INIFile.Entry) -> String? {
        if entry.section != "budget" { return "section '" + entry.section + "', expected everything in [budget]" }
        guard case .value(let key, let value) = entry.content else { return nil }
        var keys: [String] = []
        for figure in ProfileFigure.allCases { keys.append(figure.row.key) }
        guard let figure = keys.firstIndex(of: key) else {
            return "unknown figure '" + key + "', expected " + Spelling.expectation(of: key, among: keys)
        }
        if lines[figure] > 0 { return "'" + key + "' again, expected it once: line \(lines[figure]) sets it already" }
        guard let thousandths = Budget.thousandths(of: value) else {
            return key + " is '" + value + "', expected a number from 0, with up to three decimals"
        }
        lines[figure] = entry.line
        bounds[figure] = thousandths
        return nil
    }

    /// Parses a decimal number as thousandths: "12.5" is 12500.
    static func thousandths(of text: String) -> Int64? {
        var result: Int64 = 0
        // The number of digits behind the point; -1 before it.
        var decimals = -1
        var hasDigit = false
        for byte in Array(text.utf8) {
            let digit = Int64(byte) &- 0x30
            if byte == UInt8(ascii: ".") && decimals < 0 && hasDigit {
                decimals = 0
                hasDigit = false
            } else if digit >= 0 && digit <= 9 && decimals < 3 && result < most {
                result = result &* 10 &+ digit
                hasDigit = true
                if decimals >= 0 { decimals &+= 1 }
            } else {
                return nil
            }
        }
        if !hasDigit { return nil }
        decimals = max(0, decimals)
        return result &* (decimals == 0 ? 1000 : decimals == 1 ? 100 : decimals == 2 ? 10 : 1)
    }
}
