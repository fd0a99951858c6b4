// SPDX-License-Identifier: Apache-2.0
/// A thing to play: the source of its bytes.
public enum MediaSource: Equatable, Sendable {
    case file(path: String)
    /// Two are one where it is the same object.
    case stream(any MediaStream)
    /// An hour of a tone that wakes: it is always there.
    case tone

    public static func == (one: MediaSource, other: MediaSource) -> Bool {
        switch (one, other) {
        case (.file(let one), .file(let other)): one.utf8.elementsEqual(other.utf8)
        case (.stream(let one), .stream(let other)): one === other
        case (.tone, .tone): true
        default: false
        }
    }

    /// Opens it for reading. Blocks: feed and worker threads only.
    public func open() throws(SourceError) -> any ByteSource {
        switch self {
        case .file(let path): try FileSource(path: path)
        case .stream(let stream): try stream.open()
        case .tone: ToneSource()
        }
    }

    /// For messages: the name that a person knows it by.
    public var name: String {
        switch self {
        case .file(let path): path
        case .stream(let stream): stream.name
        case .tone: "the alarm's tone"
        }
    }

    /// The path of what is a file; nil for what has none.
    public var path: String? {
        switch self {
        case .file(let path): path
        case .stream, .tone: nil
        }
    }

    /// Nil for what is a file.
    public var stream: (any MediaStream)? {
        switch self {
        case .file, .tone: nil
        case .stream(let stream): stream
        }
    }

    /// All of it can be read now, so that it can be gone through to its end. The tone has no further facts.
    public var isWhole: Bool { stream?.isWhole ?? (self != .tone) }
}
