// SPDX-License-Identifier: Apache-2.0
/// The refusal of a command in MPD's protocol: a number for programs, words for people.
public struct ConsoleError: Error, Equatable {
    /// MPD's `ACK` numbers.
    public enum Code: Int, Sendable {
        /// A command that belongs inside (or outside) a command list.
        case notList = 1
        /// A missing, superfluous or senseless argument.
        case argument = 2
        case password = 3
        case permission = 4
        /// No such command.
        case unknown = 5
        /// The named song, folder, favorite or the like does not exist.
        case noExist = 50
        case playlistMax = 51
        /// The system refused: disk, sound, memory.
        case system = 52
        case playlistLoad = 53
        case updateAlready = 54
        /// The request makes sense only while the player plays or pauses.
        case playerSync = 55
        /// The thing to be made exists already.
        case exists = 56
    }

    public let code: Code
    /// The message, one line that the user can act on.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
