import Posix

/// A program that is connected to the server's socket, and what is under way for it.
final class ConsolePeer {
    /// Who goes first where not all can stay.
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
    /// The peer reads no more: what it asked for before that is carried out, and told to nobody.
    var isGone = false
    /// Bytes came in which there may be a line.
    var mayHaveLine = false
    /// It stands in the row of those who wait for their turn.
    var isWaiting = false
    /// A timer will look after it.
    var isPutOff = false
    var interest: EventLoop.Interest = .readable
    /// Grows with every sign of life of any peer.
    var lastActivity = 0
    /// When it last gave a command, or took some of an answer.
    var lastProgress = MonotonicTime.now
    /// What the server has counted of it.
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

    /// How much is won where it goes: what it was counted to hold, more of one that is missed less.
    var burden: Int { countedBytes << (2 * (Standing.local.rawValue - standing.rawValue)) }

    /// Gives back what it holds. The server lets it go, but the row of those who wait may keep it until its turn.
    func letGo() {
        session.interrupt()
        session.end()
        input = LineBuffer(maximumLineBytes: input.maximumLineBytes)
        output.removeAll()
    }

    /// Something can be done for it now.
    func hasWork(heldBackBytes: Int) -> Bool {
        if session.isClosed || !session.isBusy && !mayHaveLine || output.count >= heldBackBytes { return false }
        if session.isWaiting { return false }
        return session.access.waitsUntil.map { $0 <= .now } ?? true
    }
}
