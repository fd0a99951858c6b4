// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Speaker
import Wire

/// The sleep timer: `sleep`, `sleep 30`, `sleep 3 chapters`, `sleep off`; interruptions: `interrupt begin 20`; and settings: `setting`,
/// `setting loudest 80`.
extension Session {
    func sleep(_ words: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        if words.isEmpty {
            return response.field("sleep", host.status.sleepWord ?? Sleep.off.word)
        }
        let word = words.joined(separator: " ")
        guard let sleep = Sleep(word: word) else { throw Argument.wrong(word, "Expected " + Sleep.expected) }
        try host.perform(.sleep(sleep))
    }

    func setting(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        let all = SpeakerSetting.allCases.compactMap(host.speaker.status)
        guard let name = arguments.first else {
            for status in all {
                response.field("setting", status.setting.rawValue)
                response.field("value", status.value)
                response.field("words", status.setting.words(of: status.value))
                for choice in status.choices { response.field("choice", choice) }
            }
            return
        }
        func list(_ words: [String]) -> String { words.joined(separator: ", ") }
        guard let status = all.first(where: { $0.setting.rawValue == name }) else {
            throw Argument.wrong(name, "Expected one of " + list(all.map { $0.setting.rawValue }))
        }
        let value =
            switch arguments.count > 1 ? arguments[1] : "" {
            case "next": status.stepped(forward: true)
            case "previous": status.stepped(forward: false)
            case let word: word
            }
        if !status.setting.takesAnyNumber && !status.choices.contains(where: { $0 == value }) {
            throw Argument.wrong(value, "Expected next, previous or one of " + list(status.choices))
        }
        try choose(value, of: status.setting)
    }

    private func choose(_ value: String, of setting: SpeakerSetting) throws(ConsoleError) {
        if !host.speaker.choose(value, of: setting) { throw ConsoleError(.argument, "\(value) cannot be chosen") }
    }

    /// Reports or sets the skipped seconds of each file of the current book.
    func skip(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        let ends = [SpeakerSetting.skipStart, .skipEnd].compactMap(host.speaker.status)
        if ends.count < 2 { throw ConsoleError(.playerSync, "Not playing") }
        if arguments.isEmpty {
            for end in ends { response.field(end.setting.rawValue, end.value) }
            return
        }
        if arguments.count < 2 { throw Argument.wrong(arguments[0], "Expected START END in seconds: skip 30 20") }
        let seconds = [
            try Argument.unsigned(arguments[0], atMost: SkippedEnds.most),
            try Argument.unsigned(arguments[1], atMost: SkippedEnds.most),
        ]
        for (end, seconds) in zip(ends, seconds) { try choose("\(seconds)", of: end.setting) }
    }

    /// - Returns: the wait until other programs can open the card; nil if they can now.
    func interrupt(_ arguments: [String]) throws(ConsoleError) -> Portions? {
        switch (arguments[0], arguments.count) {
        case ("end", 1): try host.perform(.interrupt(.end))
        case ("begin", 1): try host.perform(.interrupt(.begin(seconds: nil)))
        case ("begin", _):
            guard let seconds = Int(arguments[1]), Command.Interruption.lengths.contains(seconds) else {
                throw Argument.wrong(arguments[1], "Expected 1 to 3600 seconds")
            }
            try host.perform(.interrupt(.begin(seconds: seconds)))
        default: throw Argument.wrong(arguments[0], "Expected begin, begin SECONDS or end")
        }
        let host = host
        return arguments[0] == "begin" && host.speaker.player.isLettingGoOfCard
            ? Portions(isWaiting: host.speaker.player.isLettingGoOfCard) { _, _ in true } : nil
    }
}
