import Audio
import Console
import Model
import Playback
import Posix
import Realtime

/// What consoles tell of the machinery that plays; a test puts its own here.
public protocol PlayerFigures: AnyObject {
    var streamFormat: (rate: Int, channels: Int)? { get }
    var periodMicroseconds: Int { get }
    var ringFillBytes: (now: Int, least: Int, capacity: Int) { get }
    var counters: Counters { get }
}

extension Player: PlayerFigures {}

/// The figures of the machinery since the program began, as consoles tell them.
final class MachineryReport {
    private let figures: any PlayerFigures
    private let timers: any Timers
    private let startedAt: MonotonicTime

    init(_ figures: any PlayerFigures, timers: any Timers) {
        self.figures = figures
        self.timers = timers
        startedAt = timers.now
    }

    private var upMilliseconds: Int64 { timers.now.milliseconds(since: startedAt) }

    var uptimeSeconds: Int64 { upMilliseconds / 1000 }

    var audioFormat: SpeakerStatus.AudioFormat? {
        figures.streamFormat.map { SpeakerStatus.AudioFormat(sampleRate: $0.rate, bits: 16, channels: $0.channels) }
    }

    var counters: CountersDescription {
        let counted = figures.counters
        let ring = figures.ringFillBytes
        var description = CountersDescription()
        description.underruns = counted.underruns
        description.periodMicroseconds = figures.periodMicroseconds
        description.decodeMicrosecondsMedian = Int(clamping: counted.decodeTime.percentile(perMille: 500) / 1000)
        description.decodeMicrosecondsP99 = Int(clamping: counted.decodeTime.percentile(perMille: 990) / 1000)
        description.decodeMicrosecondsMaximum = Int(clamping: counted.decodeTime.maximum / 1000)
        description.wakeUps = Int(clamping: ProcessFigures.wakeUps() ?? 0)
        description.measuredMilliseconds = upMilliseconds
        description.ringFillBytes = ring.now
        description.ringFillMinimumBytes = ring.least
        description.ringCapacityBytes = ring.capacity
        description.pssKiB = ProcessFigures.pssKiB().map { Int(clamping: $0) }
        description.lockedKiB = ProcessFigures.lockedKiB().map { Int(clamping: $0) }
        description.isRealTime = ProcessFigures.hasRealTimeThread()
        // The line of a histogram: its largest, then its buckets.
        let first = counted.firstSoundNanoseconds ?? 0
        description.raw =
            raw("decode", counted.decodeTime) + raw("scheduling", counted.schedulingLatency)
            + raw("read_ahead", counted.readAhead) + raw("silence", counted.commandToSilence)
            + raw("sound", counted.commandToSound) + "first_sound: \(first)\n"
        return description
    }

    private func raw(_ name: String, _ counts: HistogramCounts) -> String {
        name + ": \(counts.maximum)  " + counts.text + "\n"
    }
}
