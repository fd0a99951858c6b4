// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Posix

/// A cache of spoken sentences, as the program wrote them: a file for each, with a limit for all. On the worker; without a writable folder
/// it keeps nothing.
struct SpokenCache: Sendable {
    static let mostBytes: Int64 = 4 << 20
    /// The limit of a file: longer sentences seldom repeat.
    private static let mostFileBytes = 256 << 10
    /// The interval of marking a file as used, to spare the card.
    private static let freshSeconds: Int64 = 86_400
    private static let suffix = ".spoken"

    let folder: String

    /// - Parameter words: the program and its arguments, including the language.
    static func name(of text: String, by words: [String]) -> String {
        var hash = StableHash()
        for word in words + [text] {
            hash.add(word)
            hash.add(UInt64(0))
        }
        return hash.value.hexadecimal + suffix
    }

    func bytes(of name: String) -> [UInt8]? {
        let path = folder + "/" + name
        guard !folder.isEmpty, let bytes = try? Files.read(path, limit: SpokenCache.mostFileBytes), !bytes.isEmpty
        else {
            return nil
        }
        let modified = (try? FileStatus(path: path).modifiedSeconds) ?? .max
        if modified.addingSaturated(SpokenCache.freshSeconds) < wallClockSeconds() {
            _ = path.withPath { utimensat(AT_FDCWD, $0, nil, 0) }
        }
        return bytes
    }

    /// Keeps a sentence, and evicts the files unused for the longest time.
    func keep(_ bytes: [UInt8], as name: String) {
        if folder.isEmpty || bytes.count > SpokenCache.mostFileBytes { return }
        do throws(PosixError) {
            try Files.createFolder(folder)
            var files: [(path: String, bytes: Int64, modified: Int64)] = []
            for name in try Files.names(inFolder: folder) where name.utf8.count == 16 + SpokenCache.suffix.utf8.count {
                let path = folder + "/" + name
                guard name.pathExtension == "spoken", let status = try? FileStatus(path: path) else { continue }
                files.append((path, Int64(status.bytes), status.modifiedSeconds))
            }
            var total = files.reduce(Int64(bytes.count)) { $0.addingSaturated($1.bytes) }
            files.sort { $0.modified < $1.modified }
            for file in files where total > SpokenCache.mostBytes {
                _ = file.path.withPath { unlink($0) }
                total -= file.bytes
            }
            try Files.replace(folder + "/" + name, with: bytes)
        } catch {}
    }
}
