/// Walks from frame header to frame header through a stream that comes in pieces, counting frames and noting where they lie, in
/// the numbering of libmpg123. Takes the bytes of an `AudioExtent` in order; allocates nothing for a frame.
public struct FrameWalker {
    /// Frames from one noted offset to the next.
    public static let step = 128
    /// Longest frame there is (free format included), and a header behind it: less than this at the end of a piece is kept for
    /// the next.
    private static let carryBytes = 4608 + 4

    private var frames = 0
    private var offsets: [Int64] = []
    /// The first frame's header, which all others must be compatible with.
    private var first: FrameHeader?
    private var info: InfoTag?
    /// Bytes of a free-format frame without its padding.
    private var freeFormatBytes = 0
    /// Offset of the next header from the start of the audio.
    private var next: Int64 = 0
    /// Offset of the first byte of `carry`, or of the next piece.
    private var base: Int64 = 0
    /// What of the last piece is looked at again together with the next.
    private var carry: [UInt8] = []

    public init() {}

    public var samplesSoFar: Int64 { Int64(frames) * Int64(first?.samplesPerFrame ?? 0) }
    /// Hz; 44100 before the first frame.
    public var sampleRate: Int { first?.sampleRate ?? 44100 }

    public mutating func consume(_ piece: UnsafeRawBufferPointer) {
        if carry.isEmpty {
            walk(piece, isLast: false)
        } else {
            // Only the seam is copied: as much of the piece as lets the carried bytes be left behind.
            let seam = min(piece.count, FrameWalker.carryBytes * 2)
            var joined = carry
            joined.append(contentsOf: piece[..<seam])
            let pieceStart = base + Int64(carry.count)
            carry = []
            joined.withUnsafeBytes { walk($0, isLast: false) }
            if seam < piece.count {
                // `walk` has left its tail in `carry`, which the piece holds as well.
                base = max(base, pieceStart)
                carry = []
                walk(UnsafeRawBufferPointer(rebasing: piece[Int(base - pieceStart)...]), isLast: false)
            }
        }
    }

    /// After the last piece. Nil where there was no frame.
    public mutating func finish() -> FrameIndex? {
        let rest = carry
        carry = []
        rest.withUnsafeBytes { walk($0, isLast: true) }
        guard let first, frames > 0 else { return nil }
        return FrameIndex(
            step: FrameWalker.step, offsets: offsets, frameCount: frames, samplesPerFrame: first.samplesPerFrame,
            sampleRate: first.sampleRate, delaySamples: info?.delaySamples, paddingSamples: info?.paddingSamples,
            taggedFrameCount: info?.frameCount)
    }

    /// Walks the bytes at `base`; keeps what it cannot decide on yet, and advances `base` to it.
    private mutating func walk(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
        let end = base + Int64(bytes.count)
        while next + 4 <= end {
            let at = Int(next - base)
            let bits = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
            guard let header = FrameHeader(bits) else {
                next += 1
                continue
            }
            guard let first else {
                if !isLast && end - next < Int64(FrameWalker.carryBytes) { break }
                begin(header, UnsafeRawBufferPointer(rebasing: bytes[at...]))
                continue
            }
            guard header.isCompatible(with: first) else {
                next += 1
                continue
            }
            let length = header.frameBytes ?? freeFormatBytes + (header.isPadded ? (header.layer == 1 ? 4 : 1) : 0)
            if next + Int64(length) > end {
                // Cut short at the end of the file it is not played; in a piece it is looked at again.
                if isLast { next = end }
                break
            }
            note(length)
        }
        let keepFrom = max(base, min(next, end))
        carry = Array(bytes[Int(keepFrom - base)...])
        base = keepFrom
    }

    @inline(__always)
    private mutating func note(_ length: Int) {
        if frames % FrameWalker.step == 0 { offsets.append(next) }
        frames += 1
        next += Int64(length)
    }

    /// A header that may be the first: it is if another follows where it says, or if the stream ends there.
    private mutating func begin(_ header: FrameHeader, _ bytes: UnsafeRawBufferPointer) {
        var length = header.frameBytes ?? 0
        if header.isFreeFormat {
            guard let measured = FrameWalker.freeFormatBytes(header, bytes) else {
                next += 1
                return
            }
            length = measured
            freeFormatBytes = measured - (header.isPadded ? (header.layer == 1 ? 4 : 1) : 0)
        }
        if length + 4 <= bytes.count {
            let bits = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: length, as: UInt32.self))
            guard let following = FrameHeader(bits), following.isCompatible(with: header) else {
                next += 1
                return
            }
        } else if length > bytes.count {
            next += 1
            return
        }
        first = header
        info = InfoTag(bytes, header: header)
        if info != nil {
            // libmpg123 does not count the frame that tells about the others.
            next += Int64(length)
        }
    }

    /// The distance to the next header that may follow.
    private static func freeFormatBytes(_ header: FrameHeader, _ bytes: UnsafeRawBufferPointer) -> Int? {
        var at = 4
        while at + 4 <= min(bytes.count, carryBytes) {
            let bits = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
            if let following = FrameHeader(bits), following.isCompatible(with: header) { return at }
            at += 1
        }
        return nil
    }
}
