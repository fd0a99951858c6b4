import CPosix
import Configuration
import Console
import Posix
import Realtime

/// `nightstand profile`: looks at a running speaker from outside, at the beginning and the end of some seconds, and tells what these
/// cost, one figure a line. The speaker is not disturbed in between.
final class ProfileCommand {
    /// One look at the speaker.
    private struct Sample {
        var time = MonotonicTime.now
        var answer: [UInt8] = []
        var status: ProcessFigures.Status?
        var wakeUps: Int64?
        var writtenBytes: Int64?
        var pssKiB: Int64?

        func number(_ name: StaticString) -> Int64 { numbers(after: name, in: answer)?.first ?? 0 }

        func counts(_ name: StaticString) -> HistogramCounts {
            var numbers = numbers(after: name, in: answer) ?? []
            let maximum = numbers.isEmpty ? 0 : numbers.removeFirst()
            return HistogramCounts(numbers: numbers, maximum: maximum)
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
    private var before = Sample()
    private var after = Sample()
    /// Why the figure asked for last has no value.
    private var reason = ""
    /// Because it could not be looked at.
    private var isRefused = false

    /// Returns the exit code: 0, 1 where a figure is over its budget, 2 where it could not be measured.
    static func run(socketPath: String, seconds: Int, budgetPath: String?) -> Int32 {
        var budget: Budget?
        do throws(ConfigurationError) {
            if let budgetPath { budget = try Budget.load(path: budgetPath) }
        } catch {
            Log.error(error.message)
            return 2
        }
        guard let speaker = SpeakerQuery(socketPath: socketPath) else { return 2 }
        let profile = ProfileCommand(speaker)
        return profile.measure(speaker, seconds: seconds) ? profile.tell(budget) : 2
    }

    private init(_ speaker: SpeakerQuery) { process = "\(speaker.process)" }

    /// Outermost the answers, which cost the speaker something, innermost what the kernel counts.
    private func measure(_ speaker: SpeakerQuery, seconds: Int) -> Bool {
        guard let first = speaker.ask("counters raw") else { return false }
        before.answer = first
        before.look(at: process)
        if !speaker.wait(milliseconds: seconds * 1000) { return false }
        after.look(at: process)
        guard let last = speaker.ask("counters raw") else { return false }
        after.answer = last
        return true
    }

    private func tell(_ budget: Budget?) -> Int32 {
        var over: [String] = []
        var unknown: [String] = []
        for figure in ProfileFigure.allCases {
            let row = figure.row
            let bound = budget?.bound(of: figure)
            reason = ""
            isRefused = false
            var line = padded(row.label, 26)
            if let value = value(of: figure) {
                line = padded(line + decimal(value), 36) + row.unit
                if let bound {
                    line = padded(line, 60) + (figure.isFloor ? "at least " : "at most ") + decimal(bound.thousandths)
                    if figure.isFloor ? value < bound.thousandths : value > bound.thousandths { over.append(line) }
                }
            } else {
                line += reason
                if isRefused && bound != nil { unknown.append(line) }
            }
            say(line)
        }
        for line in over { Log.error("over budget: " + line) }
        for line in unknown { Log.error("cannot tell: " + line) }
        return over.isEmpty ? unknown.isEmpty ? 0 : 2 : 1
    }

    private func say(_ line: String) {
        var line = line + "\n"
        line.withUTF8 { bytes in _ = write(1, bytes.baseAddress, bytes.count) }
    }

    // MARK: Figures

    /// In thousandths of its unit; nil with a reason.
    private func value(of figure: ProfileFigure) -> Int64? {
        let milliseconds = max(1, after.time.milliseconds(since: before.time))
        switch figure {
        case .cpuShare:
            guard let (from, to) = statuses() else { return nil }
            return (to.processorTime - from.processorTime) / 10 / milliseconds
        case .memory:
            // The speaker may always look at itself.
            let pss = after.pssKiB ?? after.number("\npss_kib:")
            return pss > 0 ? pss * 1000 : refused("this kernel does not tell it")
        case .majorFaults:
            guard let (from, to) = statuses() else { return nil }
            return (to.majorFaults - from.majorFaults) * 1000
        case .wakeUps:
            guard let from = before.wakeUps, let to = after.wakeUps else { return hidden() }
            return (to - from) * 1_000_000 / milliseconds
        case .decodeP50: return decodeShare(500)
        case .decodeP99: return decodeShare(990)
        case .decodeMaximum: return decodeShare(1000)
        case .schedulingP99: return percentile("\nscheduling:", 990, "not playing")
        case .schedulingMaximum: return percentile("\nscheduling:", 1000, "not playing")
        case .readAheadMinimum:
            let counts = counts("\nread_ahead:")
            return counts.count > 0 ? counts.least / 1000 : nothing("not playing")
        case .underruns: return (after.number("xruns:") - before.number("xruns:")) * 1000
        case .written:
            guard let from = before.writtenBytes, let to = after.writtenBytes else {
                return refused("/proc/" + process + "/io is for the speaker's own user and for root")
            }
            // Whole KiB.
            return (to - from) * 3_600_000 / milliseconds / 1024 * 1000
        case .startToSound:
            guard let status = after.status else { return hidden() }
            let first = after.number("\nfirst_sound:")
            return first > 0 ? (first - status.startNanoseconds) / 1000 : nothing("did not begin to play by itself")
        case .silenceP50: return percentile("\nsilence:", 500, "none pressed").map { $0 / 1000 }
        case .silenceP99: return percentile("\nsilence:", 990, "none pressed").map { $0 / 1000 }
        case .soundP50: return percentile("\nsound:", 500, "none pressed").map { $0 / 1000 }
        case .soundP99: return percentile("\nsound:", 990, "none pressed").map { $0 / 1000 }
        }
    }

    private func nothing(_ why: String) -> Int64? {
        reason = why
        return nil
    }

    private func refused(_ why: String) -> Int64? {
        isRefused = true
        return nothing("not measured: " + why)
    }

    private func hidden() -> Int64? {
        refused("/proc/" + process + " is hidden from all but the speaker's own user and root")
    }

    private func statuses() -> (ProcessFigures.Status, ProcessFigures.Status)? {
        if let from = before.status, let to = after.status { return (from, to) }
        _ = hidden()
        return nil
    }

    /// What was recorded in between.
    private func counts(_ name: StaticString) -> HistogramCounts { after.counts(name).since(before.counts(name)) }

    /// In nanoseconds.
    private func percentile(_ name: StaticString, _ perMille: Int64, _ why: String) -> Int64? {
        let counts = counts(name)
        return counts.count > 0 ? counts.percentile(perMille: perMille) : nothing(why)
    }

    private func decodeShare(_ perMille: Int64) -> Int64? {
        let period = after.number("\nperiod_us:")
        return percentile("\ndecode:", perMille, "not playing").map { $0 * 100 / max(1, period) }
    }

    // MARK: Writing

    /// As many digits as mean something: "0.42", "37.5", "2310".
    private func decimal(_ thousandths: Int64) -> String {
        let whole = "\(thousandths / 1000)"
        let fraction = thousandths % 1000
        if fraction == 0 || thousandths >= 100_000 { return whole }
        let digits = "\(1000 + fraction)"
        return whole + "." + String(Substring(digits.utf8.dropFirst().prefix(thousandths >= 10_000 ? 1 : 2)))
    }

    private func padded(_ text: String, _ width: Int) -> String {
        var text = text
        repeat { text += " " } while text.utf8.count < width
        return text
    }
}
