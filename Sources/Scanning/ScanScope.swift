// SPDX-License-Identifier: Apache-2.0
import Posix

/// The source of audio.
public enum ScanSource: Sendable {
    /// The library's folder: it is watched, and files no longer found in it are missing.
    case library(folder: String)
    /// Named files and folders, in their order.
    case named([String])

    public var roots: [String] {
        switch self {
        case .library(let folder): [folder]
        case .named(let paths): paths
        }
    }
}

extension String {
    /// Returns whether this path is the folder, or below it.
    func isWithin(_ folder: String) -> Bool {
        guard utf8.starts(with: folder.utf8) else { return false }
        return utf8.count == folder.utf8.count || folder.utf8.last == UInt8(ascii: "/")
            || utf8[utf8.index(utf8.startIndex, offsetBy: folder.utf8.count)] == UInt8(ascii: "/")
    }

    /// Returns the path of a name in this folder.
    func appending(name: String) -> String { utf8.last == UInt8(ascii: "/") ? self + name : self + "/" + name }

    /// True if a part of a path begins with a dot: hidden, or a way back up.
    var hasDottedPart: Bool {
        var isAtStart = true
        for byte in utf8 {
            if isAtStart && byte == UInt8(ascii: ".") { return true }
            isAtStart = byte == UInt8(ascii: "/")
        }
        return false
    }
}
