// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// Reads a playlist's file in pieces; each step waits for the disk. One thread at a time.
final class PlaylistReading {
    /// The limit of a playlist's file.
    static let mostFileBytes: Int64 = 8 << 20
    private static let pieceBytes = 16 * 1024

    private let file: OpenFile
    private var parser: PlaylistParser
    private var offset: Int64 = 0
    private(set) var isOver = false

    /// - Parameter path: the path; only a regular file is opened, since anything may have such a name.
    init(_ path: String, _ format: PlaylistFormat) throws(PlaylistError) {
        do throws(PosixError) { file = try OpenFile(path) } catch {
            throw error.code == ENOENT ? .noSuchPlaylist : .disk(error)
        }
        if file.bytes > PlaylistReading.mostFileBytes { throw .tooLarge }
        parser = PlaylistParser(format)
    }

    /// Adds the entries of the next piece.
    func read(into text: inout PlaylistText) throws(PlaylistError) {
        let piece: [UInt8]
        do throws(PosixError) {
            piece = try file.descriptor.read(PlaylistReading.pieceBytes, at: offset)
        } catch { throw .disk(error) }
        var hasRoom = piece.withUnsafeBytes { parser.take($0, into: &text) }
        offset += Int64(piece.count)
        if piece.count < PlaylistReading.pieceBytes {
            isOver = true
            hasRoom = parser.finish(into: &text) && hasRoom
        }
        if !hasRoom || offset > PlaylistReading.mostFileBytes { throw .tooLarge }
    }

    /// Reads a whole playlist.
    static func whole(_ path: String, _ format: PlaylistFormat) throws(PlaylistError) -> PlaylistText {
        let reading = try PlaylistReading(path, format)
        var text = PlaylistText()
        while !reading.isOver { try reading.read(into: &text) }
        return text
    }
}

/// A regular file. A class, so that others can hold it.
private final class OpenFile {
    let descriptor: FileDescriptor
    let bytes: Int64

    init(_ path: String) throws(PosixError) {
        descriptor = try FileDescriptor.openRegularFile(path)
        bytes = try descriptor.status().bytes
    }
}
