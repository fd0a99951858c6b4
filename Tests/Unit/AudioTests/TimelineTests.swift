// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Audio

@Suite struct TimelineTests {
    private func place(_ token: Int, _ sample: Int64 = 0, rate: Int = 44100, speed: Int = 1000) -> Place {
        Place(token: token, sample: sample, pace: Pace(rate: rate, speed: speed))
    }

    @Test func everyStretchHasItsOwnRatio() {
        var timeline = Timeline()
        timeline.mark(place(1, 500, rate: 44100), at: 0)
        timeline.mark(place(2, 0, rate: 22050), at: 48000)
        timeline.mark(place(2, 22050, rate: 22050, speed: 1500), at: 96000)
        func sample(_ frame: Int64) -> Int64 { timeline.place(at: frame, cardRate: 48000).sample }
        #expect(sample(24000) == 500 + 22050 && sample(47999) == 500 + 44099)
        #expect(sample(48000) == 0 && sample(96000 - 48) == 22050 - 23)
        // Half as fast again: a second of the card is one and a half of the recording.
        #expect(sample(96000) == 22050 && sample(144_000) == 22050 + 33075)
        #expect(timeline.place(at: 120_000, cardRate: 48000).token == 2)
    }

    @Test func dozensOfShortItemsAreEachTold() {
        var timeline = Timeline()
        for item in 0..<80 { timeline.mark(place(item + 1), at: Int64(item) * 1152) }
        for item in 0..<80 {
            #expect(timeline.place(at: Int64(item) * 1152 + 1151, cardRate: 44100).token == item + 1)
            let next = timeline.following(Int64(item) * 1152, before: 80 * 1152)
            #expect(next?.place.token == (item == 79 ? nil : item + 2))
            let untold = timeline.untoldFrame(Int64(item) * 1152, before: 80 * 1152)
            #expect(untold == (item >= 78 ? nil : Int64(item + 1) * 1152))
        }
        // More than it holds: the oldest are given up, which were heard long ago.
        for item in 80..<300 { timeline.mark(place(item + 1), at: Int64(item) * 1152) }
        for item in 210..<300 {
            #expect(timeline.place(at: Int64(item) * 1152, cardRate: 44100).token == item + 1)
        }
    }

    @Test func whatWasMarkedForFramesThatDoNotComeIsForgotten() {
        var timeline = Timeline()
        timeline.mark(place(1), at: 0)
        timeline.mark(place(2), at: 5000)
        timeline.mark(place(3), at: 4000)
        #expect(timeline.place(at: 4999, cardRate: 44100).token == 3)
        #expect(timeline.following(0, before: 10_000)?.frame == 4000)
        // Not yet at the card.
        #expect(timeline.following(0, before: 4000) == nil)
    }

    @Test func thePlaceOutlivesItsFrames() {
        var timeline = Timeline()
        timeline.mark(place(1, 100), at: 0)
        timeline.settle(at: 44100, cardRate: 44100)
        let settled = timeline.place(at: 0, cardRate: 48000)
        #expect(settled.token == 1 && settled.sample == 44200)
    }

    /// Ten weeks in one stretch, at twice the speed.
    @Test func nothingOverflows() {
        var timeline = Timeline()
        timeline.mark(place(1, rate: 48000, speed: 4000), at: 0)
        let seconds: Int64 = 10 * 7 * 86400
        #expect(timeline.place(at: seconds * 192_000, cardRate: 192_000).sample == seconds * 48000 * 4)
    }
}
