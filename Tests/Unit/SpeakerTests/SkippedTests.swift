// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

/// Parts that a book marks, and a listener does not want to hear.
@Suite("Skipped parts") struct SkippedTests {
    private func playing(stateFolder: String? = nil) -> Bench {
        let bench = Bench(stateFolder: stateFolder)
        bench.marks.skippable = [
            (1000..<2000, .pageNumbers), (2000..<3000, .notes), (10_000..<12_000, .notes), (58_000..<90_000, .notes),
        ]
        bench.add("a", "b")
        bench.press(.playEntry(id: 1))
        bench.worker.runAll()
        return bench
    }

    private func hear(_ bench: Bench, milliseconds: Int) {
        for _ in 0..<milliseconds / 10 {
            if bench.player.wantsToPlay { bench.player.positionMilliseconds += 10 }
            bench.timers.pass(milliseconds: 10)
        }
    }

    @Test func nothingIsSkippedAsShipped() {
        let bench = playing()
        hear(bench, milliseconds: 4000)
        #expect(bench.player.positionMilliseconds == 4000)
        #expect(bench.speaker.status(of: .sidebars) == nil)
        #expect(bench.speaker.status(of: .notes) == SettingStatus(.notes, "play", choices: ["play", "skip"]))
    }

    @Test func whatIsChosenIsSkipped() throws {
        let folder = try TemporaryFolder()
        var bench = playing(stateFolder: folder.path)
        let before = bench.timers.count
        #expect(bench.speaker.choose("skip", of: .pageNumbers) && bench.timers.count == before + 1)
        hear(bench, milliseconds: 2000)
        #expect(bench.player.positionMilliseconds == 3000)
        #expect(bench.speaker.choose("skip", of: .notes))
        // It is remembered, and the next file is heard as this one.
        bench.end()
        bench = playing(stateFolder: folder.path)
        #expect(bench.speaker.status(of: .notes)?.value == "skip")
        bench.press(.seek(milliseconds: 0))
        hear(bench, milliseconds: 2000)
        #expect(bench.player.positionMilliseconds == 4000)
        bench.press(.next)
        bench.worker.runAll()
        hear(bench, milliseconds: 2000)
        #expect(bench.title == "b" && bench.player.positionMilliseconds == 4000)
        // Chosen in the menu.
        #expect(bench.speaker.choose("play", of: .notes) && bench.speaker.choose("play", of: .pageNumbers))
        bench.press(.seek(milliseconds: 0))
        hear(bench, milliseconds: 2000)
        #expect(bench.player.positionMilliseconds == 2000)
    }

    @Test func aJumpByHandIntoItIsHeard() {
        let bench = playing()
        _ = bench.speaker.choose("skip", of: .notes)
        for place in [10_000, 11_000] {
            bench.press(.seek(milliseconds: place))
            hear(bench, milliseconds: 500)
            #expect(bench.player.positionMilliseconds == place + 500)
        }
        bench.press(.seek(milliseconds: 9500))
        hear(bench, milliseconds: 1000)
        #expect(bench.player.positionMilliseconds == 12_500)
        // A stretch that is repeated is heard as it is.
        bench.press(.seek(milliseconds: 500), .loop(.from), .seek(milliseconds: 4000), .loop(.to))
        hear(bench, milliseconds: 3000)
        #expect(bench.player.positionMilliseconds == 3000)
        bench.press(.loop(.off))
        hear(bench, milliseconds: 7200)
        #expect(bench.player.positionMilliseconds == 12_200)
    }

    @Test func aFileEndsAsEverBehindSuchAPart() {
        let bench = playing()
        _ = bench.speaker.choose("skip", of: .notes)
        bench.press(.seek(milliseconds: 57_900))
        hear(bench, milliseconds: 150)
        #expect(bench.player.wantsToPlay && bench.player.positionMilliseconds == 59_950)
        bench.player.reachEnd()
        #expect(bench.title == "b" && bench.player.wantsToPlay)
    }
}
