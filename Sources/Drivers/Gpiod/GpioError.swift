// SPDX-License-Identifier: Apache-2.0
import CGpiod
import Posix

/// A GPIO line or chip that cannot be used.
public struct GpioError: Error {
    /// The reason, by the remedy.
    public enum Reason: Sendable {
        /// This process sees no GPIO: continue without buttons.
        case noChips
        /// The configured line does not exist: correct the configuration.
        case noSuchLine
        /// Another program or driver uses the line.
        case busy
        case notPermitted
        /// Any other error, with errno's words in the message.
        case system
    }

    public let reason: Reason
    /// The error, its place, and the remedy.
    public let message: String
}

extension GpioError {
    /// Returns the error of a refused line, by errno.
    static func refused(line name: String, holder: @autoclosure () -> String) -> GpioError {
        let failure = PosixError.last("take GPIO line " + name)
        if failure.code != EBUSY { return GpioError(reason: .system, message: failure.message) }
        let holder = holder()
        return GpioError(
            reason: .busy,
            message: "GPIO line \(name) is in use" + (holder.isEmpty ? "" : " by '\(holder)'")
                + ": stop what holds it, or choose another line")
    }
}
