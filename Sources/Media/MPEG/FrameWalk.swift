/// Walks the frame headers of a stream part by part.
public final class FrameWalk: SeekTableMaking {
    private static let partBytes = 64 * 1024

    private let stream: FrameStream
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: FrameWalk.partBytes, alignment: 16)

    /// - Parameters:
    ///   - stream: of which nothing was read.
    ///   - step: every how many frames a place is noted; doubled whenever there are too many.
    public init(_ stream: FrameStream, every step: Int = 128) {
        self.stream = stream
        stream.noteFrames(every: step)
    }

    deinit { memory.deallocate() }

    /// One read and what it holds; true when there is no more.
    public func step() throws(MediaError) -> Bool {
        do throws(SourceError) {
            _ = try stream.next(into: memory)
            return stream.isAtEnd
        } catch { throw .source(error) }
    }

    private var tally: FrameTally { stream.gate.tally }

    /// The first frame's; nil before one was found.
    public var header: FrameHeader? { tally.first }
    /// What the encoder wrote about the stream.
    var infoTag: InfoTag? { tally.infoTag }
    /// How long all of it plays, where the encoder says so and nothing speaks against it.
    public var toldMilliseconds: Int? { tally.toldMilliseconds(audioBytes: stream.audioBytes) }

    /// Samples that the frames so far decode to, and their rate; 0 before one was found.
    public var samplesSoFar: Int64 { tally.decodedSamples }
    public var sampleRate: Int { header?.sampleRate ?? 0 }

    /// From the first frame counted to the end of the last.
    public var seenBytes: Int64 { stream.gate.seenBytes }
    /// As many frames make these.
    var seenFrames: Int64 { Int64(tally.frameCount) }
    /// All headers so far have had one bit rate.
    var isConstantRate: Bool { tally.isConstantRate }

    /// What was found, with the stream taken to end here; nil where there is no frame.
    public func index() -> FrameIndex? { stream.gate.index }
    public var table: SeekTable? { index().map { SeekTable($0) } }
}
