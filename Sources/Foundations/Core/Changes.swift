// SPDX-License-Identifier: Apache-2.0
/// Changes of the speaker, for everything that shows it.
public struct Changes: OptionSet, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Started, stopped, paused, sought, went to another item, or learned more of the current one.
    public static let player = Changes(rawValue: 1 << 0)
    public static let queue = Changes(rawValue: 1 << 1)
    public static let volume = Changes(rawValue: 1 << 2)
    /// Items came, went or are described otherwise.
    public static let library = Changes(rawValue: 1 << 3)
    /// A look through the library began or ended.
    public static let scan = Changes(rawValue: 1 << 4)
    public static let favourites = Changes(rawValue: 1 << 5)
    /// A sound device went or came back.
    public static let output = Changes(rawValue: 1 << 6)
    /// The current item's transcript was read.
    public static let transcript = Changes(rawValue: 1 << 7)
    /// The look through the library has come further.
    public static let scanProgress = Changes(rawValue: 1 << 8)
    /// The way in which the queue is gone through.
    public static let modes = Changes(rawValue: 1 << 9)
    /// The requested sound is on its way or audible now: for displays that draw the passing time.
    public static let sound = Changes(rawValue: 1 << 10)
    /// The menu was opened, gone through or left.
    public static let menu = Changes(rawValue: 1 << 11)
}
