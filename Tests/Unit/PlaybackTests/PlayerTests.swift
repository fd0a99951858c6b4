// SPDX-License-Identifier: Apache-2.0
import Audio
import Media
import TestSupport
import Testing
import Workers

@testable import Playback
@testable import Posix

@Suite struct PlayerTests {
    private let broken = PlaybackError.file(PosixError(code: 5, operation: "read a"))

    @Test func aTrackIsPreparedLoadedAndFollowed() {
        let bench = PlayerBench()
        bench.play("a", at: 1500)
        #expect(bench.audio.requests == ["attach", "load a", "lineUp b"])
        #expect(bench.audio.isPlaying)
        #expect(bench.player.positionMilliseconds == 1500)
        #expect(bench.player.hasDevice && bench.player.streamFormat?.rate == 44_100)
    }

    @Test func playWhileAJumpWaitsForTheDiskPlaysThePlaceJumpedTo() {
        let bench = PlayerBench()
        bench.play("a")
        bench.player.pause()
        bench.player.seek(toMilliseconds: 60_000)
        bench.player.play()
        #expect(!bench.audio.isPlaying, "what is still loaded must not sound")
        #expect(bench.player.positionMilliseconds == 60_000)
        bench.settle()
        #expect(bench.audio.isPlaying)
        #expect(bench.feed.prepared.contains("a@60000"))
    }

    @Test func pressesWhileTheItemStillLoadsCount() {
        let bench = PlayerBench()
        bench.player.go(to: bench.track("a"), milliseconds: 0, play: true)
        bench.player.pause()
        bench.player.play()
        bench.player.pause()
        bench.settle()
        #expect(!bench.audio.isPlaying && !bench.player.wantsToPlay)
        #expect(bench.player.track?.source.name == "a")
        bench.player.play()
        #expect(bench.audio.isPlaying)
    }

    @Test func quickJumpsReplaceEachOther() {
        let bench = PlayerBench()
        bench.play("a")
        for place in 1...20 { bench.player.seek(toMilliseconds: place * 10_000) }
        bench.settle()
        #expect(bench.player.positionMilliseconds == 200_000)
        #expect(bench.feed.prepared.filter { $0.hasPrefix("a@") }.count <= 3)
        #expect(bench.audio.requests.filter { $0 == "load a" }.count == 2)
    }

    @Test func aReadErrorAtAJumpKeepsThePlaceAndIsSaid() {
        let bench = PlayerBench()
        bench.play("a")
        bench.feed.results["a"] = .failure(broken)
        bench.player.seek(toMilliseconds: 40_000)
        bench.settle()
        #expect(bench.takeTold() == ["failed a wanted: read a: Input/output error"])
        #expect(bench.player.positionMilliseconds == 40_000)
        #expect(!bench.player.isAtEnd && !bench.player.wantsToPlay)
        // The disk is well again.
        bench.feed.results["a"] = nil
        bench.player.play()
        bench.settle()
        #expect(bench.audio.isPlaying && bench.player.positionMilliseconds == 40_000)
    }

    @Test func aJumpBehindTheTrueEndStaysThere() {
        let bench = PlayerBench()
        bench.play("a")
        bench.feed.results["a"] = .success(PreparedDeck(rate: 44_100, channels: 2, endMilliseconds: 50_000))
        bench.player.seek(toMilliseconds: 60_000)
        bench.settle()
        #expect(bench.player.isAtEnd && bench.player.positionMilliseconds == 50_000)
        #expect(bench.takeTold().isEmpty)
    }

    @Test(arguments: [DeckEnd.readFailed(errno: 5), .decodeFailed])
    func whatBreaksWhileItPlaysIsNotHeardToItsEnd(end: DeckEnd) {
        let bench = PlayerBench()
        bench.play("a")
        bench.audio.hear(milliseconds: 12_345)
        bench.audio.end(end)
        bench.settle()
        let told = bench.takeTold()
        #expect(told.count == 1 && told[0].hasPrefix("failed a wanted: "))
        #expect(bench.player.positionMilliseconds == 12_345)
        #expect(!bench.player.isAtEnd && bench.player.track?.source.name == "a")
    }

    @Test func oneTrackFlowsIntoTheNextAndTheLastEnds() {
        let bench = PlayerBench(queue: ["a", "b"])
        bench.play("a")
        bench.audio.end()
        bench.settle()
        bench.scheduler.pass(milliseconds: 200)
        #expect(bench.takeTold() == ["passed a b"])
        #expect(bench.player.track?.source.name == "b")
        bench.audio.hear(milliseconds: 9000)
        bench.audio.end()
        bench.settle()
        #expect(bench.takeTold() == ["ended b"])
        #expect(bench.player.isAtEnd && bench.player.positionMilliseconds == 9000)
    }

    @Test func anotherFormatFollowsOnACardOpenedAnew() {
        let bench = PlayerBench(queue: ["a", "b"])
        bench.feed.results["b"] = .success(PreparedDeck(rate: 22_050, channels: 1))
        bench.play("a")
        #expect(!bench.audio.requests.contains("lineUp b"))
        bench.audio.end()
        bench.settle()
        #expect(bench.takeTold() == ["passed a b"])
        #expect(bench.feed.openings == ["card 44100", "card 22050"])
        #expect(bench.feed.openCards == 1)
        #expect(bench.audio.isPlaying)
        #expect(bench.feed.prepared.filter { $0 == "b@0" }.count == 1, "got ready once")
    }

    @Test func whatCannotFollowIsSaidWhenItsTurnComes() {
        let bench = PlayerBench(queue: ["a", "b"])
        bench.feed.results["b"] = .failure(.notAudio(name: "b"))
        bench.play("a")
        #expect(bench.takeTold().isEmpty)
        bench.audio.end()
        bench.settle()
        #expect(bench.takeTold() == ["passed a b", "failed b wanted: b: no audio found in it"])
    }

    /// A deck prepared on a hanging disk stays with that disk, and more decks are left.
    @Test(arguments: [false, true]) func disksThatHangLeaveADeckForAnother(plays: Bool) {
        let bench = PlayerBench()
        if plays { bench.play("a") }
        var hung: [Job] = []
        for path in ["x", "y", "z"] {
            bench.player.go(to: bench.track(path), milliseconds: 0, play: true)
            bench.scheduler.pass(milliseconds: 400)
            if let job = bench.jobs.holdBack() { hung.append(job) }
        }
        #expect(hung.count == 3)
        bench.player.go(to: bench.track("b"), milliseconds: 0, play: true)
        bench.scheduler.pass(milliseconds: 400)
        bench.settle()
        #expect(bench.audio.requests.contains("load b") && bench.audio.requests.last == "lineUp c")
        // When the hung jobs return, the state is as before.
        for job in hung { bench.jobs.finish(job) }
        bench.settle()
        for path in ["a", "b", "c"] { bench.play(path) }
        #expect(
            bench.audio.requests.contains("load c") && Set(bench.feed.orders.keys).isSubset(of: [0, 1, 2, 3, 4, 5]))
    }

    @Test func noMoreDecksThanUsualAreUsedWhileNoDiskHangs() {
        let bench = PlayerBench()
        for path in ["a", "b", "c", "a", "c", "b"] {
            bench.play(path)
            #expect(bench.feed.orders.keys.allSatisfy { $0 < 3 })
        }
    }

    @Test func aChangeOfTheQueueKeepsWhatIsLinedUpIfItStillFollows() {
        let bench = PlayerBench()
        bench.play("a")
        let before = bench.feed.prepared
        bench.queue = ["x", "a", "b", "y"]
        bench.player.followingDidChange()
        bench.settle()
        #expect(bench.feed.prepared == before)
        #expect(bench.audio.requests.last == "lineUp b")
        bench.queue = ["a", "c"]
        bench.player.followingDidChange()
        bench.settle()
        #expect(bench.audio.requests.last == "lineUp c")
        bench.queue = ["a"]
        bench.player.followingDidChange()
        bench.settle()
        #expect(bench.audio.lined == nil)
    }

    @Test func decksOfDroppedWishesLetGoOfTheirFiles() {
        let bench = PlayerBench()
        bench.feed.results["b"] = .success(PreparedDeck(rate: 8000, channels: 1))
        bench.play("a")
        #expect(bench.feed.orders.count == 2, "b is ready and waits for its card")
        bench.player.unload()
        bench.settle()
        #expect(bench.feed.orders.isEmpty)
        // Dropped while it is got ready.
        bench.player.go(to: bench.track("a"), milliseconds: 0, play: true)
        bench.player.unload()
        bench.settle()
        #expect(bench.feed.orders.isEmpty)
    }

    @Test func aDiskThatHangsHoldsNoOtherFileUp() {
        let bench = PlayerBench(queue: ["a"])
        bench.play("a")
        bench.player.go(to: bench.track("hung"), milliseconds: 0, play: true)
        // The job is taken and does not come back.
        let hung = bench.jobs.holdBack()
        #expect(hung != nil)
        bench.player.go(to: bench.track("b"), milliseconds: 0, play: true)
        bench.settle()
        #expect(!bench.audio.requests.contains("load b"), "it may yet end by itself")
        bench.scheduler.pass(milliseconds: 400)
        bench.settle()
        #expect(bench.audio.requests.last == "load b")
        #expect(bench.audio.isPlaying)
        // The disk is back: its deck is of use again.
        if let hung { bench.jobs.finish(hung) }
        bench.settle()
        #expect(bench.feed.orders.count == 1)
    }

    /// Decks to be got ready or closed, and cards, are asked for once more when too much waits already.
    @Test func whatIsRefusedIsAskedForAgain() {
        let bench = PlayerBench(queue: ["a"])
        bench.jobs.refusal = .full
        bench.play("a")
        #expect(bench.audio.requests.isEmpty)
        bench.scheduler.pass(milliseconds: 1500)
        bench.jobs.refusal = nil
        bench.scheduler.pass(milliseconds: 1000)
        bench.settle()
        #expect(bench.audio.isPlaying && bench.audio.requests == ["attach", "load a"])
        // And the decks to release, so that neither a deck nor the card is lost.
        bench.jobs.refusal = .full
        bench.player.unload()
        bench.player.setOutputEnabled(false)
        bench.settle()
        bench.jobs.refusal = nil
        bench.scheduler.pass(milliseconds: 1000)
        bench.settle()
        #expect(bench.feed.orders.isEmpty && bench.feed.openCards == 0)
        for path in ["a", "b", "c", "d"] { bench.play(path) }
        #expect(!bench.audio.isPlaying)
        bench.player.setOutputEnabled(true)
        bench.settle()
        #expect(bench.audio.requests.last == "load d")
    }

    // MARK: Cards

    @Test func aCardThatIsAwayIsSaidOnceAndLookedForEverMoreSeldom() {
        let bench = PlayerBench()
        bench.feed.openFailures = 4
        bench.play("a")
        #expect(bench.takeTold() == ["lost: open card: No such device"])
        for (delay, tries) in [(250, 2), (500, 3), (1000, 4), (2000, 5)] {
            bench.scheduler.pass(milliseconds: delay)
            bench.settle()
            #expect(bench.feed.openings.count == tries)
        }
        #expect(bench.takeTold() == ["found"])
        #expect(bench.audio.isPlaying)
    }

    /// Playback begins by itself when the other program has closed the card.
    @Test func aCardThatAnotherProgramHasIsWaitedFor() {
        let bench = PlayerBench()
        bench.feed.isCardBusy = true
        bench.play("a")
        #expect(bench.player.isDeviceBusy && bench.player.wantsToPlay && !bench.audio.isPlaying)
        #expect(bench.takeTold() == ["lost: open sound device hw:0: Device or resource busy"])
        bench.scheduler.pass(milliseconds: 250)
        bench.settle()
        #expect(bench.player.isDeviceBusy && bench.takeTold() == [])
        bench.feed.isCardBusy = false
        bench.scheduler.pass(milliseconds: 500)
        bench.settle()
        #expect(bench.audio.isPlaying && !bench.player.isDeviceBusy && bench.takeTold() == ["found"])
    }

    @Test func theProgramThatHasTheCardIsNamed() {
        let bench = PlayerBench()
        (bench.feed.isCardBusy, bench.feed.holder) = (true, "squeezelite")
        bench.play("a")
        #expect(bench.player.cardHolder == "squeezelite")
        #expect(
            bench.takeTold() == ["lost: open sound device hw:0: Device or resource busy; squeezelite has it"])
        bench.feed.isCardBusy = false
        bench.scheduler.pass(milliseconds: 250)
        bench.settle()
        #expect(bench.player.cardHolder == nil && bench.takeTold() == ["found"])
    }

    /// An alarm does not wait for a guest: it takes another card, or the same by a mixing device, and gives it back.
    @Test func anAlarmTakesAnyCardThatOpens() {
        let bench = PlayerBench()
        bench.feed.isCardBusy = true
        bench.play("a")
        for delay in [250, 500, 1000, 2000] {
            bench.scheduler.pass(milliseconds: delay)
            bench.settle()
        }
        #expect(!bench.audio.isPlaying && bench.feed.openings.count == 5)
        // The next wait would take four seconds.
        bench.player.setUrgent(true)
        bench.settle()
        #expect(bench.feed.openings.count == 15 && bench.feed.openings.last == "plughw:7 44100")
        bench.feed.freeDevices = ["plughw:2"]
        bench.scheduler.pass(milliseconds: 1000)
        bench.settle()
        #expect(bench.audio.isPlaying && bench.feed.openings.last == "plughw:2 44100")
        #expect(bench.takeTold() == ["lost: open sound device hw:0: Device or resource busy", "found"])
        bench.feed.isCardBusy = false
        bench.player.pause()
        bench.player.setUrgent(false)
        bench.settle()
        #expect(bench.feed.openCards == 0 && bench.timesClosed == 1)
        bench.player.play()
        bench.settle()
        #expect(bench.audio.isPlaying && bench.feed.openings.last == "card 44100")
    }

    /// An alarm that ends while another card is being opened does not stay on it.
    @Test func aCardThatOpensAfterTheAlarmIsClosed() {
        let bench = PlayerBench()
        (bench.feed.isCardBusy, bench.feed.freeDevices) = (true, ["default"])
        bench.player.go(to: bench.track("a"), milliseconds: 0, play: true)
        bench.player.setUrgent(true)
        bench.settle()
        #expect(bench.audio.isPlaying && bench.feed.openings == ["card 44100", "default 44100"])
        bench.player.setUrgent(false)
        bench.settle()
        #expect(!bench.audio.isPlaying && bench.player.isDeviceBusy && bench.feed.openCards == 0)
        #expect(bench.feed.openings.last == "card 44100")
    }

    /// Headphones take the sound at its place, and give it back; an alarm is heard in the room.
    @Test func anotherDeviceTakesTheSoundButForAnAlarm() {
        let bench = PlayerBench()
        bench.play("a", at: 5000)
        #expect(bench.audio.isPlaying && bench.feed.openings == ["card 44100"])
        bench.player.setDevice("bluealsa:x")
        bench.settle()
        #expect(bench.audio.isPlaying && bench.feed.openings.last == "bluealsa:x 44100" && bench.feed.openCards == 1)
        #expect(bench.player.positionMilliseconds >= 5000)
        bench.player.setUrgent(true)
        bench.settle()
        #expect(bench.audio.isPlaying && bench.feed.openings.last == "card 44100" && bench.feed.openCards == 1)
        bench.player.setUrgent(false)
        bench.settle()
        #expect(bench.audio.isPlaying && bench.feed.openings.last == "bluealsa:x 44100")
        bench.player.pause()
        bench.player.setDevice(nil)
        bench.settle()
        #expect(!bench.player.wantsToPlay)
        bench.player.play()
        bench.settle()
        #expect(bench.audio.isPlaying && bench.feed.openings.last == "card 44100" && bench.feed.openCards == 1)
    }

    @Test func withoutACardItPlaysInSilenceWhereThatIsWanted() {
        let bench = PlayerBench(silentDevice: "null")
        bench.feed.openFailures = 1
        bench.play("a")
        #expect(bench.feed.openings == ["card 44100", "null 44100"])
        #expect(bench.player.isSilent && bench.audio.isPlaying)
    }

    /// Whenever the card goes, the place and the wish to play stay, and both are taken up when it is back.
    @Test func aCardThatIsSwitchedOffIsLetGoOf() {
        let bench = PlayerBench()
        bench.play("a", at: 1500)
        bench.player.setOutputEnabled(false)
        #expect(!bench.player.wantsToPlay && bench.player.positionMilliseconds == 1500)
        bench.settle()
        #expect(bench.feed.openCards == 0 && !bench.player.hasDevice)
        bench.player.play()
        bench.player.go(to: bench.track("b"), milliseconds: 2000, play: true)
        bench.settle()
        #expect(bench.feed.openCards == 0 && !bench.player.wantsToPlay && bench.player.positionMilliseconds == 2000)
        bench.player.setOutputEnabled(true)
        bench.player.play()
        bench.settle()
        #expect(bench.feed.openCards == 1 && bench.audio.isPlaying && bench.player.positionMilliseconds == 2000)
    }

    /// Another program that begins to play finds the card closed, and not only after the idle time.
    @Test func aCardIsLetGoOfAtOnceForAnotherSound() {
        let bench = PlayerBench(idleCloseSeconds: 10)
        bench.play("a", at: 1500)
        bench.player.letGoOfCard()
        bench.settle()
        #expect(bench.feed.openCards == 1 && bench.audio.isPlaying)
        bench.player.pause()
        bench.player.letGoOfCard()
        bench.settle()
        #expect(bench.feed.openCards == 0 && bench.player.positionMilliseconds == 1500)
        bench.player.play()
        bench.settle()
        #expect(bench.feed.openCards == 1 && bench.audio.isPlaying)
    }

    /// A voice may begin to speak just as the card is about to be closed.
    @Test func aCardOnWhichAVoiceIsAboutToSpeakStaysOpen() {
        let bench = PlayerBench(idleCloseSeconds: 1)
        bench.play("a")
        bench.player.pause()
        bench.scheduler.pass(milliseconds: 999)
        #expect(bench.player.cardToSpeakOn() != nil)
        bench.scheduler.pass(milliseconds: 9999)
        bench.settle()
        #expect(bench.feed.openCards == 1)
        bench.scheduler.pass(milliseconds: 1)
        bench.settle()
        #expect(bench.feed.openCards == 0)
    }

    /// A card on which nothing is wanted is closed, and opened again by play; it goes on where it was.
    @Test func anIdleCardIsLetGoOf() {
        let bench = PlayerBench(idleCloseSeconds: 10)
        bench.play("a", at: 1500)
        bench.scheduler.pass(milliseconds: 60_000)
        bench.settle()
        #expect(bench.feed.openCards == 1 && bench.audio.isPlaying, "while it plays it stays")
        bench.player.pause()
        let place = bench.player.positionMilliseconds
        bench.scheduler.pass(milliseconds: 9999)
        bench.settle()
        #expect(bench.feed.openCards == 1)
        // A press begins the time anew.
        bench.player.play()
        bench.player.pause()
        bench.scheduler.pass(milliseconds: 9999)
        bench.settle()
        #expect(bench.feed.openCards == 1)
        bench.scheduler.pass(milliseconds: 1)
        bench.settle()
        #expect(bench.feed.openCards == 0 && bench.player.positionMilliseconds == place && bench.takeTold() == [])
        bench.scheduler.pass(milliseconds: 3_600_000)
        bench.settle()
        #expect(bench.feed.openCards == 0)
        bench.player.play()
        bench.settle()
        #expect(bench.feed.openCards == 1 && bench.audio.isPlaying && bench.player.positionMilliseconds == place)
        bench.player.pause()
        bench.scheduler.pass(milliseconds: 10_000)
        bench.settle()
        // Something is said, and it is closed again behind that.
        #expect(bench.player.cardToSpeakOn() == nil)
        bench.settle()
        #expect(bench.player.cardToSpeakOn() != nil && bench.feed.openCards == 1)
        bench.scheduler.pass(milliseconds: 10_000)
        bench.settle()
        #expect(bench.feed.openCards == 0 && bench.player.positionMilliseconds == place)
    }

    @Test(arguments: 0...4) func aCardIsLostAtAnyMoment(moment: Int) {
        let bench = PlayerBench()
        var place = 7000
        var plays = true
        bench.play("a")
        bench.audio.hear(milliseconds: 7000)
        switch moment {
        case 0: break
        case 1:
            // In a jump that waits for the disk.
            bench.player.seek(toMilliseconds: 90_000)
            place = 90_000
        case 2:
            bench.player.pause()
            plays = false
        case 3:
            // When the next has just begun to be decoded.
            bench.audio.end()
            bench.events()
            bench.audio.hear(milliseconds: 3)
            place = 3
        default:
            // With the next got ready for another card.
            bench.feed.results["b"] = .success(PreparedDeck(rate: 8000, channels: 1))
            bench.queue = ["a", "b"]
            bench.player.followingDidChange()
            bench.settle()
        }
        bench.feed.openFailures = 2
        bench.audio.lose()
        bench.events()
        #expect(bench.player.positionMilliseconds == place)
        #expect(bench.player.wantsToPlay == plays)
        for _ in 0..<5 {
            bench.settle()
            bench.scheduler.pass(milliseconds: 5000)
        }
        bench.settle()
        #expect(bench.player.positionMilliseconds == place)
        #expect(bench.audio.isPlaying == plays)
        #expect(bench.player.track?.source.name == (moment == 3 ? "b" : "a"))
        #expect(bench.feed.openCards == 1)
        #expect(bench.takeTold().filter { $0.hasPrefix("lost") }.count == 1)
    }

    // MARK: Anything

    /// Any presses and any failures, in any order: the player comes to rest, with the last wish fulfilled and no deck lost. The fakes
    /// notice a deck that is given twice, or unready.
    @Test(arguments: UInt64(1)...100) func anythingInAnyOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let bench = PlayerBench(queue: ["a", "b", "c", "d"], idleCloseSeconds: Int(seed % 2))
        for _ in 0..<120 {
            let path = bench.queue.randomElement(using: &random)!
            switch Int.random(in: 0...18, using: &random) {
            case 0, 1:
                bench.player.go(
                    to: bench.track(path), milliseconds: Int.random(in: 0...90_000, using: &random),
                    play: Bool.random(using: &random))
            case 2: bench.player.play()
            case 3: bench.player.pause()
            case 4, 5: bench.player.seek(toMilliseconds: Int.random(in: -10...100_000, using: &random))
            case 6: bench.player.unload()
            case 7: bench.audio.end()
            case 8: bench.audio.end(.readFailed(errno: 5))
            case 9: bench.audio.lose()
            case 10: bench.feed.openFailures = Int.random(in: 0...2, using: &random)
            case 11:
                let rate = [44_100, 22_050].randomElement(using: &random)!
                let results: [Result<PreparedDeck, PlaybackError>?] = [
                    nil, .failure(broken), .success(PreparedDeck(rate: rate, channels: 1)),
                    .success(PreparedDeck(rate: rate, channels: 2, endMilliseconds: 20_000)),
                ]
                bench.feed.results[path] = results.randomElement(using: &random)!
            case 12:
                bench.queue.shuffle(using: &random)
                bench.player.followingDidChange()
            case 13: bench.scheduler.pass(milliseconds: Int.random(in: 1...3000, using: &random))
            case 14: bench.events()
            case 15: bench.settle()
            case 16: bench.player.setOutputEnabled(Int.random(in: 0...2, using: &random) > 0)
            default: bench.jobs.runOne()
            }
        }
        bench.feed.results = [:]
        bench.feed.openFailures = 0
        bench.player.setOutputEnabled(true)
        bench.player.go(to: bench.track("c"), milliseconds: 77, play: true)
        for _ in 0..<10 {
            bench.settle()
            bench.scheduler.pass(milliseconds: 5000)
        }
        bench.settle()
        #expect(bench.player.track?.source.name == "c", "seed \(seed)")
        #expect(bench.audio.isPlaying && bench.player.wantsToPlay, "seed \(seed)")
        bench.player.unload()
        bench.settle()
        #expect(bench.feed.orders.isEmpty, "seed \(seed): a deck was not closed")
        #expect(bench.player.track == nil, "seed \(seed)")
        bench.play("d")
        #expect(bench.audio.isPlaying, "seed \(seed): no deck is left")
    }
}
