/// The part of the current item's transcript around the place that is being heard.
public struct TranscriptDescription: Sendable {
    public struct Segment: Sendable {
        /// Counted from 0 over the whole transcript.
        public var index: Int
        public var startMilliseconds: Int
        public var endMilliseconds: Int
        public var text: String

        public init(index: Int, startMilliseconds: Int, endMilliseconds: Int, text: String) {
            self.index = index
            self.startMilliseconds = startMilliseconds
            self.endMilliseconds = endMilliseconds
            self.text = text
        }
    }

    /// Segments in the whole transcript.
    public var count: Int
    /// The index of the segment being spoken; nil before the first, after the last and in gaps.
    public var currentIndex: Int?
    /// In order of time.
    public var segments: [Segment]

    public init(count: Int, currentIndex: Int?, segments: [Segment]) {
        self.count = count
        self.currentIndex = currentIndex
        self.segments = segments
    }
}
