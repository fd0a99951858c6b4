/// Which stream of an Ogg file is to be played: the first whose codec is known.
struct OggStream {
    enum Codec { case vorbis, opus, flac }

    /// A file has some streams beside its sound, such as a skeleton.
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
            let at = page.headBytes
            if bytes.has("\u{1}vorbis", at: at) {
                codec = .vorbis
            } else if bytes.has("OpusHead", at: at) {
                codec = .opus
            } else if bytes.has("\u{7F}FLAC", at: at) {
                codec = .flac
            } else {
                offset = page.end
                continue
            }
            self.page = page
            return
        }
        return nil
    }

    /// Whether it is the only one, and not one of a chain: the last page is its own.
    func isAlone(_ last: OggPage) -> Bool { last.serial == page.serial }
}
