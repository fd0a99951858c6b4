// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Core
import Fetching
import Invocation
import Library
import Model
import Posix
import Streams
import Wire

/// `nightstand subscribe|unsubscribe|subscriptions`: uses a running speaker. Without one, it reads the library itself, and `subscriptions
/// import` writes it.
public enum PodcastsSubcommand {
    /// Returns the exit code.
    public static func run(_ command: String, _ words: [String], configPath: String?) -> Int32 {
        guard let arguments = Arguments(words, options: [.socket, .state, .help, .config]) else {
            return Usage.misused()
        }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        let operands = arguments.operands
        let isList = command == "subscriptions"
        let isExchange = isList && operands.count == 2 && (operands[0] == "export" || operands[0] == "import")
        guard isList ? operands.isEmpty || isExchange : operands.count == 1 else {
            Log.error(
                command + (isList ? ": expected nothing, or export or import and a file" : ": expected one address"))
            return Usage.misused()
        }
        do throws(ConfigurationError) {
            let configuration = try Configuration.load(path: arguments.value(.config) ?? configPath)
            let socketPath = arguments.value(.socket) ?? configuration.console.socketPath
            let statePath = arguments.value(.state) ?? configuration.statePath
            if command == "subscribe" { return subscribe(operands[0], socketPath: socketPath) }
            if command == "unsubscribe" { return unsubscribe(operands[0], socketPath: socketPath) }
            if !isExchange { return list(socketPath: socketPath, statePath: statePath) }
            return operands[0] == "export"
                ? export(operands[1], socketPath: socketPath, statePath: statePath)
                : take(operands[1], socketPath: socketPath, statePath: statePath)
        } catch {
            Log.error(error.message)
            return 1
        }
    }

    /// Returns the exit code: 0, or 1 if it failed.
    static func subscribe(_ address: String, socketPath: String) -> Int32 {
        // MPD's command of this name takes a channel.
        guard let address = FeedAddress.read(address) ?? FeedAddress.read(address + "/") else {
            return fail("no address of a feed, such as https://host/feed.xml: " + address)
        }
        return ask("subscribe " + address.quotedArgument, socketPath) { _ in }
    }

    static func unsubscribe(_ name: String, socketPath: String) -> Int32 {
        ask("unsubscribe " + name.quotedArgument, socketPath) { _ in }
    }

    /// Prints a line for each subscription: name, address without a possible secret, and the last problem.
    static func list(socketPath: String, statePath: String) -> Int32 {
        var text = ""
        let code = subscriptions(socketPath, statePath) { feed in
            text +=
                feed.title + "\t" + StreamAddress.shown(feed.address)
                + (feed.problem.isEmpty ? "" : "\t" + feed.problem) + "\n"
        }
        _ = Usage.say(text)
        return code
    }

    static func export(_ file: String, socketPath: String, statePath: String) -> Int32 {
        var outlines: [OPML.Outline] = []
        let code = subscriptions(socketPath, statePath) {
            outlines.append(OPML.Outline(title: $0.title, address: $0.address))
        }
        if code != 0 { return code }
        do throws(PosixError) { try FavouritesSubcommand.put(OPML.bytes(of: outlines), file) } catch {
            return fail(error.message)
        }
        return 0
    }

    static func take(_ file: String, socketPath: String, statePath: String) -> Int32 {
        var list = OPML.Reading()
        do throws(PosixError) {
            let bytes = try Files.readToEnd(file == "-" ? "/dev/stdin" : file, limit: OPML.mostBytes)
            do throws(OPML.Refusal) { list = try OPML.read(bytes) } catch {
                return fail(file + ": " + error.message)
            }
        } catch { return fail(error.message) }
        let outlines = list.outlines
        var added = 0
        do throws(SpeakerConnection.Failure) {
            let speaker = try SpeakerConnection(socketPath: socketPath)
            for outline in outlines {
                let words = outline.address.quotedArgument + " " + outline.title.quotedArgument
                if try speaker.adds("subscribe " + words) { added += 1 }
            }
        } catch {
            guard case .nobody = error else { return fail(error.message) }
            guard let library = FavouritesSubcommand.open(statePath) else { return 1 }
            for outline in outlines where library.feed(address: outline.address) == nil {
                if library.addFeed(address: outline.address, title: outline.title) == nil {
                    return fail("cannot be saved")
                }
                added += 1
            }
            library.settle()
            library.close()
        }
        var words = "\(added) added, \(outlines.count - added) there already"
        if list.leftOut > 0 {
            words += ", \(list.leftOut) left out for want of an address: " + list.leftOutNames.joined(separator: ", ")
            if list.leftOut > list.leftOutNames.count { words += ", …" }
        }
        Log.notice(words)
        return 0
    }

    private struct Subscription {
        var address = ""
        var title = ""
        var problem = ""
    }

    private static func subscriptions(
        _ socketPath: String, _ statePath: String, _ visit: (Subscription) -> Void
    ) -> Int32 {
        var last: Subscription?
        var isThere = true
        let absent = { isThere = false }
        let code = ask("subscriptions", socketPath, else: absent) { field in
            if field.name == "subscription" {
                if let last { visit(last) }
                last = Subscription(address: field.value)
            }
            if field.name == "Title" { last?.title = field.value }
            if field.name == "problem" { last?.problem = field.value }
        }
        if let last { visit(last) }
        if isThere { return code }
        guard let library = FavouritesSubcommand.open(statePath) else { return 1 }
        for feed in library.feeds() {
            visit(Subscription(address: feed.address, title: feed.title, problem: feed.problem))
        }
        return 0
    }

    /// - Parameter absent: called instead of a message if no speaker runs.
    private static func ask(
        _ command: String, _ socketPath: String, else absent: (() -> Void)? = nil,
        _ visit: ((name: String, value: String)) -> Void
    ) -> Int32 {
        do throws(SpeakerConnection.Failure) {
            for field in try SpeakerConnection(socketPath: socketPath).ask(command).fields { visit(field) }
            return 0
        } catch {
            guard case .nobody = error else { return fail(error.message) }
            guard let absent else { return fail("no speaker answers at " + socketPath) }
            absent()
            return 0
        }
    }

    private static func fail(_ message: String) -> Int32 {
        Log.error("podcasts: " + message)
        return 1
    }
}
