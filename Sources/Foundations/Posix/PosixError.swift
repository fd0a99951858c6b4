// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A system call that failed: its name, its object, and errno. The message reads as Unix tools write it.
public struct PosixError: Error {
    /// errno as the call left it.
    public let code: Int32
    /// The file has been replaced (`ESTALE`).
    public static let staleCode = ESTALE

    /// The attempt in words, with the name of its object: "open /dev/lcd".
    public let operation: String
    /// Says more than the C library's words for the code.
    private let explanation: String?

    public init(code: Int32, operation: String, explanation: String? = nil) {
        self.code = code
        self.operation = operation
        self.explanation = explanation
    }

    /// The error that the calling thread's last failed call left in errno. Call it before anything else touches errno.
    public static func last(_ operation: @autoclosure () -> String) -> PosixError {
        let code = ns_errno()
        return PosixError(code: code, operation: operation())
    }

    /// True if the obstacle of a socket may go away by itself: another program has the port, or an interface is not there yet.
    public var mayPass: Bool { code == EADDRINUSE || code == EADDRNOTAVAIL || code == ENODEV }

    /// "open /dev/lcd: No such file or directory".
    public var message: String { operation + ": " + reason }

    /// Only what was wrong: "No such file or directory".
    public var reason: String { explanation ?? String(cString: strerror(code)) }
}
