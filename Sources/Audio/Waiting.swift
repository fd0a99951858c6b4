/// How the audio thread waits for its next round.
struct Waiting: BitwiseCopyable {
    /// -1 for as long as nobody calls.
    var milliseconds: Int32 = -1
    /// Whether the card may call.
    var includesCard = false

    @_noLocks @_noAllocation
    init() {}
}
