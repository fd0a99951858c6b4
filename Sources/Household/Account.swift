// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Posix
import Streams

/// The address of the household's records and the keys to them: in a file that only its user can read, never logged or shown.
public struct Account: Equatable, Sendable {
    /// The address of the project, without a slash at its end.
    public var url: String
    /// The project's own key, which each of its devices has.
    public var key: String
    /// The household's UUID; "" until the server has sent it.
    public var household = ""
    /// The access token, valid for an hour; "" for none.
    public var access = ""
    /// The refresh token, which the server replaces with each use.
    public var refresh = ""

    private static let mostBytes = 32 * 1024
    private static let mostWordBytes = 8 * 1024

    public init(url: String, key: String) {
        var url = url
        while url.utf8.last == UInt8(ascii: "/") { url.removeLast() }
        self.url = url
        self.key = key
    }

    /// nil for any other text.
    init?(text: [UInt8]) {
        self.init(url: "", key: "")
        for line in text.split(separator: 0x0A) {
            let words = line.split(separator: 0x20, maxSplits: 1)
            guard words.count == 2 else { continue }
            let value = String(decoding: words[1], as: UTF8.self)
            if !Account.isWord(value) { return nil }
            if words[0].elementsEqual("url".utf8) { url = value }
            if words[0].elementsEqual("key".utf8) { key = value }
            if words[0].elementsEqual("household".utf8) { household = value }
            if words[0].elementsEqual("access".utf8) { access = value }
            if words[0].elementsEqual("refresh".utf8) { refresh = value }
        }
        if Account.problem(url) != nil || key.isEmpty || refresh.isEmpty || !Account.isHousehold(household) {
            return nil
        }
    }

    var text: String {
        "url \(url)\nkey \(key)\nhousehold \(household)\n" + (access.isEmpty ? "" : "access \(access)\n")
            + "refresh \(refresh)\n"
    }

    /// - Throws: if the file is missing, readable by others, or malformed.
    public static func read(_ path: String) throws(PosixError) -> Account {
        guard let account = Account(text: try Files.readSecret(path, limit: mostBytes)) else {
            throw PosixError(
                code: EINVAL, operation: "read \(path)",
                explanation: "no account of a household: nightstand household join URL writes one")
        }
        return account
    }

    /// Writes all of it or nothing, and syncs it. The file gets the owner of its folder, even if another user calls.
    public func write(_ path: String) throws(PosixError) {
        try Account.write(path, Array(text.utf8))
        try Files.sync(path)
    }

    static func write(_ path: String, _ bytes: [UInt8]) throws(PosixError) {
        let part = path + ".part"
        _ = part.withPath { unlink($0) }
        do throws(PosixError) {
            let file = try FileDescriptor.open(part, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            var folder = stat()
            if path.pathFolder.withPath({ stat($0, &folder) }) == 0 && getuid() == 0 {
                _ = fchown(file.number, folder.st_uid, folder.st_gid)
            }
            try file.writeAll(bytes)
            if fsync(file.number) < 0 { throw .last("write \(part)") }
            try Files.rename(part, to: path)
        } catch {
            _ = part.withPath { unlink($0) }
            throw error
        }
    }

    /// Returns whether a text may stand in a request's header, and in a line of the file.
    public static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= mostWordBytes && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    static func isHousehold(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == UInt8(ascii: "-")
            }
    }

    /// Returns the reason why an address cannot be a project's; nil if it can. Without https, it must be a numeric address of the home
    /// network, so that no other machine answers in its name.
    public static func problem(_ url: String) -> String? {
        if let problem = StreamAddress.problem(url) { return problem }
        let shown = StreamAddress.shown(url)
        if !shown.utf8.elementsEqual(url.utf8) { return "more than an address of a server" }
        if StreamAddress.origin(url)?.begins(with: "https://") ?? false { return nil }
        return isOwnNetwork(StreamAddress.host(url))
            ? nil : "http is for addresses of the own network alone, such as http://192.168.1.5:8000; expected https"
    }

    /// - Parameter host: with or without a port.
    private static func isOwnNetwork(_ host: String) -> Bool {
        guard let bytes = (InternetAddress(parsing: host) ?? InternetAddress(parsing: host + ":80"))?.bytes else {
            return false
        }
        if bytes.count == 4 {
            return bytes[0] == 10 || bytes[0] == 127 || bytes[0] == 172 && bytes[1] & 0xF0 == 16
                || bytes[0] == 192 && bytes[1] == 168 || bytes[0] == 169 && bytes[1] == 254
        }
        return bytes.count == 16
            && (bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
                || bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1)
    }
}
