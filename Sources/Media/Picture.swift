/// A picture, whole, as it stands in a tag or a file.
public struct Picture: Sendable {
    /// "image/jpeg" and the like; "" where nobody knows.
    public let mime: String
    public let bytes: [UInt8]

    /// What a picture says of itself in its first bytes.
    static func mime(of bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if bytes.has("GIF8", at: 0) { return "image/gif" }
        if bytes.has("RIFF", at: 0) && bytes.has("WEBP", at: 8) { return "image/webp" }
        return ""
    }
}
