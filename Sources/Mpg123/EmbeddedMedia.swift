import MPEG
import Posix

/// Lyrics and pictures inside a file's ID3v2 tags, read when they are wanted. Feed thread.
public enum EmbeddedMedia {
    /// The bodies of a file's SYLT and USLT frames, as `Transcript` takes them; at most 8 of each, and 1 MiB for one.
    public static func lyrics(path: String) throws(PosixError) -> (synchronised: [[UInt8]], plain: [[UInt8]]) {
        var synchronised: [[UInt8]] = []
        var plain: [[UInt8]] = []
        let file = try AudioFile(path: path)
        file.forEachTag(around: AudioExtent(fileBytes: file.status.bytes, read: file.read)) { tag in
            while let frame = tag.next() {
                if frame.id == "SYLT" && synchronised.count < 8 { synchronised.append(tag.body(limit: 1 << 20)) }
                if frame.id == "USLT" && plain.count < 8 { plain.append(tag.body(limit: 1 << 20)) }
            }
        }
        if let failure = file.failure { throw failure }
        return (synchronised, plain)
    }

    /// The bytes of the picture that `Tags` points to; nil where there is none, or it has more than `limit` bytes.
    public static func picture(path: String, limit: Int) throws(PosixError) -> [UInt8]? {
        let file = try AudioFile(path: path)
        let audio = AudioExtent(fileBytes: file.status.bytes, read: file.read)
        guard let wanted = Tags(file, audio).picture, wanted.byteCount <= limit else { return nil }
        var bytes: [UInt8]?
        if let offset = wanted.offset {
            bytes = file.bytes(at: offset, count: wanted.byteCount)
        } else {
            file.forEachTag(around: audio) { tag in
                while bytes == nil, let frame = tag.next() {
                    guard frame.id == "APIC" || frame.id == "PIC" else { continue }
                    let body = tag.body(limit: frame.bodyBytes)
                    guard Tags.picture(frame, head: Array(body.prefix(1024))) == wanted else { continue }
                    bytes = Array(body.dropFirst(frame.bodyBytes - wanted.byteCount))
                }
            }
        }
        if let failure = file.failure { throw failure }
        return bytes
    }
}
