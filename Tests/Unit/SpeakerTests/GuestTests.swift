// SPDX-License-Identifier: Apache-2.0
import Core
import Fuzzing
import Model
import Posix
import TestSupport
import Testing

@testable import Speaker
@testable import SpeakerBench

/// Days on which guests play on the speaker's card, politely by their hooks or not, while doorbells ring, alarms too, and hands press.
/// Beside them runs a model of the card, which one program has at a time.
@Suite("Guests") struct GuestTests {
    @Test(arguments: 0..<5) func placesAreKeptAndEveryAlarmIsHeard(part: Int) {
        var seen = Day.Seen()
        for number in 0..<100 {
            let day = Day(seed: UInt64(part * 1000 + number + 1))
            day.pass(&seen)
            #expect(day.complaints.isEmpty, "part \(part), day \(number): \(day.log.joined(separator: "\n"))")
            if !day.complaints.isEmpty { return }
        }
        // The chance of the seeds has led everywhere.
        #expect(seen.resumes > 20 && seen.rings > 20 && seen.ringsDuringGuests > 3 && seen.waits > 10, "\(seen)")
        #expect(seen.giveUps > 0 && seen.longGuests > 3, "\(seen)")
    }
}

private final class Day {
    struct Seen {
        var resumes = 0
        var rings = 0
        var ringsDuringGuests = 0
        var waits = 0
        var giveUps = 0
        var longGuests = 0
    }

    /// Another program that plays.
    private struct Guest {
        var isPolite: Bool
        var began: MonotonicTime
        /// The book that it has paused; nil if none played.
        var paused: (title: String?, milliseconds: Int)?
        /// A hand or an alarm has decided otherwise since.
        var isOverruled = false
    }

    private(set) var complaints: [String] = []
    private(set) var log: [String] = []
    private var chance: SeededGenerator
    private let timers = FakeTimers()
    private let wall: FakeWall
    private let bench: Bench
    private var guest: Guest?
    /// The speaker has the configured card open.
    private var hasCard = false
    private var letGo = 0
    private var silentSince: MonotonicTime?
    private var waitsSince: MonotonicTime?
    private var wasRinging = false

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
        wall = FakeWall(seconds: thursdayEvening, timers)
        bench = Bench(timers: timers, alarmClock: wall.clock)
        wall.alarms = bench.speaker.alarms
        bench.add("a", "b", "c")
        bench.press(.play)
    }

    private func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &chance) }

    private var isRinging: Bool { bench.speaker.alarms.isRinging }

    private func complain(_ text: String) {
        complaints.append(text)
        log.append("COMPLAINT " + text)
    }

    func pass(_ seen: inout Seen) {
        let minute = 20 * 60 + random(1..<40)
        _ = bench.speaker.addAlarm(Alarm(minute: minute, days: .daily, riseMinutes: 0))
        for _ in 0..<40 where complaints.isEmpty {
            switch random(0..<10) {
            case 0...2: if guest == nil { come() } else { leave(&seen) }
            case 3: ring(forSeconds: random(5..<60))
            case 4...5: press()
            default: break
            }
            wait(seconds: random(0..<8) == 0 ? random(200..<500) : random(1..<60), &seen)
        }
    }

    // MARK: What happens

    private func come() {
        let isPolite = random(0..<3) > 0
        let title = bench.title
        let position = bench.player.positionMilliseconds
        let wanted = bench.player.wantsToPlay
        log.append("a guest comes, \(isPolite ? "politely" : "as it likes"), at \(position) of \(title ?? "nothing")")
        if isPolite {
            bench.press(.interrupt(.begin(seconds: nil)))
            settleCard()
            if isRinging { return }
            if bench.player.wantsToPlay { return complain("it plays on") }
            if hasCard { return complain("the guest finds the card in use") }
            if bench.player.positionMilliseconds != position || bench.title != title {
                return complain("the place is lost")
            }
        }
        // A card that the speaker has does not open.
        if hasCard { return }
        guest = Guest(isPolite: isPolite, began: timers.now, paused: isPolite && wanted ? (title, position) : nil)
        settleCard()
    }

    private func leave(_ seen: inout Seen) {
        guard let left = guest else { return }
        let isShort = timers.now.milliseconds(since: left.began) <= 300_000
        if !isShort { seen.longGuests += 1 }
        let wanted = bench.player.wantsToPlay
        let position = bench.player.positionMilliseconds
        guest = nil
        settleCard()
        if left.isPolite { bench.press(.interrupt(.end)) }
        settleCard()
        log.append("the guest goes, \(isShort ? "soon" : "late")")
        if left.isOverruled || !left.isPolite {
            if bench.player.wantsToPlay != wanted { complain("its end changes what a hand has chosen") }
            if wanted && !isRinging && bench.player.positionMilliseconds != position {
                complain("the wait moves the place")
            }
            return
        }
        guard let paused = left.paused, isShort else {
            if bench.player.wantsToPlay { complain("it plays, and nothing played before") }
            return
        }
        seen.resumes += 1
        let back = paused.milliseconds - bench.player.positionMilliseconds
        if !bench.player.wantsToPlay { complain("it does not go on") }
        if bench.title != paused.title || !(0...20_000).contains(back) {
            complain("it goes on elsewhere: \(back) ms before")
        }
    }

    private func ring(forSeconds seconds: Int) {
        // A second hook would end the first one's interruption.
        if guest != nil || isRinging { return }
        let (title, position, wanted) = (bench.title, bench.player.positionMilliseconds, bench.player.wantsToPlay)
        bench.press(.interrupt(.begin(seconds: seconds)))
        settleCard()
        log.append("a doorbell of \(seconds) s")
        if bench.player.wantsToPlay || hasCard { return complain("the doorbell is not heard") }
        bench.pass(milliseconds: seconds * 1000)
        settleCard()
        if isRinging { return }
        if bench.player.wantsToPlay != wanted { complain("behind the doorbell it does not go on as before") }
        let back = position - bench.player.positionMilliseconds
        if bench.title != title || !(0...20_000).contains(back) {
            complain("the doorbell moved the place by \(back) ms")
        }
    }

    private func press() {
        let commands: [Command] = [
            .playPause, .pause, .play, .next, .skip(milliseconds: 10_000), .volume(step: 5), .toggleFavourite,
            .sentence(.again), .alarm(.snooze), .alarm(.end), .menu(.next),
        ]
        let command = commands[random(0..<commands.count)]
        log.append("a hand: \(command)")
        bench.press(command)
        switch command {
        case .volume, .toggleFavourite, .alarm, .menu: break
        default: guest?.isOverruled = true
        }
        settleCard()
    }

    /// Lets time pass second by second, and looks each time.
    private func wait(seconds: Int, _ seen: inout Seen) {
        for _ in 0..<seconds where complaints.isEmpty {
            if bench.player.isAdvancing {
                bench.player.positionMilliseconds += 1000
                if bench.player.positionMilliseconds >= 60_000 { bench.player.reachEnd() }
                // The queue begins anew.
                if bench.player.isAtEnd { bench.press(.seek(milliseconds: 0), .play) }
            }
            bench.pass(milliseconds: 1000)
            settleCard()
            look(&seen)
        }
    }

    private func look(_ seen: inout Seen) {
        if isRinging {
            if !wasRinging {
                (seen.rings, seen.ringsDuringGuests) = (seen.rings + 1, seen.ringsDuringGuests + (guest == nil ? 0 : 1))
                log.append("an alarm rings")
            }
            guest?.isOverruled = true
            if !bench.player.isAdvancing { complain("an alarm is not heard") }
        } else if let guest, guest.isPolite, !guest.isOverruled, bench.player.wantsToPlay {
            complain("it wants to play beside the guest")
        }
        wasRinging = isRinging
        guard bench.player.wantsToPlay, bench.player.isDeviceBusy, !bench.player.hasDevice else {
            if let waitsSince, timers.now.milliseconds(since: waitsSince) >= 298_000 { seen.giveUps += 1 }
            waitsSince = nil
            return
        }
        if waitsSince == nil { (waitsSince, seen.waits) = (timers.now, seen.waits + 1) }
        if bench.showing.trouble != .soundDeviceBusy { complain("a busy card is not told of") }
        if let waitsSince, timers.now.milliseconds(since: waitsSince) > 301_000 { complain("it waits for too long") }
    }

    // MARK: The card

    /// Opens and closes the card as the player would: an alarm takes another one.
    private func settleCard() {
        let player = bench.player
        if player.timesLetGo > letGo && !player.wantsToPlay { hasCard = false }
        letGo = player.timesLetGo
        if player.wantsToPlay {
            silentSince = nil
            if guest == nil { hasCard = true }
            let opens = hasCard || player.isUrgent
            if opens && !player.hasDevice {
                player.isDeviceBusy = false
                player.findDevice()
            } else if !opens && (player.hasDevice || !player.isDeviceBusy) {
                player.isDeviceBusy = true
                player.loseDevice()
            }
        } else {
            silentSince = silentSince ?? timers.now
            // idle_close.
            if let silentSince, timers.now.milliseconds(since: silentSince) >= 10_000 { hasCard = false }
        }
        if hasCard && guest != nil { complain("two programs have the card") }
    }
}
