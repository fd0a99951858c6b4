import CPosix
import Posix

/// The console on a Unix socket, in MPD's plain protocol. Lives on the control thread's loop, until `close`.
public final class ConsoleServer {
    /// What clients may take.
    public struct Limits: Sendable {
        /// When one more comes, the one that has been silent longest goes.
        public var clients = 200
        /// Of one line, its newline not counted.
        public var lineBytes = 16 * 1024
        /// Answers waiting for a client that reads slowly: over this none of its commands is begun.
        public var heldBackBytes = 64 * 1024
        /// Over this, which only huge answers reach, the client is dropped; a command list is ended before.
        public var outputBytes = 8 << 20

        public init() {}
    }

    private final class Client {
        let socket: FileDescriptor
        var session: Session
        var input: LineBuffer
        var output = ResponseBuffer()
        /// The peer sends no more, but may still read.
        var isAtEnd = false
        /// Lines came that wait for room in the output.
        var hasLinesLeft = false
        var interest: EventLoop.Interest = .readable
        /// Grows with every sign of life of any client.
        var lastActivity = 0

        init(socket: consuming FileDescriptor, speaker: ConsoleSpeaker, limits: Limits) {
            self.socket = socket
            session = Session(speaker: speaker, manner: .plain, maximumAnswerBytes: limits.outputBytes)
            input = LineBuffer(maximumLineBytes: limits.lineBytes)
        }
    }

    private static let acceptRetryMilliseconds = 1000

    public let path: String
    private let speaker: ConsoleSpeaker
    private let loop: EventLoop
    private let limits: Limits
    private let listener: FileDescriptor
    private var clients: [Int32: Client] = [:]
    private var activity = 0
    private var isOpen = true
    /// A client's command is being carried out. What the speaker tells of meanwhile waits until it is answered.
    private var isPerforming = false
    private var changesMeanwhile: Subsystems = []
    /// What one read may bring; shared, so that idle clients cost nothing.
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)

    /// Makes the socket and listens. Throws what a person can act on: another speaker answers there, something that is no
    /// socket is in the way, no permission, a path too long.
    public init(
        path: String, speaker: ConsoleSpeaker, loop: EventLoop, limits: Limits = Limits()
    ) throws(PosixError) {
        self.path = path
        self.speaker = speaker
        self.loop = loop
        self.limits = limits
        listener = try UnixSocket.listen(path)
        try loop.add(listener.number, .readable) { [self] _ in accept() }
    }

    deinit { scratch.deallocate() }

    /// Clients connected now.
    public var clientCount: Int { clients.count }

    /// Clients that wait for a change.
    var idleClientCount: Int { clients.values.count { $0.session.isIdle } }

    /// Half lines and unread answers held for all clients.
    var heldBytes: Int { clients.values.reduce(0) { $0 + $1.input.count + $1.output.count } }

    /// Tells all clients that something changed; those that wait for it are answered at once. May be called from within
    /// an action that a client asked for.
    public func notify(_ subsystems: Subsystems) {
        if isPerforming {
            changesMeanwhile.formUnion(subsystems)
            return
        }
        for client in Array(clients.values) {
            let wasIdle = client.session.isIdle
            client.session.notify(subsystems, &client.output)
            if wasIdle && !client.session.isIdle { settle(client) }
        }
    }

    /// Drops all clients, stops listening and removes the socket.
    public func close() {
        if !isOpen { return }
        isOpen = false
        loop.remove(listener.number)
        unlink(path)
        for client in Array(clients.values) { drop(client) }
    }

    // MARK: Coming and going

    private func accept() {
        while isOpen {
            let number = ns_accept(listener.number)
            if number < 0 {
                switch ns_errno() {
                case EINTR, ECONNABORTED: continue
                case EAGAIN: return
                default:
                    // No descriptors or no memory left. Make room; failing that, look again later: the listener stays ready.
                    if !dropMostSilent() { pauseAccepting() }
                    return
                }
            }
            if clients.count >= limits.clients { _ = dropMostSilent() }
            let client = Client(socket: FileDescriptor(owning: number), speaker: speaker, limits: limits)
            do throws(PosixError) {
                try loop.add(number, .readable) { [self] _ in serve(client) }
            } catch {
                Log.warning("console: " + error.message)
                continue
            }
            clients[number] = client
            markActive(client)
            Session.writeGreeting(to: &client.output)
            settle(client)
        }
    }

    private func pauseAccepting() {
        loop.remove(listener.number)
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: ConsoleServer.acceptRetryMilliseconds)) { [self] in
            if !isOpen { return }
            do throws(PosixError) {
                try loop.add(listener.number, .readable) { [self] _ in accept() }
            } catch {
                pauseAccepting()
            }
        }
    }

    private func dropMostSilent() -> Bool {
        var candidate: Client?
        for client in clients.values where client.lastActivity < candidate?.lastActivity ?? Int.max {
            candidate = client
        }
        guard let candidate else { return false }
        drop(candidate)
        return true
    }

    private func drop(_ client: Client) {
        let number = client.socket.number
        guard clients[number] === client else { return }
        clients.removeValue(forKey: number)
        // The descriptor closes with the client's last reference, which may be the handler that runs now.
        loop.remove(number)
    }

    private func markActive(_ client: Client) {
        activity += 1
        client.lastActivity = activity
    }

    // MARK: Serving

    /// Takes one read's worth from a client and answers as much of it as its output has room for. One read a call: other
    /// clients, and the buttons, get their turn before the next.
    private func serve(_ client: Client) {
        guard clients[client.socket.number] === client else { return }
        if wantsInput(client) {
            let count = recv(client.socket.number, scratch.baseAddress, scratch.count, 0)
            if count > 0 {
                client.input.append(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
                markActive(client)
            } else if count == 0 {
                client.isAtEnd = true
            } else if ns_errno() != EAGAIN && ns_errno() != EINTR {
                drop(client)
                return
            }
        }
        settle(client)
    }

    private func wantsInput(_ client: Client) -> Bool {
        !client.isAtEnd && !client.session.isClosed && !client.hasLinesLeft
            && client.output.count < limits.heldBackBytes
    }

    /// Carries out the lines that are there, sends what can be sent, and watches for what must come next.
    private func settle(_ client: Client) {
        do throws(PosixError) {
            try client.output.flush(to: client.socket.number, isSocket: true)
            client.hasLinesLeft = false
            while !client.session.isClosed {
                if client.output.count >= limits.heldBackBytes {
                    client.hasLinesLeft = true
                    break
                }
                guard let line = client.input.next() else { break }
                isPerforming = true
                client.session.receive(line, &client.output)
                isPerforming = false
                if !changesMeanwhile.isEmpty {
                    let changes = changesMeanwhile
                    changesMeanwhile = []
                    notify(changes)
                }
                if client.output.count > limits.outputBytes {
                    Log.warning("console: a client that does not read its answer is dropped")
                    drop(client)
                    return
                }
            }
            try client.output.flush(to: client.socket.number, isSocket: true)
        } catch {
            drop(client)
            return
        }
        // A half line at the end of input is no command: it is dropped with the client.
        if client.output.isEmpty && (client.session.isClosed || (client.isAtEnd && !client.hasLinesLeft)) {
            drop(client)
            return
        }
        var interest: EventLoop.Interest = []
        if wantsInput(client) { interest.insert(.readable) }
        if !client.output.isEmpty || client.hasLinesLeft { interest.insert(.writable) }
        if interest != client.interest {
            client.interest = interest
            loop.change(client.socket.number, to: interest)
        }
    }
}
