// SPDX-License-Identifier: Apache-2.0
import Posix
import Wire

/// A program on the server's socket, with its command under way.
final class ConsolePeer {
    /// The order in which clients go if not all can stay.
    enum Standing: Int {
        /// Of the network, and has said nothing yet, or may do nothing: it has given no password, and may have none.
        case stranger
        case remote
        /// On this machine, let in by the file system.
        case local
    }

    let socket: FileDescriptor
    var session: Session
    var input: LineBuffer
    var output = ResponseBuffer()
    /// It has given a whole command.
    var hasSpoken = false
    /// The peer sends no more, but may still read.
    var isAtEnd = false
    /// The peer reads no more: its earlier commands still run, and their answers are dropped.
    var isGone = false
    /// Bytes came in which there may be a line.
    var mayHaveLine = false
    /// True while the client stands in the row for its turn.
    var isWaiting = false
    /// A timer will look after it.
    var isPutOff = false
    var interest: EventLoop.Interest = .readable
    /// Grows with every sign of life of any peer.
    var lastActivity = 0
    /// When it last gave a command, or took some of an answer.
    var lastProgress = MonotonicTime.now
    /// The memory that the server has counted for it.
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

    /// The memory of half lines, unread answers and command lists.
    var heldBytes: Int { input.heldBytes + output.heldBytes + session.heldBytes }

    /// The memory freed by dropping this client: the counted bytes, weighted more for a client with a lower standing.
    var burden: Int { countedBytes << (2 * (Standing.local.rawValue - standing.rawValue)) }

    /// Gives back what it holds. The server drops it, but the row may keep it until its turn.
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
