/// Walks the frame headers of a stream part by part.
public final class FrameWalk {
    private static let partBytes = 64 * 1024

    private let stream: FrameStream
    private var walker = FrameWalker()
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: FrameWalk.partBytes, alignment: 16)

    public init(_ stream: FrameStream) { self.stream = stream }

    deinit { memory.deallocate() }

    /// One read and what it holds; false when there is no more.
    public func step() throws(MediaError) -> Bool {
        do throws(SourceError) {
            let count = try stream.next(into: memory)
            if count > 0 {
                walker.skip(to: stream.givenFrom)
                walker.consume(UnsafeRawBufferPointer(rebasing: memory[..<count]))
            }
            return !stream.isAtEnd
        } catch { throw .source(error) }
    }

    /// What the beginning tells of the stream; nil before a frame was found.
    public var header: StreamHeader? { StreamHeader(walker, audioBytes: stream.audioBytes) }

    /// Samples that the frames so far decode to, and their rate.
    public var samplesSoFar: Int64 { walker.samplesSoFar }
    public var sampleRate: Int { walker.sampleRate }

    /// From the first frame counted to the end of the last.
    public var seenBytes: Int64 { walker.spanBytes }
    /// As many frames make these.
    var seenFrames: Int64 { Int64(walker.frames) }
    /// All headers so far have had one bit rate.
    var isConstantRate: Bool { walker.isConstantRate }

    /// What was found, with the stream taken to end here; nil where there is no frame.
    public func index() -> FrameIndex? { walker.finish() }
}
