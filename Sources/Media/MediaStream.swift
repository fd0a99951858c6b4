/// Something to play whose bytes come over a network, as far as playing has to know.
public protocol MediaStream: AnyObject, Sendable {
    /// Its address, for messages: nothing secret.
    var name: String { get }
    /// Enough is there for the first second; control thread.
    var isReady: Bool { get }
    /// All of it is there, as in a file. Any thread.
    var isWhole: Bool { get }
    /// More is to come, or may be. Any thread.
    var mayBringMore: Bool { get }
    /// It goes on for ever and begins now: there is no place to go to. Any thread.
    var isLive: Bool { get }
    /// Feed and worker threads.
    func open() throws(SourceError) -> any ByteSource
}
