// SPDX-License-Identifier: Apache-2.0
import Realtime
import Synchronization

/// The audio thread's counters since the start. Durations are nanoseconds.
public struct Counters {
    /// The number of underruns.
    public let underruns: Int
    /// The time to decode one period and write it to the card.
    public let decodeTime: HistogramCounts
    /// The time from the card's expected call until the audio thread ran.
    public let schedulingLatency: HistogramCounts
    /// The playing time left if the disk delivered no further byte.
    public let readAhead: HistogramCounts
    /// The time from a command until silence, or other sound, was audible.
    public let commandToSilence: HistogramCounts
    public let commandToSound: HistogramCounts
    /// The time of the first audible frame (CLOCK_MONOTONIC); nil before, or if a command started it.
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
