/// Goes from frame header to frame header through a stream that comes in pieces of any size, counts the frames and notes
/// where every so many-th lies.
///
/// Frames, numbers and offsets are those that libmpg123 finds (`mpg123_scan`, with no limit to its search for the next header):
/// the first header is believed when a like one follows it, garbage and tags within the stream are passed over, a frame
/// that the end cuts short does not count, and neither does the one that carries a Xing or Info tag.
///
/// Holds at most 4 KiB of the stream and 12,288 offsets. One thread at a time.
public struct FrameWalker {
    /// Where the next byte to look at stands among the others.
    private enum Mode {
        /// A header or a tag is expected.
        case next
        /// No frame has been found yet; something that is no header has been.
        case junk
        /// After the first frame: something that was neither header nor tag.
        case resync
        /// Within a RIFF file's header, looking for its data chunk.
        case riff
    }

    private static let offsetLimit = 12_288
    /// Bits that must be the same for `frameBytes` to hold: sync, version and layer.
    private static let kindMask: UInt32 = 0xFFFE_0000

    /// The first frame's header; nil until there is one.
    public private(set) var firstHeader: FrameHeader?
    /// What the encoder wrote about the stream, known with the first header.
    public private(set) var infoTag: InfoTag?
    /// Offset of the first frame, that with the tag if there is one.
    public private(set) var firstFrameOffset: Int64 = 0

    private var step: Int
    private var offsets: [Int64] = []
    /// Frames until the next that belongs into `offsets`.
    private var framesToOffset = 0
    private var frameCount = 0
    /// Bits that were not the same in all headers.
    private var headerChanges: UInt32 = 0
    /// Where the last frame that was counted ends.
    private var lastFrameEnd: Int64 = 0

    /// The kind of frame that comes now and that the table below is for; 0 for none.
    private var kind: UInt32 = 0
    /// Length of a frame by header bits 9 to 15: bit rate, sample rate, padding. 0: look closer.
    private var frameBytes = [UInt16](repeating: 0, count: 128)
    /// Samples of one frame of that kind, and its sample rate's index.
    private var kindSamples = 0
    private var kindRate = 0
    /// Frames of that kind not yet in `samples`.
    private var kindFrames = 0
    /// Sync, version, layer and sample rate that the table was made for, and the length of free-format frames then.
    private var tableKind: UInt32 = 0
    private var tableFreeBody = -1
    /// The same of the last frame that was looked at closer.
    private var lastKind: UInt32 = 0
    /// Samples found, by sample rate.
    private var samples = [Int64](repeating: 0, count: 9)

    private var mode = Mode.next
    /// Length of a free-format frame's body without padding; below 0 until measured.
    private var freeBody = -1
    /// Times that it was measured in vain since the last good frame, and since the search for the first went on: more than five
    /// and it is not believed that this is free format.
    private var freeAttempts = 0
    private var junkAttempts = 0

    /// Bytes consumed so far.
    private var consumed: Int64 = 0
    /// Where to look next; may lie ahead of `consumed`.
    private var position: Int64 = 0
    /// What of the stream from `position` on came in earlier pieces.
    private var carry: [UInt8] = []

    /// - Parameter step: every how many frames an offset is noted; doubled whenever there are too many.
    public init(step: Int = 128) {
        self.step = max(1, step)
    }

    /// Samples that whole frames found so far decode to, delay not yet cut, at the first frame's rate.
    public var samplesSoFar: Int64 { decodedSamples }

    /// Hz, of the first frame; 0 until there is one.
    public var sampleRate: Int { firstHeader?.sampleRate ?? 0 }

    /// Frames found so far; the last may not have come whole.
    public var frames: Int { frameCount }

    /// All headers so far have had one bit rate.
    public var isConstantRate: Bool { headerChanges & 0xF000 == 0 }

    /// Bytes from the first frame counted to the end of the last.
    var spanBytes: Int64 { (offsets.first.map { lastFrameEnd - $0 }) ?? 0 }

    /// What has been found, with the stream taken to end here; nil where it holds no whole frame.
    public func finish() -> FrameIndex? {
        var whole = self
        if lastFrameEnd > consumed { whole.dropLastFrame() }
        guard let header = firstHeader, whole.frameCount > 0 else { return nil }
        return FrameIndex(
            step: whole.step, offsets: whole.offsets, frameCount: whole.frameCount,
            samplesPerFrame: header.samplesPerFrame, sampleRate: header.sampleRate,
            decodedSamples: whole.decodedSamples, audioBytes: consumed, gapless: Gapless(infoTag))
    }

    private mutating func dropLastFrame() {
        frameCount -= 1
        kindFrames -= 1
        if (offsets.count - 1) * step == frameCount { offsets.removeLast() }
    }

    private var decodedSamples: Int64 {
        guard let rate = firstHeader?.sampleRate else { return 0 }
        var total: Int64 = 0
        for (index, count) in samples.enumerated() {
            let all = count + (index == kindRate ? Int64(kindFrames) * Int64(kindSamples) : 0)
            total += all * Int64(rate) / Int64(FrameHeader.sampleRate(at: index))
        }
        return total
    }

    /// Takes the next bytes of the stream.
    public mutating func consume(_ piece: UnsafeRawBufferPointer) {
        let pieceStart = consumed
        consumed += Int64(piece.count)
        if !carry.isEmpty {
            // As much of the piece is put to what was left over as it takes to get past that.
            var held = carry
            carry = []
            let heldStart = pieceStart - Int64(held.count)
            var used = 0
            var more = 64
            while position < pieceStart && used < piece.count {
                let part = piece[used..<min(piece.count, used + more)]
                held.append(contentsOf: UnsafeRawBufferPointer(rebasing: part))
                used += part.count
                more *= 4
                held.withUnsafeBytes { walk($0, start: heldStart) }
            }
            if position < pieceStart {
                carry = Array(held[Int(position - heldStart)...])
                return
            }
        }
        walk(piece, start: pieceStart)
        if position < consumed {
            carry = Array(UnsafeRawBufferPointer(rebasing: piece[Int(position - pieceStart)...]))
        }
    }

    /// What lies before `offset` and was not consumed is no audio. At the end of a frame only.
    public mutating func skip(to offset: Int64) {
        guard offset > consumed else { return }
        carry = []
        consumed = offset
        position = max(position, offset)
    }

    /// Walks as far as the window, which begins at `start` of the stream, lets it.
    private mutating func walk(_ window: UnsafeRawBufferPointer, start: Int64) {
        repeat {
            if mode == .next && kind != 0 { run(window, start: start) }
        } while look(window, start: start)
    }

    /// The quick way: one header after the other of the kind that the table is for.
    private mutating func run(_ window: UnsafeRawBufferPointer, start: Int64) {
        let last = window.count - 4
        guard position - start <= Int64(last) else { return }
        var at = Int(position - start)
        let kind = kind
        let first = firstHeader?.word ?? 0
        var changes = headerChanges
        var total = 0
        var toOffset = framesToOffset
        let table = frameBytes
        let lengths = table.span
        while at <= last {
            let word = window.number(at: at)
            if word & FrameWalker.kindMask != kind { break }
            // Seven bits, 128 entries.
            let bytes = Int(lengths[unchecked: Int(word >> 9 & 127)])
            if bytes == 0 { break }
            if toOffset == 0 {
                note(start + Int64(at), frame: frameCount + total)
                toOffset = framesToOffset
            }
            toOffset &-= 1
            changes |= word ^ first
            total &+= 1
            at &+= bytes
        }
        if total == 0 { return }
        headerChanges = changes
        framesToOffset = toOffset
        frameCount += total
        kindFrames += total
        position = start + Int64(at)
        lastFrameEnd = position
        freeAttempts = 0
    }

    /// Notes the offset of a frame whose turn it is, and sets `framesToOffset`, that frame included.
    private mutating func note(_ offset: Int64, frame: Int) {
        if offsets.count == FrameWalker.offsetLimit {
            for i in 0..<offsets.count / 2 { offsets[i] = offsets[i * 2] }
            offsets.removeLast(offsets.count - offsets.count / 2)
            step *= 2
        }
        // With an even limit the frame in hand is one that the doubled step wants too.
        offsets.append(offset)
        framesToOffset = step
    }

    /// The careful way, one step. False when the window does not hold enough to go on.
    private mutating func look(_ window: UnsafeRawBufferPointer, start: Int64) -> Bool {
        guard position - start <= Int64(window.count - 4) else { return false }
        let at = Int(position - start)
        if mode == .next || mode == .riff {
            return mode == .riff ? skipRIFF(window, at: at) : lookNext(window, at: at)
        }
        // Byte by byte, to whatever looks like a header.
        var next = at
        while next <= window.count - 4 {
            if window[next] == 0xFF && window[next + 1] >= 0xE0 { break }
            next += 1
        }
        position += Int64(next - at)
        guard next <= window.count - 4 else { return false }
        guard let header = FrameHeader(window.number(at: next)) else {
            position += 1
            return true
        }
        return take(header, window, at: next)
    }

    private mutating func lookNext(_ window: UnsafeRawBufferPointer, at: Int) -> Bool {
        let word = window.number(at: at)
        if let header = FrameHeader(word) { return take(header, window, at: at) }
        if word >> 8 == 0x49_4433 { return skipID3v2(window, at: at) }
        if firstHeader == nil {
            if word == Signature.riff {
                position += 4
                mode = .riff
            } else {
                position += 1
                mode = .junk
                junkAttempts = 0
            }
            return true
        }
        if word >> 8 == Signature.tag {
            position += 128
            return true
        }
        if word == Signature.apet { return skipAPE(window, at: at) }
        position += 1
        mode = .resync
        return true
    }

    /// At something that may be a frame's header: counts it and goes past it, or goes on searching.
    private mutating func take(_ header: FrameHeader, _ window: UnsafeRawBufferPointer, at: Int) -> Bool {
        let body: Int
        switch bodyBytes(header, window, at: at) {
        case .unknown: return false
        case .bad:
            // The search for the first frame goes on as it began.
            if mode == .next { mode = .resync }
            position += 1
            return true
        case .bytes(let count): body = count
        }
        if firstHeader == nil {
            guard at + 4 + body + 4 <= window.count else { return false }
            let following = window.number(at: at + 4 + body)
            mode = .next
            guard FrameHeader.isValid(following), header.isCompatible(with: following) else {
                position += 1
                return true
            }
            firstHeader = header
            firstFrameOffset = position
            infoTag = InfoTag(
                header, body: UnsafeRawBufferPointer(rebasing: window[(at + 4)...]), bodyBytes: body)
            if let infoTag, infoTag.kind != .vbri {
                position += Int64(4 + body)
                return true
            }
        }
        count(header, body: body)
        return true
    }

    private mutating func count(_ header: FrameHeader, body: Int) {
        if framesToOffset == 0 { note(position, frame: frameCount) }
        framesToOffset -= 1
        headerChanges |= header.word ^ (firstHeader?.word ?? 0)
        frameCount += 1
        position += Int64(4 + body)
        lastFrameEnd = position
        freeAttempts = 0
        mode = .next
        samples[kindRate] += Int64(kindFrames) * Int64(kindSamples)
        kindFrames = 1
        kindSamples = header.samplesPerFrame
        kindRate = header.sampleRateIndex
        // The table is made anew when a kind stays: streams that change with every frame would spend their time on tables.
        let wholeKind = header.word & 0xFFFE_0C00
        if wholeKind == tableKind && freeBody == tableFreeBody {
            kind = header.word & FrameWalker.kindMask
        } else if wholeKind == lastKind || frameCount == 1 {
            fillTable(header)
        } else {
            kind = 0
        }
        lastKind = wholeKind
    }

    private mutating func fillTable(_ header: FrameHeader) {
        kind = header.word & FrameWalker.kindMask
        tableKind = header.word & 0xFFFE_0C00
        tableFreeBody = freeBody
        let rate = header.word >> 10 & 3
        for i in 0..<128 {
            let word = header.word & 0xFFFF_01FF | UInt32(i) << 9
            var bytes = 0
            if word >> 10 & 3 == rate, let like = FrameHeader(word) {
                // A free-format frame of layer III might be too short for some headers: those are looked at closer.
                if freeBody >= 40 || like.bitrate != nil {
                    bytes = like.frameBytes ?? freeBody + 4 + (like.isPadded ? 1 : 0)
                }
            }
            frameBytes[i] = UInt16(bytes <= FreeFormat.bodyLimit + 4 ? bytes : 0)
        }
    }

    /// Length of the frame less its header.
    private mutating func bodyBytes(_ header: FrameHeader, _ window: UnsafeRawBufferPointer, at: Int)
        -> FreeFormat.Length
    {
        let body: Int
        if let bytes = header.frameBytes {
            body = bytes - 4
        } else if freeBody >= 0 {
            body = freeBody + (header.isPadded ? 1 : 0)
        } else {
            guard (mode == .junk ? junkAttempts : freeAttempts) < 5 else { return .bad }
            switch FreeFormat.measure(header, window, at: at) {
            case .unknown: return .unknown
            case .bad:
                if mode == .junk { junkAttempts += 1 } else { freeAttempts += 1 }
                return .bad
            case .bytes(let count):
                freeBody = count - (header.isPadded ? 1 : 0)
                body = count
            }
        }
        return body < header.sideBytes || body > FreeFormat.bodyLimit ? .bad : .bytes(body)
    }

    private mutating func skipID3v2(_ window: UnsafeRawBufferPointer, at: Int) -> Bool {
        if window[at + 3] == 0xFF {
            position += 4
            return true
        }
        guard at + 10 <= window.count else { return false }
        let header = ID3v2Header(window[at..<(at + 10)])
        position += header?.tagBytes ?? 10
        return true
    }

    private mutating func skipAPE(_ window: UnsafeRawBufferPointer, at: Int) -> Bool {
        guard at + 32 <= window.count else { return false }
        let isTag =
            window.number(at: at + 4) == Signature.agex && window.number(at: at + 8) == 0xD007_0000
            && window.number(at: at + 24) == 0 && window.number(at: at + 28) == 0
        position += isTag ? 32 + Int64(window.number(at: at + 12).byteSwapped) : 1
        return true
    }

    private mutating func skipRIFF(_ window: UnsafeRawBufferPointer, at: Int) -> Bool {
        var next = at
        while next <= window.count - 4 {
            if window.number(at: next) == Signature.data {
                position += Int64(next - at + 8)
                mode = .next
                return true
            }
            next += 1
        }
        position += Int64(next - at)
        return false
    }
}
