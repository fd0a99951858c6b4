// SPDX-License-Identifier: Apache-2.0
import Realtime
import Synchronization

/// The audio thread's counters since the start. Durations are nanoseconds.
public struct Counters {
    /// Times that the card ran dry.
    public let underruns: Int
    /// To decode one period and hand it to the card.
    public let decodeTime: HistogramCounts
    /// From when the card was to call the audio thread until it ran.
    public let schedulingLatency: HistogramCounts
    /// The playing time left if the disk gave no further byte.
    public let readAhead: HistogramCounts
    /// From a command until silence, and until other sound, was at the ear.
    public let commandToSilence: HistogramCounts
    public let commandToSound: HistogramCounts
    /// When the first frame was at the ear (CLOCK_MONOTONIC); nil before, and where a command began it.
    public let firstSoundNanoseconds: Int64?

    public init(_ shared: UnsafeMutablePointer<AudioShared>) {
        underruns = shared.pointee.underruns.load(ordering: .relaxed)
        decodeTime = shared.pointee.decodeTime.counts()
        schedulingLatency = shared.pointee.schedulingLatency.counts()
        readAhead = shared.pointee.readAhead.counts()
        commandToSilence = shared.pointee.commandToSilence.counts()
        commandToSound = shared.pointee.commandToSound.counts()
        let first = shared.pointee.firstSound.load(ordering: .relaxed)
        firstSoundNanoseconds = first > 0 ? first : nil
    }
}
