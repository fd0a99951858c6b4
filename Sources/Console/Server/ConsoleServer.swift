// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Posix
import Wire

/// The console for programs, in MPD's plain protocol: on a Unix socket for this machine, and on the configured network sockets. Lives on
/// the control thread's loop, until `close`.
public final class ConsoleServer {
    /// The limits for clients.
    public struct Limits: Sendable {
        /// The largest number of clients. One more drops the client that has been silent longest: first those without rights, last those of
        /// this machine.
        public var clients = 200
        /// The limit of a line, without its newline.
        public var lineBytes = 16 * 1024
        /// The limit of unread answers for one client: above this its commands wait until it has read some.
        public var heldBackBytes = 16 * 1024
        /// The limit of half lines, unread answers and command lists of all clients together; above this the client with most of it is
        /// dropped.
        public var heldBytes = 2560 * 1024
        /// The part of that for clients without a command, or without the right to give one.
        public var strangersBytes = 192 * 1024
        /// The time after which an inactive network client is dropped, as in MPD: it neither asks, nor reads its answer, nor waits for a
        /// change.
        public var silenceMilliseconds = 60_000

        public init() {}
    }

    private let host: ConsoleHost
    private let channels: Channels
    private let loop: EventLoop
    private let limits: Limits
    private let doorkeeper: Doorkeeper
    private var listeners: [ConsoleListener] = []
    private var peers: PeerTable
    private let trimmer: HeapTrimmer
    /// The timer that checks for silent network clients; nil while there is none.
    private var silenceTimer: EventLoop.TimerToken?
    /// True while a row of clients is being served; `mustGoOn` if more work has come for one of them meanwhile.
    private var isServing = false
    private var mustGoOn = false
    /// The clients with work, in the order of their turns.
    private var waiting: [ConsolePeer] = []
    /// The turns of work; nil once the server is closed.
    private var turns: Turns?
    /// The buffer of one read; shared, so that idle clients cost nothing.
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)

    public init(
        host: ConsoleHost, loop: EventLoop, channels: Channels = Channels(),
        doorkeeper: Doorkeeper = Doorkeeper(),
        limits: Limits = Limits()
    ) {
        self.host = host
        self.channels = channels
        self.loop = loop
        self.doorkeeper = doorkeeper
        self.limits = limits
        peers = PeerTable(limits)
        trimmer = HeapTrimmer(loop)
        turns = Turns(loop) { [self] budget in serveWaiting(&budget) }
    }

    deinit { scratch.deallocate() }

    /// Makes a Unix socket and listens. Throws an error that the user can act on: another process answers there, another kind of file is in
    /// the way, a missing permission, or a path that is too long.
    public func listen(path: String) throws(PosixError) {
        try listen(try UnixSocket.listen(path), path: path, isLocal: true)
    }

    /// Listens for the network. Throws an error that the user can act on: another program has the port, or the network is closed to this
    /// process.
    public func listen(at address: InternetAddress) throws(PosixError) {
        try listen(try InternetSocket.listen(address), path: nil, isLocal: false)
    }

    /// Takes a listening socket that a service manager hands over. Network clients count as such, from this machine too.
    public func listen(inherited number: Int32) throws(PosixError) {
        var address = sockaddr_storage()
        let isUnix = ns_own_address(number, &address) == 0 && address.ss_family == sa_family_t(AF_UNIX)
        try listen(FileDescriptor(owning: number), path: nil, isLocal: isUnix)
    }

    private func listen(
        _ socket: consuming FileDescriptor, path: String?, isLocal: Bool
    ) throws(PosixError) {
        listeners.append(
            try ConsoleListener(
                socket, path: path, isLocal: isLocal, loop: loop,
                admit: { [self] in admit($0, from: $1) }, makeRoom: { [self] in dropLeast(upTo: .local) }))
    }

    private var isOpen: Bool { turns != nil }

    var clients: [ConsolePeer] { peers.all }

    /// The number of clients that wait for a change.
    var idleClientCount: Int { clients.count { $0.session.isIdle } }

    /// The half lines, unread answers and command lists of all clients, and of dropped clients still in the row.
    var heldBytes: Int {
        let gone = waiting.filter { !peers.contains($0) }
        return (clients + gone).reduce(0) { $0 + $1.heldBytes }
    }

    /// Reports a change to all clients; waiting clients get their answer at once. Do not call it from within a client's own command.
    public func notify(_ subsystems: Subsystems) {
        for client in clients {
            let wasIdle = client.session.isIdle
            client.session.notify(subsystems, &client.output)
            if wasIdle && !client.session.isIdle {
                client.lastProgress = .now
                settle(client)
            }
        }
    }

    /// Continues after an awaited result has come. If the server is serving a client now, it continues after that.
    public func goOn() {
        if isServing {
            mustGoOn = true
            return
        }
        for client in clients where client.session.isBusy && !client.session.isWaiting { settle(client) }
    }

    /// Drops all clients, stops listening and removes the socket.
    public func close() {
        if !isOpen { return }
        turns = nil
        for listener in listeners { listener.close() }
        listeners = []
        for client in clients { drop(client) }
        if let silenceTimer { loop.cancel(silenceTimer) }
    }

    // MARK: Coming and going

    private func admit(_ socket: consuming FileDescriptor, from origin: PeerOrigin?) {
        let number = socket.number
        let client = ConsolePeer(
            socket: socket,
            session: Session(
                host: host, manner: .plain, channels: channels,
                access: PeerAccess(
                    doorkeeper, origin: origin, user: origin == nil ? UnixSocket.user(ofPeer: number) : nil)),
            maximumLineBytes: limits.lineBytes)
        // The descriptor closes with the last reference. The new client has sent nothing yet, but may: if all clients are silent, the one
        // of lowest standing is dropped, so that silent ones do not block the socket.
        let standing: ConsolePeer.Standing =
            client.isLocal ? .local : client.session.access.permissions.isEmpty ? .stranger : .remote
        if peers.isFull && !dropLeast(upTo: standing) { return }
        do throws(PosixError) {
            try loop.add(number, .readable) { [self] in serve(client, $0) }
        } catch {
            Log.warning("console: " + error.message)
            return
        }
        peers.add(client)
        Session.writeGreeting(to: &client.output)
        settle(client)
    }

    /// Drops the client of lowest standing, unless all have a higher one than that.
    private func dropLeast(upTo standing: ConsolePeer.Standing) -> Bool {
        guard let client = peers.leastMissed(upTo: standing) else { return false }
        drop(client)
        return true
    }

    /// Counts a client's memory, and drops the clients with the most while the total exceeds its limit.
    private func count(_ client: ConsolePeer) {
        if !peers.contains(client) { return }
        peers.count(client)
        while let greediest = peers.greediest {
            Log.warning("console: a client that leaves too much unread, or unsaid, is let go")
            drop(greediest)
        }
    }

    private func drop(_ client: ConsolePeer) {
        guard peers.contains(client) else { return }
        if isOpen { trimmer.peerDidGo() }
        peers.remove(client)
        client.letGo()
        // The descriptor closes with the client's last reference, which may be the handler that runs now.
        loop.remove(client.socket.number)
    }

    /// Checks for silent network clients as long as there may be one.
    private func watchSilence() {
        if silenceTimer != nil || !isOpen { return }
        silenceTimer = loop.schedule(at: MonotonicTime.now.adding(milliseconds: limits.silenceMilliseconds / 4)) {
            [self] in
            silenceTimer = nil
            let now = MonotonicTime.now
            var mayBeSilent = false
            for client in clients where !client.isLocal && !client.session.isIdle {
                if now.milliseconds(since: client.lastProgress) >= Int64(limits.silenceMilliseconds) {
                    drop(client)
                } else {
                    mayBeSilent = true
                }
            }
            if mayBeSilent { watchSilence() }
        }
    }

    // MARK: Serving

    /// Sends as much as the client takes, and reads once from it. Its commands run in its turn.
    private func serve(_ client: ConsolePeer, _ event: EventLoop.Interest) {
        guard peers.contains(client) else { return }
        if wantsInput(client) {
            let count = recv(client.socket.number, scratch.baseAddress, scratch.count, 0)
            if count > 0 {
                client.input.append(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
                client.mayHaveLine = true
                peers.markActive(client)
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

    private func wantsInput(_ client: ConsolePeer) -> Bool {
        !client.isAtEnd && !client.isGone && !client.session.isClosed && !client.session.isBusy && !client.mayHaveLine
            && client.output.count < limits.heldBackBytes
    }

    /// Does one turn's work: for each waiting client as much as its output has room for, until the budget is spent. A client with more work
    /// goes to the end of the row.
    private func serveWaiting(_ budget: inout WorkBudget) -> Bool {
        isServing = true
        serveRow(&budget)
        isServing = false
        if mustGoOn {
            mustGoOn = false
            goOn()
        }
        return !waiting.isEmpty
    }

    private func serveRow(_ budget: inout WorkBudget) {
        var row = waiting
        waiting = []
        var next = 0
        while next < row.count && !budget.isSpent {
            let client = row[next]
            next += 1
            client.isWaiting = false
            guard peers.contains(client) else { continue }
            while !budget.isSpent && client.hasWork(heldBackBytes: limits.heldBackBytes) {
                if client.session.isBusy {
                    client.session.goOn(&budget, &client.output)
                } else if let line = client.input.next() {
                    client.lastProgress = .now
                    client.hasSpoken = true
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
    }

    /// Sends as much as possible, and arranges the next step.
    private func settle(_ client: ConsolePeer) {
        let unsent = client.output.count
        do throws(PosixError) {
            if !client.isGone { try client.output.flush(to: client.socket.number, isSocket: true) }
        } catch {
            client.isGone = true
        }
        if client.output.count < unsent && !client.isLocal { client.lastProgress = .now }
        if client.isGone {
            client.output.removeAll()
            loop.remove(client.socket.number)
            if client.session.isBusy && client.session.onlyTells { return drop(client) }
        }
        if client.hasWork(heldBackBytes: limits.heldBackBytes) {
            enqueue(client)
        } else if client.output.isEmpty && !client.session.isWaiting
            && (client.session.isClosed || client.isAtEnd || client.isGone)
        {
            // A half line at the end of input is no command: it is dropped with the client.
            return drop(client)
        }
        putOff(client)
        count(client)
        if client.isGone || !peers.contains(client) { return }
        if !client.isLocal && !client.session.isIdle { watchSilence() }
        var interest: EventLoop.Interest = []
        if wantsInput(client) { interest.insert(.readable) }
        if !client.output.isEmpty { interest.insert(.writable) }
        if interest != client.interest {
            client.interest = interest
            loop.change(client.socket.number, to: interest)
        }
    }

    /// Schedules a check for the end of the client's wait. The client may be gone by then, and a reference would keep its descriptor open.
    /// Another client with the same descriptor then gets one check too many.
    private func putOff(_ client: ConsolePeer) {
        guard !client.isPutOff, let time = client.session.access.waitsUntil, time > .now else { return }
        client.isPutOff = true
        let id = ObjectIdentifier(client)
        loop.schedule(at: time) { [self] in
            guard let client = clients.first(where: { ObjectIdentifier($0) == id }) else { return }
            client.isPutOff = false
            settle(client)
        }
    }

    private func enqueue(_ client: ConsolePeer) {
        if client.isWaiting { return }
        client.isWaiting = true
        waiting.append(client)
        turns?.wake()
    }
}
