// SPDX-License-Identifier: Apache-2.0
public enum PicturePlace: Sendable {
    case folder
    /// The song's own.
    case tags
}

public struct PictureDescription: Sendable {
    /// "image/jpeg" and the like; "" if it is unknown.
    public var mime: String
    /// The whole picture, shared with other requests for it.
    public var bytes: [UInt8]

    public init(mime: String, bytes: [UInt8]) {
        self.mime = mime
        self.bytes = bytes
    }
}
