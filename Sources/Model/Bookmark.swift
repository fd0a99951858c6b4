// SPDX-License-Identifier: Apache-2.0
/// A kept sentence: a place in audio, and the words spoken there.
public struct Bookmark: Sendable {
    /// The number in the order of adding.
    public var number: Int64
    /// A file of the audio; the first present one, if there is one.
    public var itemID: Item.ID
    public var path: String
    public var title: String
    public var milliseconds: Int
    /// The words; empty if they were unknown.
    public var words: String
    /// The time of adding in seconds since 1970, by a clock that may have been wrong.
    public var addedSeconds: Int64

    public init(
        number: Int64, itemID: Item.ID, path: String, title: String, milliseconds: Int, words: String,
        addedSeconds: Int64
    ) {
        self.number = number
        self.itemID = itemID
        self.path = path
        self.title = title
        self.milliseconds = milliseconds
        self.words = words
        self.addedSeconds = addedSeconds
    }
}
