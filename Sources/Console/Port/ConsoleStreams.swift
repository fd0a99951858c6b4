/// What is played from a network. Control thread; nothing waits.
public protocol ConsoleStreams: AnyObject {
    /// Addresses of http and https can be played.
    var takesStreams: Bool { get }
    /// The song of such an address. Throws where it cannot be played, with what would have to be done.
    func stream(at address: String) throws(ConsoleError) -> SongDescription
}
