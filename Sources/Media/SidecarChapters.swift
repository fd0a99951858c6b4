// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Posix

/// Chapters in a file beside the audio: Podcasting 2.0's JSON, or a cue sheet. Worker thread.
public struct SidecarChapters {
    public private(set) var chapters: [Chapter] = []
    /// The tags of the whole recording.
    public private(set) var tags = TagList()

    /// The largest file: a sheet of ten thousand tracks has a megabyte.
    private static let mostBytes: Int64 = 4 << 20
    private static let mostSharedBytes: Int64 = 256 << 10

    /// - Parameters:
    ///   - path: the file; its extension tells the format, and an unknown one gives no chapters.
    ///   - audioName: the name of the audio file.
    ///   - isShared: true for a cue sheet that may describe other files. A large one is ignored, since each of those files would read it.
    /// - Throws: if it is unreadable or too long. A malformed file gives the chapters before the fault.
    public init(_ path: String, audioName: String, isShared: Bool = false) throws(PosixError) {
        do throws(SourceError) {
            let file = try FileSource(path: path)
            let length = file.byteCount ?? 0
            if length > SidecarChapters.mostBytes {
                throw SourceError(
                    PosixError(code: EFBIG, operation: "read \(path)", explanation: "too long for a list of chapters"))
            }
            if isShared && length > SidecarChapters.mostSharedBytes { return }
            switch path.pathExtension {
            case "json": chapters = try ChaptersJSON.chapters(in: file, most: length)
            case "cue":
                let bytes = try file.bytes(at: 0, count: Int(length))
                let sheet = CueSheet(bytes, audioName: audioName, isShared: isShared)
                chapters = sheet.chapters
                tags = sheet.tags
            default: break
            }
        } catch { throw error.cause }
    }
}
