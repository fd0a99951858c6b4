import Core

/// A folder of files that belong together, or one file with chapters.
public struct Book: Sendable {
    public typealias ID = Int64

    public let id: ID
    /// The album that its files name, else the folder's name.
    public var title: String
    /// Empty where nobody says; as with all that follow.
    public var author: String
    public var narrator: String
    public var series: String
    /// Which of its series it is: "3", "2.5".
    public var seriesPart: String
    public var year: String
    public var genre: String
    public var language: String
    /// The folder that its files are in, or the one file: whole paths.
    public var path: String
    /// How many files.
    public var itemCount: Int
    /// The first of its files: what its picture is taken from.
    public var firstItem: Item.ID
    public var durationMilliseconds: Int64
    /// When the newest of its files was first seen, seconds since 1970.
    public var addedSeconds: Int64
    /// Where it was left; nil where none of it was played.
    public var left: Place?
    /// How much of it stands before the place where it was left.
    public var heardMilliseconds: Int64
    /// Its last file was heard to the end, or a person said so.
    public var isFinished: Bool

    public struct Place: Equatable, Sendable {
        public var item: Item.ID
        /// Which of the book's files, from 0.
        public var index: Int
        public var milliseconds: Int
    }

    public enum Order: CaseIterable, Sendable {
        case newest, title, author, series
    }
}
