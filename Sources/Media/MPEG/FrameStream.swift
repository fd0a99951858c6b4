// SPDX-License-Identifier: Apache-2.0
import Core

/// The frames of a stream, read from wherever it comes from and given out, or only walked over, without what is none: tags, pictures,
/// rubbish. Its memory is bounded for any stream. One thread at a time.
public final class FrameStream: SeekTableMaking {
    private static let pieceBytes = 32 * 1024
    /// The distance of noted places in a walk, in frames.
    static let walkStep = 128

    private let source: any ByteSource
    /// The part of the file that may hold frames.
    private var extent: AudioExtent
    private var gate = FrameGate()
    /// Offset in the file of the next byte to read.
    private var offset: Int64
    /// Read and not yet given out, from `heldStart` on; the first `believed` of them are of frames.
    private var held: [UInt8] = []
    private var heldStart = 0
    private var believed = 0
    /// Rubbish was passed over since bytes were given out latest.
    private var hasGap = false
    /// The gate needs more bytes than there are.
    private var needsMore = false
    /// Nothing is to be read or given out any more.
    public private(set) var isAtEnd = false
    /// Bytes given out so far.
    public private(set) var givenBytes: Int64 = 0
    /// Offset from the start of the audio of what `next` gave out latest.
    public private(set) var givenFrom: Int64 = 0
    /// The places in the last output of `next` at which a decoder may need new buffers: at frames of another kind, and behind a gap. In
    /// order.
    public private(set) var givenChanges: [Int] = []
    /// Offset from the start of the audio of the first frame; nil until it was found.
    public private(set) var firstFrameOffset: Int64?

    /// Throws `noAudio` for files that say at their start that they are something else.
    /// - Parameter step: every how many frames a place is noted, doubled whenever there are too many; 0 for never.
    public init(_ source: any ByteSource, notingEvery step: Int = 0) throws(MediaError) {
        self.source = source
        if step > 0 { gate.noteFrames(every: step) }
        extent = AudioExtent(of: source)
        offset = extent.start
        let head = try readBytes(source, at: extent.start, count: 32)
        if ForeignFormat.isCertain(head) { throw .noAudio }
    }

    /// Opens the source, with what that throws, to walk over its frames.
    public convenience init(walking source: MediaSource) throws(MediaError) {
        let opened: any ByteSource
        do throws(SourceError) { opened = try source.open() } catch { throw .source(error) }
        try self.init(opened, notingEvery: FrameStream.walkStep)
    }

    /// Length of the audio, tags left out.
    public var audioBytes: Int64 { extent.byteCount }
    /// The place of the audio in the file.
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
        if buffer.isEmpty { return 0 }
        try findFrames()
        return giveOut(buffer)
    }

    /// Reads once, at most, and passes over the frames in it; true when there is no more.
    public func step() throws(MediaError) -> Bool {
        do throws(SourceError) { try findFrames() } catch { throw .source(error) }
        pass(believed)
        return isAtEnd
    }

    /// Unless some are held.
    private func findFrames() throws(SourceError) {
        if believed > 0 || isAtEnd { return }
        if heldBytes == 0 || needsMore { try readMore() }
        decide()
    }

    private var heldBytes: Int { held.count - heldStart }

    /// Something can be read, or the end is known to be here.
    public var isReady: Bool {
        believed > 0 || offset >= extent.end || source.readyBytes(at: offset, most: 1) != nil
    }

    /// Returns the number of next bytes that can be read now.
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

    private func readMore() throws(SourceError) {
        let wanted = try ready(FrameStream.pieceBytes)
        needsMore = false
        if wanted <= 0 { return }
        let more = try source.bytes(at: offset, count: wanted)
        held.removeFirst(heldStart)
        heldStart = 0
        if held.isEmpty { held = more } else { held += more }
        offset += Int64(more.count)
        // Shorter than it was: the present part plays.
        if more.count < wanted { extent.end = offset }
    }

    /// Has the gate look at what is held until it passes something or needs more.
    private func decide() {
        while true {
            let isEnd = offset >= extent.end
            let verdict = held.withUnsafeBytes {
                gate.look(UnsafeRawBufferPointer(rebasing: $0[heldStart...]), isEnd: isEnd)
            }
            switch verdict {
            case .pass(let bytes):
                if firstFrameOffset == nil { firstFrameOffset = offset - Int64(heldBytes) - extent.start }
                believed = bytes
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
        if gate.hasNewKind { givenChanges.append(0) }
        gate.hasNewKind = false
        held.withUnsafeBytes {
            buffer.baseAddress!.copyMemory(from: $0.baseAddress! + heldStart, byteCount: count)
        }
        givenBytes += Int64(count)
        pass(count)
        return count
    }

    /// So many of the bytes that are believed have been used.
    private func pass(_ bytes: Int) {
        heldStart += bytes
        believed -= bytes
        if heldBytes > 0 { return }
        forget()
        if offset >= extent.end { isAtEnd = true }
    }

    // MARK: What was found

    private var tally: FrameTally { gate.tally }

    /// The first frame's; nil before one was found.
    public var header: FrameHeader? { tally.first }
    /// The encoder's facts about the stream.
    var infoTag: InfoTag? { tally.infoTag }
    /// The playing time by the encoder, unless something contradicts it.
    public var toldMilliseconds: Int? { tally.toldMilliseconds(audioBytes: audioBytes) }

    /// Samples that the frames so far decode to, and their rate; 0 before one was found.
    public var samplesSoFar: Int64 { tally.decodedSamples }
    public var sampleRate: Int { header?.sampleRate ?? 0 }

    /// From the first frame counted to the end of the last.
    public var seenBytes: Int64 { gate.seenBytes }
    /// As many frames make these.
    var seenFrames: Int64 { Int64(tally.frameCount) }
    /// All headers so far have had one bit rate.
    var isConstantRate: Bool { tally.isConstantRate }

    /// The frames found so far, as if the stream ended here; nil where there is no frame, or none was to be noted.
    public func index() -> FrameIndex? { gate.index }
    public var table: SeekTable? { index().map { SeekTable($0) } }
}
