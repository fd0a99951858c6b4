import Media

/// Follows the frame headers of what goes into a deck's ring, and notes where the decoder may have to make its buffers anew: where
/// frames of another kind begin, and where something begins that is no frame (a tag within joined files, zeros, rubbish). The audio
/// thread leaves such places to the feed thread.
struct FormatWatch {
    /// Version, layer and sampling rate; what is mono is told apart by `monoBit`.
    private static let kindMask: UInt32 = 0xFFFE_0C00
    private static let monoBit: UInt32 = 1

    /// Bytes of the ring, counted since it was emptied, that begin such a place; in order.
    private(set) var places: [Int64] = []

    /// Of the latest header; 0 before the first.
    private var kind: UInt32 = 0
    private var isLost = true
    /// Bytes that came so far, and where the next header is expected among them.
    private var position: Int64 = 0
    private var next: Int64 = 0
    /// What of that header came, and how many bytes of it.
    private var word: UInt32 = 0
    private var wordBytes = 0

    /// The next bytes that were committed to the ring.
    mutating func consume(_ piece: UnsafeRawBufferPointer) {
        var at = 0
        while at < piece.count {
            let ahead = next + Int64(wordBytes) - position - Int64(at)
            if ahead > 0 {
                at += Int(min(ahead, Int64(piece.count - at)))
                continue
            }
            word = word << 8 | UInt32(piece[at])
            wordBytes += 1
            at += 1
            if wordBytes == 4 { lookAtHeader() }
        }
        position += Int64(piece.count)
    }

    /// Places before this byte were passed.
    mutating func forget(before byte: Int64) {
        while let first = places.first, first < byte { places.removeFirst() }
    }

    private mutating func lookAtHeader() {
        if let header = FrameHeader(word), let bytes = header.frameBytes {
            let found = word & FormatWatch.kindMask | (header.channels == 1 ? FormatWatch.monoBit : 0)
            if found != kind && kind != 0 && !isLost { places.append(next) }
            kind = found
            isLost = false
            next += Int64(max(4, bytes))
            word = 0
            wordBytes = 0
            return
        }
        if !isLost && kind != 0 { places.append(next) }
        isLost = true
        next += 1
        wordBytes = 3
        word &= 0xFF_FFFF
    }
}
