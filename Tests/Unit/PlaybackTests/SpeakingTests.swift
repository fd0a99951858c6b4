// SPDX-License-Identifier: Apache-2.0
import Audio
import Testing

@testable import Playback

/// Speech, as the player passes it to the audio thread.
@Suite struct SpeakingTests {
    private func spoken(rate: Int = 48_000) throws -> SpokenFrames {
        try SpokenFrames([1, 2, 3], rate: rate, channels: 1, cardRate: rate, cardChannels: 2)
    }

    @Test func aCardIsOpenedToSpeakOn() throws {
        let bench = PlayerBench()
        let player = bench.player!
        var (opened, said) = (0, [Bool]())
        player.didOpenCard = { opened += 1 }
        player.didSay = { said.append($0) }
        #expect(player.cardToSpeakOn() == nil)
        let early = try spoken()
        #expect(!player.speak(early))
        bench.settle()
        #expect(opened == 1 && bench.feed.openings == ["card 44100"])
        // The card's own format, for any request.
        let card = try #require(player.cardToSpeakOn())
        #expect(card == (48_000, 2))
        let (right, wrong) = (try spoken(), try spoken(rate: 44_100))
        #expect(player.speak(right) && !player.speak(wrong))
        bench.audio.didSay()
        bench.events()
        #expect(said == [true])
        // The next one, silence, and a card that goes cut it off.
        let (one, two) = (try spoken(), try spoken())
        #expect(player.speak(one) && player.speak(two))
        player.hush()
        bench.events()
        #expect(said == [true, false, false])
        // Nothing is paused or played by it.
        #expect(!player.wantsToPlay && player.track == nil)
        bench.play("a")
        #expect(player.wantsToPlay && bench.feed.openings.count == 1)
    }

    @Test func whatIsSwitchedOffSaysNothing() throws {
        let bench = PlayerBench()
        bench.player.setOutputEnabled(false)
        bench.settle()
        #expect(bench.player.cardToSpeakOn() == nil)
        bench.settle()
        #expect(bench.feed.openings.isEmpty)
    }

    @Test func framesOfAnotherRateAreWhole() throws {
        let frames = try SpokenFrames(
            [Int16](repeating: 5000, count: 22_050), rate: 22_050, channels: 1, cardRate: 48_000, cardChannels: 2)
        defer { frames.free() }
        #expect(frames.channels == 2 && abs(frames.frames - 48_000 - 1152 * 48_000 / 22_050) < 400)
        for frame in stride(from: 1000, to: 46_000, by: 100) {
            #expect(
                abs(Int(frames.samples[frame * 2]) - 5000) < 60
                    && frames.samples[frame * 2] == frames.samples[frame * 2 + 1])
        }
    }
}
