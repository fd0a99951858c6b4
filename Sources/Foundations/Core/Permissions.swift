/// What somebody at a console may do, in MPD's groups of commands.
public struct Permissions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Looking: status, queue, library.
    public static let read = Permissions(rawValue: 1)
    /// Putting things into the queue.
    public static let add = Permissions(rawValue: 2)
    /// Playing, and arranging the queue.
    public static let player = Permissions(rawValue: 4)
    /// What `player` may, and stored playlists, favourites, updates.
    public static let control: Permissions = [Permissions(rawValue: 8), .player]
    /// Outputs and stickers, and what only an owner may.
    public static let admin: Permissions = [Permissions(rawValue: 16), .owner]
    /// To take everything away or put another in its place: backups, what is forgotten, the device's own buttons. Nobody of the network has
    /// it without a password.
    public static let owner = Permissions(rawValue: 64)

    /// What is in nobody's hands here, though MPD has a word for it.
    public static let nobody = Permissions(rawValue: 32)

    public static let all: Permissions = [.read, .add, .control, .admin]
    /// What a remote needs.
    public static let remote: Permissions = [.read, .add, .control]

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
