import Core
import Library
import Posix

/// What files make one book, as far as going from one to the next is concerned.
enum Book {
    /// Files of one folder, of one album if they name any.
    static func isOne(_ one: Item, _ other: Item) -> Bool {
        one.id != other.id && one.path.pathFolder == other.path.pathFolder && one.album == other.album
    }
}
