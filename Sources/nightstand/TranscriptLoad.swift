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
    private var warnings: [String] = []
    /// JSON is SQLite's to parse, which belongs to the control thread: read here, parsed in `finish`.
    private var json: [UInt8] = []
    private var jsonPath = ""

    init(audioPath: String, durationMilliseconds: Int?) {
        self.audioPath = audioPath
        self.durationMilliseconds = durationMilliseconds
    }

    /// Feed thread: all that touches the disk.
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
        if TranscriptFormat.detect(bytes, fileName: path.pathName) == .json {
            json = bytes
            jsonPath = path
            return true
        }
        do throws(TranscriptError) {
            transcript = try Transcript.parse(
                bytes, fileName: path.pathName, durationMilliseconds: durationMilliseconds)
            return true
        } catch {
            warnings.append("transcript \(path): \(error.message)")
            return false
        }
    }

    private func readEmbedded() {
        guard let tags = try? Tags(path: audioPath) else { return }
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

    /// Control thread: parses JSON, if that is what was found. Returns what to warn of.
    func finish() -> [String] {
        if !json.isEmpty {
            do throws(TranscriptError) {
                transcript = try Transcript.parse(json: json, durationMilliseconds: durationMilliseconds)
            } catch {
                warnings.append("transcript \(jsonPath): \(error.message)")
            }
            json = []
        }
        return warnings
    }
}
