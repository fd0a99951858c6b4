// SPDX-License-Identifier: Apache-2.0
import Core
import Media
import Model
import Posix
import Wire

/// Playing, and the session itself.
extension Session {
    // MARK: Playing

    func play(_ position: Int?) throws(ConsoleError) {
        if let position {
            try host.play(position: position)
        } else {
            try host.perform(.play)
        }
    }

    func pause(_ argument: String?) throws(ConsoleError) {
        let state = host.status.state
        let paused = try argument.map { text throws(ConsoleError) in try Argument.boolean(text) } ?? (state == .playing)
        if state != .stopped { try host.setPaused(paused) }
    }

    func seek(to position: Int?, _ time: String) throws(ConsoleError) {
        guard let position else { throw Session.noSuchSong }
        let milliseconds = try Argument.milliseconds(time)
        if milliseconds < 0 { throw Argument.wrong(time, "Negative value not allowed") }
        try host.seek(position: position, toMilliseconds: milliseconds)
    }

    func seekInCurrent(_ time: String) throws(ConsoleError) {
        let milliseconds = try Argument.milliseconds(time)
        let status = host.status
        guard let current = status.current, status.state != .stopped else {
            throw ConsoleError(.playerSync, "Not playing")
        }
        if Argument.hasSign(time) {
            try host.perform(.skip(milliseconds: milliseconds))
        } else {
            try host.seek(position: current.position, toMilliseconds: milliseconds)
        }
    }

    func writeVolume(_ response: inout ResponseBuffer) {
        if let percent = host.status.volumePercent { response.field("volume", percent) }
    }

    func changeVolume(_ argument: String) throws(ConsoleError) {
        let change = try Argument.integer(argument, in: -100...100)
        try setVolume(min(100, max(0, (host.status.volumePercent ?? 0) + change)))
    }

    func setVolume(_ percent: Int) throws(ConsoleError) { try host.perform(.setVolume(percent: percent)) }

    // MARK: Session

    func help(_ argument: String?, _ response: inout ResponseBuffer) throws(ConsoleError) {
        guard let argument else {
            ProtocolCommand.writeHelp(to: &response)
            return
        }
        guard let command = ProtocolCommand.named(argument) else {
            throw ConsoleError(.noExist, "no command \"\(Argument.shortened(argument))\"; help lists them")
        }
        command.writeHelp(to: &response)
    }

    func writeCommands(permitted: Bool, _ response: inout ResponseBuffer) {
        let names = ProtocolCommand.names {
            $0.place != .whileIdle && access.permissions.isSuperset(of: $0.permission) == permitted
        }
        for name in names.sorted() { response.field("command", name) }
    }

    func writeConfiguration(_ response: inout ResponseBuffer) throws(ConsoleError) {
        if !access.isLocal { throw ConsoleError(.permission, "Command only permitted to local clients") }
        response.field("music_directory", path: host.names.root)
    }

    func writeDecoders(_ response: inout ResponseBuffer) {
        func write(_ name: String, _ suffixes: [String], _ mimeTypes: [String]) {
            response.field("plugin", name)
            for suffix in suffixes { response.field("suffix", suffix) }
            for type in mimeTypes { response.field("mime_type", type) }
        }
        write("mpg123", MediaFormats.mpegSuffixes, ["audio/mpeg"])
        for format in MediaFormats.all { write(format.decoderName, format.suffixes, format.mimeTypes) }
    }

    mutating func chooseTags(_ arguments: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        guard let action = arguments.first else {
            for tag in visibleTags.tags { response.field("tagtype", tag.name) }
            return
        }
        let names = arguments.dropFirst()
        switch action {
        case "all", "clear":
            if !names.isEmpty { throw ConsoleError(.argument, "Too many arguments") }
            visibleTags = action == "all" ? .ofMPD : TagSet()
        case "enable", "disable":
            if names.isEmpty { throw ConsoleError(.argument, "Not enough arguments") }
            var chosen: [Tag] = []
            for name in names {
                guard let tag = Tag(name: name) else { throw Argument.wrong(name, "Unknown tag type") }
                chosen.append(tag)
            }
            for tag in chosen { if action == "enable" { visibleTags.insert(tag) } else { visibleTags.remove(tag) } }
        default: throw ConsoleError(.argument, "Unknown sub command")
        }
    }
}
