// SPDX-License-Identifier: Apache-2.0
import Realtime
import Synchronization

/// The audio thread's own counters, in memory that control reads.
struct Meters: BitwiseCopyable {
    private let shared: UnsafeMutablePointer<AudioShared>
    /// The time of the listener's request for the sound from `soundFrame` on, which is not at the card yet, in nanoseconds; 0 for none.
    private var soundAsked: Int64 = 0
    private var soundFrame: Int64 = 0

    init(_ shared: UnsafeMutablePointer<AudioShared>) { self.shared = shared }

    @_noLocks @_noAllocation
    func countWakeUp() {
        shared.pointee.wakeUps.store(shared.pointee.wakeUps.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    @_noLocks @_noAllocation
    func countUnderrun() {
        shared.pointee.underruns.store(shared.pointee.underruns.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    @_noLocks @_noAllocation
    func noteLatency(nanoseconds: Int64) { shared.pointee.schedulingLatency.record(nanoseconds: nanoseconds) }

    /// - Parameter periods: the number of periods decoded and written in that time.
    @_noLocks @_noAllocation
    func noteDecoding(nanoseconds: Int64, periods: Int64) {
        shared.pointee.decodeTime.record(nanoseconds: nanoseconds / max(1, periods))
    }

    @_noLocks @_noAllocation
    func noteReadAhead(nanoseconds: Int64) { shared.pointee.readAhead.record(nanoseconds: nanoseconds) }

    /// Records the listener's request for silence, which is audible at `heard`.
    @_noLocks @_noAllocation
    mutating func noteSilence(asked: Int64, heard: Int64) {
        if asked > 0 { shared.pointee.commandToSilence.record(nanoseconds: heard - asked) }
    }

    /// Records the listener's request for the sound from `frame` on. An earlier request without an audible answer shares this one.
    @_noLocks @_noAllocation
    mutating func expectSound(asked: Int64, at frame: Int64) {
        if soundAsked == 0 { soundAsked = asked }
        soundFrame = frame
    }

    @_noLocks @_noAllocation
    mutating func expectNoSound() { soundAsked = 0 }

    /// Renumbers the frames.
    @_noLocks @_noAllocation
    mutating func countAnew() { soundFrame = 0 }

    /// Returns the frame to measure by `noteSound`, if it lies before `cursor`.
    @_noLocks @_noAllocation
    func expectedFrame(before cursor: Int64) -> Int64? { soundFrame < cursor ? soundFrame : nil }

    /// Records that the expected frame is audible at `heard`.
    @_noLocks @_noAllocation
    mutating func noteSound(heard: Int64) {
        if soundAsked > 0 { shared.pointee.commandToSound.record(nanoseconds: heard - soundAsked) }
        if shared.pointee.firstSound.load(ordering: .relaxed) == 0 {
            shared.pointee.firstSound.store(soundAsked > 0 ? -1 : heard, ordering: .relaxed)
        }
        soundAsked = 0
        soundFrame = .max
    }
}
