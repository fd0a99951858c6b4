import CPosix
import Configuration
import Console
import Posix
import Profiling

/// `nightstand profile`: looks at a running speaker from outside, at the beginning and the end of some seconds, and tells what these
/// cost, one figure a line. The speaker is not disturbed in between.
enum ProfileSubcommand {
    /// Returns the exit code: 0, 1 where a figure is over its budget, 2 where it could not be measured.
    static func run(socketPath: String, seconds: Int, budgetPath: String?) -> Int32 {
        var budget: Budget?
        do throws(ConfigurationError) {
            if let budgetPath { budget = try Budget.load(path: budgetPath) }
        } catch {
            Log.error(error.message)
            return 2
        }
        guard let speaker = SpeakerQuery(socketPath: socketPath), let report = measure(speaker, seconds: seconds) else {
            return 2
        }
        return tell(report.rows(budget))
    }

    /// Outermost the answers, which cost the speaker something, innermost what the kernel counts.
    private static func measure(_ speaker: SpeakerQuery, seconds: Int) -> ProfileReport? {
        let process = "\(speaker.process)"
        guard let first = speaker.ask("counters raw") else { return nil }
        var before = ProfileSample(at: .now, answer: first)
        before.look(at: process)
        if !speaker.wait(milliseconds: seconds * 1000) { return nil }
        var after = ProfileSample(at: .now)
        after.look(at: process)
        guard let last = speaker.ask("counters raw") else { return nil }
        after.answer = last
        return ProfileReport(from: before, to: after, process: process)
    }

    private static func tell(_ rows: [ProfileReport.Row]) -> Int32 {
        for row in rows { say(row.text) }
        for row in rows where row.outcome == .overBudget { Log.error("over budget: " + row.text) }
        for row in rows where row.outcome == .unknown { Log.error("cannot tell: " + row.text) }
        if rows.contains(where: { $0.outcome == .overBudget }) { return 1 }
        return rows.contains { $0.outcome == .unknown } ? 2 : 0
    }

    private static func say(_ line: String) {
        var line = line + "\n"
        line.withUTF8 { bytes in _ = write(1, bytes.baseAddress, bytes.count) }
    }
}
