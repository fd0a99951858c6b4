// SPDX-License-Identifier: Apache-2.0
/// A figure of `nightstand profile`.
public enum ProfileFigure: Int, CaseIterable, Sendable {
    case cpuShare, memory, majorFaults, wakeUps, decodeP50, decodeP99, decodeMaximum, schedulingP99, schedulingMaximum
    case readAheadMinimum, underruns, written, startToSound, silenceP50, silenceP99, soundP50, soundP99

    /// The figure's key in a budget, its name for people, and its unit.
    public var row: (key: String, label: String, unit: String) {
        switch self {
        case .cpuShare: ("cpu_percent", "CPU share", "% of one core")
        case .memory: ("pss_kib", "memory (PSS)", "KiB")
        case .majorFaults: ("major_faults", "major faults", "")
        case .wakeUps: ("wakeups_per_second", "wake-ups", "a second, all threads")
        case .decodeP50: ("decode_p50_percent", "decode time p50", "% of the period")
        case .decodeP99: ("decode_p99_percent", "decode time p99", "% of the period")
        case .decodeMaximum: ("decode_max_percent", "decode time max", "% of the period")
        case .schedulingP99: ("scheduling_p99_us", "scheduling latency p99", "us, audio thread")
        case .schedulingMaximum: ("scheduling_max_us", "scheduling latency max", "us, audio thread")
        case .readAheadMinimum: ("ring_fill_min_ms", "ring fill min", "ms of sound, with queue")
        case .underruns: ("underruns", "underruns", "")
        case .written: ("disk_kib_per_hour", "written to disk", "KiB an hour")
        case .startToSound: ("start_to_sound_ms", "start to first sound", "ms")
        case .silenceP50: ("silence_p50_ms", "button to silence p50", "ms")
        case .silenceP99: ("silence_p99_ms", "button to silence p99", "ms")
        case .soundP50: ("sound_p50_ms", "button to new sound p50", "ms")
        case .soundP99: ("sound_p99_ms", "button to new sound p99", "ms")
        }
    }

    /// True if its budget is a lower bound; those of all other figures are upper bounds.
    public var isFloor: Bool { self == .readAheadMinimum }
}
