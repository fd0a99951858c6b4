// SPDX-License-Identifier: Apache-2.0
/// The kinds of changes of the speaker, for everything that displays it.
public struct Changes: OptionSet, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Playback started, stopped, paused or sought, moved to another item, or learned more of the current one.
    public static let player = Changes(rawValue: 1 << 0)
    public static let queue = Changes(rawValue: 1 << 1)
    public static let volume = Changes(rawValue: 1 << 2)
    /// Items appeared, disappeared or changed their tags.
    public static let library = Changes(rawValue: 1 << 3)
    /// A scan of the library began or ended.
    public static let scan = Changes(rawValue: 1 << 4)
    public static let favourites = Changes(rawValue: 1 << 5)
    /// A sound device disappeared or came back.
    public static let output = Changes(rawValue: 1 << 6)
    /// The current item's transcript was read.
    public static let transcript = Changes(rawValue: 1 << 7)
    /// The scan of the library made progress.
    public static let scanProgress = Changes(rawValue: 1 << 8)
    /// The play modes of the queue.
    public static let modes = Changes(rawValue: 1 << 9)
    /// The requested sound is pending or audible now: for displays of the passing time.
    public static let sound = Changes(rawValue: 1 << 10)
    /// The menu was opened, moved through or closed.
    public static let menu = Changes(rawValue: 1 << 11)
}
