// SPDX-License-Identifier: Apache-2.0
import Audio
import Core
import Model
import Playback
import Posix
import Realtime

/// The player's figures for consoles; a test has its own.
public protocol PlayerFigures: AnyObject {
    var streamFormat: (rate: Int, channels: Int)? { get }
    var periodMicroseconds: Int { get }
    var ringFillBytes: (now: Int, least: Int, capacity: Int) { get }
    var counters: Counters { get }
}

extension Player: PlayerFigures {}

/// The machinery's figures since the program began, for consoles.
final class MachineryReport {
    private let figures: any PlayerFigures
    let scans: any ScanRequests
    /// The card's name in `outputs`.
    let outputName: String
    private let timers: any Timers
    private let startedAt: MonotonicTime

    init(_ figures: any PlayerFigures, _ scans: any ScanRequests, outputName: String, timers: any Timers) {
        self.figures = figures
        self.scans = scans
        self.outputName = outputName
        self.timers = timers
        startedAt = timers.now
    }

    private var upMilliseconds: Int64 { timers.now.milliseconds(since: startedAt) }

    var uptimeSeconds: Int64 { upMilliseconds / 1000 }

    var audioFormat: SpeakerStatus.AudioFormat? {
        figures.streamFormat.map { SpeakerStatus.AudioFormat(sampleRate: $0.rate, bits: 16, channels: $0.channels) }
    }

    /// The lines of `counters`, without those that the kernel does not provide.
    var counters: [StatusLine] {
        let counted = figures.counters
        let ring = figures.ringFillBytes
        func microseconds(_ nanoseconds: Int64) -> Int { Int(clamping: nanoseconds / 1000) }
        var lines = [
            StatusLine("xruns", counted.underruns),
            StatusLine("period_us", figures.periodMicroseconds),
            StatusLine("decode_us_p50", microseconds(counted.decodeTime.percentile(perMille: 500))),
            StatusLine("decode_us_p99", microseconds(counted.decodeTime.percentile(perMille: 990))),
            StatusLine("decode_us_max", microseconds(counted.decodeTime.maximum)),
        ]
        let wakeUps = Int64(ProcessFigures.wakeUps() ?? 0)
        lines.append(StatusLine("wakeups", Int(clamping: wakeUps)))
        if upMilliseconds > 0 {
            // In thousandths, the unit of `Seconds`.
            let perSecond = Int(clamping: wakeUps * 1_000_000 / upMilliseconds)
            lines.append(StatusLine("wakeups_per_second", Seconds.text(perSecond)))
        }
        lines += [
            StatusLine("ring_fill_bytes", ring.now),
            StatusLine("ring_fill_min_bytes", ring.least),
            StatusLine("ring_capacity_bytes", ring.capacity),
        ]
        for (name, kibibytes) in [("pss_kib", ProcessFigures.pssKiB()), ("locked_kib", ProcessFigures.lockedKiB())] {
            if let kibibytes { lines.append(StatusLine(name, Int(clamping: kibibytes))) }
        }
        lines.append(StatusLine("real_time", ProcessFigures.hasRealTimeThread() ? 1 : 0))
        return lines
    }

    /// A line for each histogram: its largest value, then its buckets. `nightstand profile` reads them.
    var histograms: [StatusLine] {
        let counted = figures.counters
        func line(_ name: String, _ counts: HistogramCounts) -> StatusLine {
            StatusLine(name, "\(counts.maximum)  " + counts.text)
        }
        return [
            line("decode", counted.decodeTime), line("scheduling", counted.schedulingLatency),
            line("read_ahead", counted.readAhead), line("silence", counted.commandToSilence),
            line("sound", counted.commandToSound),
            StatusLine("first_sound", "\(counted.firstSoundNanoseconds ?? 0)"),
        ]
    }
}
