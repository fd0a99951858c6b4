import Posix
import Realtime
import Testing

@testable import Playback

@Suite struct HeardPositionTests {
    private func heard(
        sample: Int64, isAdvancing: Bool, queuedMilliseconds: Int64, nextToken: Int64 = 0, nextSample: Int64 = 0,
        untilNext: Int64 = 0
    ) -> HeardPosition {
        let snapshot = Snapshot()
        var words = InlineArray<12, Int64>(repeating: 0)
        words[0] = 1_000_000_000
        words[1] = 7
        words[2] = sample
        words[3] = 1000
        words[4] = isAdvancing ? 1 : 0
        words[5] = queuedMilliseconds * 1_000_000
        words[6] = nextToken
        words[7] = nextSample
        words[8] = untilNext * 1_000_000
        snapshot.publish(words)
        return HeardPosition(snapshot)
    }

    private func time(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 1_000_000_000).adding(milliseconds: milliseconds)
    }

    @Test func goesOnWithTheClockAndNoFurtherThanWhatIsQueued() {
        let playing = heard(sample: 5000, isAdvancing: true, queuedMilliseconds: 300)
        for elapsed in [-5, 0, 1, 299, 300, 301, 100_000] {
            let expected = 5000 + min(300, max(0, elapsed))
            #expect(playing.at(time(elapsed)) == (7, expected))
        }
        let paused = heard(sample: 5000, isAdvancing: false, queuedMilliseconds: 300)
        #expect(paused.at(time(250)) == (7, 5000))
    }

    @Test func passesIntoTheNextTrackAtItsFirstSample() {
        let crossing = heard(
            sample: 5000, isAdvancing: true, queuedMilliseconds: 900, nextToken: 8, nextSample: 40, untilNext: 200)
        #expect(crossing.at(time(199)) == (7, 5199))
        #expect(crossing.at(time(200)) == (8, 40))
        #expect(crossing.at(time(650)) == (8, 490))
        #expect(crossing.at(time(2000)) == (8, 740))
    }
}
