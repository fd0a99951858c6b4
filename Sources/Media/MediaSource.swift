// SPDX-License-Identifier: Apache-2.0
/// The source of something to play.
public enum MediaSource: Equatable, Sendable {
    case file(path: String)
    /// A network stream. Two are equal if they are the same object.
    case stream(any MediaStream)
    /// An hour of an alarm tone, which needs no file.
    case tone

    public static func == (one: MediaSource, other: MediaSource) -> Bool {
        switch (one, other) {
        case (.file(let one), .file(let other)): one.utf8.elementsEqual(other.utf8)
        case (.stream(let one), .stream(let other)): one === other
        case (.tone, .tone): true
        default: false
        }
    }

    /// Opens the source for reading. Blocks: feed and worker threads only.
    public func open() throws(SourceError) -> any ByteSource {
        switch self {
        case .file(let path): try FileSource(path: path)
        case .stream(let stream): try stream.open()
        case .tone: ToneSource()
        }
    }

    /// The name in messages for people.
    public var name: String {
        switch self {
        case .file(let path): path
        case .stream(let stream): stream.name
        case .tone: "the alarm's tone"
        }
    }

    /// The path of a file; nil for other sources.
    public var path: String? {
        switch self {
        case .file(let path): path
        case .stream, .tone: nil
        }
    }

    /// The stream; nil for other sources.
    public var stream: (any MediaStream)? {
        switch self {
        case .file, .tone: nil
        case .stream(let stream): stream
        }
    }

    /// True if everything can be read now, from start to end. The tone counts as false, having no further facts.
    public var isWhole: Bool { stream?.isWhole ?? (self != .tone) }
}
