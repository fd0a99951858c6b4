import MPEG

/// Something to play, as the player needs to know it.
public struct Track {
    /// The library's identifier.
    public var id: Int64
    public var path: String
    /// Nil until known; exact once the index is.
    public var durationMilliseconds: Int?
    /// Where its frames lie; found by the player where it is nil.
    public var index: FrameIndex?

    public init(id: Int64, path: String, durationMilliseconds: Int?, index: FrameIndex?) {
        self.id = id
        self.path = path
        self.durationMilliseconds = durationMilliseconds
        self.index = index
    }
}
