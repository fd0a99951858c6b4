// SPDX-License-Identifier: Apache-2.0
/// A sentence that a search found.
public struct SpokenHit: Sendable {
    /// The item of the sentence.
    public var itemID: Item.ID
    public var path: String
    public var title: String
    /// The start of the sentence.
    public var milliseconds: Int
    public var text: String

    public init(itemID: Item.ID, path: String, title: String, milliseconds: Int, text: String) {
        self.itemID = itemID
        self.path = path
        self.title = title
        self.milliseconds = milliseconds
        self.text = text
    }
}
