/// A figure that `nightstand profile` tells; its raw value is its key in a budget.
public enum ProfileFigure: String, CaseIterable, Sendable {
    case cpuPercent = "cpu_percent"
    case pssKiB = "pss_kib"
    case majorFaults = "major_faults"
    case wakeUpsPerSecond = "wakeups_per_second"
    case decodeP50 = "decode_p50_percent"
    case decodeP99 = "decode_p99_percent"
    case decodeMaximum = "decode_max_percent"
    case schedulingP99 = "scheduling_p99_us"
    case schedulingMaximum = "scheduling_max_us"
    case readAheadMinimum = "ring_fill_min_ms"
    case underruns = "underruns"
    case stateKiBPerHour = "state_kib_per_hour"
    case startToSound = "start_to_sound_ms"
    case silenceP50 = "silence_p50_ms"
    case silenceP99 = "silence_p99_ms"
    case soundP50 = "sound_p50_ms"
    case soundP99 = "sound_p99_ms"

    /// For people, and the unit that its number has.
    public var description: (label: String, unit: String) {
        switch self {
        case .cpuPercent: ("CPU share", "% of one core")
        case .pssKiB: ("memory, proportional (PSS)", "KiB")
        case .majorFaults: ("major faults", "")
        case .wakeUpsPerSecond: ("wake-ups, all threads", "a second")
        case .decodeP50: ("decode time, p50", "% of the period")
        case .decodeP99: ("decode time, p99", "% of the period")
        case .decodeMaximum: ("decode time, max", "% of the period")
        case .schedulingP99: ("audio thread late, p99", "us")
        case .schedulingMaximum: ("audio thread late, max", "us")
        case .readAheadMinimum: ("ring fill with queue, min", "ms of sound")
        case .underruns: ("underruns", "")
        case .stateKiBPerHour: ("written to disk", "KiB an hour")
        case .startToSound: ("start to first sound", "ms")
        case .silenceP50: ("button to silence, p50", "ms")
        case .silenceP99: ("button to silence, p99", "ms")
        case .soundP50: ("button to new sound, p50", "ms")
        case .soundP99: ("button to new sound, p99", "ms")
        }
    }

    /// The budget is the least that it may be; of all others the most.
    public var isFloor: Bool { self == .readAheadMinimum }
}
