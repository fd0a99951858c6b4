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
        /// Answers waiting for a client that reads slowly: over this nothing more is done for it until it has read some.
        public var heldBackBytes = 16 * 1024

        public init() {}
    }

    private final class Client {
        let socket: FileDescriptor
        var session: Session
        var input: LineBuffer
        var output = ResponseBuffer()
        /// The peer sends no more, but may still read.
        var isAtEnd = false
        /// The peer reads no more: what it asked for before that is carried out, and told to nobody.
        var isGone = false
        /// Bytes came in which there may be a line.
        var mayHaveLine = false
        /// It stands in the row of those who wait for their turn.
        var isWaiting = false
        var interest: EventLoop.Interest = .readable
        /// Grows with every sign of life of any client.
        var lastActivity = 0

        init(socket: consuming FileDescriptor, session: Session, limits: Limits) {
            self.socket = socket
            self.session = session
            input = LineBuffer(maximumLineBytes: limits.lineBytes)
        }

        /// Something can be done for it now.
        func hasWork(_ limits: Limits) -> Bool {
            !session.isClosed && (session.isBusy || mayHaveLine) && output.count < limits.heldBackBytes
        }
    }

    private static let acceptRetryMilliseconds = 1000

    public let path: String
    private let speaker: ConsoleSpeaker
    private let channels: Channels
    private let loop: EventLoop
    private let limits: Limits
    private let listener: FileDescriptor
    private var clients: [Int32: Client] = [:]
    private var activity = 0
    private var isOpen = true
    /// Those for whom something is to be done, in the order of their turns.
    private var waiting: [Client] = []
    private var turns: Turns?
    /// What one read may bring; shared, so that idle clients cost nothing.
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)

    /// Makes the socket and listens. Throws what a person can act on: another speaker answers there, something that is no
    /// socket is in the way, no permission, a path too long.
    public init(
        path: String, speaker: ConsoleSpeaker, loop: EventLoop, channels: Channels = Channels(),
        limits: Limits = Limits()
    ) throws(PosixError) {
        self.path = path
        self.speaker = speaker
        self.channels = channels
        self.loop = loop
        self.limits = limits
        listener = try UnixSocket.listen(path)
        turns = Turns(loop) { [self] budget in serveWaiting(&budget) }
        try loop.add(listener.number, .readable) { [self] _ in accept() }
    }

    deinit { scratch.deallocate() }

    /// Clients connected now.
    public var clientCount: Int { clients.count }

    /// Clients that wait for a change.
    var idleClientCount: Int { clients.values.count { $0.session.isIdle } }

    /// Half lines and unread answers held for all clients.
    var heldBytes: Int { clients.values.reduce(0) { $0 + $1.input.count + $1.output.count } }

    /// Tells all clients that something changed; those that wait for it are answered at once. Not from within an action that a
    /// client asked for.
    public func notify(_ subsystems: Subsystems) {
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
        turns = nil
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
            let client = Client(
                socket: FileDescriptor(owning: number),
                session: Session(speaker: speaker, manner: .plain, channels: channels), limits: limits)
            do throws(PosixError) {
                try loop.add(number, .readable) { [self] in serve(client, $0) }
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
        client.session.end()
        // The descriptor closes with the client's last reference, which may be the handler that runs now.
        loop.remove(number)
    }

    private func markActive(_ client: Client) {
        activity += 1
        client.lastActivity = activity
    }

    // MARK: Serving

    /// Sends what the client takes, and takes one read's worth from it. What it asks for is done when its turn comes.
    private func serve(_ client: Client, _ event: EventLoop.Interest) {
        guard clients[client.socket.number] === client else { return }
        if wantsInput(client) {
            let count = recv(client.socket.number, scratch.baseAddress, scratch.count, 0)
            if count > 0 {
                client.input.append(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
                client.mayHaveLine = true
                markActive(client)
            } else if count == 0 {
                client.isAtEnd = true
            } else if ns_errno() != EAGAIN && ns_errno() != EINTR {
                client.isGone = true
            }
        } else if !event.isDisjoint(with: .hangUp) {
            client.isGone = true
        }
        settle(client)
    }

    private func wantsInput(_ client: Client) -> Bool {
        !client.isAtEnd && !client.isGone && !client.session.isClosed && !client.session.isBusy && !client.mayHaveLine
            && client.output.count < limits.heldBackBytes
    }

    /// One turn's work: for each that waits as much as its output has room for, until the budget is spent. Whoever has more to be
    /// done goes to the end of the row.
    private func serveWaiting(_ budget: inout WorkBudget) -> Bool {
        var row = waiting
        waiting = []
        var next = 0
        while next < row.count && !budget.isSpent {
            let client = row[next]
            next += 1
            client.isWaiting = false
            guard clients[client.socket.number] === client else { continue }
            while !budget.isSpent && client.hasWork(limits) {
                if client.session.isBusy {
                    client.session.goOn(&budget, &client.output)
                } else if let line = client.input.next() {
                    client.session.receive(line, &budget, &client.output)
                } else {
                    client.mayHaveLine = false
                }
                if client.isGone { client.output.removeAll() }
            }
            settle(client)
        }
        row.removeFirst(next)
        waiting = row + waiting
        return !waiting.isEmpty
    }

    /// Sends what can be sent, and sees to what must come next.
    private func settle(_ client: Client) {
        do throws(PosixError) {
            if !client.isGone { try client.output.flush(to: client.socket.number, isSocket: true) }
        } catch {
            client.isGone = true
        }
        if client.isGone {
            client.output.removeAll()
            loop.remove(client.socket.number)
            if client.session.isBusy && client.session.onlyTells { return drop(client) }
        }
        if client.hasWork(limits) {
            enqueue(client)
        } else if client.output.isEmpty && (client.session.isClosed || client.isAtEnd || client.isGone) {
            // A half line at the end of input is no command: it is dropped with the client.
            return drop(client)
        }
        if client.isGone { return }
        var interest: EventLoop.Interest = []
        if wantsInput(client) { interest.insert(.readable) }
        if !client.output.isEmpty { interest.insert(.writable) }
        if interest != client.interest {
            client.interest = interest
            loop.change(client.socket.number, to: interest)
        }
    }

    private func enqueue(_ client: Client) {
        if client.isWaiting { return }
        client.isWaiting = true
        waiting.append(client)
        turns?.wake()
    }
}
