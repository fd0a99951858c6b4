// SPDX-License-Identifier: Apache-2.0
import Posix
import Testing

@testable import Audio

@Suite struct HeardStateTests {
    private func heard(
        sample: Int64, isAdvancing: Bool, queuedMilliseconds: Int64, nextToken: Int = 0, nextSample: Int64 = 0,
        untilNext: Int64 = 0, speed: Int = 1000, nextSpeed: Int = 1000
    ) -> HeardState {
        var state = HeardState()
        state.time = MonotonicTime(nanoseconds: 1_000_000_000)
        state.heard = Place(token: 7, sample: sample, pace: Pace(rate: 1000, speed: speed))
        state.isAdvancing = isAdvancing
        state.queuedNanoseconds = queuedMilliseconds * 1_000_000
        state.next = Place(token: nextToken, sample: nextSample, pace: Pace(rate: 1000, speed: nextSpeed))
        state.nanosecondsUntilNext = untilNext * 1_000_000
        return state
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

    @Test func whatIsPlayedFasterPassesFaster() {
        let state = heard(
            sample: 5000, isAdvancing: true, queuedMilliseconds: 900, nextToken: 8, nextSample: 40, untilNext: 200,
            speed: 1500, nextSpeed: 800)
        #expect(state.at(time(100)) == (7, 5150))
        #expect(state.at(time(300)) == (8, 120))
    }
}
