// SPDX-License-Identifier: Apache-2.0
/// Chooses the stream of an Ogg file to play: the first with a known codec.
struct OggStream {
    enum Codec { case vorbis, opus, flac }

    /// The most first pages: a file has a few streams beside its sound, such as a skeleton.
    private static let mostFirstPages = 16

    let codec: Codec
    let page: OggPage

    init?(_ head: MediaHead) {
        guard head.bytes.has("OggS", at: 0) else { return nil }
        var offset = head.start
        for _ in 0..<OggStream.mostFirstPages {
            guard let bytes = try? readBytes(head.source, at: offset, count: OggPage.mostHeadBytes + 8),
                let page = OggPage(bytes, at: 0, offset: offset), page.isFirst
            else { return nil }
            guard let codec = OggStream.codec(bytes, at: page.headBytes) else {
                offset = page.end
                continue
            }
            self.codec = codec
            self.page = page
            return
        }
        return nil
    }

    /// Returns the codec by the beginning of a first page's body.
    static func codec(_ bytes: [UInt8], at offset: Int) -> Codec? {
        if bytes.has("\u{1}vorbis", at: offset) { return .vorbis }
        if bytes.has("OpusHead", at: offset) { return .opus }
        if bytes.has("\u{7F}FLAC", at: offset) { return .flac }
        return nil
    }

    /// Returns true if it is the only stream, and no chain follows: the last page belongs to it.
    func isAlone(_ last: OggPage) -> Bool { last.serial == page.serial }
}
