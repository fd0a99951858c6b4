import CPosix
import Configuration
import Console
import Core
import Household
import Posix

/// `nightstand household join URL|leave|status`, and `nightstand sync`: what a speaker shares with others, by way of a server.
public enum HouseholdSubcommand {
    private static let defaultAccount = "/var/lib/nightstand-sync/account"

    /// Returns the exit code: 0, 1 where it did not go through, 2 for what was asked wrongly.
    public static func run(_ command: String, _ words: [String], configPath: String?, version: String) -> Int32 {
        guard let arguments = Arguments(words, options: [.socket, .account, .help, .config]) else {
            return Usage.misused()
        }
        if arguments.has(.help) { return Usage.say(Usage.text) }
        let operands = arguments.operands
        let isRight =
            command == "sync"
            ? operands.isEmpty
            : operands.count == 2 && operands[0] == "join"
                || operands.count == 1 && (operands[0] == "leave" || operands[0] == "status")
        if !isRight {
            Log.error(
                command + (command == "sync" ? ": more than was expected" : ": expected join URL, leave or status"))
            return Usage.misused()
        }
        // What is written here is its user's own.
        umask(0o077)
        do throws(ConfigurationError) {
            let configuration = try Configuration.load(path: arguments.value(.config) ?? configPath)
            let desk = HouseholdDesk(
                socketPath: arguments.value(.socket) ?? configuration.console.socketPath,
                path: arguments.value(.account) ?? defaultAccount, userAgent: "Nightstand/" + version)
            do throws(SyncError) {
                switch (command, operands.first) {
                case ("sync", _): try desk.sync()
                case (_, "join"): try desk.join(operands[1])
                case (_, "leave"): try desk.leave()
                default: return try Usage.say(desk.status())
                }
                return 0
            } catch {
                Log.error(command + ": " + error.message)
                return 1
            }
        } catch {
            Log.error(error.message)
            return 1
        }
    }
}

/// One speaker and one account.
private struct HouseholdDesk {
    var socketPath: String
    var path: String
    var userAgent: String

    private var statePath: String { SyncState.path(account: path) }

    private func connect() throws(SyncError) -> SpeakerConnection {
        do throws(SpeakerConnection.Failure) { return try SpeakerConnection(socketPath: socketPath) } catch {
            throw SyncError(message: error.message)
        }
    }

    private func ask(_ speaker: SpeakerConnection, _ command: String) throws(SyncError) -> SpeakerLink.Answer {
        do throws(SpeakerConnection.Failure) { return try speaker.ask(command) } catch {
            throw SyncError(message: error.message)
        }
    }

    private func readAccount() throws(SyncError) -> Account {
        do throws(PosixError) { return try Account.read(path) } catch { throw SyncError(message: error.message) }
    }

    /// One run. How it went is kept.
    func sync() throws(SyncError) {
        let account = try readAccount()
        let state = SyncState.read(statePath)
        let wait = state.waitSeconds(now: wallClockSeconds())
        if wait > 0 { throw SyncError(message: "the server asked to be left alone, for \(wait) seconds more") }
        let speaker = try connect()
        _ = try carry(speaker, Supabase(account, path: path, userAgent: userAgent))
    }

    private func carry(_ speaker: SpeakerConnection, _ server: Supabase) throws(SyncError) -> Carrier.Outcome {
        let carrier = Carrier(speaker, server)
        var state = SyncState.read(statePath)
        state.notBeforeSeconds = 0
        var failure: SyncError?
        do throws(SyncError) { try carrier.run() } catch {
            failure = error
            if error.afterSeconds > 0 {
                let wait = min(Int64(error.afterSeconds), SyncState.mostWaitSeconds)
                state.notBeforeSeconds = wallClockSeconds().addingSaturated(wait)
            }
        }
        state.problem = failure?.message ?? ""
        state.skipped = Int64(carrier.outcome.skipped)
        if failure == nil { state.throughSeconds = wallClockSeconds() }
        do throws(PosixError) { try state.write(statePath) } catch {
            throw failure ?? SyncError(message: error.message)
        }
        if let failure { throw failure }
        if carrier.outcome.skipped > 0 {
            Log.warning(
                "household: \(carrier.outcome.skipped) records were left out, since they are none of ours or refused")
        }
        return carrier.outcome
    }

    func join(_ url: String) throws(SyncError) {
        if let problem = Account.problem(url) { throw SyncError(message: "\(url): \(problem)") }
        let speaker = try connect()
        let key = try ask("The project's anon key (Supabase, Settings, API keys): ", isHidden: true)
        let email = try ask("E-mail address: ", isHidden: false)
        let password = try ask("Password: ", isHidden: true)
        if !Account.isWord(key) { throw SyncError(message: "that is no key: expected one word, as Supabase shows it") }
        let server = try Supabase(Account(url: url, key: key), path: path, userAgent: userAgent)
        try server.signIn(email: email, password: password)
        try server.findHousehold()
        do throws(PosixError) {
            try Files.createFolder(path.pathFolder)
            try server.account.write(path)
        } catch { throw SyncError(message: error.message) }
        _ = try ask(speaker, "household on")
        let outcome = try carry(speaker, server)
        Log.notice(
            "household: joined; \(outcome.came) records that were there are new here, \(outcome.sent) of here were sent there"
        )
    }

    /// All that is here stays.
    func leave() throws(SyncError) {
        let speaker = try connect()
        _ = try ask(speaker, "household off")
        for file in [path, statePath] where file.withPath({ unlink($0) }) < 0 && ns_errno() != ENOENT {
            throw SyncError(message: PosixError.last("remove \(file)").message)
        }
        Log.notice("household: left; all that is remembered here stays")
    }

    func status() throws(SyncError) -> String {
        let account: Account
        do throws(PosixError) { account = try Account.read(path) } catch {
            if error.code == ENOENT { return "household: none\n" }
            throw SyncError(message: error.message)
        }
        var text = "household: \(account.url)\n"
        let state = SyncState.read(statePath)
        let now = wallClockSeconds()
        text +=
            state.throughSeconds == 0
            ? "went through: never\n"
            : "went through: \(max(0, now.subtractingSaturated(state.throughSeconds)) / 60) minutes ago\n"
        if state.skipped > 0 { text += "left out: \(state.skipped)\n" }
        if !state.problem.isEmpty { text += "problem: \(state.problem)\n" }
        let wait = state.waitSeconds(now: now)
        if wait > 0 { text += "the server is left alone for: \(wait) seconds\n" }
        let speaker = try ask(try connect(), "household")
        let sent = Int64(digits: (speaker.value("sent") ?? "").utf8, most: 18) ?? 0
        let revision = Int64(digits: (speaker.value("revision") ?? "").utf8, most: 18) ?? 0
        let waiting = Int64(digits: (speaker.value("waiting") ?? "").utf8, most: 18) ?? 0
        text += "waits: \(waiting.addingSaturated(max(0, revision.subtractingSaturated(sent))))\n"
        return text
    }

    // MARK: What a person types

    /// A line of standard input, without its end. What is hidden is not shown where that is a terminal.
    private func ask(_ question: String, isHidden: Bool) throws(SyncError) -> String {
        let isTerminal = isatty(0) == 1
        if isTerminal {
            var question = question
            question.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
        }
        if isTerminal && isHidden { HiddenTyping.begin() }
        defer {
            if isTerminal && isHidden {
                HiddenTyping.end()
                _ = write(2, "\n", 1)
            }
        }
        var line: [UInt8] = []
        while line.count < 8192 {
            var byte: UInt8 = 0
            let count = read(0, &byte, 1)
            if count < 0 && ns_errno() == EINTR { continue }
            if count <= 0 && line.isEmpty {
                throw SyncError(message: "expected key, e-mail address and password, a line each")
            }
            if count <= 0 || byte == 0x0A { break }
            line.append(byte)
        }
        if line.last == 0x0D { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }
}

/// What is typed is not shown. Whatever ends the process gives the terminal back.
private enum HiddenTyping {
    nonisolated(unsafe) private static var found = termios()

    static func begin() {
        if tcgetattr(0, &found) < 0 { return }
        ns_before_ending { signal, _, _ in
            HiddenTyping.end()
            raise(signal)
        }
        var hidden = found
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(0, TCSAFLUSH, &hidden)
    }

    /// May be called by a signal's handler.
    static func end() { tcsetattr(0, TCSANOW, &found) }
}
