// SPDX-License-Identifier: Apache-2.0
/// A folder of files that belong together, or one file with chapters.
public struct Book: Sendable {
    public typealias ID = Int64

    public let id: ID
    /// The album of its files, else the folder's name.
    public var title: String
    /// The author; empty if unknown, like all that follow.
    public var author = ""
    public var narrator = ""
    public var series = ""
    /// The number in its series, such as "3" or "2.5".
    public var seriesPart = ""
    public var year = ""
    public var genre = ""
    public var language = ""
    /// The whole path of its folder, or of its one file.
    public var path: String
    /// The number of its files.
    public var itemCount = 1
    /// The first of its files, which provides its picture.
    public var firstItem: Item.ID = 0
    public var durationMilliseconds: Int64 = 0
    /// The time when its newest file was first seen, in seconds since 1970.
    public var addedSeconds: Int64 = 0
    /// The listener's place; nil if none of it was played.
    public var left: Place?
    /// The length of the parts before the place.
    public var heardMilliseconds: Int64 = 0
    /// True if its last file was heard to the end, or a listener marked it.
    public var isFinished = false

    public init(id: ID, title: String, path: String) {
        self.id = id
        self.title = title
        self.path = path
    }

    public struct Place: Equatable, Sendable {
        public var item: Item.ID
        /// The path of the file.
        public var path: String
        /// The index of the book's file, from 0.
        public var index: Int
        public var milliseconds: Int

        public init(item: Item.ID, path: String, index: Int, milliseconds: Int) {
            self.item = item
            self.path = path
            self.index = index
            self.milliseconds = milliseconds
        }
    }

    public enum Order: CaseIterable, Sendable {
        case newest, title, author, series
    }
}
