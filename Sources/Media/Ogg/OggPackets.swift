// SPDX-License-Identifier: Apache-2.0
/// The packets of one stream of an Ogg file, one after the other; of each no more is read than is asked for.
final class OggPackets: CommentBytes {
    /// Pages of other streams that are passed over, and pages without end.
    private static let mostPages = 100_000

    private let source: any ByteSource
    private let serial: UInt32
    /// The page in hand.
    private(set) var page: OggPage
    private var segment = 0
    /// Of the next byte of the packet in hand, and how many more of it follow there.
    private var at: Int64
    private var left = 0
    /// It goes on in the next page.
    private var goesOn = false
    private var pages = 0

    /// - Parameter page: the first of its stream. `next` goes to its first packet.
    init(_ source: any ByteSource, _ page: OggPage) {
        self.source = source
        self.page = page
        serial = page.serial
        at = page.bodyStart
    }

    /// Goes to the start of the next packet; false where there is none.
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

    /// The packet's bytes in the page in hand, from the segment in hand on.
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
                // Nothing of it is taken.
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
