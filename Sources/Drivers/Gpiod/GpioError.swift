// SPDX-License-Identifier: Apache-2.0
import CGpiod
import Posix

/// A GPIO line or chip that cannot be used.
public struct GpioError: Error {
    /// The caller's remedy.
    public enum Reason: Sendable {
        /// The board has no GPIO that this process can see: carry on without buttons.
        case noChips
        /// The configuration names what is not there: mend it.
        case noSuchLine
        /// Another program or driver holds the line.
        case busy
        case notPermitted
        /// Anything else, with errno's words in the message.
        case system
    }

    public let reason: Reason
    /// The fault, its place, and the remedy.
    public let message: String
}

extension GpioError {
    /// A line that could not be taken, by errno.
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
