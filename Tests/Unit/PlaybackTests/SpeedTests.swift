// SPDX-License-Identifier: Apache-2.0
import Audio
import Media
import Testing
import Workers

@testable import Playback
@testable import Posix

@Suite("Another speed") struct SpeedTests {
    private let broken = PlaybackError.file(PosixError(code: 5, operation: "read a"))

    @Test func itGoesOnWhereTheEarIsByThen() {
        let bench = PlayerBench()
        bench.play("a")
        bench.audio.hear(milliseconds: 5000)
        bench.player.setSpeed(1500)
        #expect(bench.player.positionMilliseconds == 5000 && bench.player.isAdvancing == bench.audio.heard.isAdvancing)
        bench.audio.hear(milliseconds: 5040)
        #expect(bench.player.positionMilliseconds == 5040, "what plays is heard on meanwhile")
        bench.settle()
        #expect(bench.audio.requests.suffix(2) == ["load a", "lineUp b"])
        #expect(bench.feed.prepared.contains("a@5000") && bench.player.track?.speed == 1500)
        #expect(bench.audio.lastBehind != 0 && bench.audio.isPlaying)
    }

    @Test func aJumpUnderWayTakesItAlong() {
        let bench = PlayerBench()
        bench.play("a")
        bench.player.seek(toMilliseconds: 60_000)
        bench.player.setSpeed(2000)
        #expect(bench.player.positionMilliseconds == 60_000)
        bench.settle()
        #expect(bench.player.track?.speed == 2000 && bench.player.positionMilliseconds == 60_000)
        #expect(bench.audio.lastBehind == 0)
    }

    @Test func pausedItStaysPaused() {
        let bench = PlayerBench()
        bench.play("a", at: 3000)
        bench.player.pause()
        bench.player.setSpeed(750)
        bench.settle()
        #expect(!bench.audio.isPlaying && bench.player.positionMilliseconds == 3000)
        bench.player.play()
        #expect(bench.audio.isPlaying && bench.player.track?.speed == 750)
    }

    @Test func whatCannotBeGotReadyPlaysOnAsItIs() {
        let bench = PlayerBench()
        bench.play("a")
        bench.feed.results["a"] = .failure(broken)
        bench.player.setSpeed(2000)
        bench.settle()
        #expect(bench.audio.isPlaying && bench.player.wantsToPlay && bench.takeTold().isEmpty)
        // So near its end that nothing is left to be played otherwise.
        bench.feed.results["a"] = .success(PreparedDeck(rate: 44_100, channels: 2, endMilliseconds: 9000))
        bench.player.setSpeed(1900)
        bench.settle()
        #expect(bench.audio.isPlaying && bench.player.wantsToPlay && !bench.player.isAtEnd)
        bench.audio.end()
        bench.settle()
        #expect(bench.player.track?.source.name == "b")
    }

    @Test func withoutACardItIsKept() {
        let bench = PlayerBench()
        bench.play("a", at: 2000)
        bench.player.setOutputEnabled(false)
        bench.settle()
        bench.player.setSpeed(1250)
        bench.settle()
        #expect(bench.player.track?.speed == 1250 && bench.player.positionMilliseconds == 2000)
    }
}
