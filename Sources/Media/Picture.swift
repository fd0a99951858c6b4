// SPDX-License-Identifier: Apache-2.0
import Text

/// A whole picture, as a tag or a file contains it.
public struct Picture: Sendable {
    /// "image/jpeg" and the like; "" if unknown.
    public let mime: String
    public let bytes: [UInt8]

    /// Returns the stated type in any spelling, or the type by the first bytes.
    static func mime(said: [UInt8], of bytes: [UInt8]) -> String {
        let letters = said.filter { $0 > 0x20 && $0 < 0x7F }.map { $0.isLetter ? $0 | 0x20 : $0 }
        let name = String(decoding: letters, as: UTF8.self)
        switch name {
        case "png", "image/png": return "image/png"
        case "jpg", "jpeg", "image/jpg", "image/jpeg": return "image/jpeg"
        case "", "image/": return mime(of: bytes)
        default: return name
        }
    }

    /// Returns the type of a picture by its first bytes.
    static func mime(of bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if bytes.has("GIF8", at: 0) { return "image/gif" }
        if bytes.has("RIFF", at: 0) && bytes.has("WEBP", at: 8) { return "image/webp" }
        return ""
    }
}
