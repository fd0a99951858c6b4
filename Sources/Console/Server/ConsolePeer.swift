// SPDX-License-Identifier: Apache-2.0
import Posix
import Wire

/// A client on the server's socket, with its command under way.
final class ConsolePeer {
    /// The order in which clients are dropped if not all can stay.
    enum Standing: Int {
        /// A network client without a command so far, or without rights: it has given no password, and may have none.
        case stranger
        case remote
        /// A client on this machine, admitted by the file system.
        case local
    }

    let socket: FileDescriptor
    var session: Session
    var input: LineBuffer
    var output = ResponseBuffer()
    /// True once it has sent a whole command.
    var hasSpoken = false
    /// True if the client sends no more, but may still read.
    var isAtEnd = false
    /// True if the client reads no more: its earlier commands still run, and their answers are dropped.
    var isGone = false
    /// True if unread bytes may contain a line.
    var mayHaveLine = false
    /// True while the client is in the row for its turn.
    var isWaiting = false
    /// True if a timer will check it.
    var isPutOff = false
    var interest: EventLoop.Interest = .readable
    /// The time of its last activity, on a counter for all clients.
    var lastActivity = 0
    /// The time of its last command, or of the last bytes that it read.
    var lastProgress = MonotonicTime.now
    /// The client's memory in the server's count.
    var countedBytes = 0

    init(socket: consuming FileDescriptor, session: Session, maximumLineBytes: Int) {
        self.socket = socket
        self.session = session
        input = LineBuffer(maximumLineBytes: maximumLineBytes)
    }

    var isLocal: Bool { session.access.isLocal }

    var standing: Standing {
        isLocal ? .local : session.access.permissions.isEmpty || !hasSpoken ? .stranger : .remote
    }

    /// The client's memory for half lines, unread answers and command lists.
    var heldBytes: Int { input.heldBytes + output.heldBytes + session.heldBytes }

    /// The memory freed by dropping this client: the counted bytes, weighted more for a client with a lower standing.
    var burden: Int { countedBytes << (2 * (Standing.local.rawValue - standing.rawValue)) }

    /// Frees its memory. The server drops the client, but the row may keep it until its turn.
    func letGo() {
        session.interrupt()
        session.end()
        input = LineBuffer(maximumLineBytes: input.maximumLineBytes)
        output.removeAll()
    }

    /// Returns whether the client has work that can run now.
    func hasWork(heldBackBytes: Int) -> Bool {
        if session.isClosed || !session.isBusy && !mayHaveLine || output.count >= heldBackBytes { return false }
        if session.isWaiting { return false }
        return session.access.waitsUntil.map { $0 <= .now } ?? true
    }
}
