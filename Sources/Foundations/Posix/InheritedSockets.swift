// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The listening sockets that a service manager has passed to this process, see sd_listen_fds(3).
public enum InheritedSockets {
    private static let first: Int32 = 3
    /// The most sockets; no service manager passes more.
    private static let most = 16

    /// Returns their descriptors, non-blocking and close-on-exec. The caller owns them. Call it once.
    public static func take() -> [Int32] {
        let isOurs = environmentVariable("LISTEN_PID") == String(getpid())
        let count = environmentVariable("LISTEN_FDS").flatMap { Int($0) } ?? 0
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        guard isOurs, (1...most).contains(count) else { return [] }
        var numbers: [Int32] = []
        for number in first..<first + Int32(count) where ns_is_listening(number) {
            ns_set_close_on_exec(number)
            _ = ns_set_nonblocking(number)
            numbers.append(number)
        }
        return numbers
    }
}
