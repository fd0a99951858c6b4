import Posix
import Realtime
import Synchronization

/// All that the audio thread and the control thread share. Lives as long as the process.
public struct AudioShared: ~Copyable {
    /// Control to audio.
    public let requests = MessageRing<AudioRequest>(capacity: 64)
    /// Audio to control.
    public let events = MessageRing<AudioEvent>(capacity: 64)
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

    /// Audio thread.
    @_noLocks @_noAllocation
    borrowing func tell(_ event: AudioEvent) {
        // Control empties this ring whenever it is woken, and sends less than it holds in between.
        _ = events.send(event)
        controlWake.pointee.signal()
    }
}
