import Text

/// What an entry of a playlist names. All of it is reckoning with bytes: no file is looked at.
public enum PlaylistPath {
    /// `scheme://`: what is no file.
    public static func isURL(_ entry: ArraySlice<UInt8>) -> Bool {
        let scheme = entry.prefix {
            $0 >= 0x61 && $0 <= 0x7A || $0 >= 0x41 && $0 <= 0x5A || $0 >= 0x30 && $0 <= 0x39 || $0 == UInt8(ascii: "+")
        }
        return !scheme.isEmpty && entry.dropFirst(scheme.count).starts(with: [0x3A, 0x2F, 0x2F])
    }

    /// The path relative to the library's folder. An absolute path that leads elsewhere and a URL stay as they are; who climbs out with
    /// `..` ends up at the top.
    /// - Parameters:
    ///   - folder: where relative paths start, relative to the library's.
    ///   - root: the library's folder; empty for none.
    public static func uri(_ entry: ArraySlice<UInt8>, in folder: [UInt8], root: [UInt8]) -> [UInt8] {
        if isURL(entry) { return Array(entry) }
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

    /// What an entry may mean where it names no song as it stands: with the slashes of other systems, and in the letters of Western Europe.
    public static func otherSpellings(_ entry: ArraySlice<UInt8>) -> [[UInt8]] {
        var spellings: [[UInt8]] = []
        let slashed = entry.map { $0 == UInt8(ascii: "\\") ? slash : $0 }
        if !slashed.elementsEqual(entry) { spellings.append(slashed) }
        let decoded = TextDecoding.utf8(fromSingleBytes: slashed, 0..<slashed.count)
        if !decoded.elementsEqual(slashed) { spellings.append(decoded) }
        return spellings
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")
}
