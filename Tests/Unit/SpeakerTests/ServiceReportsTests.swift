// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Scanning
import Speaker
import Testing

@testable import SpeakerBench

private final class FakeAudioThread: AudioThreadPort {
    var audioWakeUps = 0
    private(set) var calls = 0
    var lives = true

    func callAudioThread() {
        calls += 1
        if lives { audioWakeUps += 1 }
    }
}

@Suite("What the service manager is told") struct ServiceReportsTests {
    private let bench = Bench()
    private let audio = FakeAudioThread()

    private final class Told {
        var lines: [String] = []
    }

    private func reports(watchdogMilliseconds: Int? = nil) -> (ServiceReports, Told) {
        let told = Told()
        let reports = ServiceReports(
            speaker: bench.speaker, audio: audio, timers: bench.timers, watchdogMilliseconds: watchdogMilliseconds
        ) { told.lines.append($0) }
        bench.speaker.audience.didChange = { _ in reports.update() }
        return (reports, told)
    }

    @Test func whatItIsDoingIsToldWhereItIsAnother() {
        bench.scans.hasScanned = false
        bench.scans.isScanning = true
        let (reports, told) = reports()
        reports.ready()
        #expect(told.lines == ["READY=1\nSTATUS=Looking for audio"])
        bench.scans.progress = ScanProgress(filesSeen: 1204)
        bench.speaker.scanDidProgress()
        #expect(told.lines.last == "STATUS=Looking for audio 1,204")
        bench.add("Under\nthe Lamp")
        #expect(told.lines.last == "STATUS=Paused in Under the Lamp")
        bench.press(.play)
        #expect(told.lines.last == "STATUS=Playing Under the Lamp")
        let count = told.lines.count
        bench.press(.volume(step: -5), .toggleFavourite)
        #expect(told.lines.count == count)
        bench.press(.stop)
        #expect(told.lines.last == "STATUS=Stopped")
        reports.stopping()
        #expect(told.lines.last == "STOPPING=1\nSTATUS=Saving the place")
    }

    @Test func theWatchdogIsFedForAsLongAsTheAudioThreadLives() {
        let (reports, told) = reports(watchdogMilliseconds: 30_000)
        reports.ready()
        #expect(audio.calls == 1)
        bench.timers.pass(milliseconds: 10_000)
        #expect(told.lines.last == "WATCHDOG=1")
        bench.timers.pass(milliseconds: 10_000)
        #expect(told.lines.filter { $0 == "WATCHDOG=1" }.count == 2)
        audio.lives = false
        bench.timers.pass(milliseconds: 10_000)
        #expect(told.lines.filter { $0 == "WATCHDOG=1" }.count == 3)
        bench.timers.pass(milliseconds: 60_000)
        #expect(told.lines.filter { $0 == "WATCHDOG=1" }.count == 3)
        audio.lives = true
        bench.timers.pass(milliseconds: 20_000)
        #expect(told.lines.filter { $0 == "WATCHDOG=1" }.count >= 4)
    }

    @Test func nobodyIsFedWhereNobodyWatches() {
        let (reports, told) = reports()
        reports.ready()
        bench.timers.pass(milliseconds: 100_000)
        #expect(audio.calls == 0 && !told.lines.contains("WATCHDOG=1"))
    }
}
