import Library
import Mpg123
import Posix
import Transcript

/// Finds and reads the transcript of an audio file: files beside it first, best first, then what is inside it. One that cannot be
/// used is a warning, and the next is tried.
final class TranscriptLoad {
    /// No transcript of any book is larger.
    private static let byteLimit = 16 << 20

    private(set) var transcript: Transcript?
    private let audioPath: String
    private let durationMilliseconds: Int?
    private(set) var warnings: [String] = []

    init(audioPath: String, durationMilliseconds: Int?) {
        self.audioPath = audioPath
        self.durationMilliseconds = durationMilliseconds
    }

    /// Feed thread.
    func step() -> Bool {
        let folder = audioPath.pathFolder
        let names = (try? Files.names(inFolder: folder)) ?? []
        for name in Sidecars(folder: names).names(for: audioPath.pathName) where read(folder + "/" + name) {
            return true
        }
        readEmbedded()
        return true
    }

    /// Whether there is no need to look further.
    private func read(_ path: String) -> Bool {
        let bytes: [UInt8]
        do throws(PosixError) { bytes = try Files.read(path, limit: TranscriptLoad.byteLimit) } catch {
            warnings.append(error.message)
            return false
        }
        do throws(TranscriptError) {
            transcript = try Transcript.read(
                bytes, fileName: path.pathName, durationMilliseconds: durationMilliseconds)
            return true
        } catch {
            warnings.append("transcript \(path): \(error.message)")
            return false
        }
    }

    private func readEmbedded() {
        guard let file = try? FileDescriptor.openRegularFile(audioPath), let status = try? file.status() else { return }
        let tags = Tags(fileBytes: status.bytes, withLyrics: true) { offset, buffer in
            (try? file.read(into: buffer, at: offset)) ?? 0
        }
        for body in tags.synchronisedLyrics {
            if let found = try? Transcript.parse(
                synchronisedLyricsFrame: body, durationMilliseconds: durationMilliseconds)
            {
                transcript = found
                return
            }
        }
        if !tags.lyrics.isEmpty {
            transcript = try? Transcript.parse(
                untimedText: Array(tags.lyrics.utf8), durationMilliseconds: durationMilliseconds)
        }
    }
}
