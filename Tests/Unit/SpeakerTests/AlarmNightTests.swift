// SPDX-License-Identifier: Apache-2.0
import Core
import Fuzzing
import Posix
import TestSupport
import Testing

@testable import Library
@testable import Model
@testable import Speaker

/// Nights of ten years with every event: the clock changes and is set, the time is unknown, the power fails and returns.
@Suite("Nights with alarms") struct AlarmNightTests {
    @Test func eachAlarmRingsOnce() {
        let library = Library(stateFolder: nil) { _ in }
        var rung = 0
        for seed in 0..<2000 {
            let night = Night(library, seed: UInt64(seed))
            night.pass()
            rung += night.rung.count
            #expect(night.complaints.isEmpty, "night \(seed)")
        }
        #expect(rung > 3000)
    }

    /// From eight in the evening to eleven in the morning.
    private final class Night {
        private struct Ring {
            var alarm: Alarm.ID
            var wallMinute: Int64
        }

        private static let evening: Int64 = 20 * 3600
        private static let morning: Int64 = 35 * 3600

        private(set) var rung: [Alarm.ID] = []
        private(set) var complaints: [String] = []
        private let library: Library
        private var chance: SeededGenerator
        private let local: LocalTime
        private let day: Int64
        private let start: Int64
        /// The time by a clock that was never set.
        private var now: Int64
        /// The error of the clock.
        private var wrong: Int64 = 0
        /// The stretches of the clock that really passed: in each of their seconds an alarm could have rung.
        private var lived: [ClosedRange<Int64>] = []
        private var rings: [Ring] = []
        /// The clock was set, or the power came back, this second.
        private var isMoment = false
        private var alarms: Alarms
        private var wall: FakeWall
        private var timers: FakeTimers
        private let owner = FakeOwner()

        init(_ library: Library, seed: UInt64) {
            var chance = SeededGenerator(seed: seed)
            self.library = library
            library.save([Alarm]())
            library.save(RingingAlarm?.none)
            day = thursdayEvening / 86_400 + Int64.random(in: 0..<3652, using: &chance)
            let before = Int64.random(in: -44...52, using: &chance) * 900
            let step = [0, 0, 3600, -3600, 3600, -3600, 1800, -1800].randomElement(using: &chance) ?? 0
            // Between midnight and four in the morning of the second day.
            let change = (day + 1) * 86_400 + Int64.random(in: 0...16, using: &chance) * 900 - before
            local = .changing(at: change, from: before, to: before + Int64(step))
            start = day * 86_400 + Night.evening - before
            now = start
            timers = FakeTimers()
            wall = FakeWall(seconds: now, timers, local)
            alarms = Alarms(timers, store: library)
            self.chance = chance
            begin()
            for _ in 0...Int.random(in: 0...3, using: &self.chance) { add() }
        }

        private func begin() {
            wall.alarms = alarms
            alarms.clock = wall.clock
            alarms.owner = owner
            owner.didRing = { [unowned self] in note() }
            isMoment = true
            alarms.begin(nil)
            isMoment = false
        }

        /// An alarm between half past eleven and ten, more of them while the clock is changed.
        private func add() {
            let inNight = Bool.random(using: &chance)
            let minute =
                inNight
                ? Int.random(in: 0...300, using: &chance) : (1410 + Int.random(in: 0...630, using: &chance)) % 1440
            let days = [AlarmDays.daily, .daily, .once, .workdays, .weekend, AlarmDays(bits: 42)]
            _ = alarms.add(Alarm(minute: minute, days: days.randomElement(using: &chance) ?? .daily))
        }

        /// All that has been marked since it was last looked.
        private func note() {
            for alarm in alarms.all {
                guard let minute = alarm.rangMinute else { continue }
                if rings.contains(where: { $0.alarm == alarm.id && $0.wallMinute == minute }) { continue }
                rings.append(Ring(alarm: alarm.id, wallMinute: minute))
                rung.append(alarm.id)
                let late = wall.seconds - first(minute)
                if late < 0 || late > (isMoment ? 3600 : 1) {
                    complaints.append("\(alarm.timeWords) rang \(late) s late")
                }
                if !alarm.days.contains(day: minute / 1440) { complaints.append("\(alarm.days.words) on another day") }
            }
        }

        /// When the wall first shows this minute, found by going through the night.
        private func first(_ wallMinute: Int64) -> Int64 {
            var moment = start - 4 * 3600
            while local.wallSeconds(at: moment) < wallMinute * 60 { moment += 60 }
            return moment
        }

        func pass() {
            while now < start + Night.morning - Night.evening {
                live(seconds: Int64.random(in: 60...7200, using: &chance))
                switch Int.random(in: 0..<10, using: &chance) {
                case 0...2: setClock()
                case 3...5: cutPower()
                case 6: if alarms.isRinging { alarms.snooze() }
                default: alarms.end()
                }
            }
            check()
        }

        private func live(seconds: Int64) {
            let from = wall.seconds
            timers.pass(milliseconds: Int(seconds) * 1000)
            now += seconds
            if wall.isKnown { lived.append(from...wall.seconds) }
            // A woken person ends it, most of the time.
            if alarms.isRinging && Int.random(in: 0..<3, using: &chance) > 0 { alarms.end() }
        }

        /// It may be wrong by up to two hours, after eleven in the evening.
        private func setClock() {
            if wall.seconds < start + 3 * 3600 + 7200 { return }
            wrong = Bool.random(using: &chance) ? 0 : Int64.random(in: -7200...7200, using: &chance)
            isMoment = true
            wall.set(seconds: now + wrong)
            isMoment = false
            lived.append(wall.seconds...wall.seconds)
        }

        private func cutPower() {
            now += Int64.random(in: 1...5400, using: &chance)
            owner.didRing = {}
            alarms.clock.wake(nil)
            timers = FakeTimers()
            wall = FakeWall(seconds: now + wrong, timers, local)
            alarms = Alarms(timers, store: library)
            let forgets = Int.random(in: 0..<3, using: &chance) == 0
            if forgets {
                // A board with a stopped clock.
                wrong = 0
                wall = FakeWall(seconds: 100, timers, local)
                wall.isKnown = false
            }
            begin()
            if !forgets { return lived.append(wall.seconds...wall.seconds) }
            let wait = Int64.random(in: 1...1200, using: &chance)
            timers.pass(milliseconds: Int(wait) * 1000)
            now += wait
            isMoment = true
            wall.set(seconds: now)
            isMoment = false
            lived.append(wall.seconds...wall.seconds)
        }

        /// Every alarm that could ring did: its minute, or the hour behind it, came while the clock was known.
        private func check() {
            for alarm in alarms.all {
                var minutes: [Int64] = []
                for day in [day, day + 1] where alarm.days.contains(day: day) {
                    let minute = day * 1440 + Int64(alarm.minute)
                    if first(minute) > start { minutes.append(minute) }
                }
                for minute in alarm.days == .once ? Array(minutes.prefix(1)) : minutes {
                    let due = first(minute)
                    let could = lived.contains { $0.overlaps(due...due + 3600) }
                    let count = rings.filter { $0.alarm == alarm.id && $0.wallMinute == minute }.count
                    if count != (could ? 1 : 0) { complaints.append("\(alarm.timeWords) rang \(count) times") }
                }
                if alarm.days == .once && rings.filter({ $0.alarm == alarm.id }).count > 1 {
                    complaints.append("once was twice")
                }
            }
        }
    }
}
