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
        #expect(bench.player.track?.speed == 1500 && bench.speaker.speeds.now.text == "1.5")
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
        #expect(bench.speaker.savedOfItemMilliseconds == 5000)
        bench.player.reachEnd()
        // Nothing is known of this one: it is heard as it is.
        #expect(bench.title == "b" && bench.player.track?.gain == 65536 && bench.player.track?.shortensSilences == true)
        bench.player.savedMilliseconds = 7000
        #expect(bench.speaker.savedOfItemMilliseconds == 2000 && bench.speaker.savedMilliseconds == 7000)
        bench.speaker.set(SoundChanges())
        #expect(bench.player.track?.gain == nil && bench.player.track?.shortensSilences == false)
    }

    @Test func aStretchOfSentencesEndsInTimeWhereSilencesAreLeaptOver() {
        let timers = FakeTimers()
        let loop = SentenceLoop(timers: timers)
        var heard = 1000
        var jumps = 0
        loop.heard = {
            EarWatch.Heard(milliseconds: heard, isAdvancing: true, isWanted: true, steadyMilliseconds: 300)
        }
        loop.jump = { _ in jumps += 1 }
        loop.set(1000..<5000, isSentence: true)
        timers.pass(milliseconds: 299)
        heard = 4999
        #expect(jumps == 0)
        timers.pass(milliseconds: 2)
        #expect(jumps == 1)
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
        #expect(bench.player.track?.speed == 1250 && bench.speaker.speeds.speaker == .own)
        bench.press(.next)
        #expect(bench.title == "b" && bench.speaker.speeds.book == nil && bench.player.track?.speed == 1000)
        bench.press(.speed(step: 10))
        bench.press(.previous)
        #expect(bench.title == "a" && bench.player.track?.speed == 1250)
        // What is heard is what is changed.
        bench.press(.speed(step: 10))
        #expect(bench.speaker.speeds.book?.percent == 135 && bench.speaker.speeds.speaker.percent == 110)
        #expect(bench.speaker.forgetBookSpeed())
        #expect(bench.player.track?.speed == 1100)
    }

    @Test func aStretchIsWaitedForInItsOwnTime() {
        let timers = FakeTimers()
        let loop = SentenceLoop(timers: timers)
        var jumps = 0
        var heard = 1000
        loop.heard = {
            EarWatch.Heard(milliseconds: heard, speed: Speed(percent: 200), isAdvancing: true, isWanted: true)
        }
        loop.jump = { _ in jumps += 1 }
        loop.set(1000..<3000, isSentence: false)
        heard = 3000
        timers.pass(milliseconds: 999)
        #expect(jumps == 0)
        timers.pass(milliseconds: 2)
        #expect(jumps == 1)
    }
}
