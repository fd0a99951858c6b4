/// Lengths of time that the audio thread goes by, each with its reason.
enum Timing {
    /// A rise from or a fall to silence: short enough to be at once, long enough not to click.
    static var fadeMilliseconds: Int64 { @_noLocks @_noAllocation get { 5 } }
    /// From one volume to the next: the steps of a held button join into a slope.
    static var volumeMilliseconds: Int64 { @_noLocks @_noAllocation get { 20 } }
    /// What a card may be fetching at this very moment is left to it when its queue is taken back.
    static var rewindMarginMilliseconds: Int64 { @_noLocks @_noAllocation get { 10 } }
    /// What plays goes lower so fast where something is said…
    static var duckMilliseconds: Int64 { @_noLocks @_noAllocation get { 40 } }
    /// …and comes back without a jolt.
    static var unduckMilliseconds: Int64 { @_noLocks @_noAllocation get { 300 } }
    /// Enough to start the card with, and what is decoded at once while the queue is short: more would make a person wait.
    static var startMilliseconds: Int64 { @_noLocks @_noAllocation get { 50 } }
    /// Below this the queue is short.
    static var shortQueueMilliseconds: Int64 { @_noLocks @_noAllocation get { 200 } }
    /// Written behind the last frames: longer than any card goes on after them until the thread stops it.
    static var silenceMilliseconds: Int64 { @_noLocks @_noAllocation get { 200 } }
    /// A card may hold a little more than it tells, in a FIFO or on its way over USB: that much of the silence is played.
    static var hiddenMilliseconds: Int64 { @_noLocks @_noAllocation get { 20 } }
    /// A card that cannot be rewound gets no more than this ahead while the volume is being changed, so that the next step is heard
    /// within a tenth of a second without dropping anything…
    static var shallowMilliseconds: Int64 { @_noLocks @_noAllocation get { 80 } }
    /// …and is filled again this long after the last step: a held button steps every 200 ms.
    static var shallowForMilliseconds: Int64 { @_noLocks @_noAllocation get { 1000 } }
    /// A gain that takes longer than this to move may begin to behind what is queued.
    static var slowGainMilliseconds: Int64 { @_noLocks @_noAllocation get { 2000 } }
    /// An answer of the card that took longer is old: something came between, or a plugin had work to do.
    static var answerNanoseconds: Int64 { @_noLocks @_noAllocation get { 50_000 } }
    /// A card that always takes long is believed in the end.
    static var answerTries: Int { @_noLocks @_noAllocation get { 4 } }
    /// A card's clock is compared with ours in windows of this length, since no two agree for hours.
    static var pacingWindowMilliseconds: Int64 { @_noLocks @_noAllocation get { 10_000 } }
    /// Until a deck that finds no frame in what it has is asked again: so it never takes the processor for itself.
    static var searchMilliseconds: Int64 { @_noLocks @_noAllocation get { 10 } }
}
