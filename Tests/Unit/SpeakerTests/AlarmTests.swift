// SPDX-License-Identifier: Apache-2.0
import Core
import Fuzzing
import Model
import Posix
import TestSupport
import Testing

@testable import Library
@testable import Speaker
@testable import SpeakerBench

/// Writes down what rings.
final class FakeOwner: AlarmOwner {
    private(set) var rung: [Alarm.ID] = []
    private(set) var again: [Bool] = []
    private(set) var silences = 0
    private(set) var changes = 0
    var didRing: () -> Void = {}

    func alarmRings(_ alarm: Alarm, isAgain: Bool) {
        rung.append(alarm.id)
        again.append(isAgain)
        didRing()
    }

    func alarmFallsSilent() { silences += 1 }
    func alarmsDidChange() { changes += 1 }
}

@Suite("Alarms' times") struct AlarmTimeTests {
    private let hour: Int64 = 3600

    @Test func daysHaveWords() {
        for (words, bits) in [
            ("daily", 127), ("once", 0), ("mon-fri", 31), ("sat-sun", 96), ("mon,wed", 5), ("sun", 64),
            ("fri-mon", 113), ("mon,wed-thu,sun", 77), ("mon-mon", 1), ("tue-mon", 127),
        ] { #expect(AlarmDays(words: words)?.bits == bits, "\(words)") }
        for bits in 0...127 { #expect(AlarmDays(words: AlarmDays(bits: bits).words)?.bits == bits) }
        for words in ["", "mo", "Mon", "mon-", "-mon", "mon,,tue", "mon-tue-wed", "weekdays", "mon tue", ","] {
            #expect(AlarmDays(words: words) == nil, "\(words)")
        }
    }

    @Test func timesHaveWords() {
        for minute in 0..<1440 { #expect(Alarm.minute(Alarm.timeWords(minute)) == minute) }
        #expect(Alarm.minute("6:40") == 400)
        for words in [
            "", "24:00", "06:60", "0640", "6:4", "6:400", ":30", "06:", "-1:00", "06:40:00", "a:bc", "١٢:٠٠",
        ] {
            #expect(Alarm.minute(words) == nil, "\(words)")
        }
    }

    @Test func statusIsRead() {
        for state in [AlarmStatus.State.waiting, .ringing, .snoozed] {
            let status = AlarmStatus(state, minute: 400)
            #expect(AlarmStatus(word: status.word) == status)
        }
        for word in ["", "06:40", "ringing", "06:40 loud", "25:00 ringing", "06:40 ringing now"] {
            #expect(AlarmStatus(word: word) == nil)
        }
    }

    private func next(_ alarm: Alarm, after seconds: Int64, _ local: LocalTime = .utc) -> Int64 {
        alarm.time(after: seconds, local).seconds - seconds
    }

    @Test func itRingsOnItsDays() {
        // Thursday, 20:00.
        let now = thursdayEvening
        #expect(next(Alarm(minute: 400, days: .daily), after: now) == 10 * hour + 2400)
        #expect(next(Alarm(minute: 1200, days: .once), after: now) == 24 * hour)
        #expect(next(Alarm(minute: 1201, days: .once), after: now) == 60)
        #expect(next(Alarm(minute: 400, days: .weekend), after: now) == 34 * hour + 2400)
        #expect(next(Alarm(minute: 1200, days: AlarmDays(bits: 8)), after: now) == 7 * 24 * hour)
        #expect(next(Alarm(minute: 1200, days: AlarmDays(bits: 8)), after: now - 1) == 1)
        var rang = Alarm(minute: 1260, days: .daily)
        rang.rangMinute = now / 60 + 60
        #expect(next(rang, after: now) == 25 * hour)
    }

    /// 02:30 does not come, or comes twice.
    @Test func daysOnWhichTheClockIsChanged() {
        let night = Alarm(minute: 150, days: .daily)
        // Midnight UTC, an hour ahead.
        let midnight = thursdayEvening + 4 * hour
        let spring = LocalTime.changing(at: midnight + hour, from: hour, to: 2 * hour)
        #expect(night.time(after: midnight, spring).seconds == midnight + hour)
        #expect(night.time(after: midnight + hour, spring).seconds == midnight + 24 * hour + hour / 2)
        let autumn = LocalTime.changing(at: midnight + hour, from: 2 * hour, to: hour)
        #expect(night.time(after: midnight, autumn).seconds == midnight + hour / 2)
        // An alarm set between the two has missed the first.
        #expect(night.time(after: midnight + hour, autumn).seconds == midnight + 25 * hour + hour / 2)
        #expect(Alarm(minute: 0, days: .daily).time(after: midnight, spring).seconds == midnight + 22 * hour)
    }

    /// By going through all minutes of some days.
    @Test func itIsTheFirstMomentAtWhichTheWallShowsIt() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let before = Int64.random(in: -48...56, using: &random) * 900
            let step = [-7200, -3600, -1800, 1800, 3600, 7200].randomElement(using: &random) ?? 0
            let change = thursdayEvening + Int64.random(in: 0...2880, using: &random) * 60
            let local = LocalTime.changing(at: change, from: before, to: before + Int64(step))
            let wall = local.wallSeconds(at: change) / 60 * 60 + Int64.random(in: -300...300, using: &random) * 60
            var moment = wall - before - 8 * hour
            while local.wallSeconds(at: moment) < wall { moment += 60 }
            #expect(local.moment(ofWall: wall) == moment)
        }
    }

    /// The board's own zone, whichever that is.
    @Test func theBoardHasAZone() {
        let now = wallClockSeconds()
        #expect(abs(LocalTime.ofBoard.wallSeconds(at: now) - now) <= 15 * hour)
        #expect(LocalTime.ofBoard.moment(ofWall: LocalTime.ofBoard.wallSeconds(at: now)) <= now)
    }
}

@Suite("Alarms") struct AlarmTests {
    private let library = Library(stateFolder: nil) { _ in }
    private let owner = FakeOwner()

    private func make(
        at seconds: Int64 = thursdayEvening, isKnown: Bool = true
    ) -> (alarms: Alarms, wall: FakeWall, timers: FakeTimers) {
        let timers = FakeTimers()
        let wall = FakeWall(seconds: seconds, timers)
        wall.isKnown = isKnown
        let alarms = Alarms(timers, store: library)
        wall.alarms = alarms
        alarms.clock = wall.clock
        alarms.owner = owner
        alarms.begin(nil)
        return (alarms, wall, timers)
    }

    @Test func whatIsNotUsedWakesNobody() {
        let (alarms, _, timers) = make()
        #expect(timers.count == 0 && alarms.status == nil)
        let id = alarms.add(Alarm(minute: 400, days: .daily))
        #expect(id == 1 && timers.count == 1 && alarms.status == AlarmStatus(.waiting, minute: 400))
        #expect(alarms.set(1, isOn: false) && timers.count == 0 && alarms.status == nil)
        #expect(alarms.set(1, isOn: true) && timers.count == 1)
        #expect(alarms.remove(1) && !alarms.remove(1) && !alarms.set(1, isOn: true) && timers.count == 0)
    }

    @Test func numbersAreSmallAndAlarmsAreFew() {
        let (alarms, _, _) = make()
        for number in 1...Alarm.most { #expect(alarms.add(Alarm(minute: number, days: .daily)) == Alarm.ID(number)) }
        #expect(alarms.add(Alarm(minute: 0, days: .daily)) == nil)
        #expect(alarms.remove(7) && alarms.add(Alarm(minute: 0, days: .once)) == 7)
        #expect(alarms.all.map(\.id) == (1...Int64(Alarm.most)).map { $0 })
        #expect(library.restoredAlarms() == alarms.all)
    }

    @Test func itRingsIsPutOffAndEnds() {
        let (alarms, _, timers) = make()
        _ = alarms.add(Alarm(minute: 1201, days: .daily))
        timers.pass(milliseconds: 59_999)
        #expect(owner.rung.isEmpty)
        timers.pass(milliseconds: 1)
        #expect(owner.rung == [1] && alarms.isRinging && alarms.status == AlarmStatus(.ringing, minute: 1201))
        alarms.snooze()
        alarms.snooze()
        #expect(owner.silences == 1 && alarms.status == AlarmStatus(.snoozed, minute: 1201) && alarms.isJustPutOff)
        timers.pass(milliseconds: 2000)
        #expect(!alarms.isJustPutOff)
        timers.pass(milliseconds: 537_999)
        #expect(owner.rung == [1])
        timers.pass(milliseconds: 1)
        #expect(owner.rung == [1, 1] && owner.again == [false, true])
        alarms.end()
        #expect(owner.silences == 2 && alarms.status == AlarmStatus(.waiting, minute: 1201) && timers.count == 1)
        timers.pass(milliseconds: 86_400_000)
        #expect(owner.rung == [1, 1, 1])
        // Nobody is there.
        timers.pass(milliseconds: 3_600_000)
        #expect(owner.silences == 3 && alarms.ringing == nil && library.restoredRinging() == nil)
    }

    /// A clock chip with an empty battery counts as known; then the network comes.
    @Test(arguments: [700, 2, -700]) func onceIsMeantByTheClockThatIsRight(days: Int64) {
        let (alarms, wall, timers) = make(at: thursdayEvening - days * 86_400)
        timers.pass(milliseconds: 10_000)
        _ = alarms.add(Alarm(minute: 1230, days: .once))
        timers.pass(milliseconds: 60_000)
        wall.set(seconds: thursdayEvening)
        #expect(alarms.all[0].isOn && alarms.next(alarms.all[0]) == thursdayEvening + 1800)
        timers.pass(milliseconds: 1_800_000)
        #expect(owner.rung == [1])
    }

    /// The first alarm that is set, a little before the minute of the day that it is: not at once.
    @Test func theFirstAlarmIsForTheNextTime() {
        let (alarms, _, timers) = make()
        _ = alarms.add(Alarm(minute: 1185, days: .daily))
        timers.pass(milliseconds: 60_000)
        #expect(owner.rung.isEmpty && alarms.upcoming?.seconds == thursdayEvening + 86_400 - 900)
    }

    /// An alarm missed by over an hour does not count as awaited, though it stays for a day; then it is off, whatever else is set.
    @Test func onceThatWasMissedIsNotAwaited() {
        let (alarms, wall, timers) = make()
        _ = alarms.add(Alarm(minute: 1230, days: .once))
        #expect(alarms.isAwaited(alarms.all[0]))
        wall.set(seconds: thursdayEvening + 2 * 3600)
        #expect(!alarms.isAwaited(alarms.all[0]) && alarms.all[0].isOn && alarms.status == nil)
        // Switching it on means the next evening.
        let again = alarms.all[0]
        timers.pass(milliseconds: 90_000_000)
        #expect(!alarms.all[0].isOn)
        #expect(alarms.set(again.id, isOn: true) && alarms.isAwaited(alarms.all[0]))
    }

    /// The first evening: the zone is chosen after the alarm was set.
    @Test func anAlarmFollowsTheZone() {
        let (alarms, wall, timers) = make()
        _ = alarms.add(Alarm(minute: 1260, days: .daily))
        #expect(alarms.upcoming?.seconds == thursdayEvening + 3600)
        alarms.clock.local = LocalTime { _ in 1800 }
        timers.pass(milliseconds: 600_000)
        #expect(alarms.upcoming?.seconds == thursdayEvening + 1800)
        _ = wall
    }

    @Test func onceIsOnce() {
        let (alarms, _, timers) = make()
        _ = alarms.add(Alarm(minute: 1201, days: .once))
        timers.pass(milliseconds: 60_000)
        #expect(owner.rung == [1] && alarms.all[0].isOn == false)
        alarms.end()
        #expect(timers.count == 0 && alarms.status == nil)
        timers.pass(milliseconds: 200_000_000)
        #expect(owner.rung == [1])
        #expect(alarms.set(1, isOn: true))
        timers.pass(milliseconds: 86_400_000)
        #expect(owner.rung == [1, 1])
    }

    @Test func severalAtOnce() {
        let (alarms, _, timers) = make()
        for minute in [1201, 1201, 1203] { _ = alarms.add(Alarm(minute: minute, days: .daily)) }
        timers.pass(milliseconds: 60_000)
        #expect(owner.rung == [1] && alarms.all.filter { $0.rangMinute != nil }.map(\.id) == [1, 2])
        alarms.snooze()
        timers.pass(milliseconds: 120_000)
        #expect(owner.rung == [1, 3] && owner.again == [false, false])
        // A removed alarm, or one that was switched off, stops ringing.
        #expect(alarms.set(3, isOn: false) && alarms.ringing == nil && owner.silences == 2)
    }

    @Test func aClockThatIsSetMovesNothing() {
        let (alarms, wall, timers) = make()
        _ = alarms.add(Alarm(minute: 1201, days: .daily))
        timers.pass(milliseconds: 60_000)
        alarms.end()
        for minutes in [-30, 10, -200, 300, -50] as [Int64] {
            wall.set(seconds: thursdayEvening + minutes * 60)
            timers.pass(milliseconds: 1_800_000)
        }
        #expect(owner.rung == [1])
        wall.set(seconds: thursdayEvening + 86_400)
        timers.pass(milliseconds: 60_000)
        #expect(owner.rung == [1, 1])
    }

    @Test func aClockThatIsSetOverItRingsAtOnceWithinTheHour() {
        for (minutes, rings) in [(1, true), (60, true), (61, true), (62, false)] as [(Int64, Bool)] {
            let owner = FakeOwner()
            let (alarms, wall, timers) = make()
            alarms.owner = owner
            for alarm in alarms.all { _ = alarms.remove(alarm.id) }
            _ = alarms.add(Alarm(minute: 1201, days: .once))
            wall.set(seconds: thursdayEvening + minutes * 60)
            #expect(owner.rung.isEmpty != rings, "\(minutes)")
            #expect(alarms.all[0].isOn != rings)
            // Missed, and the clock is set back: then it rings.
            wall.set(seconds: thursdayEvening)
            timers.pass(milliseconds: 60_000)
            #expect(owner.rung == [1])
            alarms.end()
        }
    }

    @Test func nobodyKnowsWhatTimeItIs() {
        let (alarms, wall, timers) = make(at: 1000, isKnown: false)
        #expect(!alarms.isClockAwaited)
        _ = alarms.add(Alarm(minute: 1, days: .daily))
        _ = alarms.add(Alarm(minute: 1170, days: .once))
        #expect(alarms.isClockAwaited && alarms.next(alarms.all[0]) == nil)
        timers.pass(milliseconds: 7_200_000)
        #expect(owner.rung.isEmpty)
        wall.set(seconds: thursdayEvening)
        // Half past seven, half an hour ago.
        #expect(owner.rung == [2] && !alarms.isClockAwaited)
        // One that some program has set, without a jump.
        let (later, other, laterTimers) = make(at: thursdayEvening, isKnown: false)
        #expect(later.isClockAwaited)
        other.isKnown = true
        laterTimers.pass(milliseconds: 60_000)
        #expect(!later.isClockAwaited)
    }

    /// A restarted program knows that the clock was set.
    @Test func theClockIsKnownForAsLongAsTheBoardRuns() {
        let start = BoardStart(identity: "one", isClockKnown: false)
        let (alarms, wall, _) = make(at: 1000, isKnown: false)
        alarms.begin(start)
        _ = alarms.add(Alarm(minute: 1, days: .daily))
        wall.isKnown = false
        wall.set(seconds: thursdayEvening)
        for (identity, isAwaited) in [("one", false), ("two", true)] {
            let (next, _, _) = make(at: thursdayEvening, isKnown: false)
            next.begin(BoardStart(identity: identity, isClockKnown: false))
            #expect(next.isClockAwaited == isAwaited)
        }
    }

    @Test func aPowerCutLosesNoneAndRingsNoneTwice() {
        // Seconds behind its minute: the cut, when the power is back, and whether it rings then.
        for (cut, back, rings) in [
            (-10, -5, true), (-10, 5, true), (-10, 3600, true), (-10, 3601, false), (5, 10, true), (5, 3590, true),
            (5, 3600, false),
        ] as [(Int64, Int64, Bool)] {
            library.save([Alarm]())
            library.save(RingingAlarm?.none)
            let (before, _, timers) = make()
            _ = before.add(Alarm(minute: 1201, days: .once))
            let count = owner.rung.count
            timers.pass(milliseconds: Int(60 + cut) * 1000)
            #expect(owner.rung.count == count + (cut < 0 ? 0 : 1))
            let rung = owner.rung.count
            let (after, wall, later) = make(at: thursdayEvening + 60 + back)
            later.pass(milliseconds: 6000)
            #expect(owner.rung.count == rung + (rings ? 1 : 0), "\(cut) \(back)")
            #expect(after.isRinging == rings)
            after.end()
            // An ended alarm stays ended, and so does its hour.
            let (last, _, more) = make(at: wall.seconds)
            more.pass(milliseconds: 60_000)
            #expect(last.ringing == nil && owner.rung.count == rung + (rings ? 1 : 0))
        }
    }

    @Test func anHourIsAnHourWithAPowerCutInIt() {
        let (alarms, _, timers) = make()
        _ = alarms.add(Alarm(minute: 1201, days: .daily))
        timers.pass(milliseconds: 120_000)
        let (next, _, later) = make(at: thursdayEvening + 3000)
        #expect(next.isRinging)
        later.pass(milliseconds: 659_000)
        #expect(next.isRinging)
        later.pass(milliseconds: 1000)
        #expect(next.ringing == nil)
    }

    @Test func whatWasPutOffStaysSo() {
        let (alarms, wall, timers) = make()
        _ = alarms.add(Alarm(minute: 1201, days: .daily))
        timers.pass(milliseconds: 60_000)
        alarms.snooze()
        timers.pass(milliseconds: 60_000)
        let (next, _, later) = make(at: wall.seconds + 60)
        #expect(next.status == AlarmStatus(.snoozed, minute: 1201) && owner.rung == [1])
        later.pass(milliseconds: 7 * 60_000 - 1)
        #expect(owner.rung == [1])
        later.pass(milliseconds: 1)
        #expect(owner.rung == [1, 1])
    }

    /// For any values on a damaged page.
    @Test func whatIsKeptIsWithinItsBounds() throws {
        for text in ["", "1", "1 x", "99999999999 1", "1 9999999999999", "-1 5", "1 2 3", "1  "] {
            #expect(RingingAlarm(text: text) == nil, "\(text)")
        }
        #expect(RingingAlarm(text: RingingAlarm(alarm: 3, atSeconds: 1_700_000_000).text)?.alarm == 3)
    }
}
