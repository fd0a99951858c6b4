// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Reports to the service manager that started this process, by the protocol of sd_notify(3): datagrams of `NAME=value` lines to the socket
/// named by `NOTIFY_SOCKET`. Control thread.
public final class ServiceManager {
    /// The time without `WATCHDOG=1` after which the service is killed and restarted; nil without a watchdog.
    public let watchdogMilliseconds: Int?
    private let socket: FileDescriptor

    /// Returns nil if no service manager listens.
    public init?() {
        guard let path = environmentVariable("NOTIFY_SOCKET") else { return nil }
        let number = CPosix.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if number < 0 { return nil }
        socket = FileDescriptor(owning: number)
        var watched: Int?
        // A parent process may have left these variables.
        if environmentVariable("WATCHDOG_PID").map({ $0 == String(getpid()) }) ?? true,
            let microseconds = environmentVariable("WATCHDOG_USEC").flatMap({ Int($0) }), microseconds > 0
        {
            watched = microseconds / 1000
        }
        watchdogMilliseconds = watched
        guard let result = try? UnixAddress.with(path, { connect(number, $0, $1) }), result == 0 else { return nil }
    }

    /// Sends lines of `NAME=value`. A line that cannot be sent is lost, as in sd_notify(3): the manager must not block us.
    public func tell(_ lines: String) {
        var lines = lines
        lines.withUTF8 { bytes in
            _ = send(socket.number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
    }
}
