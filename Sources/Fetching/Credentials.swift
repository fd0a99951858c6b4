// SPDX-License-Identifier: Apache-2.0
import Posix
import Streams

/// The speaker's accounts at servers: a file that only its owner can read, with lines of `HOST USER:PASSWORD`. Never logged. HOST gets the
/// account over https only; `http://HOST` gets it over http.
enum Credentials {
    private static let mostBytes = 64 * 1024

    /// - Throws: if the file is unreadable, or readable by others.
    static func read(_ path: String) throws(PosixError) -> [(origin: String, userPassword: String)] {
        if path.isEmpty { return [] }
        var found: [(origin: String, userPassword: String)] = []
        for line in try Files.readSecret(path, limit: mostBytes).split(separator: 0x0A) {
            let words = line.split(separator: 0x20, maxSplits: 1)
            guard words.count == 2, words[0].first != UInt8(ascii: "#") else { continue }
            let host = String(decoding: words[0], as: UTF8.self)
            guard let origin = StreamAddress.origin(host) ?? StreamAddress.origin("https://" + host) else { continue }
            found.append((origin, String(decoding: words[1], as: UTF8.self)))
        }
        return found
    }
}
