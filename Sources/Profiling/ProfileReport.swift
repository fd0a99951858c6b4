// SPDX-License-Identifier: Apache-2.0
import Configuration
import Posix
import Realtime

/// The cost of the seconds between two samples of a speaker, one figure a row, each beside its budget.
public struct ProfileReport {
    public enum Outcome: Equatable, Sendable {
        case within
        case overBudget
        /// The figure has a budget, but no value.
        case unknown
    }

    public struct Row: Equatable, Sendable {
        public var text: String
        public var outcome: Outcome
    }

    /// The finding for a figure.
    private enum Finding {
        /// The value in thousandths of its unit.
        case value(Int64)
        /// Nothing of the kind happened, so it exceeds no bound.
        case needless(String)
        /// Nothing of the kind happened.
        case nothing(String)
        /// The measurement failed.
        case refused(String)
    }

    private let before: ProfileSample
    private let after: ProfileSample
    private let process: String
    private let companions: [ProfileCompanion]

    /// - Parameters:
    ///   - process: the speaker's name under /proc.
    ///   - companions: processes beside it.
    public init(
        from before: ProfileSample, to after: ProfileSample, process: String, companions: [ProfileCompanion] = []
    ) {
        self.companions = companions
        self.before = before
        self.after = after
        self.process = process
    }

    public func rows(_ budget: Budget?) -> [Row] {
        ProfileFigure.allCases.map { row($0, bound: budget?.bound(of: $0)?.thousandths) }
            + companions.flatMap { rows($0) } + [realTime]
    }

    /// Returns the cost of a process beside the speaker. No budget bounds it.
    private func rows(_ companion: ProfileCompanion) -> [Row] {
        func row(_ label: String, _ text: String) -> Row { Row(text: padded(label, 26) + text, outcome: .within) }
        guard let process = companion.process else { return [row(companion.name, "not running")] }
        let report = ProfileReport(from: companion.before, to: companion.after, process: process)
        return [ProfileFigure.cpuShare, .memory, .wakeUps].map { figure in
            let label = companion.name + ": " + figure.row.label
            switch report.finding(figure) {
            case .value(let value): return row(label, padded(decimal(value), 10) + figure.row.unit)
            case .needless(let reason), .nothing(let reason): return row(label, reason)
            case .refused(let reason): return row(label, "not measured: " + reason)
            }
        }
    }

    /// The scheduling class of the audio thread, and the locked memory.
    private var realTime: Row {
        let locked = after.number("\nlocked_kib:")
        return Row(
            text: padded("real time", 26) + (after.number("\nreal_time:") == 1 ? "SCHED_FIFO, " : "no SCHED_FIFO, ")
                + (locked > 0 ? "\(locked) KiB locked" : "no memory locked"),
            outcome: .within)
    }

    private func row(_ figure: ProfileFigure, bound: Int64?) -> Row {
        let words = figure.row
        let label = padded(words.label, 26)
        switch finding(figure) {
        case .needless(let reason): return Row(text: label + reason, outcome: .within)
        // A figure without a value does not meet a bound.
        case .nothing(let reason): return Row(text: label + reason, outcome: bound == nil ? .within : .unknown)
        case .refused(let reason):
            return Row(text: label + "not measured: " + reason, outcome: bound == nil ? .within : .unknown)
        case .value(let value):
            let text = padded(label + decimal(value), 36) + words.unit
            guard let bound else { return Row(text: text, outcome: .within) }
            let isOver = figure.isFloor ? value < bound : value > bound
            return Row(
                text: padded(text, 60) + (figure.isFloor ? "at least " : "at most ") + decimal(bound),
                outcome: isOver ? .overBudget : .within)
        }
    }

    // MARK: Figures

    private func finding(_ figure: ProfileFigure) -> Finding {
        let milliseconds = max(1, after.time.milliseconds(since: before.time))
        switch figure {
        case .cpuShare:
            guard let (from, to) = statuses else { return hidden }
            return .value((to.processorTime - from.processorTime) / 10 / milliseconds)
        case .memory:
            // The speaker may always read its own figure.
            let pss = after.pssKiB ?? after.number("\npss_kib:")
            return pss > 0 ? .value(pss * 1000) : .refused("this kernel does not tell it")
        case .majorFaults:
            guard let (from, to) = statuses else { return hidden }
            return .value((to.majorFaults - from.majorFaults) * 1000)
        case .wakeUps:
            guard let from = before.wakeUps, let to = after.wakeUps else { return hidden }
            return .value((to - from) * 1_000_000 / milliseconds)
        case .decodeP50: return decodeShare(500)
        case .decodeP99: return decodeShare(990)
        case .decodeMaximum: return decodeShare(1000)
        case .schedulingP99: return percentile("\nscheduling:", 990, silent("the card did not call"))
        case .schedulingMaximum: return percentile("\nscheduling:", 1000, silent("the card did not call"))
        case .readAheadMinimum:
            let counts = counts("\nread_ahead:")
            if counts.count > 0 { return .value(counts.least / 1000) }
            let reason = silent("all was read")
            return self.counts("\ndecode:").count > 0 ? .needless(reason) : .nothing(reason)
        case .underruns: return .value((after.number("xruns:") - before.number("xruns:")) * 1000)
        case .written:
            guard let from = before.writtenBytes, let to = after.writtenBytes else {
                return .refused("/proc/" + process + "/io is for the speaker's own user and for root")
            }
            // Whole KiB.
            return .value((to - from) * 3_600_000 / milliseconds / 1024 * 1000)
        case .startToSound:
            guard let status = after.status else { return hidden }
            let first = after.number("\nfirst_sound:")
            if first == 0 { return .nothing("did not begin to play by itself") }
            return .value((first - status.startNanoseconds) / 1000)
        case .silenceP50: return percentile("\nsilence:", 500, "none pressed", unit: 1000)
        case .silenceP99: return percentile("\nsilence:", 990, "none pressed", unit: 1000)
        case .soundP50: return percentile("\nsound:", 500, "none pressed", unit: 1000)
        case .soundP99: return percentile("\nsound:", 990, "none pressed", unit: 1000)
        }
    }

    private var hidden: Finding {
        .refused("/proc/" + process + " is hidden from all but the speaker's own user and root")
    }

    private var statuses: (ProcessFigures.Status, ProcessFigures.Status)? {
        if let from = before.status, let to = after.status { (from, to) } else { nil }
    }

    /// Returns the counts between the two samples.
    private func counts(_ name: StaticString) -> HistogramCounts { after.counts(name).since(before.counts(name)) }

    /// Returns the reason why there is no sample of playback.
    /// - Parameter why: the reason if the speaker did play.
    private func silent(_ why: String) -> String { counts("\ndecode:").count > 0 ? why : "not playing" }

    /// - Parameter unit: the number of nanoseconds in a thousandth of the figure's unit.
    private func percentile(_ name: StaticString, _ perMille: Int64, _ why: String, unit: Int64 = 1) -> Finding {
        let counts = counts(name)
        return counts.count > 0 ? .value(counts.percentile(perMille: perMille) / unit) : .nothing(why)
    }

    private func decodeShare(_ perMille: Int64) -> Finding {
        let period = max(1, after.number("\nperiod_us:"))
        let counts = counts("\ndecode:")
        return counts.count > 0
            ? .value(counts.percentile(perMille: perMille) * 100 / period) : .nothing("not playing")
    }

    // MARK: Writing

    /// Returns a number with its significant digits: "0.42", "37.5", "2310".
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
