// SPDX-License-Identifier: Apache-2.0
import Posix
import Realtime
import Synchronization

/// All that the audio thread and the control thread share. Lives as long as the process.
public struct AudioShared: ~Copyable {
    private static let mostRequests = 64

    /// Control to audio.
    public let requests = MessageRing<AudioRequest>(capacity: mostRequests)
    /// Audio to control. Control empties it whenever it runs. Between two turns of control the audio thread takes at most `mostRequests`
    /// requests, and each brings about at most two released decks, one cut voice and one end.
    public let events = MessageRing<AudioEvent>(capacity: 4 * mostRequests + 8)
    /// Control keeps requests that found no room: the audio thread wakes it once there is some.
    let hasUnsent = Atomic<Bool>(false)
    /// Wakes the audio thread.
    public let wake: WakeSignal
    /// Wakes the control thread.
    let controlWake: UnsafeMutablePointer<WakeSignal>
    /// Written by the audio thread at the end of each round.
    public let heard = Published(HeardState())

    /// Times that the card ran dry.
    public let underruns = Atomic<Int>(0)
    /// Times that the audio thread came back from waiting.
    public let wakeUps = Atomic<Int>(0)
    /// Time to decode and hand over one period.
    let decodeTime = Histogram()
    /// From when the card was to call until this thread ran.
    let schedulingLatency = Histogram()
    /// Sound in ring and card whenever the card called, while there was more to come.
    let readAhead = Histogram()
    /// From a command to what it brought about, at the ear.
    let commandToSilence = Histogram()
    let commandToSound = Histogram()
    /// When the first frame was at the ear; 0 before, -1 where a command began it.
    let firstSound = Atomic<Int64>(0)

    public init(controlWake: UnsafeMutablePointer<WakeSignal>) throws(PosixError) {
        self.controlWake = controlWake
        wake = try WakeSignal()
    }

    /// Wakes control where it keeps requests for which there is room now. Audio thread.
    @_noLocks @_noAllocation
    borrowing func tellRoom() { if hasUnsent.load(ordering: .sequentiallyConsistent) { controlWake.pointee.signal() } }

    /// Audio thread.
    @_noLocks @_noAllocation
    borrowing func tell(_ event: AudioEvent) {
        _ = events.send(event)
        controlWake.pointee.signal()
    }
}
