import Posix
import Realtime
import Synchronization

/// All that the audio thread and the control thread share. Lives as long as the process.
struct AudioShared: ~Copyable {
    /// Control to audio.
    let commands = MessageRing(capacity: 64)
    /// Audio to control.
    let events = MessageRing(capacity: 64)
    /// Wakes the audio thread.
    let wake: WakeSignal
    /// Wakes the control thread.
    let controlWake: UnsafeMutablePointer<WakeSignal>
    /// Written by the audio thread at the end of each round; `HeardPosition` reads it.
    let snapshot = Snapshot()

    /// Times that the card ran dry.
    let underruns = Atomic<Int>(0)
    /// Times that the audio thread came back from waiting.
    let wakeUps = Atomic<Int>(0)
    /// Frames queued at the card when it was least, since playing began; -1 before.
    let leastQueuedFrames = Atomic<Int>(-1)
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

    init(controlWake: UnsafeMutablePointer<WakeSignal>) throws(PosixError) {
        self.controlWake = controlWake
        wake = try WakeSignal()
    }
}

/// What is heard, as the audio thread saw it at one moment.
struct HeardPosition {
    /// When it was so.
    var time: MonotonicTime
    /// Which deck is heard; 0 for none.
    var token: Int
    /// Gapless sample of that deck's stream, and its rate in Hz.
    var sample: Int64
    var rate: Int
    /// The card is moving, so the position goes on with the clock…
    var isAdvancing: Bool
    /// …until this much has been played from `time` on, in nanoseconds; then it stands.
    var queuedNanoseconds: Int64
    /// The deck heard next and how long from `time` until it is heard; 0 where nothing else is queued.
    var nextToken: Int
    var nextSample: Int64
    var nanosecondsUntilNext: Int64

    init(_ snapshot: borrowing Snapshot) {
        let words = snapshot.read()
        time = MonotonicTime(nanoseconds: words[0])
        token = Int(words[1])
        sample = words[2]
        rate = Int(words[3])
        isAdvancing = words[4] != 0
        queuedNanoseconds = words[5]
        nextToken = Int(words[6])
        nextSample = words[7]
        nanosecondsUntilNext = words[8]
    }

    /// Which deck is heard at `now` and at which millisecond of its stream.
    func at(_ now: MonotonicTime) -> (token: Int, milliseconds: Int) {
        if rate == 0 { return (token, 0) }
        var elapsed = isAdvancing ? min(max(0, now.nanoseconds - time.nanoseconds), queuedNanoseconds) : 0
        var token = token
        var start = sample
        if nextToken != 0 && elapsed >= nanosecondsUntilNext {
            token = nextToken
            start = nextSample
            elapsed -= nanosecondsUntilNext
        }
        return (token, Int(clamping: start * 1000 / Int64(rate) + elapsed / 1_000_000))
    }
}
