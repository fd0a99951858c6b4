/// How the machinery is doing, as the `counters` command tells it.
public struct CountersDescription: Sendable {
    /// Times that the sound hardware ran dry since start.
    public var underruns = 0
    /// Length of one period of sound.
    public var periodMicroseconds = 0
    /// Time that decoding one period took: half of all periods at most this, 99 of 100, and the longest.
    public var decodeMicrosecondsMedian = 0
    public var decodeMicrosecondsP99 = 0
    public var decodeMicrosecondsMaximum = 0
    /// Context switches of all threads during `measuredMilliseconds`.
    public var wakeUps = 0
    public var measuredMilliseconds: Int64 = 0
    /// Compressed bytes read ahead: now, at worst, and at most.
    public var ringFillBytes = 0
    public var ringFillMinimumBytes = 0
    public var ringCapacityBytes = 0
    /// Proportional set size in KiB; nil where the kernel does not tell.
    public var pssKiB: Int?
    /// The name of the board's start; nil if nobody tells it.
    public var boot: String?
    public var isClockKnown = false
    /// True if the audio thread runs under SCHED_FIFO.
    public var isRealTime = false
    /// Locked memory in KiB; nil if the kernel does not tell it.
    public var lockedKiB: Int?
    /// Whole lines for `counters raw`, which `nightstand profile` asks for.
    public var raw = ""

    public init() {}
}
