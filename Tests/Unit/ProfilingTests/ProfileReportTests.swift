// SPDX-License-Identifier: Apache-2.0
import Configuration
import Foundation
import Posix
import Testing

@testable import Profiling

@Suite("What a profile tells") struct ProfileReportTests {
    private func sample(second: Int64, _ answer: String) -> ProfileSample {
        ProfileSample(at: MonotonicTime(nanoseconds: second * 1_000_000_000), answer: Array(answer.utf8))
    }

    /// Ten seconds in which it played.
    private var playing: (from: ProfileSample, to: ProfileSample) {
        var from = sample(
            second: 100,
            "xruns: 1\nperiod_us: 25000\npss_kib: 1900\ndecode: 900000  70:5\nscheduling: 40000  50:5\nread_ahead: 9 \nsilence: 0 \nsound: 0 \nfirst_sound: 0\nOK\n"
        )
        from.status = .init(majorFaults: 3, processorTime: 1_000_000_000, startNanoseconds: 90_000_000_000)
        from.wakeUps = 1000
        from.writtenBytes = 4096
        var to = sample(
            second: 110,
            "xruns: 3\nperiod_us: 25000\npss_kib: 1900\ndecode: 900000  70:105\nscheduling: 40000  50:5\nread_ahead: 9 \nsilence: 0 \nsound: 0 \nfirst_sound: 90400000000\nreal_time: 1\nlocked_kib: 3024\nOK\n"
        )
        to.status = .init(majorFaults: 3, processorTime: 1_250_000_000, startNanoseconds: 90_000_000_000)
        to.wakeUps = 1037
        to.writtenBytes = 4096 + 10 * 1024
        to.pssKiB = 2310
        return (from, to)
    }

    private func row(_ rows: [ProfileReport.Row], _ figure: ProfileFigure) -> ProfileReport.Row {
        rows[figure.rawValue]
    }

    /// Label, figure and what stands behind it, without the spaces that align them.
    private func words(_ row: ProfileReport.Row) -> String { row.text.split(separator: " ").joined(separator: " ") }

    @Test func figuresOfTheSecondsInBetween() {
        let rows = ProfileReport(from: playing.from, to: playing.to, process: "7").rows(nil)
        #expect(rows.count == ProfileFigure.allCases.count + 1)
        #expect(words(rows[rows.count - 1]) == "real time SCHED_FIFO, 3024 KiB locked")
        #expect(words(row(rows, .cpuShare)) == "CPU share 2.50 % of one core")
        #expect(words(row(rows, .memory)) == "memory (PSS) 2310 KiB")
        #expect(words(row(rows, .majorFaults)) == "major faults 0")
        #expect(words(row(rows, .wakeUps)) == "wake-ups 3.70 a second, all threads")
        #expect(words(row(rows, .underruns)) == "underruns 2")
        #expect(words(row(rows, .written)) == "written to disk 3600 KiB an hour")
        #expect(words(row(rows, .startToSound)) == "start to first sound 400 ms")
        // Those five were before.
        #expect(words(row(rows, .schedulingP99)) == "scheduling latency p99 the card did not call")
        #expect(words(row(rows, .readAheadMinimum)) == "ring fill min all was read")
        #expect(words(row(rows, .silenceP50)) == "button to silence p50 none pressed")
        #expect(row(rows, .decodeP50).text.contains("% of the period"))
        for row in rows { #expect(row.outcome == .within) }
    }

    @Test func aSpeakerThatDoesNotPlayIsSaidToBeSilent() {
        let rows = ProfileReport(from: playing.to, to: playing.to, process: "7").rows(nil)
        for figure in [ProfileFigure.decodeP99, .schedulingP99, .schedulingMaximum, .readAheadMinimum] {
            #expect(words(row(rows, figure)).hasSuffix(" not playing"))
        }
    }

    @Test func budgetsAreCompared() throws {
        let text = "[budget]\nwakeups_per_second = 3.7\ncpu_percent = 2.4\nunderruns = 2\nring_fill_min_ms = 5\n"
        let budget = try Budget(parsing: Array(text.utf8), file: "b.ini")
        let rows = ProfileReport(from: playing.from, to: playing.to, process: "7").rows(budget)
        #expect(words(row(rows, .wakeUps)) == "wake-ups 3.70 a second, all threads at most 3.70")
        #expect(row(rows, .wakeUps).outcome == .within)
        #expect(row(rows, .cpuShare).outcome == .overBudget)
        #expect(row(rows, .underruns).outcome == .within)
        // Nothing was read ahead, since nothing was to be: that is no failure.
        #expect(row(rows, .readAheadMinimum).outcome == .within)
        #expect(rows.filter { $0.outcome != .within }.count == 1)
    }

    /// The processes that draw and fetch are reported beside the speaker.
    @Test func processesBesideTheSpeakerAreTold() {
        let own = "\(getpid())"
        var running = ProfileCompanion("screen", process: own)
        running.end()
        let rows = ProfileReport(
            from: playing.from, to: playing.to, process: "7",
            companions: [running, ProfileCompanion("fetch", process: nil)]
        ).rows(nil).map { words($0) }
        #expect(rows.contains("fetch not running"))
        #expect(rows.contains { $0.hasPrefix("screen: memory (PSS) ") && $0.hasSuffix(" KiB") })
        #expect(rows.contains { $0.hasPrefix("screen: CPU share ") && $0.hasSuffix(" % of one core") })
        #expect(rows.contains { $0.hasPrefix("screen: wake-ups ") })
    }

    /// A budget that was not measured is not met.
    @Test func whatWasNotSeenIsNotWithin() throws {
        let keys = ["silence_p99_ms", "sound_p99_ms", "scheduling_p99_us", "start_to_sound_ms", "ring_fill_min_ms"]
        let text = "[budget]\n" + keys.map { $0 + " = 1\n" }.joined()
        let budget = try Budget(parsing: Array(text.utf8), file: "b.ini")
        let rows = ProfileReport(from: playing.to, to: playing.to, process: "7").rows(budget)
        for figure in [ProfileFigure.silenceP99, .soundP99, .schedulingP99, .readAheadMinimum] {
            #expect(row(rows, figure).outcome == .unknown, "\(figure)")
        }
    }

    @Test func whatTheKernelHidesIsNotKnown() throws {
        var (from, to) = playing
        (from.status, from.wakeUps, from.writtenBytes, from.pssKiB) = (nil, nil, nil, nil)
        (to.status, to.wakeUps, to.writtenBytes, to.pssKiB) = (nil, nil, nil, nil)
        let budget = try Budget(parsing: Array("[budget]\nmajor_faults = 0\npss_kib = 2600\n".utf8), file: "b.ini")
        let rows = ProfileReport(from: from, to: to, process: "7").rows(budget)
        #expect(row(rows, .majorFaults).outcome == .unknown)
        #expect(row(rows, .majorFaults).text.contains("not measured: /proc/7 is hidden"))
        // The other figures were not requested.
        #expect(row(rows, .wakeUps).outcome == .within && row(rows, .written).outcome == .within)
        // The speaker tells of its own memory.
        #expect(words(row(rows, .memory)) == "memory (PSS) 1900 KiB at most 2600")
    }

    /// A speaker of another release, or something else.
    @Test func anAnswerThatIsNoneIsNoFailure() {
        for answer in ["", "OK\n", "decode: x y z\nxruns\n", String(repeating: "decode: 1 1:1\n", count: 1000)] {
            let rows = ProfileReport(from: sample(second: 1, ""), to: sample(second: 1, answer), process: "7").rows(nil)
            #expect(rows.count == ProfileFigure.allCases.count + 1)
            #expect(words(rows[rows.count - 1]) == "real time no SCHED_FIFO, no memory locked")
        }
    }
}
