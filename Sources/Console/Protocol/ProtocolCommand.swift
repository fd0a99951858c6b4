// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import Text
import Wire

/// A command of the console's language: a row of the table (`CommandTable.swift`). All texts about commands come from there.
struct ProtocolCommand: Sendable {
    /// The places where a command is allowed.
    enum Place {
        case anywhere
        /// Outside command lists only.
        case alone
        /// Also while the client idles.
        case whileIdle
    }

    /// The code that runs a command, for a session with its arguments.
    enum Handler: Sendable {
        /// Acts, and answers OK.
        case does(@Sendable (inout Session) throws(ConsoleError) -> Void)
        /// Answers at once.
        case tells(@Sendable (inout Session, inout ResponseBuffer) throws(ConsoleError) -> Void)
        /// Answers in portions.
        case lists(@Sendable (inout Session) throws(ConsoleError) -> Portions?)
        /// Begins its answer, and may leave the rest to portions.
        case begins(@Sendable (inout Session, inout ResponseBuffer) throws(ConsoleError) -> Portions?)
    }

    /// Returns the list for a word in a summary of `help`: the screen's lines from `SpeakerStatus`, or the screens of a panel. With the
    /// lists in it, the table would not be plain data.
    private static func list(for word: String) -> String? {
        switch word {
        case "%LINES": SpeakerStatus.lineNames.joined(separator: ", ")
        case "%SCREENS": ScreenName.list
        default: nil
        }
    }

    /// The upper bound of a command that takes any number of arguments.
    static let many = Request.maximumArguments

    /// The unlisted other spelling of the command.
    static var favourite: String { "favourite" }

    let name: String
    /// The permission that a client needs; empty if every client may use it.
    let permission: Permissions
    /// The arguments as `help` shows them, a line for each form.
    private let usage: String
    private let summary: String
    private let handler: Handler
    /// The least and the largest number of arguments. Small fields come last, so that a row has no gaps.
    private let least: UInt8
    private let most: UInt8
    /// The part of a turn's work that it takes before it lists anything: an action writes to the database.
    let cost: UInt8
    let place: Place

    /// Inlined, so that the compiler lays the table out as data: an ordinary function would make each part at its first use.
    @inline(__always)
    init(
        _ name: String, _ arguments: ClosedRange<Int>, _ permission: Permissions,
        cost: UInt8 = 0, place: Place = .anywhere, _ usage: String, _ summary: String, _ handler: Handler
    ) {
        self.name = name
        least = UInt8(truncatingIfNeeded: arguments.lowerBound)
        most = UInt8(truncatingIfNeeded: arguments.upperBound)
        self.permission = permission
        self.cost = cost
        self.place = place
        self.usage = usage
        self.summary = summary
        self.handler = handler
    }

    /// The range of the number of arguments.
    var arguments: ClosedRange<Int> { Int(least)...Int(most) }

    /// Runs the command. An answer before a failure stays.
    /// - Returns: the rest of the answer; nil if it is complete.
    func perform(_ session: inout Session, _ response: inout ResponseBuffer) throws(ConsoleError) -> Portions? {
        switch handler {
        case .does(let act): try act(&session)
        case .tells(let tell): try tell(&session, &response)
        case .lists(let list): return try list(&session)
        case .begins(let begin): return try begin(&session, &response)
        }
        return nil
    }

    // MARK: The table

    /// A group of commands in `help`, ordered by people's needs.
    private enum Topic: CaseIterable {
        case playing, looking, favourites, queue, modes, playlists, podcasts, library, session, programs, devices

        /// The heading in the list; nil for a group that the list leaves out.
        var title: String? {
            switch self {
            case .playing: "Playing"
            case .looking: "Looking"
            case .favourites: "Favourites"
            case .queue: "Queue"
            case .modes: "Modes"
            case .playlists: "Playlists"
            case .podcasts: "Podcasts"
            case .library: "Library"
            case .session: "Session"
            case .programs, .devices: nil
            }
        }

        var commands: [ProtocolCommand] {
            switch self {
            case .playing: ProtocolCommand.ofPlaying
            case .looking: ProtocolCommand.ofLooking
            case .favourites: ProtocolCommand.ofFavourites
            case .queue: ProtocolCommand.ofQueue
            case .modes: ProtocolCommand.ofModes
            case .playlists: ProtocolCommand.ofPlaylists
            case .podcasts: ProtocolCommand.ofPodcasts
            case .library: ProtocolCommand.ofLibrary
            case .session: ProtocolCommand.ofSession
            case .programs: ProtocolCommand.ofPrograms
            case .devices: ProtocolCommand.ofDevices
            }
        }
    }

    /// Returns the names of all commands for which `isWanted` holds, in the table's order.
    static func names(where isWanted: (ProtocolCommand) -> Bool) -> [String] {
        var names: [String] = []
        for topic in Topic.allCases {
            for command in topic.commands where isWanted(command) { names.append(command.name) }
        }
        return names
    }

    /// Finds a command; nil if there is none of that name.
    static func named(_ name: String) -> ProtocolCommand? {
        let name = name == "favorite" ? favourite : name
        for topic in Topic.allCases {
            let commands = topic.commands
            for index in commands.indices where commands[index].isCalled(name) { return commands[index] }
        }
        return nil
    }

    /// Returns whether this is the command's name. Comparing lengths first saves most comparisons of texts.
    private func isCalled(_ text: String) -> Bool { name.utf8.count == text.utf8.count && name == text }

    // MARK: Help

    private static let columns = 79

    /// Writes the list of commands: 80 columns, and few enough lines for a terminal of 24. A group that needs one more line must remove an
    /// example, or move a command for programs to `ofPrograms`.
    static func writeHelp(to response: inout ResponseBuffer) {
        response.line("\"help COMMAND\" tells more, \"commands\" lists all. Text with spaces in \"...\".")
        response.line("")
        for topic in Topic.allCases {
            guard var title = topic.title else { continue }
            while title.utf8.count < 12 { title += " " }
            wrap(topic.commands.map { $0.name }, firstIndent: title, indent: "            ", to: &response)
        }
        response.line("")
        response.line("status                   what the speaker is doing, and where it is")
        response.line("pause                    pause, and again: carry on")
        response.line("seekcur -10              ten seconds back")
        response.line("volume +5                a little louder")
        response.line("favourite add            keep what is playing")
        response.line("transcript               the sentence being spoken")
    }

    func writeHelp(to response: inout ResponseBuffer) {
        for arguments in usage.parts(between: "\n", keepingEmpty: true) {
            response.line(arguments.isEmpty ? name : name + " " + arguments)
        }
        let words = summary.parts(between: " ").flatMap { word in
            ProtocolCommand.list(for: word)?.parts(between: " ") ?? [word]
        }
        ProtocolCommand.wrap(words, firstIndent: "    ", indent: "    ", to: &response)
    }

    /// Fills lines with words.
    static func wrap(
        _ words: [String], firstIndent: String, indent: String, to response: inout ResponseBuffer
    ) {
        var line = firstIndent
        var isEmpty = true
        for word in words {
            if !isEmpty && line.utf8.count + 1 + word.utf8.count > columns {
                response.line(line)
                line = indent
                isEmpty = true
            }
            if !isEmpty { line += " " }
            line += word
            isEmpty = false
        }
        response.line(line)
    }
}
