/// What the console needs for the pictures of songs. Control thread; `Awaited` as in `ConsolePlaylists`.
public protocol ConsolePictures: AnyObject {
    /// The picture that lies in the song's folder, or stands in its tags; nil where there is none. Throws `.noExist` for the tags of what
    /// is no song.
    func picture(of uri: String, _ place: PicturePlace) throws(ConsoleError) -> Awaited<PictureDescription?>
}

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
