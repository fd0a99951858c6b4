import Core
import Posix

/// One conversation with one peer in MPD's protocol, whatever carries it: takes lines, gives answers. Control thread.
struct Session {
    /// How answers end.
    enum Manner {
        /// As MPD does: `OK`, or `ACK [code@number] {command} text`. For programs.
        case plain
        /// For a person at a terminal: `OK`, or `error: command: text`.
        case spoken
    }

    /// What a command list may hold, as with MPD.
    static let maximumListBytes = 2048 * 1024
    private static let mostRoomAhead = 32 * 1024

    /// Commands that wait for `command_list_end`.
    private struct CommandList {
        let answersEach: Bool
        /// The lines one behind the other, each with its newline: many short ones take no more than their bytes.
        var bytes: [UInt8] = []
        var count = 0
        /// Why the list cannot be carried out, found while it came in; told at its end.
        var failure: ConsoleError?

        /// An array that doubles would take twice what it holds.
        mutating func makeRoom(_ count: Int) {
            if bytes.capacity - bytes.count >= count { return }
            bytes.reserveCapacity(bytes.count + count + min(bytes.count, Session.mostRoomAhead))
        }
    }

    /// A command list that came in whole and is carried out, a bounded piece at a time.
    private struct ListUnderWay {
        let answersEach: Bool
        let bytes: [UInt8]
        /// Where the next line begins.
        var place = 0
        /// Which one that is.
        var nextLine = 0

        var isAtEnd: Bool { place == bytes.count }

        mutating func next() -> ArraySlice<UInt8> {
            let line = bytes[place...].prefix { $0 != .newline }
            place = line.endIndex + 1
            nextLine += 1
            return line
        }
    }

    let speaker: ConsoleSpeaker
    let manner: Manner
    /// Tags shown to this peer.
    var visibleTags = TagSet.ofMPD
    let hits = SpokenHits()
    /// How many bytes of a picture it takes at once.
    var binaryLimit = 8192
    let channels: Channels
    let mailbox = Channels.Mailbox()
    /// What the peer may do; more or less of it once it has given a password.
    var permissions = Permissions.all
    /// Knows the passwords; nil where there are none.
    let doorkeeper: Doorkeeper?
    /// Where in the network the peer is; nil for one on this machine.
    let origin: PeerOrigin?
    /// A client that idles for `screen`, and what it has told of what stands on it.
    var isScreen = false
    var told: [ElementDescription] = []
    /// The password under way.
    var knock: Knock?
    /// The peer asked to be left: send what is there, then close.
    private(set) var isClosed = false
    /// What the peer waits for; nil while it does not idle.
    private(set) var awaited: Subsystems?
    /// Changes since the peer last asked.
    private var changes: Subsystems = []
    private var list: CommandList?
    private var listUnderWay: ListUnderWay?
    /// What is left of the answer to the command under way.
    private var portions: Portions?
    /// The name of the command under way.
    private var name = ""

    init(
        speaker: ConsoleSpeaker, manner: Manner, channels: Channels = Channels(), doorkeeper: Doorkeeper? = nil,
        origin: PeerOrigin? = nil
    ) {
        self.speaker = speaker
        self.manner = manner
        self.channels = channels
        self.doorkeeper = doorkeeper
        self.origin = origin
        if origin != nil { permissions = doorkeeper?.defaultPermissions ?? [] }
    }

    static func writeGreeting(to response: inout ResponseBuffer) { response.line("OK MPD 0.23.5") }

    var isIdle: Bool { awaited != nil }
    var isInList: Bool { list != nil }
    /// An answer is under way: call `goOn` until it is whole, and `receive` not before.
    var isBusy: Bool { portions != nil || listUnderWay != nil || knock != nil }
    /// Nothing can be done before a worker has answered.
    var isWaiting: Bool { portions?.isWaiting ?? false }
    /// What is under way changes nothing, so that it can be left where nobody listens any more.
    var onlyTells: Bool { listUnderWay == nil && portions?.onlyTells ?? true }

    /// What command lists hold.
    var heldBytes: Int { (list?.bytes.count ?? 0) + (listUnderWay?.bytes.count ?? 0) }

    /// Takes one line as it came from the peer, without its newline, and adds the answer to `response`, or begins it.
    mutating func receive(
        _ line: LineBuffer.Line, _ budget: inout WorkBudget, _ response: inout ResponseBuffer
    ) {
        if isClosed { return }
        switch line {
        case .complete(let bytes):
            if isForeign(bytes) { return leave() }
            receive(Request(line: bytes), bytes, &budget, &response)
        case .tooLong:
            if origin != nil { return leave() }
            fail(with: ConsoleError(.argument, "The command line is too long"), &response)
        }
    }

    /// Whether the line is another protocol's, such as the request that a page in a browser can send to any address: what follows it
    /// would be obeyed. MPD, too, leaves who does not begin with a lower-case letter. A person at this machine is told what is wrong.
    private func isForeign(_ line: ArraySlice<UInt8>) -> Bool {
        if origin == nil { return false }
        guard let first = line.first, first.isLetter, first & 0x20 != 0 else { return true }
        let lastWord = line.reversed().drop { $0.isBlank || $0 == .carriageReturn }.prefix { !$0.isBlank }
        return ProtocolCommand(name: String(decoding: line.prefix { !$0.isBlank }, as: UTF8.self)) == nil
            && lastWord.reversed().starts(with: [0x48, 0x54, 0x54, 0x50, 0x2F])
    }

    private mutating func leave() {
        isClosed = true
        interrupt()
    }

    private mutating func receive(
        _ request: Request, _ line: ArraySlice<UInt8>, _ budget: inout WorkBudget, _ response: inout ResponseBuffer
    ) {
        budget.take(WorkBudget.lineCost)
        if awaited != nil {
            // While it waits a peer may say nothing but this. MPD drops those that do; so do we, except for a person.
            if request.name == "noidle" || manner == .spoken {
                awaited = nil
                finish(nil, &response)
            } else {
                isClosed = true
            }
            return
        }
        switch request.name {
        case "noidle":
            // Crossed with the answer to idle on its way: that was the answer. A person gets one.
            if manner == .spoken { finish(nil, &response) }
        case "command_list_end":
            endList(&response)
        case _ where list != nil:
            append(line)
        case "command_list_begin":
            list = CommandList(answersEach: false)
        case "command_list_ok_begin":
            list = CommandList(answersEach: true)
        case "idle" where request.failure == nil:
            idle(request.arguments, &response)
        default:
            begin(request, &budget, &response)
        }
    }

    /// Does the next step of what is under way: a portion of an answer, or a command of a list.
    mutating func goOn(_ budget: inout WorkBudget, _ response: inout ResponseBuffer) {
        if knock != nil {
            do throws(ConsoleError) {
                if try answerKnock() { didEnd(nil, &response) }
            } catch {
                didEnd(error, &response)
            }
        } else if let portions {
            do throws(ConsoleError) {
                if try !portions.give(&budget, &response) { return }
                self.portions = nil
                didEnd(nil, &response)
            } catch {
                self.portions = nil
                didEnd(error, &response)
            }
        } else if let line = listUnderWay?.next() {
            budget.take(WorkBudget.lineCost)
            begin(Request(line: line), &budget, &response)
        }
    }

    /// Tells the session that something changed; it answers if its peer waits for that.
    mutating func notify(_ subsystems: Subsystems, _ response: inout ResponseBuffer) {
        changes.formUnion(subsystems)
        // A message is for those that are subscribed to its channel.
        if subsystems.contains(.message) && !mailbox.takeNews() { changes.remove(.message) }
        answerIdle(&response)
    }

    /// Ends waiting, leaves the answer under way and drops a command list that is half there, as when a person presses Ctrl-C.
    mutating func interrupt() {
        awaited = nil
        list = nil
        listUnderWay = nil
        portions = nil
        knock = nil
    }

    // MARK: Idle

    private mutating func idle(_ names: [String], _ response: inout ResponseBuffer) {
        do throws(ConsoleError) { try checkPermission(for: .idle) } catch {
            finish(error, name: "idle", &response)
            return
        }
        var wanted: Subsystems = names.isEmpty ? .all : []
        for name in names {
            guard let subsystem = Subsystems(name: name) else {
                let failure = Argument.wrong(name, "Unrecognized idle event")
                finish(failure, name: "idle", &response)
                return
            }
            wanted.formUnion(subsystem)
        }
        awaited = wanted
        if wanted.contains(.screen) && !isScreen && origin == nil {
            isScreen = true
            speaker.screenCame()
        }
        answerIdle(&response)
    }

    private mutating func answerIdle(_ response: inout ResponseBuffer) {
        guard let awaited else { return }
        let told = changes.intersection(awaited)
        if told.isEmpty { return }
        for name in told.names { response.field("changed", name) }
        changes.subtract(told)
        self.awaited = nil
        finish(nil, &response)
    }

    // MARK: Command lists

    private mutating func append(_ line: ArraySlice<UInt8>) {
        guard list != nil, list?.failure == nil else { return }
        if let held = list?.bytes.count, held + line.count + 1 > Session.maximumListBytes {
            list?.failure = ConsoleError(.argument, "The command list is too long")
            list?.bytes = []
        } else {
            list?.makeRoom(line.count + 1)
            list?.bytes.append(contentsOf: line)
            list?.bytes.append(.newline)
            list?.count += 1
        }
    }

    private mutating func endList(_ response: inout ResponseBuffer) {
        guard let ended = list else {
            finish(ConsoleError(.notList, "Not in a command list"), name: "command_list_end", &response)
            return
        }
        list = nil
        // A list that did not come in whole is not begun: half of it might be what was not meant.
        if let failure = ended.failure {
            finish(failure, number: ended.count, &response)
            return
        }
        if ended.count == 0 {
            finish(nil, &response)
        } else {
            listUnderWay = ListUnderWay(answersEach: ended.answersEach, bytes: ended.bytes)
        }
    }

    private mutating func fail(with failure: ConsoleError, _ response: inout ResponseBuffer) {
        if list != nil {
            list?.failure = failure
        } else if awaited != nil && manner == .plain {
            isClosed = true
        } else {
            awaited = nil
            finish(failure, &response)
        }
    }

    // MARK: Single commands

    /// Begins a command; what it answers at once is the whole answer, unless it leaves portions.
    private mutating func begin(_ request: Request, _ budget: inout WorkBudget, _ response: inout ResponseBuffer) {
        name = request.name
        do throws(ConsoleError) {
            let command = try checked(request)
            budget.take(command.cost)
            if command == .password {
                knock = Knock(password: request.arguments[0].pathBytes)
                if try answerKnock() { didEnd(nil, &response) }
                return
            }
            if command == .close { return leave() }
            portions = try perform(command, request.arguments, &response)
            if portions == nil { didEnd(nil, &response) }
        } catch {
            didEnd(error, &response)
        }
    }

    private func checked(_ request: Request) throws(ConsoleError) -> ProtocolCommand {
        if let failure = request.failure { throw failure }
        guard let command = ProtocolCommand(name: request.name) else {
            throw ConsoleError(.unknown, "unknown command \"\(Argument.shortened(request.name))\"")
        }
        try checkPermission(for: command)
        let count = request.arguments.count
        if command.arguments.lowerBound == command.arguments.upperBound && count != command.arguments.lowerBound {
            throw ConsoleError(.argument, "wrong number of arguments for \"\(command.rawValue)\"")
        }
        if count < command.arguments.lowerBound {
            throw ConsoleError(.argument, "too few arguments for \"\(command.rawValue)\"")
        }
        if count > command.arguments.upperBound {
            throw ConsoleError(.argument, "too many arguments for \"\(command.rawValue)\"")
        }
        return command
    }

    /// A command is answered, or refused. A list goes on with the next one, or ends.
    private mutating func didEnd(_ failure: ConsoleError?, _ response: inout ResponseBuffer) {
        guard let list = listUnderWay else {
            finish(failure, name: name, &response)
            return
        }
        if let failure {
            listUnderWay = nil
            finish(failure, number: list.nextLine - 1, name: name, &response)
            return
        }
        if list.answersEach { response.line("list_OK") }
        if list.isAtEnd {
            listUnderWay = nil
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
        // MPD names the command only where it knows it.
        let known = ProtocolCommand(name: name) != nil || name == "command_list_end" ? name : ""
        switch manner {
        case .plain:
            response.text("ACK [\(failure.code.rawValue)@\(number)] {\(known)} ")
        case .spoken:
            response.text("error: " + (known.isEmpty ? "" : known + ": "))
        }
        response.textWithoutControls(told(failure.message))
        response.line("")
    }
}
