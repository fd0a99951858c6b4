// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Posix

/// Remembers which pictures were being read or drawn when the process ended. Such a picture is not read again.
///
/// Each picture has a marker file of its own, since several may be in work. Any thread may begin and end one; everything else happens
/// before that.
final class PictureDeaths: @unchecked Sendable {
    private static let mostBytes = 64 * 1024
    private static let markPrefix = "screen-reading-"

    private let folder: String
    private var deadly: [String] = []
    private var known: String { folder + "/screen-passed-over" }

    /// - Parameter folder: a folder that outlives the process, but not a restart of the board.
    init(folder: String) {
        self.folder = folder
        deadly = PictureDeaths.lines(known)
        let marks = ((try? Files.names(inFolder: folder)) ?? []).filter { $0.begins(with: PictureDeaths.markPrefix) }
        if marks.isEmpty { return }
        for file in marks.flatMap({ PictureDeaths.lines(folder + "/" + $0) }) where !deadly.contains(file) {
            deadly.append(file)
            Log.warning("screen: ended while it read or drew the picture of \(file), which is passed over")
        }
        var text: [UInt8] = []
        for file in deadly { text += Array(file.utf8) + [0x0A] }
        do throws(PosixError) { try Files.replace(known, with: text) } catch { Log.warning("screen: " + error.message) }
        for mark in marks { _ = (folder + "/" + mark).withPath { unlink($0) } }
    }

    func contains(_ file: String) -> Bool { deadly.contains(file) }

    func begin(_ file: String) { try? Files.replace(mark(file), with: Array(file.utf8) + [0x0A]) }

    func end(_ file: String) { _ = mark(file).withPath { unlink($0) } }

    private func mark(_ file: String) -> String {
        folder + "/" + PictureDeaths.markPrefix + file.stableHash.hexadecimal
    }

    private static func lines(_ path: String) -> [String] {
        guard let bytes = try? Files.readToEnd(path, limit: mostBytes) else { return [] }
        return bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }
}
