public enum PicturePlace: Sendable {
    case folder
    /// The song's own.
    case tags
}

public struct PictureDescription: Sendable {
    /// "image/jpeg" and the like; "" where nobody knows.
    public var mime: String
    /// All of it, shared with whoever else asks for it.
    public var bytes: [UInt8]

    public init(mime: String, bytes: [UInt8]) {
        self.mime = mime
        self.bytes = bytes
    }
}
