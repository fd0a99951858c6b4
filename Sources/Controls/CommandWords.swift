import Core
import Posix

/// Commands in the configuration's words: `none`, `play-pause`, `play`, `pause`, `stop`, `favourite`, `bookmark`, `next`, `previous`,
/// `forward SECONDS`, `back SECONDS`, `volume-up [PERCENT]`, `volume-down [PERCENT]`.
extension Command {
    private static let plain: [(text: String, command: Command)] = [
        ("none", .none), ("play-pause", .playPause), ("play", .play), ("pause", .pause), ("stop", .stop),
        ("favourite", .toggleFavourite), ("bookmark", .toggleBookmark), ("next", .next), ("previous", .previous),
    ]

    static let names = plain.map { $0.text } + ["forward", "back", "volume-up", "volume-down"]

    /// Reads the configuration's words. Throws if they are no command, or their number is out of range (1…3600 seconds,
    /// 1…100 percentage points).
    public init(parsing text: String) throws(GestureError) {
        let words = text.parts(between: " ")
        let name = words.first ?? ""
        if let plain = Command.plain.first(where: { $0.text == name }) {
            if words.count > 1 { throw GestureError("'\(words[1])' after '\(name)'", expected: "'\(name)' alone") }
            self = plain.command
            return
        }
        switch name {
        case "forward", "back":
            let seconds = try Command.number(words, in: 1...3600, default: nil, unit: "seconds")
            self = .skip(milliseconds: (name == "back" ? -1000 : 1000) * seconds)
        case "volume-up", "volume-down":
            let step = try Command.number(words, in: 1...100, default: Command.volumeStep, unit: "percentage points")
            self = .volume(step: name == "volume-down" ? -step : step)
        default:
            throw GestureError(
                name.isEmpty ? "no command" : "unknown command '\(name)'",
                expected: Spelling.expectation(of: name, among: Command.names))
        }
    }

    private static func number(
        _ words: [String], in range: ClosedRange<Int>, default fallback: Int?, unit: String
    ) throws(GestureError) -> Int {
        if words.count == 1, let fallback { return fallback }
        if words.count == 2, let number = Int(words[1]), range.contains(number) { return number }
        let expected = "'\(words[0])' and \(range.lowerBound) to \(range.upperBound) \(unit)"
        if words.count == 1 { throw GestureError("'\(words[0])' without a number", expected: expected) }
        throw GestureError("'\(words[1...].joined(separator: " "))' after '\(words[0])'", expected: expected)
    }

    /// As the configuration writes it, and parsing it gives the command again; "" for what no gesture can be bound to.
    public var text: String {
        switch self {
        case .skip(let milliseconds):
            return milliseconds < 0 ? "back \(-milliseconds / 1000)" : "forward \(milliseconds / 1000)"
        case .volume(let step):
            return step < 0 ? "volume-down \(-step)" : "volume-up \(step)"
        default:
            for plain in Command.plain where plain.command == self { return plain.text }
            return ""
        }
    }
}
