// SPDX-License-Identifier: Apache-2.0
import Posix
import Realtime
import Synchronization

/// All that the audio thread and the control thread share. Lives as long as the process.
public struct AudioShared: ~Copyable {
    private static let mostRequests = 64

    /// The requests from control to the audio thread.
    public let requests = MessageRing<AudioRequest>(capacity: mostRequests)
    /// The events from the audio thread to control, which empties the ring whenever it runs. Until then the audio thread takes at most
    /// `mostRequests` requests. Each causes at most two released decks, one cut voice and one end.
    public let events = MessageRing<AudioEvent>(capacity: 4 * mostRequests + 8)
    /// True while control has requests that did not fit: the audio thread wakes it once there is room.
    let hasUnsent = Atomic<Bool>(false)
    /// Wakes the audio thread.
    public let wake: WakeSignal
    /// Wakes the control thread.
    let controlWake: UnsafeMutablePointer<WakeSignal>
    /// The heard state, written by the audio thread at the end of each round.
    public let heard = Published(HeardState())

    /// The number of underruns.
    public let underruns = Atomic<Int>(0)
    /// The number of the audio thread's returns from waiting.
    public let wakeUps = Atomic<Int>(0)
    /// The time to decode and write one period.
    let decodeTime = Histogram()
    /// The time from the card's expected call until the thread ran.
    let schedulingLatency = Histogram()
    /// The sound in ring and card whenever the card called, while there was more to come.
    let readAhead = Histogram()
    /// The time from a command to its audible effect.
    let commandToSilence = Histogram()
    let commandToSound = Histogram()
    /// The time of the first audible frame; 0 before, -1 if a command started it.
    let firstSound = Atomic<Int64>(0)

    public init(controlWake: UnsafeMutablePointer<WakeSignal>) throws(PosixError) {
        self.controlWake = controlWake
        wake = try WakeSignal()
    }

    /// Wakes control if it has requests that now fit. Audio thread.
    @_noLocks @_noAllocation
    borrowing func tellRoom() { if hasUnsent.load(ordering: .sequentiallyConsistent) { controlWake.pointee.signal() } }

    /// Sends an event to control and wakes it. Audio thread.
    @_noLocks @_noAllocation
    borrowing func tell(_ event: AudioEvent) {
        _ = events.send(event)
        controlWake.pointee.signal()
    }
}
