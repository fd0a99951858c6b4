import Core
import Text

/// What the tags of a file say: ID3v2 before the audio, ID3v1 behind it for what that leaves out. Frames are read one by one, so that no
/// picture is ever held. Worker thread.
public struct Tags: Sendable {
    public private(set) var list = TagList()
    /// A picture stands in the file.
    public private(set) var hasArtwork = false

    public typealias Read = (_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) -> Int

    /// More than this of a title is no title.
    private static let textLimit = 4096
    private static let tagLimit = 8

    /// - Parameter read: fills the buffer from an offset of the file; returns how many bytes it could.
    public init(fileBytes: Int64, read: @escaping Read) {
        var offset: Int64 = 0
        for _ in 0..<Tags.tagLimit {
            guard var frames = ID3v2Frames(at: offset, fileEnd: fileBytes, read: read) else { break }
            offset += frames.tagBytes
            take(&frames)
        }
        if [Tag.title, .artist, .album].contains(where: { list[$0] == nil }) {
            takeVersion1(fileBytes: fileBytes, read)
        }
    }

    private mutating func take(_ frames: inout ID3v2Frames) {
        while let frame = frames.next() {
            switch frame.id {
            case "TIT2": fill(.title, from: &frames)
            case "TPE1": fill(.artist, from: &frames)
            case "TALB": fill(.album, from: &frames)
            case "APIC", "PIC": hasArtwork = true
            default: break
            }
        }
    }

    /// The first text frame of a kind counts; where it holds several texts, the first of them.
    private mutating func fill(_ tag: Tag, from frames: inout ID3v2Frames) {
        guard list[tag] == nil else { return }
        let body = frames.body(limit: Tags.textLimit)
        guard var reader = ID3TextReader(body) else { return }
        reader.position = 1
        list.append(tag, Tags.tidy(reader.text()))
    }

    /// ID3v1: 128 bytes at the end, "TAG", then title, artist and album of 30 bytes each in Latin-1.
    private mutating func takeVersion1(fileBytes: Int64, _ read: Read) {
        guard fileBytes >= 128 else { return }
        var tag = [UInt8](repeating: 0, count: 128)
        let count = tag.withUnsafeMutableBytes { read(fileBytes - 128, $0) }
        guard count == 128, tag[0] == 0x54, tag[1] == 0x41, tag[2] == 0x47 else { return }
        func text(_ at: Int) -> String {
            let end = tag[at..<at + 30].firstIndex(of: 0) ?? at + 30
            return Tags.tidy(TextDecoding.utf8(fromSingleBytes: tag, at..<end))
        }
        if list[.title] == nil { list.append(.title, text(3)) }
        if list[.artist] == nil { list.append(.artist, text(33)) }
        if list[.album] == nil { list.append(.album, text(63)) }
    }

    /// Without control characters, and without white space at either end.
    private static func tidy(_ text: [UInt8]) -> String {
        var bytes = text.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }[...]
        while bytes.first == 0x20 { bytes.removeFirst() }
        while bytes.last == 0x20 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
