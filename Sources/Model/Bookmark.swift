// SPDX-License-Identifier: Apache-2.0
/// A sentence that was kept: a place in audio, and the words that are spoken there.
public struct Bookmark: Sendable {
    /// In the order of adding.
    public var number: Int64
    /// A file of the audio; the first that is there, if one is.
    public var itemID: Item.ID
    public var path: String
    public var title: String
    public var milliseconds: Int
    /// Empty if they were unknown.
    public var words: String
    /// Seconds since 1970, by a clock that may have been wrong.
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
