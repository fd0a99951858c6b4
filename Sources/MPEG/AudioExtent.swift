/// Where the audio lies in a file of MPEG audio: what is left when the tags are taken off. ID3v2 (id3.org, "ID3v2.4 structure")
/// stands before it, perhaps several times; APEv2, Lyrics3v2 and ID3v1 behind it, in any order.
public struct AudioExtent: Equatable, Sendable {
    /// Offset of the first byte that is no tag.
    public var start: Int64
    /// Offset behind the last.
    public var end: Int64

    /// More tags than this are no tags.
    private static let tagLimit = 16

    public init(start: Int64, end: Int64) {
        self.start = start
        self.end = end
    }

    /// - Parameter read: fills as much of the buffer as the file has from an offset on; returns how many bytes it filled.
    public init(fileBytes: Int64, read: (_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) -> Int) {
        start = 0
        end = max(0, fileBytes)
        func bytes(_ count: Int, at offset: Int64) -> [UInt8] {
            if offset < 0 { return [] }
            var bytes = [UInt8](repeating: 0, count: count)
            let got = bytes.withUnsafeMutableBytes { read(offset, $0) }
            bytes.removeLast(count - min(count, max(0, got)))
            return bytes
        }
        for _ in 0..<AudioExtent.tagLimit {
            let head = bytes(10, at: start)
            guard let length = AudioExtent.id3v2Bytes(head), start + length < end else { break }
            start += length
        }
        for _ in 0..<AudioExtent.tagLimit {
            guard let length = AudioExtent.tagBytes(before: end, start: start, bytes) else { break }
            end -= length
        }
    }

    /// Length of the ID3v2 tag that begins with these ten bytes, header and footer included; nil where none does.
    static func id3v2Bytes(_ head: [UInt8]) -> Int64? {
        guard head.count == 10, head[0...2].elementsEqual("ID3".utf8), head[3] != 0xFF, head[4] != 0xFF,
            head[6...9].allSatisfy({ $0 < 0x80 })
        else { return nil }
        let body = head[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1) }
        let hasFooter = head[5] & 0x10 != 0
        return 10 + body + (hasFooter ? 10 : 0)
    }

    /// Length of the tag that ends at `end`.
    private static func tagBytes(
        before end: Int64, start: Int64, _ bytes: (_ count: Int, _ offset: Int64) -> [UInt8]
    ) -> Int64? {
        let room = end - start
        if room >= 128, bytes(3, end - 128).elementsEqual("TAG".utf8) {
            // The enhanced tag stands before the plain one.
            return room >= 355 && bytes(4, end - 355).elementsEqual("TAG+".utf8) ? 355 : 128
        }
        if room >= 32 {
            let footer = bytes(32, end - 32)
            if footer.count == 32, footer[0..<8].elementsEqual("APETAGEX".utf8) {
                func number(_ at: Int) -> Int64 { (0..<4).reduce(Int64(0)) { $0 | Int64(footer[at + $1]) << (8 * $1) } }
                // The length counts the items and the footer; a flag tells of a header.
                let length = number(12) + (number(20) & 0x8000_0000 != 0 ? 32 : 0)
                if length >= 32 && length <= room { return length }
            }
        }
        if room >= 15 {
            let trailer = bytes(15, end - 15)
            if trailer.count == 15, trailer[6..<15].elementsEqual("LYRICS200".utf8),
                trailer[0..<6].allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
            {
                let length = trailer[0..<6].reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) } + 15
                if length <= room { return length }
            }
        }
        if room >= 20 {
            let footer = bytes(10, end - 10)
            if footer.count == 10, footer[0...2].elementsEqual("3DI".utf8),
                let length = id3v2Bytes(Array("ID3".utf8) + footer[3...]), length <= room
            {
                return length
            }
        }
        return nil
    }
}
