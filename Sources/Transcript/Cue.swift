/// A segment as it is stored: times in milliseconds and a range of the transcript's text, so that ten hours of speech
/// take one block of text and 24 bytes a line instead of ten thousand strings.
struct Cue {
    /// No audio is as long (500 hours), and twice that still fits in 32 bits as a difference computed in 64.
    static let latestMilliseconds = 1_800_000_000
    /// The end of a cue that does not state one.
    static let noEnd = Int.min

    private(set) var start32: Int32
    private(set) var end32: Int32
    private(set) var textStart: Int32
    private(set) var textEnd: Int32
    /// Not a number where unknown.
    var confidence: Double

    init(start: Int, end: Int, text: Range<Int>, confidence: Double? = nil) {
        start32 = Cue.clamped(start)
        end32 = end == Cue.noEnd ? Int32.min : Cue.clamped(end)
        textStart = Int32(clamping: text.lowerBound)
        textEnd = Int32(clamping: text.upperBound)
        self.confidence = confidence ?? .nan
    }

    var start: Int {
        get { Int(start32) }
        set { start32 = Cue.clamped(newValue) }
    }

    var end: Int {
        get { end32 == Int32.min ? Cue.noEnd : Int(end32) }
        set { end32 = Cue.clamped(newValue) }
    }

    var text: Range<Int> {
        get { Int(textStart)..<Int(textEnd) }
        set {
            textStart = Int32(clamping: newValue.lowerBound)
            textEnd = Int32(clamping: newValue.upperBound)
        }
    }

    /// A time that sums and differences may be made of in 64 bits.
    static func held(_ milliseconds: Int) -> Int {
        max(-latestMilliseconds, min(milliseconds, latestMilliseconds))
    }

    private static func clamped(_ milliseconds: Int) -> Int32 { Int32(held(milliseconds)) }
}
