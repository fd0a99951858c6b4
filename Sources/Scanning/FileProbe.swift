import Core
import Library
import Media
import Posix

/// A file that is no audio, or cannot be read.
struct ProbeError: Error {
    let message: String
    /// It is no audio, and stays none until it changes.
    let isFinal: Bool
}

/// Looks into one file for the library. Worker; some 60 KB of reading, however long the file.
enum FileProbe {
    static func probe(_ file: FoundFile) throws(ProbeError) -> Probe {
        let source: FileSource
        do throws(SourceError) { source = try FileSource(path: file.path) } catch {
            throw ProbeError(message: error.cause.message, isFinal: false)
        }
        let found: MediaProbe
        do throws(MediaError) { found = try MediaProbe(source) } catch {
            switch error {
            case .source(let error): throw ProbeError(message: error.cause.message, isFinal: false)
            case .noAudio: throw ProbeError(message: "\(file.path): no audio found in it", isFinal: true)
            }
        }
        let identity = ContentIdentity(audioStart: found.audio.start, audioEnd: found.audio.end) { offset, buffer in
            (try? source.read(into: buffer, at: offset)) ?? -1
        }
        guard let identity else {
            throw ProbeError(message: "read \(file.path): cannot be read to its end", isFinal: false)
        }
        var tags = found.tags.list
        tags.append(.format, "\(found.sampleRate):16:\(found.channels)")
        return Probe(
            identity: identity, path: file.path, fileBytes: file.bytes, fileModifiedSeconds: file.modifiedSeconds,
            tags: tags, durationMilliseconds: found.durationMilliseconds,
            artwork: found.tags.hasArtwork ? "embedded" : file.folder.artwork)
    }
}
