// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Posix
import Text
import Wire

/// A conversation with one client in MPD's protocol, over any transport: takes lines, writes answers. Control thread.
struct Session {
    /// The form of the ends of answers.
    enum Manner {
        /// MPD's form, for programs: `OK`, or `ACK [code@number] {command} text`.
        case plain
        /// The form for a person at a terminal: `OK`, or `error: command: text`.
        case spoken
    }

    let host: ConsoleHost
    let manner: Manner
    /// The tags shown to this client.
    var visibleTags = TagSet.ofMPD
    let hits = SpokenHits()
    /// The number of bytes of a picture in one answer.
    var binaryLimit = 8192
    let channels: Channels
    let mailbox = Channels.Mailbox()
    /// The client's origin and rights.
    private(set) var access: PeerAccess
    var screen = ScreenOfPeer()
    /// True once the client has said goodbye: send the rest, then close.
    private(set) var isClosed = false
    private var watch = ChangeWatch()
    private var list: CommandList?
    /// The rest of the answer to the command under way.
    private var portions: Portions?
    /// A command that waits for the disk: it would write, and too many writes wait already.
    private var held: Request?
    /// The name of the command under way.
    private(set) var name = ""
    /// The arguments of the command under way, while its handler runs.
    private(set) var arguments: [String] = []

    init(
        host: ConsoleHost, manner: Manner, channels: Channels = Channels(), access: PeerAccess = PeerAccess()
    ) {
        self.host = host
        self.manner = manner
        self.channels = channels
        self.access = access
    }

    static func writeGreeting(to response: inout ResponseBuffer) { response.line("OK MPD 0.23.5") }

    var isIdle: Bool { watch.isWaiting }
    var isInList: Bool { list.map { !$0.isUnderWay } ?? false }
    private var isListUnderWay: Bool { list?.isUnderWay ?? false }
    /// True while an answer is under way: call `goOn` until it is complete, and `receive` not before.
    var isBusy: Bool { portions != nil || held != nil || isListUnderWay || access.isKnocking }
    /// True until a worker has answered, or the disk has caught up.
    var isWaiting: Bool { held != nil ? host.library.isLogFilling : portions?.isWaiting ?? false }
    /// True if the command under way changes nothing, so that it may stop when the client is gone.
    var onlyTells: Bool { !isListUnderWay && portions?.onlyTells ?? true }

    /// The memory of command lists.
    var heldBytes: Int { list?.heldBytes ?? 0 }

    /// Takes one line of the client, without its newline, and adds the answer to `response`, or starts it.
    mutating func receive(
        _ line: LineBuffer.Line, _ budget: inout WorkBudget, _ response: inout ResponseBuffer
    ) {
        if isClosed { return }
        switch line {
        case .complete(let bytes):
            if isForeign(bytes) { return leave() }
            receive(Request(line: bytes), bytes, &budget, &response)
        case .tooLong:
            if !access.isLocal { return leave() }
            fail(with: ConsoleError(.argument, "The command line is too long"), &response)
        }
    }

    /// Returns whether the line belongs to another protocol. A page in a browser can send a request to any address, and its next lines
    /// would run as commands. MPD also drops a client if its first line does not begin with a lower-case letter. A listener at this machine
    /// gets an explanation.
    private func isForeign(_ line: ArraySlice<UInt8>) -> Bool {
        if access.isLocal { return false }
        guard let first = line.first, first.isLetter, first & 0x20 != 0 else { return true }
        let lastWord = line.reversed().drop { $0.isBlank || $0 == .carriageReturn }.prefix { !$0.isBlank }
        return ProtocolCommand.named(String(decoding: line.prefix { !$0.isBlank }, as: UTF8.self)) == nil
            && lastWord.reversed().starts(with: [0x48, 0x54, 0x54, 0x50, 0x2F])
    }

    mutating func leave() {
        isClosed = true
        interrupt()
    }

    private mutating func receive(
        _ request: Request, _ line: ArraySlice<UInt8>, _ budget: inout WorkBudget, _ response: inout ResponseBuffer
    ) {
        budget.take(WorkBudget.lineCost)
        let endsIdle = ProtocolCommand.named(request.name)?.place == .whileIdle
        if watch.isWaiting {
            // A waiting client may send nothing but this. Like MPD, drop those that do, except at a terminal.
            if endsIdle || manner == .spoken {
                watch.stop()
                finish(nil, &response)
            } else {
                isClosed = true
            }
            return
        }
        switch request.name {
        case _ where endsIdle:
            // It crossed the answer to idle, which was the answer. A terminal still gets one.
            if manner == .spoken { finish(nil, &response) }
        case "command_list_end":
            endList(&response)
        case _ where list != nil:
            list?.append(line)
        case "command_list_begin":
            list = CommandList(answersEach: false)
        case "command_list_ok_begin":
            list = CommandList(answersEach: true)
        default:
            begin(request, &budget, &response)
        }
    }

    /// Runs the next step of the work under way: a portion of an answer, or a command of a list.
    mutating func goOn(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) {
        if access.isKnocking {
            do throws(ConsoleError) {
                if try access.answerKnock() { didEnd(nil, &response) }
            } catch {
                didEnd(error, &response)
            }
        } else if let held {
            self.held = nil
            begin(held, &budget, &response)
        } else if let portions {
            do throws(ConsoleError) {
                if try !portions.give(&budget, &response) { return }
                self.portions = nil
                didEnd(nil, &response)
            } catch {
                self.portions = nil
                didEnd(error, &response)
            }
        } else if isListUnderWay, let line = list?.next() {
            budget.take(WorkBudget.lineCost)
            begin(Request(line: line), &budget, &response)
        }
    }

    /// Reports a change to the session; it answers if its client waits for that.
    mutating func notify(_ subsystems: Subsystems, _ response: inout ResponseBuffer) {
        // A message concerns only the subscribers of its channel.
        let concerned = !subsystems.contains(.message) || mailbox.takeNews()
        watch.note(concerned ? subsystems : subsystems.subtracting(.message))
        if tellChanges(&response) { finish(nil, &response) }
    }

    /// Ends the wait and the answer under way, and drops an unfinished command list, as for Ctrl-C.
    mutating func interrupt() {
        watch.stop()
        list = nil
        portions = nil
        held = nil
        access.interrupt()
    }

    // MARK: Idle

    /// Starts to wait for changes; reports earlier ones at once.
    mutating func idle(_ names: [String], _ response: inout ResponseBuffer) throws(ConsoleError) {
        var wanted: Subsystems = names.isEmpty ? .all : []
        for name in names {
            guard let subsystem = Subsystems(name: name) else { throw Argument.wrong(name, "Unrecognized idle event") }
            wanted.formUnion(subsystem)
        }
        watch.wait(for: wanted)
        if wanted.contains(.screen) && !screen.isThere && access.isLocal {
            screen.come()
            host.trees.screenCame()
        }
        _ = tellChanges(&response)
    }

    /// - Returns: true if there were any, which ends the client's wait.
    private mutating func tellChanges(_ response: inout ResponseBuffer) -> Bool {
        let told = watch.take()
        for name in told.names { response.field("changed", name) }
        return !told.isEmpty
    }

    // MARK: Command lists

    private mutating func endList(_ response: inout ResponseBuffer) {
        guard let list else {
            finish(ConsoleError(.notList, "Not in a command list"), name: "command_list_end", &response)
            return
        }
        // An incomplete list does not start: half of it might do harm.
        if list.failure != nil || list.count == 0 {
            self.list = nil
            finish(list.failure, number: list.count, &response)
        } else {
            self.list?.begin()
        }
    }

    private mutating func fail(with failure: ConsoleError, _ response: inout ResponseBuffer) {
        if list != nil {
            list?.refuse(failure)
        } else if watch.isWaiting && manner == .plain {
            isClosed = true
        } else {
            watch.stop()
            finish(failure, &response)
        }
    }

    // MARK: Single commands

    mutating func tryPassword(_ password: String) throws(ConsoleError) {
        access.knock(password.pathBytes)
        _ = try access.answerKnock()
    }

    /// Starts a command; its immediate answer is the whole answer, unless it leaves portions.
    private mutating func begin(_ request: Request, _ budget: inout WorkBudget, _ response: inout ResponseBuffer) {
        name = request.name
        do throws(ConsoleError) {
            let command = try checked(request)
            if host.library.isLogFilling && !command.permission.isSubset(of: .read) {
                held = request
                return
            }
            budget.take(Int(command.cost))
            arguments = request.arguments
            defer { arguments = [] }
            portions = try command.perform(&self, &response)
            if portions == nil && !watch.isWaiting && !access.isKnocking { didEnd(nil, &response) }
        } catch {
            didEnd(error, &response)
        }
    }

    private func checked(_ request: Request) throws(ConsoleError) -> ProtocolCommand {
        if let failure = request.failure { throw failure }
        guard let command = ProtocolCommand.named(request.name) else {
            throw ConsoleError(.unknown, "unknown command \"\(Argument.shortened(request.name))\"")
        }
        try access.check(command.permission, for: command.name)
        if command.place == .alone && isListUnderWay {
            throw ConsoleError(.notList, "Not possible in a command list")
        }
        let count = request.arguments.count
        if command.arguments.lowerBound == command.arguments.upperBound && count != command.arguments.lowerBound {
            throw ConsoleError(.argument, "wrong number of arguments for \"\(command.name)\"")
        }
        if count < command.arguments.lowerBound {
            throw ConsoleError(.argument, "too few arguments for \"\(command.name)\"")
        }
        if count > command.arguments.upperBound {
            throw ConsoleError(.argument, "too many arguments for \"\(command.name)\"")
        }
        return command
    }

    /// Ends a command with its answer or refusal. A list continues with the next one, or ends.
    private mutating func didEnd(_ failure: ConsoleError?, _ response: inout ResponseBuffer) {
        guard let list, list.isUnderWay else {
            finish(failure, name: name, &response)
            return
        }
        if let failure {
            self.list = nil
            finish(failure, number: list.nextLine - 1, name: name, &response)
            return
        }
        if list.answersEach { response.line("list_OK") }
        if list.isAtEnd {
            self.list = nil
            finish(nil, &response)
        }
    }

    /// Ends an answer.
    private func finish(
        _ failure: ConsoleError?, number: Int = 0, name: String = "", _ response: inout ResponseBuffer
    ) {
        guard let failure else {
            if !isClosed { response.line("OK") }
            return
        }
        // MPD names the command only if it knows it.
        let known = ProtocolCommand.named(name) != nil || name == "command_list_end" ? name : ""
        switch manner {
        case .plain:
            response.text("ACK [\(failure.code.rawValue)@\(number)] {\(known)} ")
        case .spoken:
            response.text("error: " + (known.isEmpty ? "" : known + ": "))
        }
        response.textWithoutControls(access.shown(failure.message))
        response.line("")
    }
}
