// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

@Suite("Speed") struct SpeedTests {
    @Test func whatIsSetIsPlayedSaidAndRemembered() {
        let bench = Bench()
        bench.add("a", "b")
        bench.press(.play)
        _ = bench.changed()
        bench.press(.speed(step: 50))
        #expect(bench.player.track?.speed == 1500 && bench.speaker.sound.speeds.now.text == "1.5")
        #expect(bench.changed().isSuperset(of: [.player, .modes]))
        #expect(bench.speaker.status.speed.percent == 150)
        #expect(bench.library.restoredSpeed().percent == 150)
        bench.player.reachEnd()
        #expect(bench.title == "b" && bench.player.track?.speed == 1500)
    }

    @Test func silencesAndTheLevelAreSetAndRemembered() {
        let bench = Bench()
        bench.add("a", "b")
        bench.press(.play)
        #expect(bench.player.track?.gain == nil && bench.player.track?.shortensSilences == false)
        let id = bench.player.track!.id
        var loudness = Loudness()
        loudness.measured = -2400
        loudness.measuredMilliseconds = 96_000
        bench.library.save(loudness, of: id)
        var sound = SoundChanges()
        sound.shortensSilences = true
        sound.level = .track
        _ = bench.changed()
        bench.speaker.set(sound)
        #expect(bench.changed().isSuperset(of: [.player, .modes]))
        #expect(bench.player.track?.shortensSilences == true && bench.library.restoredSound() == sound)
        #expect(bench.player.track?.gain == Loudness.factor(ofGain: 600))
        bench.player.savedMilliseconds = 5000
        #expect(bench.showing.savedOfItemMilliseconds == 5000)
        bench.player.reachEnd()
        // Nothing is known of this one: it is heard as it is.
        #expect(bench.title == "b" && bench.player.track?.gain == 65536 && bench.player.track?.shortensSilences == true)
        bench.player.savedMilliseconds = 7000
        #expect(bench.showing.savedOfItemMilliseconds == 2000 && bench.showing.savedMilliseconds == 7000)
        bench.speaker.set(SoundChanges())
        #expect(bench.player.track?.gain == nil && bench.player.track?.shortensSilences == false)
    }

    @Test func aStretchOfSentencesEndsInTimeWhereSilencesAreLeaptOver() {
        let bench = Bench()
        bench.add("a")
        bench.press(.play, .seek(milliseconds: 1000))
        let player = bench.player
        player.steadyMilliseconds = 300
        bench.speaker.loop.set(1000..<5000, isSentence: true)
        bench.timers.pass(milliseconds: 299)
        player.positionMilliseconds = 4999
        #expect(player.positionMilliseconds == 4999)
        bench.timers.pass(milliseconds: 2)
        #expect(player.positionMilliseconds == 1000)
    }

    @Test func theLimitsAreSaid() {
        let bench = Bench()
        bench.add("a")
        bench.press(.play)
        _ = bench.said()
        bench.press(.speed(step: 1000))
        #expect(bench.player.track?.speed == 3000 && bench.said() == [])
        bench.press(.speed(step: 10))
        #expect(bench.said() == [.fastest])
        bench.press(.speed(step: -1000))
        bench.press(.speed(step: -5))
        #expect(bench.player.track?.speed == 500 && bench.said() == [.slowest])
    }

    @Test func aBookHasItsOwnAndKeepsIt() {
        let bench = Bench()
        bench.add("a", folder: "/books/one")
        bench.add("b", folder: "/books/two")
        bench.press(.play)
        #expect(bench.speaker.setSpeed(Speed(percent: 125), forBook: true))
        #expect(bench.player.track?.speed == 1250 && bench.speaker.sound.speeds.speaker == .own)
        bench.press(.next)
        #expect(bench.title == "b" && bench.speaker.sound.speeds.book == nil && bench.player.track?.speed == 1000)
        bench.press(.speed(step: 10))
        bench.press(.previous)
        #expect(bench.title == "a" && bench.player.track?.speed == 1250)
        // The heard item is the one that changes.
        bench.press(.speed(step: 10))
        #expect(bench.speaker.sound.speeds.book?.percent == 135 && bench.speaker.sound.speeds.speaker.percent == 110)
        #expect(bench.speaker.forgetBookSpeed())
        #expect(bench.player.track?.speed == 1100)
    }

    @Test func aStretchIsWaitedForInItsOwnTime() {
        let bench = Bench()
        bench.add("a")
        bench.press(.play, .speed(step: 100), .seek(milliseconds: 1000))
        bench.speaker.loop.set(1000..<3000, isSentence: false)
        bench.player.positionMilliseconds = 3000
        bench.timers.pass(milliseconds: 999)
        #expect(bench.player.positionMilliseconds == 3000)
        bench.timers.pass(milliseconds: 2)
        #expect(bench.player.positionMilliseconds == 1000)
    }
}
