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
    /// Outputs, stickers, what is forgotten.
    public static let admin = Permissions(rawValue: 16)

    /// What is in nobody's hands here, though MPD has a word for it.
    public static let nobody = Permissions(rawValue: 32)

    public static let all: Permissions = [.read, .add, .control, .admin]

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
