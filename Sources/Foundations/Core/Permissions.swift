// SPDX-License-Identifier: Apache-2.0
/// The permissions of a console's client: MPD's groups of commands, and three of our own.
public struct Permissions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Reads status, queue and library.
    public static let read: Permissions = [Permissions(rawValue: 1), .changes]
    /// Adds items to the queue.
    public static let add = Permissions(rawValue: 2)
    /// Controls playback, and arranges the queue.
    public static let player = Permissions(rawValue: 4)
    /// The rights of `player`, and stored playlists, favorites, updates.
    public static let control: Permissions = [Permissions(rawValue: 8), .player]
    /// Outputs and stickers.
    public static let outputs = Permissions(rawValue: 16)
    /// Outputs and stickers, and the owner's rights.
    public static let admin: Permissions = [.outputs, .owner]
    /// MPD permissions that this server never grants.
    public static let nobody = Permissions(rawValue: 32)
    /// Replaces or erases the speaker's memory: backup, restore, forget.
    public static let memory = Permissions(rawValue: 64)
    /// The household's records: household, journal, merge.
    public static let household = Permissions(rawValue: 128)
    /// The device's own buttons.
    public static let buttons = Permissions(rawValue: 256)
    /// Waits for changes.
    public static let changes = Permissions(rawValue: 512)
    /// The permissions that a client on the network gets only with a password.
    public static let owner: Permissions = [.memory, .household, .buttons]

    public static let all: Permissions = [.read, .add, .control, .admin]
    /// The permissions of a remote control.
    public static let remote: Permissions = [.read, .add, .control]
    /// The permissions of the process that syncs the household's records: it waits for changes, and reads nothing else.
    public static let carrier: Permissions = [.household, .changes]
    /// The permissions of the process that draws on a panel.
    public static let panel: Permissions = [.remote, .household, .buttons]

    /// The names, in the order in which they are listed.
    public static let names = ["read", "add", "player", "control", "admin"]

    /// Reads a name as MPD's configuration writes it.
    public init?(name: String) {
        switch name {
        case "read": self = .read
        case "add": self = .add
        case "player": self = .player
        case "control": self = .control
        case "admin": self = .admin
        default: return nil
        }
    }
}
