/// What is to be played: where its bytes come from.
public enum MediaSource: Equatable, Sendable {
    case file(path: String)

    /// Opens it for reading. Blocks: feed and worker threads only.
    public func open() throws(SourceError) -> any ByteSource {
        switch self {
        case .file(let path): try FileSource(path: path)
        }
    }

    /// For messages: the name that a person knows it by.
    public var name: String {
        switch self {
        case .file(let path): path
        }
    }

    /// The path of what is a file; nil for what has none.
    public var path: String? {
        switch self {
        case .file(let path): path
        }
    }
}
