/// What is needed to begin anywhere in a stream without reading all that comes before, stored as bytes that only its own format
/// understands; and the stream's true length, which is found along with it.
public struct SeekTable: Equatable, Sendable {
    /// For MPEG. Taken apart once, and not again by each deck.
    public let frameIndex: FrameIndex

    public init(_ index: FrameIndex) { frameIndex = index }

    /// - Parameter stored: what `bytes` once gave. Nil where that is damaged.
    public init?(stored: [UInt8]) {
        guard let index = FrameIndex(encoded: stored) else { return nil }
        frameIndex = index
    }

    /// To be stored.
    public var bytes: [UInt8] { frameIndex.encoded() }

    public var durationMilliseconds: Int { frameIndex.durationMilliseconds }
}
