// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// Finds the titles of an Ogg station in its own bytes: each stream of its chain begins with comments. Of other data it reads only the
/// first bytes. It stores one page and one packet of comments. One thread at a time.
public struct OggTitles {
    /// The longest packet, enough for a usual picture; comments after that are ignored.
    private static let mostPacketBytes = 256 * 1024
    private static let mostTitleBytes = 200
    private static let leastHeadBytes = 27

    /// The last stream's title; "" for none.
    public private(set) var title = ""
    private var isOgg = true
    private var hasBegun = false
    /// The present page: its header, and its body if that may contain comments.
    private var held: [UInt8] = []
    private var wantedBytes = leastHeadBytes
    /// The rest of a page without comments.
    private var bytesToSkip = 0
    /// The codec of the stream with the next expected comments.
    private var codec: OggStream.Codec?
    private var serial: UInt32 = 0
    private var packet: [UInt8] = []

    public init() {}

    /// - Parameter bytes: the next bytes of the connection.
    /// - Returns: true if the title has changed.
    public mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let before = title
        var at = 0
        while isOgg, at < bytes.count {
            if bytesToSkip > 0 {
                let count = min(bytesToSkip, bytes.count - at)
                bytesToSkip -= count
                at += count
                continue
            }
            let count = min(wantedBytes - held.count, bytes.count - at)
            held += bytes[at..<at + count]
            at += count
            if held.count == wantedBytes { look() }
        }
        return !before.utf8.elementsEqual(title.utf8)
    }

    private mutating func look() {
        let isHead = held.has("OggS", at: 0) && held[4] == 0
        let headBytes = OggTitles.leastHeadBytes + Int(held[26])
        if isHead && held.count < headBytes {
            wantedBytes = headBytes
            return
        }
        guard isHead, let page = OggPage(held, at: 0, offset: 0) else {
            // After a loss, search for the next page. Data that does not begin with a page is not Ogg.
            isOgg = hasBegun
            wantedBytes = OggTitles.leastHeadBytes
            let next = held.dropFirst().firstIndex(of: UInt8(ascii: "O")) ?? held.count
            held.removeFirst(next)
            return
        }
        hasBegun = true
        let pageBytes = Int(page.end)
        if held.count < pageBytes, page.isFirst || codec != nil && page.serial == serial {
            wantedBytes = pageBytes
            return
        }
        if held.count == pageBytes { take(page) } else { bytesToSkip = pageBytes - held.count }
        held = []
        wantedBytes = OggTitles.leastHeadBytes
    }

    /// Handles a complete page.
    private mutating func take(_ page: OggPage) {
        var at = page.headBytes
        if page.isFirst {
            guard let found = OggStream.codec(held, at: at) else { return }
            codec = found
            serial = page.serial
            packet = []
            return
        }
        for segment in page.segments where codec != nil {
            let end = at + Int(segment)
            if packet.count < OggTitles.mostPacketBytes { packet += held[at..<end] }
            at = end
            if segment < 255 {
                endPacket()
                packet = []
            }
        }
    }

    private mutating func endPacket() {
        let start: Int?
        switch codec {
        case .vorbis?: start = packet.has("\u{3}vorbis", at: 0) ? 7 : nil
        case .opus?: start = packet.has("OpusTags", at: 0) ? 8 : nil
        default:
            // A block of FLAC: the comments may be any but the first.
            guard packet.count >= 4 else { return }
            let isLast = packet[0] & 0x80 != 0
            start = packet[0] & 0x7F == 4 ? 4 : nil
            if start == nil && !isLast { return }
        }
        codec = nil
        title = start.map { OggTitles.title(Array(packet[$0...])) } ?? ""
    }

    /// Returns artist and title in the form of stations without Ogg.
    private static func title(_ comments: [UInt8]) -> String {
        guard let list = try? VorbisComments(HeldBytes(comments)).tags.list, let title = list[.title] else { return "" }
        let artist = list[.artist].map { $0 + " - " } ?? ""
        return String(decoding: TextDecoding.tidied(Array((artist + title).utf8), most: mostTitleBytes), as: UTF8.self)
    }
}

/// Comments in memory.
private final class HeldBytes: CommentBytes {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    func take(_ count: Int) throws(MediaError) -> [UInt8] {
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    func skip(_ count: Int) throws(MediaError) { bytes = bytes.dropFirst(count) }
}
