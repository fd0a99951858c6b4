import Core
import Posix
import Text

/// Chapters in a file beside the audio: Podcasting 2.0's JSON, or a cue sheet. Worker thread.
public struct SidecarChapters {
    public private(set) var chapters: [Chapter] = []
    /// What it says of the whole recording.
    public private(set) var tags = TagList()

    /// A sheet of ten thousand tracks has a megabyte.
    private static let mostBytes: Int64 = 4 << 20
    private static let pieceBytes = 16 * 1024

    /// - Parameters:
    ///   - path: told by its name's end; anything else holds none.
    ///   - audioName: name of the file that it is about.
    /// - Throws: where it cannot be read or is too long. What is malformed holds the chapters that stand before the fault.
    public init(_ path: String, audioName: String) throws(PosixError) {
        let file = try FileDescriptor.openRegularFile(path)
        let length = try file.status().bytes
        if length > SidecarChapters.mostBytes {
            throw PosixError(code: 27, operation: "read \(path)", explanation: "too long for a list of chapters")
        }
        if path.pathExtension == "json" {
            let reader = ChaptersJSON()
            var bytes = [UInt8](repeating: 0, count: SidecarChapters.pieceBytes)
            var offset: Int64 = 0
            while offset < length {
                let count = try SidecarChapters.read(file, &bytes, at: offset, path)
                if count == 0 { break }
                offset += Int64(count)
                // A mark of the encoding is no JSON.
                let start = offset == Int64(count) && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
                do throws(JSONError) { try reader.take(Array(bytes[start..<max(start, count)])) } catch { break }
            }
            chapters = reader.chapters
            return
        }
        guard path.pathExtension == "cue" else { return }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let count = try SidecarChapters.read(file, &bytes, at: 0, path)
        bytes.removeLast(bytes.count - count)
        let sheet = CueSheet(bytes, audioName: audioName)
        chapters = sheet.chapters
        tags = sheet.tags
    }

    private static func read(
        _ file: borrowing FileDescriptor, _ bytes: inout [UInt8], at offset: Int64, _ path: String
    ) throws(PosixError) -> Int {
        var failure: PosixError?
        let count = bytes.withUnsafeMutableBytes { buffer in
            do throws(PosixError) { return try file.read(into: buffer, at: offset) } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw PosixError(code: failure.code, operation: "read \(path)") }
        return count
    }
}
