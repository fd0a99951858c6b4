// SPDX-License-Identifier: Apache-2.0
import Core

/// The MPEG audio in a file, without its tags. ID3v2 tags come before it, several if need be. ID3v1, enhanced ID3v1 ("TAG+"), APEv1 and v2,
/// Lyrics3 v1 and v2 and appended ID3v2.4 follow it, in any order.
public struct AudioExtent: Equatable, Sendable {
    /// The offset of the first byte.
    public var start: Int64
    /// The offset after the last byte; never before `start`.
    public var end: Int64

    public var byteCount: Int64 { end - start }

    public init(start: Int64, end: Int64) {
        self.start = start
        self.end = end
    }

    /// The most tags at either end.
    private static let tagLimit = 32

    /// Finds the tags: two small reads for a file without any, one or two more for each tag. Unknown bytes count as audio.
    public init(of source: any ByteSource) {
        start = 0
        end = max(0, source.byteCount ?? .max)
        for _ in 0..<AudioExtent.tagLimit {
            guard let bytes = leadingTagBytes(source) else { break }
            if bytes > end - start {
                // No tag is longer than its file; the bytes after this header may be audio.
                start += 10
                break
            }
            start += bytes
        }
        for _ in 0..<AudioExtent.tagLimit {
            guard let bytes = trailingTagBytes(source), bytes <= end - start else { break }
            end -= bytes
        }
    }

    /// Returns `count` bytes from `offset` on, or fewer. Fetches nothing for the sake of tags.
    private func bytes(_ source: any ByteSource, at offset: Int64, count: Int) -> [UInt8] {
        if source.available(at: offset, most: count) < count { return [] }
        return (try? source.bytes(at: offset, count: count)) ?? []
    }

    private func leadingTagBytes(_ source: any ByteSource) -> Int64? {
        let head = bytes(source, at: start, count: Int(min(32, end - start)))
        if let header = ID3v2Header(head[...]) { return header.tagBytes }
        // An APEv2 tag that begins with its header.
        guard head.count == 32, head.has("APETAGEX", at: 0), head[23] & 0x20 != 0 else { return nil }
        return 32 + Int64(head.littleEndian32(at: 12))
    }

    private func trailingTagBytes(_ source: any ByteSource) -> Int64? {
        let count = Int(min(160, end - start))
        let tail = bytes(source, at: end - Int64(count), count: count)
        guard tail.count == count else { return nil }
        // "TAG" may be a part of an APE footer, too.
        if tail.has("TAG", at: count - 128), !tail.has("APE", at: count - 131) {
            let isEnhanced = end - start >= 355 && bytes(source, at: end - 355, count: 4).has("TAG+", at: 0)
            return isEnhanced ? 355 : 128
        }
        if tail.has("APETAGEX", at: count - 32) {
            let stored = Int64(tail.littleEndian32(at: count - 20))
            let flags = tail[count - 9]
            guard stored >= 32, flags & 0x20 == 0 else { return nil }
            return stored + (flags & 0x80 != 0 ? 32 : 0)
        }
        if tail.has("3DI", at: count - 10) {
            guard let footer = ID3v2Header(footer: tail[(count - 10)...]), footer.tagBytes <= end - start else {
                return nil
            }
            return bytes(source, at: end - footer.tagBytes, count: 3).has("ID3", at: 0) ? footer.tagBytes : nil
        }
        if tail.has("LYRICS200", at: count - 9), count >= 15 {
            guard let size = Int64(digits: tail[(count - 15)..<(count - 9)], most: 6), size + 15 <= end - start else {
                return nil
            }
            return bytes(source, at: end - size - 15, count: 11).has("LYRICSBEGIN", at: 0) ? size + 15 : nil
        }
        if tail.has("LYRICSEND", at: count - 9) {
            // At most 5,100 bytes of text stand between the two marks; no length is stated.
            let span = Int(min(11 + 5100 + 9, end - start))
            let text = bytes(source, at: end - Int64(span), count: span)
            guard text.count == span else { return nil }
            for at in stride(from: span - 20, through: 0, by: -1) where text.has("LYRICSBEGIN", at: at) {
                return Int64(span - at)
            }
        }
        return nil
    }
}

extension [UInt8] {
    /// Returns true if these ASCII characters stand at `offset`; false outside the array.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset + text.utf8CodeUnitCount <= count else { return false }
        for i in 0..<text.utf8CodeUnitCount where self[offset + i] != text.utf8Start[i] { return false }
        return true
    }
}
