// SPDX-License-Identifier: Apache-2.0
/// Lengths of time that the audio thread goes by, each with its reason.
enum Timing {
    /// A rise from or a fall to silence: short enough to be at once, long enough not to click.
    static var fadeMilliseconds: Int64 { @_noLocks @_noAllocation get { 5 } }
    /// From one volume to the next: the steps of a held button join into a slope.
    static var volumeMilliseconds: Int64 { @_noLocks @_noAllocation get { 20 } }
    /// A rewind leaves the card the frames that it may be fetching at this moment.
    static var rewindMarginMilliseconds: Int64 { @_noLocks @_noAllocation get { 10 } }
    /// The fall of the playing sound when a voice begins…
    static var duckMilliseconds: Int64 { @_noLocks @_noAllocation get { 40 } }
    /// …and comes back without a jolt.
    static var unduckMilliseconds: Int64 { @_noLocks @_noAllocation get { 300 } }
    /// Enough to start the card, and the amount decoded at once while the queue is short: more would make a person wait.
    static var startMilliseconds: Int64 { @_noLocks @_noAllocation get { 50 } }
    /// Below this the queue is short.
    static var shortQueueMilliseconds: Int64 { @_noLocks @_noAllocation get { 200 } }
    /// Written behind the last frames: longer than any card goes on after them until the thread stops it.
    static var silenceMilliseconds: Int64 { @_noLocks @_noAllocation get { 200 } }
    /// A card may hold a little more than it tells, in a FIFO or on its way over USB: so much of the silence plays first.
    static var hiddenMilliseconds: Int64 { @_noLocks @_noAllocation get { 20 } }
    /// The queue of a card that cannot rewind, while the volume changes, so that the next step is audible within a tenth of a second
    /// without dropping anything…
    static var shallowMilliseconds: Int64 { @_noLocks @_noAllocation get { 80 } }
    /// …until this long after the last step: a held button steps every 200 ms.
    static var shallowForMilliseconds: Int64 { @_noLocks @_noAllocation get { 1000 } }
    /// A gain that moves more slowly than this may start behind the queue.
    static var slowGainMilliseconds: Int64 { @_noLocks @_noAllocation get { 2000 } }
    /// An answer of the card that took longer is old: something came between, or a plugin had work to do.
    static var answerNanoseconds: Int64 { @_noLocks @_noAllocation get { 50_000 } }
    /// After so many slow answers the loop believes the card.
    static var answerTries: Int { @_noLocks @_noAllocation get { 4 } }
    /// The windows in which the loop compares the card's clock with the system's, since no two agree for hours.
    static var pacingWindowMilliseconds: Int64 { @_noLocks @_noAllocation get { 10_000 } }
    /// The pause before the loop asks a deck again that found no frame: so it never takes the processor for itself.
    static var searchMilliseconds: Int64 { @_noLocks @_noAllocation get { 10 } }
}
