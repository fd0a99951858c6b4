import Core

/// The frames of a stream, read from wherever it comes from and given out without what is none: tags, pictures, rubbish. Bounded in
/// what it holds, whatever the stream holds. One thread at a time.
public final class FrameStream {
    private static let pieceBytes = 32 * 1024

    private let source: any ByteSource
    /// Where frames may lie in the file.
    private var extent: AudioExtent
    private(set) var gate = FrameGate()
    /// Offset in the file of the next byte to read.
    private var offset: Int64
    /// Read and not yet given out, from `heldStart` on; the first `believed` of them are of frames.
    private var held: [UInt8] = []
    private var heldStart = 0
    private var believed = 0
    /// Rubbish was passed over since bytes were given out latest.
    private var hasGap = false
    /// What is held is too little for the gate.
    private var needsMore = false
    /// Nothing is to be read or given out any more.
    public private(set) var isAtEnd = false
    /// Bytes given out so far.
    public private(set) var givenBytes: Int64 = 0
    /// Offset from the start of the audio of what `next` gave out latest.
    public private(set) var givenFrom: Int64 = 0
    /// Where in what `next` gave out latest a decoder may have to make its buffers anew: where frames of another kind begin, and where
    /// something was passed over. In order.
    public private(set) var givenChanges: [Int] = []
    /// Offset from the start of the audio of the first frame; nil until it was found.
    public private(set) var firstFrameOffset: Int64?

    /// Throws `noAudio` for files that say at their start that they are something else.
    public init(_ source: any ByteSource) throws(MediaError) {
        self.source = source
        extent = AudioExtent(of: source)
        offset = extent.start
        let head = try readBytes(source, at: extent.start, count: 32)
        if ForeignFormat.isCertain(head) { throw .noAudio }
    }

    /// Opens the source, with what that throws.
    public convenience init(opening source: MediaSource) throws(MediaError) {
        let opened: any ByteSource
        do throws(SourceError) { opened = try source.open() } catch { throw .source(error) }
        try self.init(opened)
    }

    /// From now on the places of frames are noted; before anything was read.
    /// - Parameter step: every how many frames; doubled whenever there are too many.
    func noteFrames(every step: Int) { gate.noteFrames(every: step) }

    /// Length of the audio, tags left out.
    public var audioBytes: Int64 { extent.byteCount }
    /// Where the audio lies in the file.
    public var audioExtent: AudioExtent { extent }

    /// Goes on at another offset from the start of the audio, where a frame is said to begin.
    public func jump(to position: Int64) {
        offset = min(extent.end, extent.start.addingSaturated(max(0, position)))
        forget()
        hasGap = false
        gate.jump(to: offset - extent.start)
        isAtEnd = false
    }

    /// Reads once, at most, and puts frames into the buffer that follow one another in the stream. Returns how many bytes: 0 also
    /// where rubbish had to be passed over.
    public func next(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
        givenChanges = []
        if buffer.isEmpty || isAtEnd { return 0 }
        if believed == 0 {
            if heldBytes == 0 && gate.isInStep { return try readThrough(buffer) }
            if heldBytes == 0 || needsMore { try readMore() }
            decide()
        }
        return giveOut(buffer)
    }

    private var heldBytes: Int { held.count - heldStart }

    /// Something can be read, or the end is known to be here.
    public var isReady: Bool {
        believed > 0 || offset >= extent.end || source.readyBytes(at: offset, most: 1) != nil
    }

    /// How many of the next bytes can be read now.
    private func ready(_ most: Int) throws(SourceError) -> Int {
        let wanted = Int(min(Int64(most), extent.end - offset))
        if wanted <= 0 { return 0 }
        guard let ready = source.readyBytes(at: offset, most: wanted) else { throw .notThereYet("") }
        if ready == 0 { extent.end = offset }
        return min(wanted, ready)
    }

    private func forget() {
        held = []
        heldStart = 0
        believed = 0
        needsMore = false
    }

    /// What follows is frames as a rule: read to where it is wanted, and looked at there.
    private func readThrough(_ room: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
        let wanted = try ready(min(room.count, FrameStream.pieceBytes))
        let part = UnsafeMutableRawBufferPointer(rebasing: room[..<wanted])
        givenFrom = offset - extent.start
        let count = wanted > 0 ? try source.read(into: part, at: offset) : 0
        note(count, wanted)
        var passed = 0
        while passed < count {
            let window = UnsafeRawBufferPointer(rebasing: part[passed..<count])
            let verdict = gate.look(window, isEnd: offset >= extent.end)
            guard case .pass(let bytes) = verdict else {
                held = Array(window)
                decide(verdict)
                break
            }
            noteNewKind(at: passed)
            passed += bytes
        }
        if count == 0 { isAtEnd = true }
        givenBytes += Int64(passed)
        return passed
    }

    private func readMore() throws(SourceError) {
        let wanted = try ready(FrameStream.pieceBytes)
        needsMore = false
        if wanted <= 0 { return }
        let more = try source.bytes(at: offset, count: wanted)
        held.removeFirst(heldStart)
        heldStart = 0
        if held.isEmpty { held = more } else { held += more }
        note(more.count, wanted)
    }

    private func note(_ count: Int, _ wanted: Int) {
        offset += Int64(count)
        // Shorter than it was: what is there is played.
        if count < wanted { extent.end = offset }
    }

    /// Has the gate look at what is held until it passes something or needs more.
    /// - Parameter seen: what it has said of that already.
    private func decide(_ seen: FrameGate.Verdict? = nil) {
        var seen = seen
        while true {
            let isEnd = offset >= extent.end
            let verdict =
                seen
                ?? held.withUnsafeBytes {
                    gate.look(UnsafeRawBufferPointer(rebasing: $0[(heldStart + believed)...]), isEnd: isEnd)
                }
            seen = nil
            switch verdict {
            case .pass(let bytes):
                if firstFrameOffset == nil { firstFrameOffset = offset - Int64(heldBytes) - extent.start }
                believed += bytes
                return
            case .skip(let bytes), .skipTag(let bytes):
                if case .skip = verdict, firstFrameOffset != nil { hasGap = true }
                if bytes <= Int64(heldBytes) {
                    heldStart += Int(bytes)
                } else {
                    offset = min(extent.end, offset.addingSaturated(bytes) - Int64(heldBytes))
                    forget()
                }
                if heldBytes == 0 {
                    forget()
                    if offset >= extent.end { isAtEnd = true }
                    return
                }
            case .needsMore:
                needsMore = true
                if isEnd { isAtEnd = true }
                return
            case .end:
                forget()
                isAtEnd = true
                return
            }
        }
    }

    private func noteNewKind(at place: Int) {
        if gate.hasNewKind { givenChanges.append(place) }
        gate.hasNewKind = false
    }

    private func giveOut(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(believed, buffer.count)
        if count == 0 { return 0 }
        givenFrom = offset - Int64(heldBytes) - extent.start
        if hasGap {
            // One byte of it stays: by that the decoder knows that what comes does not go on from what it had.
            hasGap = false
            gate.hasNewKind = false
            givenChanges = [0]
            buffer[0] = 0
            givenFrom -= 1
            givenBytes += 1
            return 1
        }
        noteNewKind(at: 0)
        held.withUnsafeBytes {
            buffer.baseAddress!.copyMemory(from: $0.baseAddress! + heldStart, byteCount: count)
        }
        heldStart += count
        believed -= count
        givenBytes += Int64(count)
        if heldBytes == 0 { forget() }
        if believed == 0 && heldBytes == 0 && offset >= extent.end { isAtEnd = true }
        return count
    }
}
