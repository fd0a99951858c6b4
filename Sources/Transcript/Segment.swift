/// One line of a transcript: what is said from `startMilliseconds` until just before `endMilliseconds`.
public struct Segment: Equatable, Sendable {
    /// On one line, without markup; the display wraps it.
    public var text: String
    public var startMilliseconds: Int
    /// At or before the start: not known.
    public var endMilliseconds: Int
    /// How sure the transcriber was, 0…1; nil if it does not say.
    public var confidence: Double?

    public init(text: String, startMilliseconds: Int, endMilliseconds: Int, confidence: Double? = nil) {
        self.text = text
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
        self.confidence = confidence
    }
}
