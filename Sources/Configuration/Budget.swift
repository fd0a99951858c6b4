import Controls
import Posix

/// What the figures of `nightstand profile` may be: an INI file with one section, `[budget]`, and a key for each figure that is
/// bounded. `board/budgets` holds those of the boards.
public struct Budget: Sendable {
    public struct Bound: Equatable, Sendable {
        public let figure: ProfileFigure
        /// In thousandths of the figure's unit.
        public let thousandths: Int
        /// Where it is written.
        public let line: Int
    }

    /// No figure comes near this, and a thousand times as much still fits.
    private static let most = 1_000_000_000_000

    public let file: String
    public private(set) var bounds: [Bound] = []

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
            func error(_ problem: String) -> ConfigurationError {
                ConfigurationError(file: file, line: entry.line, problem: problem)
            }
            if entry.section != "budget" {
                throw error("section '\(entry.section)', expected everything in [budget]")
            }
            guard case .value(let key, let value) = entry.content else { continue }
            guard let figure = ProfileFigure(rawValue: key) else {
                let keys = ProfileFigure.allCases.map { $0.rawValue }
                throw error("unknown figure '\(key)', expected " + Spelling.expectation(of: key, among: keys))
            }
            if let before = bound(of: figure) {
                throw error("'\(key)' again, expected it once: line \(before.line) sets it already")
            }
            guard let thousandths = Budget.thousandths(of: value) else {
                throw error("\(key) is '\(value)', expected a number from 0, with up to three decimals")
            }
            bounds.append(Bound(figure: figure, thousandths: thousandths, line: entry.line))
        }
        if bounds.isEmpty {
            throw ConfigurationError(file: file, line: 0, problem: "no budget in it, expected figures under [budget]")
        }
    }

    public func bound(of figure: ProfileFigure) -> Bound? { bounds.first { $0.figure == figure } }

    /// "12.5" is 12500.
    static func thousandths(of text: String) -> Int? {
        var result = 0
        var decimals: Int?
        var digits = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: ".") && decimals == nil && digits > 0 {
                decimals = 0
            } else if byte >= 0x30 && byte <= 0x39 && decimals != 3 && result < most {
                result = result * 10 + Int(byte - 0x30)
                digits += 1
                decimals = decimals.map { $0 + 1 }
            } else {
                return nil
            }
        }
        if digits == 0 || decimals == 0 { return nil }
        for _ in (decimals ?? 0)..<3 { result *= 10 }
        return result
    }
}
