import CPosix
import MPEG
import Posix
import Workers

/// Walks a file's frame headers part by part, to learn where its frames lie and how long it is. Worker.
final class FrameWalk {
    private static let partBytes = 64 * 1024

    /// The result, once `step` has returned `.done`; nil where the file could not be read or holds no frames.
    private(set) var index: FrameIndex?

    private final class OpenFile {
        let descriptor: FileDescriptor
        let audio: AudioExtent

        init(path: String) throws(PosixError) {
            let opened = try FileDescriptor.openRegularFile(path)
            let status = try opened.status()
            audio = AudioExtent(fileBytes: status.bytes) { offset, buffer in
                (try? opened.read(into: buffer, at: offset)) ?? 0
            }
            descriptor = opened
        }
    }

    private let path: String
    private var file: OpenFile?
    private var walker = FrameWalker()
    private var offset: Int64 = 0

    init(path: String) { self.path = path }

    /// One read and what it holds.
    func step() -> Job.Step {
        if file == nil {
            guard let opened = try? OpenFile(path: path) else { return .done }
            file = opened
            offset = opened.audio.start
        }
        guard let file else { return .done }
        let wanted = Int(min(Int64(FrameWalk.partBytes), file.audio.end - offset))
        if wanted > 0 {
            let count: Int? = withUnsafeTemporaryAllocation(byteCount: wanted, alignment: 16) { part in
                guard let count = try? file.descriptor.read(into: part, at: offset) else { return nil }
                walker.consume(UnsafeRawBufferPointer(rebasing: part[..<count]))
                return count
            }
            guard let count else { return .done }
            offset += Int64(count)
            if count == wanted && offset < file.audio.end { return .again }
        }
        index = walker.finish()
        self.file = nil
        return .done
    }
}
