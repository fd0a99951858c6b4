// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// The password file of `[console]`: `PASSWORD@PERMISSION,…` on each line, as in MPD's own settings. Empty lines, and lines that begin with
/// `#`, are ignored. A password alone gives all rights.
public enum PasswordFile {
    public struct Entry: Equatable, Sendable {
        /// The password, never empty.
        public let password: [UInt8]
        public let permissions: Permissions
    }

    /// The error for words that are no permissions.
    struct Mistake: Error {
        let problem: String
        let expected: String
    }

    /// Returns whether every user of this machine may read the file.
    public static func isOpen(at path: String) -> Bool {
        (try? FileStatus(path: path))?.isReadableByAll ?? false
    }

    private static let mostBytes = 64 * 1024

    /// Reads the file, which waits for the disk.
    public static func entries(at path: String) throws(ConfigurationError) -> [Entry] {
        let bytes: [UInt8]
        do throws(PosixError) { bytes = try Files.read(path, limit: mostBytes) } catch {
            throw ConfigurationError(file: path, line: 0, problem: error.reason)
        }
        return try entries(of: bytes, file: path)
    }

    /// Parses the file. An error never repeats a password.
    static func entries(of bytes: [UInt8], file: String) throws(ConfigurationError) -> [Entry] {
        var entries: [Entry] = []
        var number = 0
        for raw in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let line = raw.last == UInt8(ascii: "\r") ? raw.dropLast() : raw
            if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
            let at = line.lastIndex(of: UInt8(ascii: "@"))
            let password = Array(line[..<(at ?? line.endIndex)])
            if password.isEmpty {
                throw ConfigurationError(
                    file: file, line: number,
                    problem: "no password before '@', expected PASSWORD@read,add,control,admin")
            }
            var permissions = Permissions.all
            if let at {
                do throws(Mistake) {
                    permissions = try self.permissions(String(decoding: line[(at + 1)...], as: UTF8.self))
                } catch {
                    throw ConfigurationError(
                        file: file, line: number, problem: error.problem + ", expected " + error.expected)
                }
            }
            entries.append(Entry(password: password, permissions: permissions))
        }
        return entries
    }

    /// Parses `read,add,player,control,admin` or some of them; none for an empty text.
    static func permissions(_ text: String) throws(Mistake) -> Permissions {
        var permissions: Permissions = []
        for word in text.parts(between: ",") {
            let name = INIFile.trimmed(word)
            guard let permission = Permissions(name: name) else {
                throw Mistake(
                    problem: "unknown permission",
                    expected: "some of " + Permissions.names.joined(separator: ", ") + " between commas")
            }
            permissions.formUnion(permission)
        }
        return permissions
    }
}
