// SPDX-License-Identifier: Apache-2.0
/// The rights of a console's client, in MPD's groups of commands and three of our own.
public struct Permissions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Looking: status, queue, library.
    public static let read: Permissions = [Permissions(rawValue: 1), .changes]
    /// Putting things into the queue.
    public static let add = Permissions(rawValue: 2)
    /// Playing, and arranging the queue.
    public static let player = Permissions(rawValue: 4)
    /// The rights of `player`, and stored playlists, favorites, updates.
    public static let control: Permissions = [Permissions(rawValue: 8), .player]
    /// Outputs and stickers.
    public static let outputs = Permissions(rawValue: 16)
    /// Outputs and stickers, and the owner's rights.
    public static let admin: Permissions = [.outputs, .owner]
    /// MPD permissions that this server never grants.
    public static let nobody = Permissions(rawValue: 32)
    /// Replacing or erasing what the speaker remembers: backup, restore, forget.
    public static let memory = Permissions(rawValue: 64)
    /// The household's records: household, journal, merge.
    public static let household = Permissions(rawValue: 128)
    /// The device's own buttons.
    public static let buttons = Permissions(rawValue: 256)
    /// Waiting for changes.
    public static let changes = Permissions(rawValue: 512)
    /// The rights that a client from the network has only with a password.
    public static let owner: Permissions = [.memory, .household, .buttons]

    public static let all: Permissions = [.read, .add, .control, .admin]
    /// A remote's rights.
    public static let remote: Permissions = [.read, .add, .control]
    /// The rights of the process that carries the household's records: it waits for changes, and reads nothing else.
    public static let carrier: Permissions = [.household, .changes]
    /// The rights of the process that draws on a panel.
    public static let panel: Permissions = [.remote, .household, .buttons]

    /// In the order in which they are told.
    public static let names = ["read", "add", "player", "control", "admin"]

    /// As MPD's configuration writes one.
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
