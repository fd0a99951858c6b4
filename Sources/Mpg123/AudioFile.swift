import CPosix
import MPEG
import Posix

/// A file that may hold MPEG audio, open for reading. Feed thread only; reads block.
final class AudioFile {
    let path: String
    let status: FileStatus
    private let descriptor: FileDescriptor
    /// The first read that failed.
    private(set) var failure: PosixError?

    /// Throws what open(2) throws, and `EISDIR` or `EINVAL` for what is no regular file.
    init(path: String) throws(PosixError) {
        // Opening a pipe must not wait for somebody to write into it.
        let opened = try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
        let status = try opened.status()
        if !status.isRegularFile {
            throw PosixError(code: status.isDirectory ? EISDIR : EINVAL, operation: "read \(path)")
        }
        self.path = path
        self.status = status
        descriptor = opened
    }

    /// Fills the buffer from an offset as far as the file goes; 0 where it cannot be read, with `failure` set.
    func read(_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard offset >= 0 else { return 0 }
        do throws(PosixError) { return try descriptor.read(into: buffer, at: offset) } catch {
            if failure == nil { failure = PosixError(code: error.code, operation: "read \(path)") }
            return 0
        }
    }

    /// Up to `count` bytes from an offset.
    func bytes(at offset: Int64, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, count))
        let got = bytes.withUnsafeMutableBytes { read(offset, $0) }
        bytes.removeLast(bytes.count - got)
        return bytes
    }

    /// Calls `visit` with every ID3v2 tag in front of the audio and the one right behind it, if there is one.
    func forEachTag(around audio: AudioExtent, _ visit: (inout ID3v2Frames) -> Void) {
        var at: Int64 = 0
        while at < audio.start, var tag = ID3v2Frames(at: at, fileEnd: status.bytes, read: read) {
            visit(&tag)
            at += tag.tagBytes
        }
        if var tag = ID3v2Frames(at: audio.end, fileEnd: status.bytes, read: read) { visit(&tag) }
    }
}
