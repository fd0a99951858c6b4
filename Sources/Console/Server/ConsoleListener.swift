// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// A listening socket. If the kernel refuses for lack of descriptors or memory, it tries again later. Control thread, until `close`.
final class ConsoleListener {
    /// The limit of clients accepted in one turn of the loop: a flood must not keep a button waiting.
    private static let mostEachTurn = 16

    private let socket: FileDescriptor
    private let loop: EventLoop
    /// A Unix socket's path, to be removed at the end.
    private let path: String?
    private let isLocal: Bool
    private let admit: (consuming FileDescriptor, PeerOrigin?) -> Void
    private let makeRoom: () -> Bool
    private var backoff = Backoff()
    private var isOpen = true

    /// - Parameters:
    ///   - isLocal: true if only processes of this machine can connect, those that the file system admits.
    ///   - admit: takes the client; its address is nil on this machine.
    ///   - makeRoom: drops a client if the kernel has no more descriptors; returns false if there is none to drop.
    init(
        _ socket: consuming FileDescriptor, path: String?, isLocal: Bool, loop: EventLoop,
        admit: @escaping (consuming FileDescriptor, PeerOrigin?) -> Void, makeRoom: @escaping () -> Bool
    ) throws(PosixError) {
        self.socket = socket
        self.path = path
        self.isLocal = isLocal
        self.loop = loop
        self.admit = admit
        self.makeRoom = makeRoom
        try loop.add(self.socket.number, .readable) { [self] _ in accept() }
    }

    /// Stops listening, and removes a Unix socket's path.
    func close() {
        if !isOpen { return }
        isOpen = false
        loop.remove(socket.number)
        if let path { unlink(path) }
    }

    private func accept() {
        for _ in 0..<ConsoleListener.mostEachTurn where isOpen {
            var address = sockaddr_storage()
            let number = ns_accept(socket.number, &address)
            if number < 0 {
                switch ns_errno() {
                case EAGAIN: return
                // Errors that Linux passes on from a connection that failed before accept(2).
                case EINTR, ECONNABORTED, ENETDOWN, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP,
                    ENETUNREACH:
                    continue
                default:
                    // No descriptors or no memory left. Make room, or else look again later: the listener stays ready.
                    if !makeRoom() { pause() }
                    return
                }
            }
            backoff.succeeded()
            let peer = FileDescriptor(owning: number)
            if isLocal {
                admit(peer, nil)
            } else {
                ns_notice_lost_peer(number)
                admit(peer, InternetAddress(address).map { PeerOrigin($0) } ?? .elsewhere)
            }
        }
    }

    private func pause() {
        loop.remove(socket.number)
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: backoff.failed())) { [self] in
            if !isOpen { return }
            do throws(PosixError) {
                try loop.add(socket.number, .readable) { [self] _ in accept() }
            } catch {
                pause()
            }
        }
    }
}
