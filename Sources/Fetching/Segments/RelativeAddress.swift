// SPDX-License-Identifier: Apache-2.0
import Streams

/// Resolves an address in a playlist by the playlist's own address (RFC 3986, 5.2).
enum RelativeAddress {
    /// Resolves an address that may contain spaces by mistake: they become %20, which servers accept.
    static func resolved(_ reference: [UInt8], base: String) -> String? {
        let words = reference.split(separator: 0x20, omittingEmptySubsequences: false)
        let fixed = String(decoding: Array(words.joined(separator: "%20".utf8)), as: UTF8.self)
        return fixed.isEmpty ? nil : resolved(fixed, base: base)
    }

    /// Resolves an address; nil if the result is not http or https.
    static func resolved(_ reference: String, base: String) -> String? {
        let result = joined(Array(reference.utf8), Array(base.utf8)).map { String(decoding: $0, as: UTF8.self) }
        guard let result, StreamAddress.problem(result) == nil else { return nil }
        return result
    }

    private static func joined(_ reference: [UInt8], _ base: [UInt8]) -> [UInt8]? {
        guard reference.count <= StreamAddress.mostBytes else { return nil }
        if scheme(reference) != nil { return reference }
        guard let schemeEnd = scheme(base) else { return nil }
        if reference.starts(with: "//".utf8) { return Array(base[..<schemeEnd]) + reference }
        // Behind "://".
        let hostStart = min(base.count, schemeEnd + 2)
        let hostEnd = base[hostStart...].firstIndex { $0 == slash || $0 == question || $0 == hash } ?? base.count
        let pathEnd = base[hostEnd...].firstIndex { $0 == question || $0 == hash } ?? base.count
        let origin = Array(base[..<hostEnd])
        guard let first = reference.first else { return origin + base[hostEnd..<pathEnd] }
        if first == question { return origin + base[hostEnd..<pathEnd] + reference }
        let ownEnd = reference.firstIndex { $0 == question || $0 == hash } ?? reference.count
        var path = Array(reference[..<ownEnd])
        if first != slash {
            let folder = base[hostEnd..<pathEnd].lastIndex(of: slash).map { Array(base[hostEnd...$0]) } ?? [slash]
            path = folder + path
        }
        return origin + withoutDots(path) + reference[ownEnd...]
    }

    private static let slash = UInt8(ascii: "/")
    private static let question = UInt8(ascii: "?")
    private static let hash = UInt8(ascii: "#")

    /// Returns the place of the colon behind a scheme; nil for none.
    private static func scheme(_ bytes: [UInt8]) -> Int? {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return nil }
        for byte in bytes[..<colon] {
            let isLetter = byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
            let isOther = byte >= 0x30 && byte <= 0x39 || byte == 0x2B || byte == 0x2D || byte == 0x2E
            if !isLetter && !isOther { return nil }
        }
        return colon + 1
    }

    private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
        var kept: [ArraySlice<UInt8>] = []
        let parts = path.split(separator: slash, omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            if part.elementsEqual("..".utf8) {
                // The empty part before the first slash stays.
                if kept.count > 1 { kept.removeLast() }
                if isLast { kept.append([]) }
            } else if part.elementsEqual(".".utf8) {
                if isLast { kept.append([]) }
            } else {
                kept.append(part)
            }
        }
        return Array(kept.joined(separator: [slash]))
    }
}
