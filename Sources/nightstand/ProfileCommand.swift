import CPosix
import Configuration
import Console
import Playback
import Posix
import Realtime

/// What the audio thread keeps a histogram of; the raw value is its name in `counters raw`.
enum Measure: String, CaseIterable {
    case decodeTime = "decode"
    case schedulingLatency = "scheduling"
    case readAhead = "read_ahead"
    case commandToSilence = "silence"
    case commandToSound = "sound"

    func counts(in counters: Counters) -> HistogramCounts {
        switch self {
        case .decodeTime: counters.decodeTime
        case .schedulingLatency: counters.schedulingLatency
        case .readAhead: counters.readAhead
        case .commandToSilence: counters.commandToSilence
        case .commandToSound: counters.commandToSound
        }
    }
}

/// `nightstand profile`: looks at a running speaker from outside, at the beginning and the end of some seconds, and tells what these
/// cost, one figure a line. The speaker is not disturbed in between.
struct ProfileCommand {
    /// A figure, in thousandths of its unit, or why there is none.
    private enum Value {
        case measured(Int)
        /// Nothing happened that could have been measured.
        case none(String)
        /// It could not be looked at.
        case refused(String)
    }

    /// One look at the speaker.
    private struct Sample {
        var time = MonotonicTime.now
        var answer: [(name: String, value: String)] = []
        var status: ProcessFigures.Status?
        var wakeUps: Int?
        var writtenBytes: Int?
        var pssKiB: Int?

        func number(_ name: String) -> Int { answer.first { $0.name == name }.flatMap { Int($0.value) } ?? 0 }

        func counts(_ measure: Measure) -> HistogramCounts? {
            let text = answer.first { $0.name == measure.rawValue }?.value ?? ""
            return HistogramCounts(text: text, maximum: number(measure.rawValue + "_max"))
        }

        /// What the kernel tells.
        mutating func look(at process: String) {
            time = .now
            status = ProcessFigures.Status(of: process)
            wakeUps = ProcessFigures.wakeUps(of: process)
            writtenBytes = ProcessFigures.writtenBytes(of: process)
            pssKiB = ProcessFigures.pssKiB(of: process)
        }
    }

    private let process: String
    private let before: Sample
    private let after: Sample

    /// Returns the exit code: 0, 1 where a figure is over its budget, 2 where it could not be measured.
    static func run(socketPath: String, seconds: Int, budgetPath: String?) -> Int32 {
        var budget: Budget?
        do throws(ConfigurationError) {
            if let budgetPath { budget = try Budget.load(path: budgetPath) }
        } catch {
            Log.error(error.message)
            return 2
        }
        do throws(PosixError) {
            return try ProfileCommand(socketPath: socketPath, seconds: seconds).tell(budget)
        } catch {
            if error.code == ENOENT || error.code == ECONNREFUSED {
                Log.error("no speaker is running (nobody answers at \(socketPath)); start it, or name its --socket")
            } else {
                Log.error(error.message)
            }
            return 2
        }
    }

    private init(socketPath: String, seconds: Int) throws(PosixError) {
        let speaker = try SpeakerQuery(socketPath: socketPath)
        process = "\(speaker.process)"
        // Outermost the answers, which cost the speaker something, innermost what the kernel counts.
        var first = Sample()
        first.answer = try speaker.fields("counters raw")
        first.look(at: process)
        if !speaker.wait(milliseconds: seconds * 1000) {
            throw PosixError(code: ECONNRESET, operation: "the speaker ended before the \(seconds) s were over")
        }
        var last = Sample()
        last.look(at: process)
        last.answer = try speaker.fields("counters raw")
        (before, after) = (first, last)
    }

    private func tell(_ budget: Budget?) -> Int32 {
        var lines = ""
        var over: [String] = []
        var unknown: [String] = []
        for figure in ProfileFigure.allCases {
            let (label, unit) = figure.description
            let bound = budget?.bound(of: figure)
            var line = padded(label, 28)
            switch value(of: figure) {
            case .measured(let thousandths):
                var told = decimal(thousandths) + (unit.isEmpty ? "" : " " + unit)
                line += told
                if let bound {
                    let most = (figure.isFloor ? "at least " : "at most ") + decimal(bound.thousandths)
                    line = padded(line, 52) + most
                    if figure.isFloor ? thousandths < bound.thousandths : thousandths > bound.thousandths {
                        line += "  OVER"
                        told += ", \(most) (\(budget?.file ?? ""):\(bound.line))"
                        over.append("\(label) is \(told)")
                    }
                }
            case .none(let reason): line += reason
            case .refused(let reason):
                line += "not measured: " + reason
                if bound != nil { unknown.append("\(label) has a budget and could not be measured: \(reason)") }
            }
            lines += line + "\n"
        }
        lines.withUTF8 { bytes in _ = write(1, bytes.baseAddress, bytes.count) }
        for line in over { Log.error("over budget: " + line) }
        for line in unknown { Log.error(line) }
        return over.isEmpty ? unknown.isEmpty ? 0 : 2 : 1
    }

    // MARK: Figures

    private func value(of figure: ProfileFigure) -> Value {
        let milliseconds = max(1, after.time.milliseconds(since: before.time))
        switch figure {
        case .cpuPercent:
            guard let from = before.status, let to = after.status else { return hidden }
            return .measured((to.processorTime - from.processorTime) / 10 / milliseconds)
        case .pssKiB:
            // The speaker may always look at itself.
            if let pss = after.pssKiB { return .measured(pss * 1000) }
            let told = after.number("pss_kib")
            return told > 0 ? .measured(told * 1000) : .refused("this kernel does not tell it")
        case .majorFaults:
            guard let from = before.status, let to = after.status else { return hidden }
            return .measured((to.majorFaults - from.majorFaults) * 1000)
        case .wakeUpsPerSecond:
            guard let from = before.wakeUps, let to = after.wakeUps else { return hidden }
            return .measured((to - from) * 1_000_000 / milliseconds)
        case .decodeP50: return decodeShare(perMille: 500)
        case .decodeP99: return decodeShare(perMille: 990)
        case .decodeMaximum: return decodeShare(perMille: 1000)
        case .schedulingP99: return percentile(.schedulingLatency, 990, "not playing")
        case .schedulingMaximum: return percentile(.schedulingLatency, 1000, "not playing")
        case .readAheadMinimum:
            guard let counts = counts(.readAhead), counts.count > 0 else { return .none("not playing") }
            return .measured(counts.least / 1000)
        case .underruns: return .measured((after.number("xruns") - before.number("xruns")) * 1000)
        case .stateKiBPerHour:
            guard let from = before.writtenBytes, let to = after.writtenBytes else {
                return .refused("/proc/\(process)/io is read by the speaker's own user and by root; sudo helps")
            }
            // Whole KiB.
            return .measured((to - from) * 3_600_000 / milliseconds / 1024 * 1000)
        case .startToSound:
            guard let status = after.status else { return hidden }
            let first = after.number("first_sound")
            if first <= 0 { return .none("did not begin to play by itself") }
            return .measured((first - status.startNanoseconds) / 1000)
        case .silenceP50: return percentile(.commandToSilence, 500, "none pressed")
        case .silenceP99: return percentile(.commandToSilence, 990, "none pressed")
        case .soundP50: return percentile(.commandToSound, 500, "none pressed")
        case .soundP99: return percentile(.commandToSound, 990, "none pressed")
        }
    }

    private var hidden: Value {
        .refused("/proc/\(process) is hidden; as the speaker's own user or as root it is not")
    }

    /// What was recorded in between.
    private func counts(_ measure: Measure) -> HistogramCounts? {
        guard let from = before.counts(measure), let to = after.counts(measure) else { return nil }
        return to.since(from)
    }

    /// Nanoseconds, told in milliseconds or, of the scheduler's, in microseconds.
    private func percentile(_ measure: Measure, _ perMille: Int, _ reason: String) -> Value {
        guard let counts = counts(measure), counts.count > 0 else { return .none(reason) }
        let nanoseconds = counts.percentile(perMille: perMille)
        return .measured(measure == .schedulingLatency ? nanoseconds : nanoseconds / 1000)
    }

    private func decodeShare(perMille: Int) -> Value {
        let period = after.number("period_us")
        guard period > 0, let counts = counts(.decodeTime), counts.count > 0 else { return .none("not playing") }
        return .measured(counts.percentile(perMille: perMille) * 100 / period)
    }

    // MARK: Writing

    /// As many digits as mean something: "0.42", "37.5", "2310".
    private func decimal(_ thousandths: Int) -> String {
        let whole = thousandths / 1000
        if thousandths % 1000 == 0 || whole >= 100 { return "\(whole)" }
        if whole >= 10 { return "\(whole).\(thousandths % 1000 / 100)" }
        let hundredths = thousandths % 1000 / 10
        return "\(whole)." + (hundredths < 10 ? "0" : "") + "\(hundredths)"
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.utf8.count))
    }
}
