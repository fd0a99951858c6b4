// SPDX-License-Identifier: Apache-2.0
/// The audio thread's wait for its next round.
struct Waiting: BitwiseCopyable {
    /// The timeout in milliseconds; -1 waits forever.
    var milliseconds: Int32 = -1
    /// True if the card may call.
    var includesCard = false

    @_noLocks @_noAllocation
    init() {}
}
