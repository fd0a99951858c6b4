// SPDX-License-Identifier: Apache-2.0
/// Reads the packets of one stream of an Ogg file, in order, and only as far as requested.
final class OggPackets: CommentBytes {
    /// The most pages of other streams, or pages without an end, to skip.
    private static let mostPages = 100_000

    private let source: any ByteSource
    private let serial: UInt32
    /// The present page.
    private(set) var page: OggPage
    private var segment = 0
    /// The offset of the packet's next byte, and the number of bytes that follow there.
    private var at: Int64
    private var left = 0
    /// True if the packet continues on the next page.
    private var goesOn = false
    private var pages = 0

    /// - Parameter page: the first page of the stream. `next` moves to its first packet.
    init(_ source: any ByteSource, _ page: OggPage) {
        self.source = source
        self.page = page
        serial = page.serial
        at = page.bodyStart
    }

    /// Moves to the start of the next packet. Returns false if there is none.
    func next() throws(MediaError) -> Bool {
        while goesOn || left > 0 {
            at += Int64(left)
            left = 0
            if goesOn, try !goToPage() { return false }
        }
        while segment >= page.segments.count { if try !goToPage() { return false } }
        beginRun()
        return true
    }

    func take(_ count: Int) throws(MediaError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            if left == 0 {
                if !goesOn { break }
                if try !goToPage() { break }
                continue
            }
            let piece = try readBytes(source, at: at, count: min(left, count - bytes.count))
            if piece.isEmpty { break }
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
            at += Int64(piece.count)
            left -= piece.count
        }
        return bytes
    }

    func skip(_ count: Int) throws(MediaError) {
        var count = count
        while count > 0 {
            if left == 0 {
                if !goesOn { return }
                if try !goToPage() { return }
                continue
            }
            let part = min(left, count)
            at += Int64(part)
            left -= part
            count -= part
        }
    }

    /// Begins the packet's bytes in the present page, from the present segment on.
    private func beginRun() {
        left = 0
        goesOn = true
        while segment < page.segments.count && goesOn {
            left += Int(page.segments[segment])
            goesOn = page.segments[segment] == 255
            segment += 1
        }
    }

    private func goToPage() throws(MediaError) -> Bool {
        while pages < OggPackets.mostPages {
            pages += 1
            guard let next = try OggPage.read(source, at: page.end) else {
                goesOn = false
                return false
            }
            let isOurs = next.serial == serial
            let wasOn = goesOn
            page = next
            if !isOurs {
                // Skip a page of another stream.
                continue
            }
            segment = 0
            at = page.bodyStart
            if wasOn { beginRun() }
            return true
        }
        goesOn = false
        return false
    }
}
