// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// Commands in the configuration's words: `none`, `say`, `describe`, `lock`, `play-pause`, `play`, `pause`, `stop`, `favourite`,
/// `bookmark`, `next`, `previous`, `forward SECONDS`, `back SECONDS`, `volume-up [PERCENT]`, `volume-down [PERCENT]`, `speed-up [PERCENT]`,
/// `speed-down [PERCENT]`, `sentence STEP` with `next`, `previous`, `repeat`, `loop`, `a`, `b` or `off`; `sleep [MINUTES]`, or with
/// `chapter`, `item` or `off`; `screen NAME` with the names of `ScreenName`; `menu`, alone or with `next`, `previous`, `choose`, `back` or
/// `leave`; `interrupt SECONDS`, `interrupt end`; `alarm snooze`, `alarm end`.
extension Command {
    private static let plain: [(text: String, command: Command)] = [
        ("none", .none), ("play-pause", .playPause), ("play", .play), ("pause", .pause), ("stop", .stop),
        ("favourite", .toggleFavourite), ("bookmark", .toggleBookmark), ("next", .next), ("previous", .previous),
        ("say", .say), ("describe", .describe), ("lock", .lock),
    ]

    private static let sentences: [(text: String, command: Command)] = [
        ("next", .sentence(.next)), ("previous", .sentence(.previous)), ("repeat", .sentence(.again)),
        ("loop", .loop(.sentence)), ("a", .loop(.from)), ("b", .loop(.to)), ("off", .loop(.off)),
    ]

    static let names =
        plain.map { $0.text } + [
            "forward", "back", "volume-up", "volume-down", "speed-up", "speed-down", "sentence", "sleep", "screen",
            "menu", "interrupt", "alarm",
        ]

    /// Reads the configuration's words. Throws for an unknown command, or a number out of range (1…3600 seconds, 1…100 percentage points).
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
        case "speed-up", "speed-down":
            let step = try Command.number(words, in: 5...100, default: Speed.buttonStep, unit: "percentage points")
            if step % Speed.step != 0 {
                throw GestureError("'\(step)' after '\(name)'", expected: "a multiple of \(Speed.step)")
            }
            self = .speed(step: name == "speed-down" ? -step : step)
        case "sentence":
            guard words.count == 2, let step = Command(sentence: words[1]) else {
                throw Command.unknown(words, lacking: "a step", among: Command.sentences.map { $0.text })
            }
            self = step
        case "sleep": self = try Command.sleep(words)
        case "interrupt":
            if words.count == 2 && words[1] == "end" {
                self = .interrupt(.end)
            } else {
                let seconds = try Command.number(
                    words, in: Command.Interruption.lengths, default: nil, unit: "seconds, or end")
                self = .interrupt(.begin(seconds: seconds))
            }
        case "menu":
            guard words.count <= 2, let step = Command.Menu(rawValue: words.count == 1 ? "open" : words[1]) else {
                throw Command.unknown(words, lacking: "a step", among: Command.Menu.allCases.map { $0.rawValue })
            }
            self = .menu(step)
        case "alarm":
            guard words.count == 2, let answer = Command.AlarmAnswer(rawValue: words[1]) else {
                throw Command.unknown(
                    words, lacking: "an answer", among: Command.AlarmAnswer.allCases.map { $0.rawValue })
            }
            self = .alarm(answer)
        case "screen":
            guard words.count == 2, let name = ScreenName(rawValue: words[1]) else {
                throw Command.unknown(words, lacking: "a name", among: ScreenName.allCases.map { $0.rawValue })
            }
            self = .screen(name)
        default:
            throw GestureError(
                name.isEmpty ? "no command" : "unknown command '\(name)'",
                expected: Spelling.expectation(of: name, among: Command.names))
        }
    }

    /// Returns the error for unknown words after a command.
    /// - Parameter missing: the missing word if nothing follows, such as "a step".
    private static func unknown(_ words: [String], lacking missing: String, among known: [String]) -> GestureError {
        GestureError(
            words.count == 1
                ? "'\(words[0])' without \(missing)"
                : "'\(words[1...].joined(separator: " "))' after '\(words[0])'",
            expected: Spelling.expectation(of: words.count > 1 ? words[1] : "", among: known))
    }

    /// Reads a step along the sentences, or a repetition; nil for other words.
    private init?(sentence word: String) {
        guard let known = Command.sentences.first(where: { $0.text == word }) else { return nil }
        self = known.command
    }

    /// Without a number it is a step through the values.
    private static func sleep(_ words: [String]) throws(GestureError) -> Command {
        if words.count == 1 { return .sleepStep }
        if let sleep = Sleep(word: words[1...].joined(separator: " ")) { return .sleep(sleep) }
        throw GestureError(
            "'\(words[1...].joined(separator: " "))' after 'sleep'",
            expected: "'sleep' alone, or with " + Sleep.expected)
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

    /// The configuration's form, which parsing turns into the command again; "" for commands that no gesture can have.
    public var text: String {
        switch self {
        case .skip(let milliseconds):
            return milliseconds < 0 ? "back \(-milliseconds / 1000)" : "forward \(milliseconds / 1000)"
        case .volume(let step):
            return step < 0 ? "volume-down \(-step)" : "volume-up \(step)"
        case .speed(let step):
            return step < 0 ? "speed-down \(-step)" : "speed-up \(step)"
        case .sleepStep: return "sleep"
        case .sleep(let sleep): return "sleep " + sleep.word
        case .screen(let name): return "screen " + name.rawValue
        case .interrupt(.end): return "interrupt end"
        case .interrupt(.begin(let seconds)): return seconds.map { "interrupt \($0)" } ?? ""
        case .alarm(let answer): return "alarm " + answer.rawValue
        case .menu(let step): return step == .open ? "menu" : "menu " + step.rawValue
        default:
            for plain in Command.plain where plain.command == self { return plain.text }
            for step in Command.sentences where step.command == self { return "sentence " + step.text }
            return ""
        }
    }
}
