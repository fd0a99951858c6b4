// SPDX-License-Identifier: Apache-2.0
/// The complete interface of a format that is decoded ahead of playback. To add a format, write a class in a folder beside this file, and
/// add it to the table of `MediaFormats`. Worker and feed threads.
///
/// MPEG audio is no such format: the audio thread decodes it during playback (`FrameStream`).
public protocol MediaFormat: AnyObject {
    /// The name of the decoder in MPD's `decoders`, such as "flac".
    var decoderName: String { get }
    /// The extensions of its files, in lower case.
    var suffixes: [String] { get }
    var mimeTypes: [String] { get }

    /// Returns true if a file with this beginning has the format, under any name. May read on if the first bytes do not decide.
    func begins(_ head: MediaHead) -> Bool

    /// Reads the facts for a library, without decoding.
    func probe(_ head: MediaHead) throws(MediaError) -> MediaProbe

    /// Opens the recording at its first frame.
    /// - Parameter table: an earlier result of `seekTableWalk`.
    func open(_ head: MediaHead, _ table: SeekTable?) throws(MediaError) -> any AudioDecoding

    /// Returns the place of its picture; nil for none.
    func picture(_ head: MediaHead) -> EmbeddedPicturePlace?

    /// Returns all comments of the file; nil for a format without comments.
    func comments(_ head: MediaHead) throws(MediaError) -> [MediaComment]?

    /// Returns a walk that makes the table for `open`; nil if seeking needs none, and `probe` knows the length.
    func seekTableWalk(_ head: MediaHead) throws(MediaError) -> (any SeekTableMaking)?
}

extension MediaFormat {
    public func comments(_ head: MediaHead) throws(MediaError) -> [MediaComment]? { nil }
}

/// Walks over a recording in parts to make its `SeekTable`. Worker thread.
public protocol SeekTableMaking: AnyObject {
    /// Reads about 64 KB. Returns true when done.
    func step() throws(MediaError) -> Bool
    /// The table, once `step` has returned true.
    var table: SeekTable? { get }
}

/// The place of a picture in a file.
public enum EmbeddedPicturePlace {
    /// In the frames of an ID3v2 tag at this offset.
    case id3(at: Int64)
    /// Stored unchanged; for a MIME type of "" the first bytes tell the type.
    case stored(at: Int64, byteCount: Int64, mime: String)
    /// Encoded in the file, and therefore decoded as a whole.
    case held(Picture)
}

/// The beginning of a file, which tells its format.
public struct MediaHead {
    public static let usualBytes = 64
    /// The most tags before the audio.
    private static let mostTags = 8

    public let source: any ByteSource
    /// The offset of the first byte after the ID3v2 tags.
    public let start: Int64
    /// The offset of the first ID3v2 tag, 0; nil without one.
    public var tag: Int64? { start > 0 ? 0 : nil }
    /// The bytes from `start` on: `usualBytes`, or all of them.
    public let bytes: [UInt8]

    public init(_ source: any ByteSource) throws(MediaError) {
        self.source = source
        var start: Int64 = 0
        var bytes = try readBytes(source, at: 0, count: MediaHead.usualBytes)
        for _ in 0..<MediaHead.mostTags {
            guard let tag = ID3v2Header(bytes[...]) else { break }
            let next = start + tag.tagBytes
            // No tag is longer than its file.
            if let end = source.byteCount, next >= end { break }
            start = next
            bytes = try readBytes(source, at: start, count: MediaHead.usualBytes)
        }
        self.start = start
        self.bytes = bytes
    }
}

/// Returns `count` bytes from `offset` on, or fewer at the end.
func readBytes(_ source: any ByteSource, at offset: Int64, count: Int) throws(MediaError) -> [UInt8] {
    do throws(SourceError) { return try source.bytes(at: offset, count: count) } catch { throw .source(error) }
}
