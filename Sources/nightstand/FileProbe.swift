import CPosix
import Library
import MPEG
import Posix

/// Looks into one file for the library.
enum FileProbe {
    static func probe(_ file: LibraryScan.Found) throws(ProbeError) -> Probe {
        do throws(PosixError) {
            let opened = try FileDescriptor.open(file.path, O_RDONLY)
            func read(_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
                (try? opened.read(into: buffer, at: offset)) ?? -1
            }
            let audio = AudioExtent(fileBytes: file.bytes, read: read)
            guard let identity = ContentIdentity(audioStart: audio.start, audioEnd: audio.end, read: read) else {
                throw PosixError(code: EIO, operation: "read \(file.path)")
            }
            return Probe(
                identity: identity, path: file.path, fileBytes: file.bytes, fileModifiedSeconds: file.modifiedSeconds,
                transcript: file.transcript, artwork: file.artwork)
        } catch { throw ProbeError(message: error.message) }
    }
}
