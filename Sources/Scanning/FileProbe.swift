import Library
import MPEG
import Mpg123
import Posix

/// A file that is no audio, or cannot be read.
struct ProbeError: Error {
    let message: String
    /// It is no audio, and stays none until it changes.
    let isFinal: Bool
}

/// Looks into one file for the library. Worker; some 60 KB of reading, however long the file.
enum FileProbe {
    private final class OpenFile {
        let descriptor: FileDescriptor

        init(_ path: String) throws(PosixError) { descriptor = try FileDescriptor.openRegularFile(path) }

        func read(_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
            (try? descriptor.read(into: buffer, at: offset)) ?? -1
        }
    }

    static func probe(_ file: FoundFile) throws(ProbeError) -> Probe {
        let opened: OpenFile
        do throws(PosixError) { opened = try OpenFile(file.path) } catch {
            throw ProbeError(message: error.message, isFinal: false)
        }
        let audio = AudioExtent(fileBytes: file.bytes, read: opened.read)
        guard let header = streamHeader(opened, audio) else {
            throw ProbeError(message: "\(file.path): no MPEG audio found in it", isFinal: true)
        }
        guard let identity = ContentIdentity(audioStart: audio.start, audioEnd: audio.end, read: opened.read) else {
            throw ProbeError(message: "read \(file.path): cannot be read to its end", isFinal: false)
        }
        let tags = Tags(fileBytes: file.bytes, read: opened.read)
        return Probe(
            identity: identity, path: file.path, fileBytes: file.bytes, fileModifiedSeconds: file.modifiedSeconds,
            title: tags.title, artist: tags.artist, album: tags.album,
            // An estimate may be hours off: rather none, until the frames have been counted.
            durationMilliseconds: header.isDurationExact ? header.durationMilliseconds : nil,
            transcript: file.folder.transcript(for: file.path.pathName),
            artwork: tags.hasArtwork ? "embedded" : file.folder.artwork)
    }

    /// The first frame, looked for as far as the player would.
    private static func streamHeader(_ file: OpenFile, _ audio: AudioExtent) -> StreamHeader? {
        var bytes = StreamHeader.usualBytes
        while bytes <= 1 << 20 {
            var head = [UInt8](repeating: 0, count: Int(min(Int64(bytes), audio.end - audio.start)))
            let count = head.withUnsafeMutableBytes { file.read(audio.start, $0) }
            if count <= 0 { return nil }
            let header = head.withUnsafeBytes {
                StreamHeader(UnsafeRawBufferPointer(rebasing: $0[..<count]), audioBytes: audio.end - audio.start)
            }
            if header != nil || count < bytes { return header }
            bytes *= 8
        }
        return nil
    }
}
