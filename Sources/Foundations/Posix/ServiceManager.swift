// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Tells the service manager that started this process how things are, by the protocol of sd_notify(3): datagrams of `NAME=value`
/// lines to the socket that `NOTIFY_SOCKET` names. Control thread.
public final class ServiceManager {
    /// The service is killed and started anew if it sends no `WATCHDOG=1` for this long; nil without a watchdog.
    public let watchdogMilliseconds: Int?
    private let socket: FileDescriptor

    /// Nil if no service manager listens.
    public init?() {
        guard let path = environmentVariable("NOTIFY_SOCKET") else { return nil }
        let number = CPosix.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if number < 0 { return nil }
        socket = FileDescriptor(owning: number)
        var watched: Int?
        // This process may have inherited the variables.
        if environmentVariable("WATCHDOG_PID").map({ $0 == String(getpid()) }) ?? true,
            let microseconds = environmentVariable("WATCHDOG_USEC").flatMap({ Int($0) }), microseconds > 0
        {
            watched = microseconds / 1000
        }
        watchdogMilliseconds = watched
        guard let result = try? UnixAddress.with(path, { connect(number, $0, $1) }), result == 0 else { return nil }
    }

    /// Sends lines of `NAME=value`. One that cannot be sent is lost, as sd_notify(3) has it: the manager must not hold us up.
    public func tell(_ lines: String) {
        var lines = lines
        lines.withUTF8 { bytes in
            _ = send(socket.number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
    }
}
