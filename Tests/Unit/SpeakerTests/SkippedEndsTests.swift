// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

/// The seconds that are left out at the beginning and at the end of each file of a work.
@Suite("Skipped ends") struct SkippedEndsTests {
    /// Two files of a minute each.
    private func ready(stateFolder: String? = nil, starts: Int = 10, ends: Int = 20) -> Bench {
        let bench = Bench(stateFolder: stateFolder)
        bench.add("a", "b")
        bench.press(.playEntry(id: 1))
        bench.worker.runAll()
        #expect(bench.speaker.choose("\(starts)", of: .skipStart) && bench.speaker.choose("\(ends)", of: .skipEnd))
        return bench
    }

    private func hear(_ bench: Bench, milliseconds: Int) {
        for _ in 0..<milliseconds / 10 {
            if bench.player.wantsToPlay { bench.player.positionMilliseconds += 10 }
            bench.timers.pass(milliseconds: 10)
        }
    }

    @Test func aFileBeginsBehindItsIntroAndEndsBeforeItsOutro() throws {
        let folder = try TemporaryFolder()
        var bench = ready(stateFolder: folder.path)
        // The current playback continues; it ends before its end.
        #expect(bench.player.positionMilliseconds == 0)
        bench.press(.seek(milliseconds: 39_000))
        hear(bench, milliseconds: 900)
        #expect(bench.player.positionMilliseconds == 39_900)
        hear(bench, milliseconds: 200)
        #expect((59_900...60_000).contains(bench.player.positionMilliseconds))
        // The skipped part counts as heard, and the next file begins behind its own.
        bench.player.reachEnd()
        #expect(bench.title == "b" && bench.player.positionMilliseconds == 10_000)
        bench.press(.seek(milliseconds: 39_900))
        hear(bench, milliseconds: 200)
        bench.player.reachEnd()
        #expect(bench.library.isFinished(2))
        // Chosen from its beginning, and counted as played.
        bench.press(.playEntry(id: 1))
        #expect(bench.title == "a" && bench.player.positionMilliseconds == 10_000)
        #expect(bench.library.item(1)?.playCount == 2 && bench.library.item(2)?.playCount == 1)
        // Kept over a restart.
        bench.end()
        bench = Bench(stateFolder: folder.path)
        bench.add("a", "b")
        bench.press(.playEntry(id: 1))
        bench.worker.runAll()
        #expect(
            bench.speaker.status(of: .skipStart)?.value == "10" && bench.speaker.status(of: .skipEnd)?.value == "20")
    }

    @Test func aJumpByHandIntoItIsHeard() {
        let bench = ready()
        for place in [2000, 45_000] {
            bench.press(.seek(milliseconds: place))
            hear(bench, milliseconds: 1000)
            #expect(bench.player.positionMilliseconds == place + 1000)
        }
    }

    @Test func zeroTakesItAway() {
        let bench = ready()
        #expect(bench.speaker.choose("0", of: .skipStart) && bench.speaker.choose("0", of: .skipEnd))
        bench.press(.seek(milliseconds: 39_000))
        hear(bench, milliseconds: 5000)
        #expect(bench.player.positionMilliseconds == 44_000)
        #expect(!bench.speaker.choose("3601", of: .skipEnd) && !bench.speaker.choose("x", of: .skipEnd))
    }

    @Test func aFileThatIsNoLongerThanBothIsPlayedWhole() {
        let ends = SkippedEnds(start: 30, end: 20)
        #expect(ends.played(ofMilliseconds: 50_000) == 0..<50_000)
        #expect(ends.played(ofMilliseconds: 50_001) == 30_000..<30_001)
        #expect(ends.played(ofMilliseconds: nil) == 30_000..<Int.max)
        #expect(SkippedEnds(text: ends.text) == ends)
        for text in ["", "30", "30 x", "-1 2", "3601 0", "1 2 3", " 1 2"] {
            #expect(SkippedEnds(text: text) == nil, "\(text)")
        }
    }
}
