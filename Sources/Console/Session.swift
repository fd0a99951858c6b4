/// One conversation with one peer in MPD's protocol, whatever carries it: takes lines, gives answers. Control thread.
struct Session {
    /// How answers end.
    enum Manner {
        /// As MPD does: `OK`, or `ACK [code@number] {command} text`. For programs.
        case plain
        /// For a person at a terminal: `OK`, or `error: command: text`.
        case spoken
    }

    /// What a command list may hold; MPD's own bound is 2 MiB.
    static let maximumListBytes = 256 * 1024

    /// Commands that wait for `command_list_end`.
    private struct CommandList {
        let answersEach: Bool
        var lines: [[UInt8]] = []
        var bytes = 0
        /// Why the list cannot be carried out, found while it came in; told at its end.
        var failure: ConsoleError?
    }

    let speaker: ConsoleSpeaker
    let manner: Manner
    /// A command list whose answers grow beyond this is ended there.
    let maximumAnswerBytes: Int
    /// Tags shown to this peer.
    var visibleTags = Tag.allCases
    /// The peer asked to be left: send what is there, then close.
    private(set) var isClosed = false
    /// What the peer waits for; nil while it does not idle.
    private(set) var awaited: Subsystems?
    /// Changes since the peer last asked.
    private var changes: Subsystems = []
    private var list: CommandList?

    init(speaker: ConsoleSpeaker, manner: Manner, maximumAnswerBytes: Int = 1 << 20) {
        self.speaker = speaker
        self.manner = manner
        self.maximumAnswerBytes = maximumAnswerBytes
    }

    static func writeGreeting(to response: inout ResponseBuffer) { response.line("OK MPD 0.23.5") }

    var isIdle: Bool { awaited != nil }
    var isInList: Bool { list != nil }

    /// Takes one line as it came from the peer, without its newline, and adds the answer to `response`.
    mutating func receive(_ line: LineBuffer.Line, _ response: inout ResponseBuffer) {
        if isClosed { return }
        switch line {
        case .complete(let bytes):
            receive(Request(line: bytes), bytes, &response)
        case .tooLong:
            fail(with: ConsoleError(.argument, "The command line is too long"), &response)
        }
    }

    private mutating func receive(
        _ request: Request, _ line: ArraySlice<UInt8>, _ response: inout ResponseBuffer
    ) {
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
            let failure = perform(request, &response)
            finish(failure, name: request.name, &response)
        }
    }

    /// Tells the session that something changed; it answers if its peer waits for that.
    mutating func notify(_ subsystems: Subsystems, _ response: inout ResponseBuffer) {
        changes.formUnion(subsystems)
        answerIdle(&response)
    }

    /// Ends waiting and drops a command list that is half there, as when a person presses Ctrl-C.
    mutating func interrupt() {
        awaited = nil
        list = nil
    }

    // MARK: Idle

    private mutating func idle(_ names: [String], _ response: inout ResponseBuffer) {
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
        list?.bytes += line.count + 1
        if let bytes = list?.bytes, bytes > Session.maximumListBytes {
            list?.failure = ConsoleError(.argument, "The command list is too long")
        } else {
            list?.lines.append(Array(line))
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
            finish(failure, number: ended.lines.count, &response)
            return
        }
        for (number, line) in ended.lines.enumerated() {
            let request = Request(line: line[...])
            if let failure = perform(request, &response) {
                finish(failure, number: number, name: request.name, &response)
                return
            }
            if isClosed { return }
            if ended.answersEach { response.line("list_OK") }
            if response.count > maximumAnswerBytes {
                let failure = ConsoleError(.system, "The answers to this command list grow too long")
                finish(failure, number: number, name: request.name, &response)
                return
            }
        }
        finish(nil, &response)
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

    /// Carries out one command; gives why not, or nil.
    private mutating func perform(_ request: Request, _ response: inout ResponseBuffer) -> ConsoleError? {
        if let failure = request.failure { return failure }
        guard let command = Command(name: request.name) else {
            return ConsoleError(.unknown, "unknown command \"\(Argument.shortened(request.name))\"")
        }
        let count = request.arguments.count
        if count < command.arguments.lowerBound {
            return ConsoleError(.argument, "too few arguments for \"\(command.rawValue)\"")
        }
        if count > command.arguments.upperBound {
            return ConsoleError(.argument, "too many arguments for \"\(command.rawValue)\"")
        }
        if command == .close {
            isClosed = true
            return nil
        }
        do throws(ConsoleError) {
            try perform(command, request.arguments, &response)
            return nil
        } catch {
            return error
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
        let known = Command(name: name) != nil || name == "command_list_end" ? name : ""
        switch manner {
        case .plain:
            response.text("ACK [\(failure.code.rawValue)@\(number)] {\(known)} ")
        case .spoken:
            response.text("error: " + (known.isEmpty ? "" : known + ": "))
        }
        response.textWithoutControls(failure.message)
        response.line("")
    }
}
