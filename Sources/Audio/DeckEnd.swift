// SPDX-License-Identifier: Apache-2.0
/// The reason why a deck has no more frames.
public enum DeckEnd: BitwiseCopyable, Equatable, Sendable {
    /// The deck returned the whole stream.
    case complete
    /// A read error ended the bytes early.
    case readFailed(errno: Int32)
    /// The decoder cannot continue.
    case decodeFailed

    public var isComplete: Bool {
        @_noLocks @_noAllocation get {
            if case .complete = self { true } else { false }
        }
    }
}
