// SPDX-License-Identifier: Apache-2.0
/// The complete interface of a format with recordings that are decoded ahead: all that the house needs to know of it. To add one, put a
/// folder beside this file with a class that says this, and the class into the table of `MediaFormats`. Worker and feed threads.
///
/// MPEG audio is no such format: the audio thread decodes it as it plays (`FrameStream`).
public protocol MediaFormat: AnyObject {
    /// The name of its decoder in MPD's `decoders`: "flac".
    var decoderName: String { get }
    /// The endings of its files, in lower case.
    var suffixes: [String] { get }
    var mimeTypes: [String] { get }

    /// Returns whether a file with this beginning has the format, under any name; may read on in the source where the first bytes do not
    /// settle it.
    func begins(_ head: MediaHead) -> Bool

    /// Reads the facts for a library, without decoding.
    func probe(_ head: MediaHead) throws(MediaError) -> MediaProbe

    /// Opens it at its first frame.
    /// - Parameter table: an earlier result of `seekTableWalk`.
    func open(_ head: MediaHead, _ table: SeekTable?) throws(MediaError) -> any AudioDecoding

    /// The place of its picture; nil where it has none.
    func picture(_ head: MediaHead) -> EmbeddedPicturePlace?

    /// All that it says of itself; nil where the format has no such words.
    func comments(_ head: MediaHead) throws(MediaError) -> [MediaComment]?

    /// Learns what `open` wants for beginning anywhere in it; nil where it needs nothing, and `probe` knows how long it is.
    func seekTableWalk(_ head: MediaHead) throws(MediaError) -> (any SeekTableMaking)?
}

extension MediaFormat {
    public func comments(_ head: MediaHead) throws(MediaError) -> [MediaComment]? { nil }
}

/// Goes through a recording part by part for its `SeekTable`. Worker thread.
public protocol SeekTableMaking: AnyObject {
    /// Some 64 KB of reading; true when done.
    func step() throws(MediaError) -> Bool
    /// Once `step` has returned true.
    var table: SeekTable? { get }
}

/// The place of the picture in a file.
public enum EmbeddedPicturePlace {
    /// In the frames of an ID3v2 tag at this offset.
    case id3(at: Int64)
    /// Byte by byte; a MIME type of "" is told by the first bytes.
    case stored(at: Int64, byteCount: Int64, mime: String)
    /// Not as it is: taken out whole.
    case held(Picture)
}

/// The beginning of a file, by which its format is told.
public struct MediaHead {
    public static let usualBytes = 64
    /// No file carries more tags than this in front.
    private static let mostTags = 8

    public let source: any ByteSource
    /// Offset of the first byte that is of no ID3v2 tag.
    public let start: Int64
    /// Offset of the first ID3v2 tag: 0; nil where there is none.
    public var tag: Int64? { start > 0 ? 0 : nil }
    /// The bytes from `start` on: `usualBytes`, or all there are.
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

/// The bytes from `offset` on, `count` of them or fewer at the end.
func readBytes(_ source: any ByteSource, at offset: Int64, count: Int) throws(MediaError) -> [UInt8] {
    do throws(SourceError) { return try source.bytes(at: offset, count: count) } catch { throw .source(error) }
}
