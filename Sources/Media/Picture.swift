import Text

/// A picture, whole, as it stands in a tag or a file.
public struct Picture: Sendable {
    /// "image/jpeg" and the like; "" where nobody knows.
    public let mime: String
    public let bytes: [UInt8]

    /// As tags say it, in whatever spelling; by its first bytes where they say nothing.
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

    /// What a picture says of itself in its first bytes.
    static func mime(of bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if bytes.has("GIF8", at: 0) { return "image/gif" }
        if bytes.has("RIFF", at: 0) && bytes.has("WEBP", at: 8) { return "image/webp" }
        return ""
    }
}
