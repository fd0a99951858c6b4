// SPDX-License-Identifier: Apache-2.0
/// The subsystems of the speaker that `idle` reports, by MPD's names.
public struct Subsystems: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The library's contents changed.
    public static let database = Subsystems(rawValue: 1 << 0)
    /// A library scan began or ended.
    public static let update = Subsystems(rawValue: 1 << 1)
    public static let storedPlaylist = Subsystems(rawValue: 1 << 2)
    /// The queue changed.
    public static let playlist = Subsystems(rawValue: 1 << 3)
    /// Playback started, stopped, paused, jumped, or went to another item.
    public static let player = Subsystems(rawValue: 1 << 4)
    /// The volume changed.
    public static let mixer = Subsystems(rawValue: 1 << 5)
    /// An output went or came back.
    public static let output = Subsystems(rawValue: 1 << 6)
    public static let options = Subsystems(rawValue: 1 << 7)
    public static let partition = Subsystems(rawValue: 1 << 8)
    /// A favorite was added or removed.
    public static let sticker = Subsystems(rawValue: 1 << 9)
    public static let subscription = Subsystems(rawValue: 1 << 10)
    public static let message = Subsystems(rawValue: 1 << 11)
    public static let neighbor = Subsystems(rawValue: 1 << 12)
    public static let mount = Subsystems(rawValue: 1 << 13)

    /// The current item's transcript is there. Ours, not MPD's: only clients that name it hear of it.
    public static let transcript = Subsystems(rawValue: 1 << 14)

    /// A client asks for the elements on the screen. Ours: only clients that name it hear of it, and naming it makes a client a screen.
    public static let screen = Subsystems(rawValue: 1 << 15)

    /// The requested recording is on its way or audible now. Ours: only clients that name it hear of it.
    public static let sound = Subsystems(rawValue: 1 << 16)

    static let all = Subsystems(rawValue: (1 << 14) - 1)

    /// The names, in the order of their bits.
    private static let names: [String] = [
        "database", "update", "stored_playlist", "playlist", "player", "mixer", "output", "options", "partition",
        "sticker", "subscription", "message", "neighbor", "mount",
        "transcript", "screen", "sound",
    ]

    init?(name: String) {
        guard let bit = Subsystems.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: 1 << UInt32(bit))
    }

    /// The names of the subsystems.
    var names: [String] {
        var result: [String] = []
        for bit in 0..<Subsystems.names.count where rawValue & (1 << UInt32(bit)) != 0 {
            result.append(Subsystems.names[bit])
        }
        return result
    }
}
