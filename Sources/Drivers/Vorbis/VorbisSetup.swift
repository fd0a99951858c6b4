// SPDX-License-Identifier: Apache-2.0
import Posix

/// Checks the codebooks of a Vorbis stream before libvorbis reads them.
///
/// libvorbis needs 8 bytes of stack (`alloca` in `vorbis_book_init_decode`) and several of heap for each entry of a codebook. An ordered
/// codebook can announce 2^24 entries in a few bits. Normal codebooks have up to 6,561 entries, and all of a stream together about 20,000
/// (libvorbis 1.3.7, every quality).
struct VorbisSetup {
    /// The beginning of every setup header.
    private static var mark: [UInt8] { [5] + Array("vorbis".utf8) }
    /// The largest setup header, in bytes; normal ones have 3 to 8 KB.
    private static let mostHeaderBytes = 256 * 1024
    /// The largest number of entries in one codebook: half of what fits on the stack of a feed thread.
    private static let mostBookEntries = 1 << 14
    /// The largest number of values (entries times dimensions) in the codebooks of one stream.
    private static let mostValues = 1 << 20
    /// The largest number of entries in a whole chain of streams, in which libvorbisfile keeps every stream's codebooks.
    private static let mostChainEntries = 1 << 25

    /// The most bytes between the start of a page and a packet in it: 27 + 255 + 255 * 255.
    private static let mostPageBytes = 65_307

    /// Returns up to so many bytes at a place of the input; fewer at its end.
    typealias Read = (_ place: Int64, _ count: Int) -> [UInt8]

    /// The entries of the checked setup headers, each header once.
    private var chainEntries = 0
    /// The place of the last of these headers.
    private var lastPlace: Int64 = -1
    /// The bytes checked last: a few, or as many as a page has if the input cannot be read again.
    private var kept: [UInt8] = []
    private var keptEnd: Int64 = -1
    /// The starts of headers with missing ends, for an input that is read in order.
    private var unfinished: [Int64] = []

    /// Checks setup headers in bytes for the library.
    /// - Parameters:
    ///   - place: the input position of the first byte.
    ///   - read: reads the input anywhere; nil if it is read in order.
    /// - Returns: false if the library must not see them.
    mutating func allows(_ bytes: UnsafeRawBufferPointer, at place: Int64, read: Read?) -> Bool {
        let mark = VorbisSetup.mark
        if keptEnd != place { kept = [] }
        var at = max(0, kept.count - (mark.count - 1))
        kept.append(contentsOf: bytes)
        keptEnd = place + Int64(bytes.count)
        let start = keptEnd - Int64(kept.count)
        var found = unfinished
        while let next = kept[at...].firstIndex(of: mark[0]), next + mark.count <= kept.count {
            at = next + 1
            if kept[next..<next + mark.count].elementsEqual(mark) { found.append(start + Int64(next)) }
        }
        unfinished = []
        if !found.isEmpty {
            let held = kept
            let look =
                read ?? { place, count in
                    place < start ? [] : Array(held[min(held.count, Int(clamping: place - start))...].prefix(count))
                }
            for header in found {
                switch verdict(onHeaderAt: header, from: read == nil ? start : 0, read: look) {
                case false?: return false
                case true?: continue
                case nil: if read == nil { unfinished.append(header) }
                }
            }
        }
        if unfinished.count > 4 { return false }
        let most = read == nil ? VorbisSetup.mostPageBytes : mark.count
        // Remove rarely, since that moves the rest to the front.
        if unfinished.isEmpty && kept.count > 2 * most { kept.removeFirst(kept.count - most) }
        return true
    }

    /// - Returns: true if the library may see the header; nil if its end has not arrived.
    private mutating func verdict(onHeaderAt place: Int64, from oldest: Int64, read: Read) -> Bool? {
        guard let (header, isWhole) = VorbisSetup.packet(at: place, from: oldest, read: read) else { return true }
        if header.count > VorbisSetup.mostHeaderBytes { return false }
        let whenShort: Bool? = isWhole ? true : nil
        var bits = LowBitsFirst(header.dropFirst(VorbisSetup.mark.count))
        guard let last = bits.next(8) else { return whenShort }
        var (values, entries) = (0, 0)
        for _ in 0...last {
            // The library itself refuses damaged books before it allocates anything.
            guard let book = bits.book(mostEntries: VorbisSetup.mostBookEntries) else { return whenShort }
            if book.entries > VorbisSetup.mostBookEntries { return false }
            // No overflow: the factors have 15 and 16 bits, and the sum is checked each time.
            values += book.entries * max(1, min(1 << 16, book.dimensions))
            entries += book.entries
            if values > VorbisSetup.mostValues { return false }
        }
        if place > lastPlace {
            lastPlace = place
            chainEntries += entries
        }
        return chainEntries <= VorbisSetup.mostChainEntries
    }

    /// Assembles the packet of an Ogg stream that begins at a place, from all its pages. Returns nil if no page has a packet there, in
    /// which case the library sees none, either.
    private static func packet(at place: Int64, from oldest: Int64, read: Read) -> (bytes: [UInt8], isWhole: Bool)? {
        let before = Int(min(place - oldest, Int64(mostPageBytes)))
        let bytes = read(place - Int64(before), before)
        guard bytes.count == before else { return nil }
        var at = before - 27
        while at >= 0 {
            defer { at -= 1 }
            guard bytes[at] == UInt8(ascii: "O"), let page = Page(bytes[at...]),
                let segment = page.segment(startingAt: before - at)
            else { continue }
            return packet(page, place - Int64(before - at), segment, read: read)
        }
        return nil
    }

    private static func packet(
        _ first: Page, _ firstPlace: Int64, _ firstSegment: Int, read: Read
    ) -> (bytes: [UInt8], isWhole: Bool) {
        var (page, place, segment) = (first, firstPlace, firstSegment)
        var packet: [UInt8] = []
        while true {
            let part = page.packet(fromSegment: segment)
            let bytes = read(place + Int64(part.from), part.count)
            packet += bytes
            if bytes.count < part.count { return (packet, false) }
            if part.ends || packet.count > mostHeaderBytes { return (packet, true) }
            // Find the next page of the same stream; others may lie between.
            repeat {
                place += Int64(page.bytes)
                guard let next = Page(read(place, 27 + 255)[...]), place - firstPlace < 4 << 20 else {
                    return (packet, false)
                }
                page = next
            } while page.serial != first.serial
            segment = 0
        }
    }

    /// The header of an Ogg page.
    private struct Page {
        private let lacing: [UInt8]
        let serial: UInt32
        private var headBytes: Int { 27 + lacing.count }
        /// The length of the whole page.
        var bytes: Int { lacing.reduce(headBytes) { $0 + Int($1) } }

        init?(_ head: ArraySlice<UInt8>) {
            let start = head.startIndex
            guard head.count >= 27, head.starts(with: Array("OggS".utf8)) else { return nil }
            let count = Int(head[start + 26])
            guard head.count >= 27 + count else { return nil }
            serial = (14..<18).reversed().reduce(0) { $0 << 8 | UInt32(head[start + $1]) }
            lacing = Array(head[(start + 27)..<(start + 27 + count)])
        }

        /// Returns the segment that begins at an offset in the page; nil for none.
        func segment(startingAt offset: Int) -> Int? {
            var at = headBytes
            for (index, length) in lacing.enumerated() {
                if at == offset { return index }
                at += Int(length)
            }
            return nil
        }

        /// Returns the part of a packet in the page from a segment on, and whether it ends there.
        func packet(fromSegment first: Int) -> (from: Int, count: Int, ends: Bool) {
            let from = lacing[..<first].reduce(headBytes) { $0 + Int($1) }
            var count = 0
            for length in lacing[first...] {
                count += Int(length)
                if length < 255 { return (from, count, true) }
            }
            return (from, count, false)
        }
    }
}

/// Reads bits from bytes, the lowest bit first, as Vorbis packs them.
private struct LowBitsFirst {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    /// Returns the next bits, at most 24; nil at the end.
    mutating func next(_ count: Int) -> Int? {
        guard bytes.count * 8 - at >= count else { return nil }
        var value = 0
        for bit in 0..<count {
            // No overflow: callers request at most 24 bits.
            value |= Int(bytes[at / 8] >> UInt8(at % 8) & 1) << bit
            at += 1
        }
        return value
    }

    private mutating func skip(_ count: Int) -> Bool {
        guard bytes.count * 8 - at >= count else { return false }
        at += count
        return true
    }

    /// Skips a codebook (Vorbis I, 3.2.1). Returns nil if it is damaged. Of one with more than `mostEntries` it reads only the head.
    mutating func book(mostEntries: Int) -> (dimensions: Int, entries: Int)? {
        guard next(24) == 0x564342, let dimensions = next(16), let entries = next(24), let ordered = next(1) else {
            return nil
        }
        if entries > mostEntries { return (dimensions, entries) }
        if ordered == 1 {
            guard skip(5) else { return nil }
            var done = 0
            while done < entries {
                guard let run = next(LowBitsFirst.bits(entries - done)), run <= entries - done else { return nil }
                done += run
                // An empty run is valid: the next has longer words. The packet ends some time.
            }
        } else {
            guard let sparse = next(1) else { return nil }
            for _ in 0..<entries {
                if sparse == 1 {
                    guard let isUsed = next(1) else { return nil }
                    if isUsed == 0 { continue }
                }
                guard skip(5) else { return nil }
            }
        }
        guard let lookup = next(4) else { return nil }
        if lookup == 0 { return (dimensions, entries) }
        guard lookup <= 2, skip(64), let width = next(4), skip(1) else { return nil }
        // No overflow: 14 and 16 bits, and 4 of the width.
        let values = lookup == 1 ? Int64(LowBitsFirst.root(entries, dimensions)) : Int64(entries) * Int64(dimensions)
        guard let bits = Int(exactly: values * Int64(width + 1)), skip(bits) else { return nil }
        return (dimensions, entries)
    }

    /// Returns the number of bits of a number.
    private static func bits(_ number: Int) -> Int { Int.bitWidth - number.leadingZeroBitCount }

    /// Returns the largest whole number with a power of `dimensions` not above `entries`.
    private static func root(_ entries: Int, _ dimensions: Int) -> Int {
        if dimensions == 0 { return 0 }
        var root = 0
        while true {
            var power: Int64 = 1
            for _ in 0..<min(dimensions, 24) where power <= Int64(entries) { power *= Int64(root + 1) }
            // One to any power is one; two to the 24th exceeds the number of entries.
            if power > Int64(entries) || root > entries { return root }
            root += 1
        }
    }
}
