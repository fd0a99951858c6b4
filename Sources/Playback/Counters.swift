import Realtime
import Synchronization

/// What the audio thread counted since start.
public struct Counters {
    /// Times that the card ran dry.
    public let underruns: Int
    /// Times that the audio thread was woken.
    public let wakeUps: Int
    /// To decode one period and hand it to the card.
    public let decodeNanosecondsMedian: Int64
    public let decodeNanosecondsP99: Int64
    public let decodeNanosecondsMaximum: Int64
    /// Frames left at the card when it was woken latest; nil before it played.
    public let leastQueuedFrames: Int?

    init(_ shared: UnsafeMutablePointer<AudioShared>) {
        underruns = shared.pointee.underruns.load(ordering: .relaxed)
        wakeUps = shared.pointee.wakeUps.load(ordering: .relaxed)
        decodeNanosecondsMedian = shared.pointee.decodeTime.percentile(perMille: 500)
        decodeNanosecondsP99 = shared.pointee.decodeTime.percentile(perMille: 990)
        decodeNanosecondsMaximum = shared.pointee.decodeTime.maximum()
        let least = shared.pointee.leastQueuedFrames.load(ordering: .relaxed)
        leastQueuedFrames = least < 0 ? nil : least
    }
}
