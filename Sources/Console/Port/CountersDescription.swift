/// How the machinery is doing, as the `counters` command tells it.
public struct CountersDescription: Sendable {
    /// Times that the sound hardware ran dry since start.
    public var underruns: Int
    /// Length of one period of sound.
    public var periodMicroseconds: Int
    /// Time that decoding one period took: half of all periods at most this, 99 of 100, and the longest.
    public var decodeMicrosecondsMedian: Int
    public var decodeMicrosecondsP99: Int
    public var decodeMicrosecondsMaximum: Int
    /// Context switches of all threads during `measuredMilliseconds`.
    public var wakeUps: Int
    public var measuredMilliseconds: Int64
    /// Compressed bytes read ahead: now, at worst, and at most.
    public var ringFillBytes: Int
    public var ringFillMinimumBytes: Int
    public var ringCapacityBytes: Int
    /// Proportional set size in KiB; nil where the kernel does not tell.
    public var pssKiB: Int?
    /// Whole lines for `counters raw`, which `nightstand profile` asks for.
    public var raw = ""

    public init(
        underruns: Int = 0, periodMicroseconds: Int = 0, decodeMicrosecondsMedian: Int = 0,
        decodeMicrosecondsP99: Int = 0, decodeMicrosecondsMaximum: Int = 0, wakeUps: Int = 0,
        measuredMilliseconds: Int64 = 0, ringFillBytes: Int = 0, ringFillMinimumBytes: Int = 0,
        ringCapacityBytes: Int = 0, pssKiB: Int? = nil
    ) {
        self.underruns = underruns
        self.periodMicroseconds = periodMicroseconds
        self.decodeMicrosecondsMedian = decodeMicrosecondsMedian
        self.decodeMicrosecondsP99 = decodeMicrosecondsP99
        self.decodeMicrosecondsMaximum = decodeMicrosecondsMaximum
        self.wakeUps = wakeUps
        self.measuredMilliseconds = measuredMilliseconds
        self.ringFillBytes = ringFillBytes
        self.ringFillMinimumBytes = ringFillMinimumBytes
        self.ringCapacityBytes = ringCapacityBytes
        self.pssKiB = pssKiB
    }
}
