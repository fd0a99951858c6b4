// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A failed system call: its name, its object, and errno. The message has the form of Unix tools.
public struct PosixError: Error {
    /// The errno of the call.
    public let code: Int32
    /// The code for a replaced file (`ESTALE`).
    public static let staleCode = ESTALE

    /// The attempt in words, with the name of its object: "open /dev/lcd".
    public let operation: String
    /// A more precise text than the C library's for the code.
    private let explanation: String?

    public init(code: Int32, operation: String, explanation: String? = nil) {
        self.code = code
        self.operation = operation
        self.explanation = explanation
    }

    /// Returns the error of the thread's last failed call. Call it before anything else changes errno.
    public static func last(_ operation: @autoclosure () -> String) -> PosixError {
        let code = ns_errno()
        return PosixError(code: code, operation: operation())
    }

    /// True if the obstacle of a socket may pass: another program has the port, or the interface is not there yet.
    public var mayPass: Bool { code == EADDRINUSE || code == EADDRNOTAVAIL || code == ENODEV }

    /// The message, such as "open /dev/lcd: No such file or directory".
    public var message: String { operation + ": " + reason }

    /// The reason alone: "No such file or directory".
    public var reason: String { explanation ?? String(cString: strerror(code)) }
}
