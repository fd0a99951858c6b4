/// What the console needs of the speaker to copy its library, and to take up a copy.
public protocol ConsoleBackups: AnyObject {
    /// Bytes of the copy once it is there; nil while it is made. Begins one where there is none.
    func backup() throws(ConsoleError) -> Int64?
    /// A piece of the copy; empty at its end.
    func readBackup(at offset: Int64, count: Int) throws(ConsoleError) -> [UInt8]
    func beginRestore() throws(ConsoleError)
    /// False where it must be sent again later.
    func addRestore(_ bytes: [UInt8]) throws(ConsoleError) -> Bool
    func endRestore() throws(ConsoleError)
    /// A word: none, receiving, checking or done. Throws why it failed.
    func restoreState() throws(ConsoleError) -> String
}
