// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// A connection to the fetching process for one stream or file. Control thread; nothing here waits.
final class FetchConnection {
    private let process: FetchProcess
    private var socket: FileDescriptor?

    init(_ process: FetchProcess) { self.process = process }

    var isOpen: Bool { socket != nil }

    /// Sends the request.
    /// - Parameters:
    ///   - take: receives each packet: its kind, its text in one line, and a descriptor, or -1.
    ///   - end: called once the fetching process has closed the connection. Closing here releases both.
    /// - Returns: nil if the request went out; otherwise the reason, which is "" if a process is about to listen.
    func open(
        _ kind: UInt8, _ text: String, descriptors: [Int32],
        take: @escaping (UInt8, String, consuming FileDescriptor) -> Void, end: @escaping () -> Void
    ) -> String? {
        do throws(PosixError) {
            let socket = try UnixSocket.connect(process.socketPath, .packets)
            StreamPacket.send(kind, text, descriptors: descriptors, to: socket.number)
            try process.loop.add(socket.number, .readable) { [self] _ in receive(take, end) }
            self.socket = consume socket
            return nil
        } catch {
            if error.code != ENOENT && error.code != ECONNREFUSED {
                return "the fetching process does not answer: " + error.message
            }
            return process.start()
        }
    }

    func close() {
        guard let open = socket.take() else { return }
        process.loop.remove(open.number)
    }

    private func receive(_ take: (UInt8, String, consuming FileDescriptor) -> Void, _ end: () -> Void) {
        for _ in 0..<16 {
            guard let number = socket?.number else { return }
            switch StreamPacket.receive(from: number) {
            case .nothing: return
            case .end:
                close()
                return end()
            case .packet(let kind, let text, let descriptors):
                for more in descriptors.dropFirst() { CPosix.close(more) }
                take(kind, FetchConnection.oneLine(text), FileDescriptor(owning: descriptors.first ?? -1))
            }
        }
    }

    /// Reduces a text of the other process to one line of limited length.
    static func oneLine(_ text: String) -> String {
        let bytes = text.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
        return String(decoding: bytes.prefix(300), as: UTF8.self)
    }
}
