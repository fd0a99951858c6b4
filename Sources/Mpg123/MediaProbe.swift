import MPEG
import Posix

/// What one look into a file tells, without decoding: the library's scan calls it for every file. Feed thread.
public struct MediaProbe: Sendable {
    public enum Failure: Error {
        /// It could not be read.
        case file(PosixError)
        /// It was read, and holds no MPEG audio.
        case notAudio(path: String)

        public var message: String {
            switch self {
            case .file(let error): error.message
            case .notAudio(let path): path + ": not MPEG audio"
            }
        }
    }

    public let path: String
    public let fileBytes: Int64
    /// Seconds since 1970.
    public let modifiedSeconds: Int64
    /// Where the audio lies, tags left out.
    public let audio: AudioExtent
    public let tags: Tags
    public let stream: StreamHeader

    /// How far into the audio the first frame may lie.
    private static let searchBytes: Int64 = 1024 * 1024

    /// Reads about 20 KiB of an ordinary file.
    public init(path: String) throws(Failure) {
        let file: AudioFile
        do throws(PosixError) { file = try AudioFile(path: path) } catch { throw .file(error) }
        self.path = path
        fileBytes = file.status.bytes
        modifiedSeconds = file.status.modifiedSeconds
        audio = AudioExtent(fileBytes: file.status.bytes, read: file.read)

        var walker = FrameWalker()
        var at = audio.start
        while walker.firstHeader == nil && at < min(audio.end, audio.start + MediaProbe.searchBytes) {
            let bytes = file.bytes(at: at, count: Int(min(Int64(StreamHeader.usualBytes), audio.end - at)))
            if bytes.isEmpty { break }
            bytes.withUnsafeBytes { walker.consume($0) }
            at += Int64(bytes.count)
        }
        if let failure = file.failure { throw .file(failure) }
        guard let stream = StreamHeader(walker, audioBytes: audio.byteCount) else { throw .notAudio(path: path) }
        self.stream = stream
        tags = Tags(file, audio)
        if let failure = file.failure { throw .file(failure) }
    }

    /// The tag's title, or the file's name without its extension.
    public var title: String { tags.title.isEmpty ? path.pathName.pathStem : tags.title }

    public var durationMilliseconds: Int { stream.durationMilliseconds }

    /// The duration is what the encoder counted; where it is not, only walking all frames tells the true one.
    public var isDurationExact: Bool { stream.isDurationExact }

    /// Hz.
    public var sampleRate: Int { stream.header.sampleRate }

    public var channels: Int { stream.header.channels }
}
