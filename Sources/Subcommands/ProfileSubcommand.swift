// SPDX-License-Identifier: Apache-2.0
import CPosix
import Configuration
import Invocation
import Posix
import Profiling
import Wire

/// `nightstand profile`: reads a running speaker's counters from outside, at the beginning and the end of some seconds, and prints their
/// costs, one figure a line. It does not disturb the speaker in between.
enum ProfileSubcommand {
    /// Returns the exit code: 0, 1 if a figure is over its budget, 2 if the measurement failed.
    /// - Parameter exercises: true if the profile presses buttons itself, so that the costs of a press have values.
    static func run(socketPath: String, seconds: Int, budgetPath: String?, exercises: Bool) -> Int32 {
        var budget: Budget?
        do throws(ConfigurationError) {
            if let budgetPath { budget = try Budget.load(path: budgetPath) }
        } catch {
            Log.error(error.message)
            return 2
        }
        do throws(SpeakerConnection.Failure) {
            return tell(
                try measure(
                    SpeakerConnection(socketPath: socketPath), seconds: seconds, exercises: exercises
                ).rows(budget))
        } catch {
            Log.error(error.message)
            return 2
        }
    }

    /// Reads the answers, which cost the speaker work, outermost, and the kernel's counters innermost.
    private static func measure(
        _ speaker: SpeakerConnection, seconds: Int, exercises: Bool
    ) throws(SpeakerConnection.Failure) -> ProfileReport {
        let process = "\(speaker.process)"
        var before = ProfileSample(at: .now, answer: Array(try speaker.ask("counters raw").lines.utf8))
        before.look(at: process)
        var companions = ["screen", "fetch"].map { ProfileCompanion($0, beside: process) }
        if exercises {
            try exercise(speaker, milliseconds: seconds * 1000)
        } else {
            try speaker.wait(milliseconds: seconds * 1000)
        }
        var after = ProfileSample(at: .now)
        after.look(at: process)
        for index in companions.indices { companions[index].end() }
        after.answer = Array(try speaker.ask("counters raw").lines.utf8)
        return ProfileReport(from: before, to: after, process: process, companions: companions)
    }

    private static let presses = 20

    /// Pauses, plays and skips in turn, in the first half of the time. Then it lets the speaker play: only an undisturbed speaker reads
    /// ahead and waits for its card.
    private static func exercise(
        _ speaker: SpeakerConnection, milliseconds: Int
    ) throws(SpeakerConnection.Failure) {
        let step = milliseconds / 2 / (3 * presses)
        try speaker.ask("play")
        for _ in 0..<presses {
            for command in ["pause 1", "pause 0", "seekcur +1"] {
                try speaker.wait(milliseconds: step)
                try speaker.ask(command)
            }
        }
        try speaker.wait(milliseconds: milliseconds - 3 * presses * step)
    }

    private static func tell(_ rows: [ProfileReport.Row]) -> Int32 {
        for row in rows { _ = Usage.say(row.text + "\n") }
        for row in rows where row.outcome == .overBudget { Log.error("over budget: " + row.text) }
        for row in rows where row.outcome == .unknown { Log.error("cannot tell: " + row.text) }
        if rows.contains(where: { $0.outcome == .overBudget }) { return 1 }
        return rows.contains { $0.outcome == .unknown } ? 2 : 0
    }
}
