// SPDX-License-Identifier: Apache-2.0
import Core

/// Reads the frames of a stream from any source, or only walks over them, without tags, pictures and garbage. Its memory is bounded for any
/// stream. One thread at a time.
public final class FrameStream: SeekTableMaking {
    private static let pieceBytes = 32 * 1024
    /// The distance of recorded frames in a walk.
    static let walkStep = 128

    private let source: any ByteSource
    /// The part of the file that may hold frames.
    private var extent: AudioExtent
    private var gate = FrameGate()
    /// The file offset of the next byte to read.
    private var offset: Int64
    /// The bytes read but not returned yet, from `heldStart` on. The first `believed` of them belong to frames.
    private var held: [UInt8] = []
    private var heldStart = 0
    private var believed = 0
    /// True if garbage was skipped since bytes were last returned.
    private var hasGap = false
    /// True if the gate needs more bytes.
    private var needsMore = false
    /// True if nothing more can be read or returned.
    public private(set) var isAtEnd = false
    /// The number of bytes returned so far.
    public private(set) var givenBytes: Int64 = 0
    /// The offset, from the start of the audio, of the bytes that `next` returned last.
    public private(set) var givenFrom: Int64 = 0
    /// The places in the last output of `next` at which a decoder may need new buffers, in order: at frames of another kind, and after a
    /// gap.
    public private(set) var givenChanges: [Int] = []
    /// The offset of the first frame from the start of the audio; nil until found.
    public private(set) var firstFrameOffset: Int64?

    /// Opens a stream. Throws `noAudio` for files that identify themselves as something else.
    /// - Parameter step: the distance of recorded frames, doubled whenever there are too many; 0 for none.
    public init(_ source: any ByteSource, notingEvery step: Int = 0) throws(MediaError) {
        self.source = source
        if step > 0 { gate.noteFrames(every: step) }
        extent = AudioExtent(of: source)
        offset = extent.start
        let head = try readBytes(source, at: extent.start, count: 32)
        if ForeignFormat.isCertain(head) { throw .noAudio }
    }

    /// Opens a source to walk over its frames; throws what opening it throws.
    public convenience init(walking source: MediaSource) throws(MediaError) {
        let opened: any ByteSource
        do throws(SourceError) { opened = try source.open() } catch { throw .source(error) }
        try self.init(opened, notingEvery: FrameStream.walkStep)
    }

    /// The length of the audio without tags.
    public var audioBytes: Int64 { extent.byteCount }
    /// The place of the audio in the file.
    public var audioExtent: AudioExtent { extent }

    /// Continues at another offset from the start of the audio, where a frame should begin.
    public func jump(to position: Int64) {
        offset = min(extent.end, extent.start.addingSaturated(max(0, position)))
        forget()
        hasGap = false
        gate.jump(to: offset - extent.start)
        isAtEnd = false
    }

    /// Reads at most once, and writes consecutive frames into the buffer. Returns the number of bytes, which is also 0 after skipping
    /// garbage.
    public func next(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
        givenChanges = []
        if buffer.isEmpty { return 0 }
        try findFrames()
        return giveOut(buffer)
    }

    /// Reads at most once, and walks over the frames. Returns true at the end.
    public func step() throws(MediaError) -> Bool {
        do throws(SourceError) { try findFrames() } catch { throw .source(error) }
        pass(believed)
        return isAtEnd
    }

    /// Reads and searches, unless some frames are found already.
    private func findFrames() throws(SourceError) {
        if believed > 0 || isAtEnd { return }
        if heldBytes == 0 || needsMore { try readMore() }
        decide()
    }

    private var heldBytes: Int { held.count - heldStart }

    /// True if something can be read, or the end is known to be here.
    public var isReady: Bool {
        believed > 0 || offset >= extent.end || source.readyBytes(at: offset, most: 1) != nil
    }

    /// Returns the number of following bytes that can be read now.
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
        // The source is shorter than stated: play what is there.
        if more.count < wanted { extent.end = offset }
    }

    /// Lets the gate examine the bytes until it passes some or needs more.
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
            // Insert one zero byte, which tells the decoder that the following frames do not continue the earlier ones.
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

    /// Removes returned bytes.
    private func pass(_ bytes: Int) {
        heldStart += bytes
        believed -= bytes
        if heldBytes > 0 { return }
        forget()
        if offset >= extent.end { isAtEnd = true }
    }

    // MARK: What was found

    private var tally: FrameTally { gate.tally }

    /// The header of the first frame; nil before it was found.
    public var header: FrameHeader? { tally.first }
    /// The encoder's tag about the stream.
    var infoTag: InfoTag? { tally.infoTag }
    /// The encoder's duration, unless something contradicts it.
    public var toldMilliseconds: Int? { tally.toldMilliseconds(audioBytes: audioBytes) }

    /// The number of samples in the frames so far, and their rate; 0 before a frame was found.
    public var samplesSoFar: Int64 { tally.decodedSamples }
    public var sampleRate: Int { header?.sampleRate ?? 0 }

    /// The number of bytes from the first counted frame to the end of the last.
    public var seenBytes: Int64 { gate.seenBytes }
    /// The number of frames in `seenBytes`.
    var seenFrames: Int64 { Int64(tally.frameCount) }
    /// True if all headers so far have the same bit rate.
    var isConstantRate: Bool { tally.isConstantRate }

    /// Returns the index of the frames so far, as if the stream ended here; nil without a frame, or without recording.
    public func index() -> FrameIndex? { gate.index }
    public var table: SeekTable? { index().map { SeekTable($0) } }
}
