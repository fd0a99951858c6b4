/// What is needed to begin anywhere in a stream without reading all that comes before, as bytes that only its own format
/// understands; and the stream's true length, which is found along with it.
public struct SeekTable: Equatable, Sendable {
    public let bytes: [UInt8]
    public let durationMilliseconds: Int

    /// - Parameter stored: bytes of a seek table of whatever format. Nil where they are damaged.
    public init?(stored: [UInt8]) {
        guard let index = FrameIndex(encoded: stored) else { return nil }
        bytes = stored
        durationMilliseconds = index.durationMilliseconds
    }

    public init(_ index: FrameIndex) {
        bytes = index.encoded()
        durationMilliseconds = index.durationMilliseconds
    }

    /// For MPEG.
    public var frameIndex: FrameIndex? { FrameIndex(encoded: bytes) }
}
