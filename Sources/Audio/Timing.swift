// SPDX-License-Identifier: Apache-2.0
/// The durations in the audio thread, each with its reason.
enum Timing {
    /// The fade-in and fade-out: short enough to feel immediate, long enough not to click.
    static var fadeMilliseconds: Int64 { @_noLocks @_noAllocation get { 5 } }
    /// The move from one volume to the next: the steps of a held button join into a slope.
    static var volumeMilliseconds: Int64 { @_noLocks @_noAllocation get { 20 } }
    /// The frames that a rewind leaves at the card, which may be fetching them.
    static var rewindMarginMilliseconds: Int64 { @_noLocks @_noAllocation get { 10 } }
    /// The fall of the playing sound when a voice begins…
    static var duckMilliseconds: Int64 { @_noLocks @_noAllocation get { 40 } }
    /// …and its smooth return.
    static var unduckMilliseconds: Int64 { @_noLocks @_noAllocation get { 300 } }
    /// The queue at which the card starts, and the amount to decode at once while it is short: more would delay the first sound.
    static var startMilliseconds: Int64 { @_noLocks @_noAllocation get { 50 } }
    /// The length below which the queue is short.
    static var shortQueueMilliseconds: Int64 { @_noLocks @_noAllocation get { 200 } }
    /// The silence after the last frames: longer than any card runs on until the thread stops it.
    static var silenceMilliseconds: Int64 { @_noLocks @_noAllocation get { 200 } }
    /// The most that a card holds beyond its report, in a FIFO or on USB. That much of the silence plays first.
    static var hiddenMilliseconds: Int64 { @_noLocks @_noAllocation get { 20 } }
    /// The queue of a card that cannot rewind, during volume changes. The next step is then audible within a tenth of a second, and nothing
    /// is dropped…
    static var shallowMilliseconds: Int64 { @_noLocks @_noAllocation get { 80 } }
    /// …until this long after the last step: a held button steps every 200 ms.
    static var shallowForMilliseconds: Int64 { @_noLocks @_noAllocation get { 1000 } }
    /// A gain that moves more slowly than this may start behind the queue.
    static var slowGainMilliseconds: Int64 { @_noLocks @_noAllocation get { 2000 } }
    /// The time of an answer from the card after which it counts as outdated: something interrupted the thread, or a plugin was busy.
    static var answerNanoseconds: Int64 { @_noLocks @_noAllocation get { 50_000 } }
    /// The number of slow answers after which the loop accepts one.
    static var answerTries: Int { @_noLocks @_noAllocation get { 4 } }
    /// The interval at which the loop compares the card's clock with the system's, since no two clocks agree for hours.
    static var pacingWindowMilliseconds: Int64 { @_noLocks @_noAllocation get { 10_000 } }
    /// The pause before the loop asks a deck again that found no frame, so that it never occupies the processor.
    static var searchMilliseconds: Int64 { @_noLocks @_noAllocation get { 10 } }
}
