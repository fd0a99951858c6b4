// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

/// A card that a remote control switches off and on again.
@Suite("Output switched off") struct OutputSwitchTests {
    @Test func itPausesWhereItIs() {
        let bench = Bench()
        bench.add("a", "b")
        bench.press(.play, .seek(milliseconds: 20_000))
        _ = bench.changed()
        bench.speaker.setOutputEnabled(false)
        #expect(!bench.speaker.wantsToPlay && bench.player.positionMilliseconds == 20_000)
        #expect(bench.changed().isSuperset(of: [.player, .output]))
        bench.press(.next)
        #expect(bench.title == "b" && !bench.speaker.wantsToPlay)
    }

    @Test func aButtonSwitchesItOnAgain() {
        let bench = Bench()
        bench.add("a")
        bench.speaker.setOutputEnabled(false)
        bench.press(.playPause)
        #expect(bench.speaker.player.isOutputEnabled && bench.player.wantsToPlay)
    }

    @Test func itIsKeptOverARestart() throws {
        let folder = try TemporaryFolder()
        let first = Bench(stateFolder: folder.path)
        first.add("a")
        first.speaker.setOutputEnabled(false)
        first.end()
        let second = Bench(stateFolder: folder.path)
        #expect(!second.speaker.player.isOutputEnabled)
        second.speaker.setOutputEnabled(true)
        second.end()
        #expect(Bench(stateFolder: folder.path).speaker.player.isOutputEnabled)
    }
}
