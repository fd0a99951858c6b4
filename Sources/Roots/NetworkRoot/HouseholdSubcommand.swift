// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Core
import Household
import Invocation
import Model
import Posix
import Wire

/// `nightstand household join URL|leave|status`, and `nightstand sync`: the records that a speaker shares with others through a server.
enum HouseholdSubcommand {
    private static let defaultAccount = "/var/lib/nightstand-sync/account"
    /// EX_TEMPFAIL of sysexits.h: nightstand-sync.service starts it again.
    private static let speakerIsAway: Int32 = 75

    /// Returns the exit code: 0, 1 for a failure, 2 for wrong usage, 75 if no speaker answers.
    static func run(_ command: String, _ invocation: Invocation) -> Int32 {
        guard
            let arguments = Arguments(
                invocation.words, options: [.socket, .account, .help, .config] + (command == "sync" ? [.stay] : []))
        else {
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
        // Files written here belong to this user only.
        umask(0o077)
        do throws(ConfigurationError) {
            let configuration = try Configuration.load(path: arguments.value(.config) ?? invocation.configPath)
            let desk = HouseholdDesk(
                socketPath: arguments.value(.socket) ?? configuration.console.socketPath,
                path: arguments.value(.account) ?? defaultAccount, userAgent: "Nightstand/" + Invocation.version)
            do throws(SyncError) {
                switch (command, operands.first) {
                case ("sync", _): try arguments.has(.stay) ? desk.stay() : desk.sync()
                case (_, "join"): try desk.join(operands[1])
                case (_, "leave"): try desk.leave()
                default: return try Usage.say(desk.status())
                }
                return 0
            } catch {
                Log.error(command + ": " + error.message)
                return error.isSpeakerAway ? speakerIsAway : 1
            }
        } catch {
            Log.error(error.message)
            return 1
        }
    }
}

/// A speaker and an account.
private struct HouseholdDesk {
    var socketPath: String
    var path: String
    var userAgent: String

    private func connect(interests: String? = nil) throws(SyncError) -> SpeakerConnection {
        do throws(SpeakerConnection.Failure) {
            return try SpeakerConnection(socketPath: socketPath, interests: interests)
        } catch {
            var away = SyncError(message: error.message)
            away.isSpeakerAway = true
            throw away
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

    /// Carries the records once.
    func sync() throws(SyncError) {
        let account = try readAccount()
        let speaker = try connect()
        _ = try carry(speaker, Carrier(speaker, Supabase(account, path: path, userAgent: userAgent)))
    }

    /// Runs for as long as a listener is at the speaker: local changes go at once, and the others' come within seconds.
    func stay() throws(SyncError) {
        let speaker = try connect(interests: "player sticker")
        let carrier: Carrier
        do throws(SyncError) {
            carrier = try Carrier(speaker, Supabase(readAccount(), path: path, userAgent: userAgent))
        } catch {
            // The starter of this process must not start it again for the same call.
            _ = try ask(speaker, "household awake")
            try tell(speaker, error, skipped: 0)
            throw error
        }
        var sentAt: MonotonicTime?
        var isToSend = true
        while true {
            var failure: SyncError?
            do throws(SyncError) {
                // The place in the current item changes every few seconds: that alone is no reason to send.
                isToSend = isToSend || sentAt.map { MonotonicTime.now.milliseconds(since: $0) >= 60_000 } ?? true
                _ = try carry(speaker, carrier, sends: isToSend)
                if isToSend { sentAt = .now }
                isToSend = false
            } catch { failure = error }
            // Asked last: a listener's action from here on calls again.
            if try ask(speaker, "household awake").value("awake") ?? "0" == "0" {
                if let failure { throw failure }
                return
            }
            do throws(SpeakerConnection.Failure) {
                if failure != nil {
                    try speaker.wait(milliseconds: HouseholdDesk.retryMilliseconds)
                } else if try speaker.waitForChange(milliseconds: HouseholdDesk.lookMilliseconds) {
                    isToSend = true
                    // Changes of the same moment go together.
                    try speaker.wait(milliseconds: HouseholdDesk.gatherMilliseconds)
                }
            } catch { throw SyncError(message: error.message) }
        }
    }

    private static let lookMilliseconds = 1500
    private static let gatherMilliseconds = 100
    private static let retryMilliseconds = 30_000

    /// Carries the records, and reports the result to the speaker, for its status and for the next run.
    private func carry(
        _ speaker: SpeakerConnection, _ carrier: Carrier, sends: Bool = true
    ) throws(SyncError) -> Carrier.Outcome {
        let known = try ask(speaker, "household")
        if let wait = known.value("wait") {
            throw SyncError(message: "the server asked to be left alone, for \(wait) seconds more")
        }
        var failure: SyncError?
        do throws(SyncError) { try carrier.run(sends: sends) } catch { failure = error }
        let skipped = carrier.outcome.skipped
        let isKnown =
            failure == nil && skipped == 0 && known.value("problem") == nil && known.value("skipped") == nil
            && Int64(digits: (known.value("through") ?? "").utf8, most: 18).map { $0 < 30 } ?? false
        if !isKnown { try tell(speaker, failure, skipped: skipped) }
        if let failure { throw failure }
        if skipped > 0 {
            Log.warning("household: \(skipped) records were left out, since they are none of ours or refused")
        }
        return carrier.outcome
    }

    private func tell(_ speaker: SpeakerConnection, _ failure: SyncError?, skipped: Int) throws(SyncError) {
        let wait = min(failure?.afterSeconds ?? 0, HouseholdRun.mostWaitSeconds)
        let problem = String(
            decoding: (failure?.message ?? "").utf8.prefix(HouseholdRun.mostProblemBytes).map { max($0, 0x20) },
            as: UTF8.self)
        _ = try ask(speaker, "household went \(wait) \(skipped) \(problem.quotedArgument)")
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
        let outcome = try carry(speaker, Carrier(speaker, server))
        Log.notice(
            "household: joined; \(outcome.came) records that were there are new here, \(outcome.sent) of here were sent there"
        )
    }

    /// Leaves the household. All local memory stays. An unreachable server does not prevent it.
    func leave() throws(SyncError) {
        let speaker = try connect()
        _ = try ask(speaker, "household off")
        if let account = try? Account.read(path) {
            do throws(SyncError) { try Supabase(account, path: path, userAgent: userAgent).signOut() } catch {
                Log.warning("household: the server was not told: \(error.message)")
            }
        }
        if path.withPath({ unlink($0) }) < 0 && ns_errno() != ENOENT {
            throw SyncError(message: PosixError.last("remove \(path)").message)
        }
        Log.notice("household: left; all that is remembered here stays")
    }

    func status() throws(SyncError) -> String {
        let account: Account
        do throws(PosixError) { account = try Account.read(path) } catch {
            if error.code == ENOENT { return "household: none\n" }
            throw SyncError(message: error.message)
        }
        let speaker = try ask(try connect(), "household")
        func number(_ name: String) -> Int64? { Int64(digits: (speaker.value(name) ?? "").utf8, most: 18) }
        var text = "household: \(account.url)\n"
        text += "went through: "
        text += number("through").map { "\($0 / 60) minutes ago\n" } ?? "not since the speaker started\n"
        if let skipped = number("skipped") { text += "left out: \(skipped)\n" }
        if let problem = speaker.value("problem") { text += "problem: \(problem)\n" }
        if let wait = number("wait") { text += "the server is left alone for: \(wait) seconds\n" }
        let unsent = max(0, (number("revision") ?? 0).subtractingSaturated(number("sent") ?? 0))
        text += "waits: \((number("waiting") ?? 0).addingSaturated(unsent))\n"
        return text
    }

    // MARK: Typed input

    /// Returns a line of standard input, without its end. A terminal does not show hidden input.
    private func ask(_ question: String, isHidden: Bool) throws(SyncError) -> String {
        let isTerminal = isatty(0) == 1
        if isTerminal {
            var question = question
            question.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
        }
        if isTerminal && isHidden { Terminal.set(.hidden, on: 0) }
        defer {
            if isTerminal && isHidden {
                Terminal.restore()
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
