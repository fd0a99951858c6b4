// SPDX-License-Identifier: Apache-2.0
import Text

/// The meaning of a playlist's entry. It works on bytes only, and opens no file.
public enum PlaylistPath {
    /// Returns whether the entry begins with `scheme://`, except for `file://`.
    public static func isURL(_ entry: ArraySlice<UInt8>) -> Bool {
        if isFileURL(entry) { return false }
        let scheme = entry.prefix {
            $0 >= 0x61 && $0 <= 0x7A || $0 >= 0x41 && $0 <= 0x5A || $0 >= 0x30 && $0 <= 0x39 || $0 == UInt8(ascii: "+")
        }
        return !scheme.isEmpty && entry.dropFirst(scheme.count).starts(with: [0x3A, 0x2F, 0x2F])
    }

    private static func isFileURL(_ entry: ArraySlice<UInt8>) -> Bool {
        zip(entry, "file://".utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 } && entry.count > 7
    }

    /// Returns the path of a file's URL, else the entry itself.
    private static func path(_ entry: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard isFileURL(entry) else { return entry }
        // Behind the host, which is this machine.
        return TextDecoding.percentDecoded(entry.dropFirst(7).drop { $0 != slash })[...]
    }

    /// Returns the path relative to the library's folder. A URL, and an absolute path that leads elsewhere, stay as they are; `..` beyond
    /// the top stays at the top.
    /// - Parameters:
    ///   - folder: the base of relative paths, relative to the library's folder.
    ///   - root: the library's folder; empty for none.
    public static func uri(_ entry: ArraySlice<UInt8>, in folder: [UInt8], root: [UInt8]) -> [UInt8] {
        if isURL(entry) { return Array(entry) }
        let entry = path(entry)
        var base = folder[...]
        var rest = entry
        if entry.first == slash {
            guard !root.isEmpty, entry.starts(with: root) else { return Array(entry) }
            rest = entry.dropFirst(root.count)
            if root.last != slash {
                guard rest.first == slash else { return Array(entry) }
            }
            base = []
        }
        var parts: [ArraySlice<UInt8>] = []
        for part in base.split(separator: slash) + rest.split(separator: slash) {
            if part.elementsEqual([dot]) { continue }
            if part.elementsEqual([dot, dot]) {
                if !parts.isEmpty { parts.removeLast() }
            } else {
                parts.append(part)
            }
        }
        var uri: [UInt8] = []
        for part in parts {
            if !uri.isEmpty { uri.append(slash) }
            uri += part
        }
        return uri
    }

    /// Returns other spellings of an entry that names no song: with the slashes of other systems, in the letters of Western Europe, and
    /// decoded as an address. For a path from another computer, they include its last parts, the longest first.
    public static func otherSpellings(_ entry: ArraySlice<UInt8>, root: [UInt8]) -> [[UInt8]] {
        var spellings = [Array(path(entry))]
        func add(_ spelling: [UInt8]) { if !spellings.contains(spelling) { spellings.append(spelling) } }
        let slashed = spellings[0].map { $0 == UInt8(ascii: "\\") ? slash : $0 }
        add(slashed)
        add(TextDecoding.utf8(fromSingleBytes: slashed, 0..<slashed.count))
        if !isFileURL(entry) { add(TextDecoding.percentDecoded(slashed[...])) }
        if !root.isEmpty, slashed.first == slash || slashed.dropFirst().first == UInt8(ascii: ":") {
            for spelling in spellings {
                let parts = spelling.split(separator: slash)
                // The first part is that computer's name of the disk.
                for count in (2...mostTailParts).reversed() where count <= parts.count {
                    add(parts.suffix(count).reduce(into: root) { $0 += [slash] + $1 })
                }
            }
        }
        return Array(spellings.dropFirst())
    }

    private static let mostTailParts = 8
    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")
}
