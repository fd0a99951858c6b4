// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix
import Speaker
import Wire

/// The order of the queue, and how it advances. Errors use MPD's wording, because some clients match it.
extension Session {
    private static let badIndex = ConsoleError(.argument, "Bad song index")

    // MARK: Order

    func swap(_ one: String, _ other: String) throws(ConsoleError) {
        let (one, other) = (try Argument.unsigned(one), try Argument.unsigned(other))
        let count = host.speaker.queue.count
        if one >= count || other >= count { throw Session.badIndex }
        host.speaker.edit { $0.swap(one, other) }
    }

    func swap(ids one: String, _ other: String) throws(ConsoleError) {
        let (one, other) = (try existing(id: one), try existing(id: other))
        host.speaker.edit { $0.swap(one, other) }
    }

    func prioritise(ids: ArraySlice<String>, _ argument: String) throws(ConsoleError) {
        let priority = try Argument.unsigned(argument, atMost: 255)
        for id in ids {
            let entry = try entry(id: id)
            host.speaker.edit { $0.prioritise(entry, UInt8(clamping: priority)) }
        }
    }

    /// Sets priorities. Each range is a pass over the queue, and so has a turn of its own.
    func prioritise(_ arguments: [String]) throws(ConsoleError) -> Portions {
        let (host, priority) = (host, try Argument.unsigned(arguments[0], atMost: 255))
        var ranges = arguments[1...]
        return .steps(onlyTells: false) { _ throws(ConsoleError) in
            guard let range = ranges.popFirst() else { return true }
            let positions = try Session.clipped(range, count: host.speaker.queue.count)
            host.speaker.edit { $0.prioritise(positions, UInt8(clamping: priority)) }
            return ranges.isEmpty
        }
    }

    func existing(id: String) throws(ConsoleError) -> Int {
        let position = host.speaker.queue.index(ofSongID: try Argument.unsigned(id))
        guard let position else { throw Session.noSuchSong }
        return position
    }

    func entry(id: String) throws(ConsoleError) -> Range<Int> {
        let position = try existing(id: id)
        return position..<position + 1
    }

    /// Returns a part of the queue, or all of it: positions beyond its end are ignored, but the part must not begin there.
    func clipped(_ argument: String?) throws(ConsoleError) -> Range<Int> {
        try Session.clipped(argument, count: host.speaker.queue.count)
    }

    private static func clipped(_ argument: String?, count: Int) throws(ConsoleError) -> Range<Int> {
        guard let argument, argument != "-1" else { return 0..<count }
        let range = try Argument.range(argument)
        if range.lowerBound > count { throw Session.badIndex }
        return range.clamped(to: 0..<count)
    }

    func movable(_ argument: String) throws(ConsoleError) -> Range<Int> {
        if argument == "-1" || argument.utf8.last == UInt8(ascii: ":") {
            throw ConsoleError(.argument, "Open-ended range not supported")
        }
        return try Argument.range(argument)
    }

    func move(_ range: Range<Int>, to argument: String) throws(ConsoleError) {
        let count = host.speaker.queue.count
        var to = 0
        if Argument.hasSign(argument) {
            guard var current = host.status.current?.position else {
                throw ConsoleError(.playerSync, "No current song")
            }
            if range.contains(current) {
                throw ConsoleError(.argument, "Cannot move current song relative to itself")
            }
            if current >= range.upperBound { current -= range.count }
            let steps = try Argument.unsigned(
                argument.dropping(bytes: 1), atMost: max(0, count - current - range.count))
            to = argument.utf8.first == UInt8(ascii: "+") ? current + 1 + steps : current - steps
        } else {
            to = try Argument.unsigned(
                argument, atMost: range.upperBound <= count ? count - range.count : Argument.maximum)
        }
        if range.isEmpty || range.upperBound > count || to < 0 || to + range.count > count { throw Session.badIndex }
        host.speaker.edit { $0.move(range, to: to) }
    }

    /// Accepts only whole songs: MPD can play parts of songs.
    func setRange(_ arguments: [String]) throws(ConsoleError) {
        let id = try Argument.unsigned(arguments[0])
        let bounds = arguments[1].parts(between: ":", keepingEmpty: true)
        guard bounds.count == 2 else { throw ConsoleError(.argument, "Bad range") }
        for bound in bounds where !bound.isEmpty {
            do throws(ConsoleError) { _ = try Argument.milliseconds(bound) } catch {
                throw ConsoleError(.argument, "Bad range")
            }
        }
        guard host.speaker.queue.index(ofSongID: id) != nil else { throw Session.noSuchSong }
        if bounds[0].isEmpty && bounds[1].isEmpty { return }
        throw ConsoleError(.permission, "Songs are played whole")
    }

    /// Refuses: MPD changes tags of streams only, and there are none.
    func refuseTags(_ arguments: [String]) throws(ConsoleError) {
        let id = try Argument.unsigned(arguments[0])
        if arguments.count > 1, Tag(name: arguments[1]) == nil {
            throw ConsoleError(.argument, "Unknown tag type: " + Argument.shortened(arguments[1]))
        }
        guard host.speaker.queue.index(ofSongID: id) != nil else { throw Session.noSuchSong }
        throw ConsoleError(.permission, "Cannot edit tags of local file")
    }

    // MARK: Modes

    /// Sets modes by the command's argument.
    func setModes(_ change: (inout PlayModes, String) throws(ConsoleError) -> Void) throws(ConsoleError) {
        var modes = host.status.modes
        try change(&modes, arguments[0])
        host.speaker.set { $0 = modes }
    }

    static func single(_ word: String) throws(ConsoleError) -> PlayModes.Single {
        switch word {
        case "0": .off
        case "1": .on
        case "oneshot": .oneShot
        default: throw ConsoleError(.argument, "Unrecognized single mode, expected 0, 1, or oneshot")
        }
    }

    func refuseCrossfade(_ argument: String) throws(ConsoleError) {
        if try Argument.unsigned(argument) > 0 {
            throw ConsoleError(.system, "No crossfade here: spoken words are not mixed")
        }
    }

    func writeModes(_ modes: PlayModes, _ response: inout ResponseBuffer) {
        response.field("repeat", modes.repeats ? 1 : 0)
        response.field("random", modes.isRandom ? 1 : 0)
        switch modes.single {
        case .off: response.field("single", 0)
        case .on: response.field("single", 1)
        case .oneShot: response.field("single", "oneshot")
        }
        response.field("consume", modes.consumes ? 1 : 0)
    }
}
