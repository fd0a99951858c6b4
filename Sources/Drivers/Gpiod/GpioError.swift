/// A GPIO line or chip that cannot be used.
public struct GpioError: Error {
    /// What the caller can do about it.
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
    /// What, where, and what would help.
    public let message: String
}
