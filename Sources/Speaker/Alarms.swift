// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix

/// The wall clock for alarms; a test has its own.
public struct AlarmClock {
    /// The time in seconds since 1970.
    public var seconds: () -> Int64 = wallClockSeconds
    public var local = LocalTime.ofBoard
    /// True if the clock ran on without power, or was set since.
    public var isSet: () -> Bool = { true }
    /// Calls `Alarms.look` at that time of day, or `clockWasSet` if the clock was set first; nil cancels. A later request replaces an
    /// earlier one.
    public var wake: (Int64?) -> Void = { _ in }
    /// The clock's last trusted reading, and its moment.
    private var seen: (seconds: Int64, at: MonotonicTime)?

    public init() {}

    /// Notes the clock's time.
    mutating func see(at now: MonotonicTime) { seen = (seconds(), now) }

    /// Returns the previous reading and the seconds by which the clock jumped since, ahead or back; nil without a previous reading.
    func change(at now: MonotonicTime) -> (from: Int64, by: Int64)? {
        seen.map { ($0.seconds, seconds() - $0.seconds - now.milliseconds(since: $0.at) / 1000) }
    }
}

/// The ringing of alarms: the next alarm, the ringing one, and the snoozing ones. It knows the time and not the recordings.
///
/// An alarm is saved with its minute of the wall clock before it sounds, so that neither a power cut nor a change of the clock makes it
/// ring twice. The ringing alarm stays saved until it ends: after a power cut it continues. Control thread.
public final class Alarms {
    /// The time after which a ringing alarm ends by itself.
    static let longestMilliseconds: Int64 = 3_600_000
    /// The longest delay of a missed alarm that still rings, at once: the clock was unknown or the power was away.
    private static let latestSeconds: Int64 = 3600
    /// The year 2020: a clock that shows less was never set.
    private static let firstSeconds: Int64 = 1_577_836_800
    /// The interval of checking an unknown clock.
    private static let lookAgainSeconds: Int64 = 60
    /// The shortest jump ahead which means that the clock was wrong, as with an empty battery.
    private static let wrongSeconds: Int64 = 86_400
    /// The interval of checking the board's time zone while an alarm is on.
    private static let zoneSeconds: Int64 = 600

    /// An alarm that rings, or snoozes and rings again.
    struct Ringing {
        var alarm: Alarm
        /// The time when it began to ring, or to snooze.
        var began: MonotonicTime
        /// The time when it rings again; nil while it rings.
        var again: MonotonicTime?
    }

    /// The alarms, ordered by number.
    public private(set) var all: [Alarm] = []
    private(set) var ringing: Ringing?
    /// The next alarm, at the last look; nil for none, and with an unknown clock.
    public private(set) var upcoming: (seconds: Int64, minute: Int)?
    /// True if there is an alarm, but the clock is unknown.
    private(set) var isClockAwaited = false
    public var clock = AlarmClock()
    /// True once the clock was known, for as long as the board runs.
    public private(set) var isClockKnown = false
    /// The name of the board's start; nil if unknown.
    public private(set) var boot: String?
    /// The alarm that rang when the speaker last ran; nil once the time is known.
    private var kept: RingingAlarm?
    private var timer: EventLoop.TimerToken?
    private let timers: any Timers
    /// The storage of alarms; nil to store nothing.
    private let store: Library?
    var owner: (any AlarmOwner)?

    init(_ timers: any Timers, store: Library?) {
        self.timers = timers
        self.store = store
    }

    /// Reads the alarms, and rings if one is due.
    func begin(_ start: BoardStart?) {
        boot = start?.identity
        all = store?.restoredAlarms() ?? []
        kept = store?.restoredRinging()
        isClockKnown = boot != nil && store?.restoredClockBoot() == boot
        clock.see(at: timers.now)
        look()
    }

    /// Reads the alarms again after the library was replaced. The board's clock stays known.
    func restore() {
        let boot = boot
        let wasKnown = isClockKnown
        all = store?.restoredAlarms() ?? []
        kept = nil
        isClockKnown = wasKnown
        if wasKnown, let boot { store?.save(clockSetIn: boot) }
        look()
    }

    // MARK: Changing them

    /// - Parameter wanted: gets the first number that is free.
    /// - Returns: its number; nil at the limit.
    public func add(_ wanted: Alarm) -> Alarm.ID? {
        if all.count >= Alarm.most { return nil }
        askClock()
        var alarm = wanted
        alarm.id = 1
        for other in all where other.id == alarm.id { alarm.id += 1 }
        alarm.sinceSeconds = knownSeconds
        all.insert(alarm, at: all.firstIndex { $0.id > alarm.id } ?? all.count)
        didEdit()
        return alarm.id
    }

    /// - Returns: false if no alarm has this number.
    public func remove(_ id: Alarm.ID) -> Bool {
        guard let index = all.firstIndex(where: { $0.id == id }) else { return false }
        all.remove(at: index)
        if ringing?.alarm.id == id { end() }
        didEdit()
        return true
    }

    /// Returns whether an alarm will ring. A missed one-time alarm stays on for a day, in case the clock goes back, but will not ring.
    public func isAwaited(_ alarm: Alarm) -> Bool { alarm.isOn && (!isClockKnown || next(alarm) != nil) }

    /// Switches an alarm on or off.
    /// - Returns: false if no alarm has this number.
    public func set(_ id: Alarm.ID, isOn: Bool) -> Bool {
        guard let index = all.firstIndex(where: { $0.id == id }) else { return false }
        askClock()
        if isAwaited(all[index]) == isOn { return true }
        all[index].isOn = isOn
        all[index].sinceSeconds = knownSeconds
        if !isOn && ringing?.alarm.id == id { end() }
        didEdit()
        return true
    }

    private func didEdit() {
        store?.save(all)
        look()
        owner?.alarmsDidChange()
    }

    // MARK: Asking

    /// Returns the time of the next ringing in seconds since 1970; nil if the alarm is off or missed, or with an unknown clock.
    public func next(_ alarm: Alarm) -> Int64? {
        guard alarm.isOn, let now = knownSeconds else { return nil }
        let time = due(alarm, at: now).seconds
        return time < now - Alarms.latestSeconds ? nil : time
    }

    public var status: AlarmStatus? {
        if let ringing {
            return AlarmStatus(ringing.again == nil ? .ringing : .snoozed, minute: ringing.alarm.minute)
        }
        return upcoming.map { AlarmStatus(.waiting, minute: $0.minute) }
    }

    /// True while an alarm rings or snoozes.
    public var isUnderWay: Bool { ringing != nil }

    /// True while an alarm rings aloud.
    var isRinging: Bool { ringing != nil && ringing?.again == nil }

    /// True shortly after the press that snoozed: another press is of the same hand, and means the same.
    var isJustPutOff: Bool {
        guard let ringing, ringing.again != nil else { return false }
        return timers.now.milliseconds(since: ringing.began) < 2000
    }

    private var knownSeconds: Int64? { isClockKnown ? clock.seconds() : nil }

    /// Returns the next time for which an alarm that is on has not rung; a missed one has a time in the past. A one-time alarm counts from
    /// its setting. Others ignore times that are long past.
    private func due(_ alarm: Alarm, at now: Int64) -> (seconds: Int64, wallMinute: Int64) {
        let late = now - Alarms.latestSeconds - 1
        // A clock that was ahead when the alarm was set counts as right now.
        let since = min(alarm.sinceSeconds ?? late, now)
        return alarm.time(after: alarm.days == .once ? since : max(since, late), clock.local)
    }

    // MARK: Ringing

    /// Notes that a listener has set the clock: from now on it is known.
    public func clockWasSet() {
        if !isClockKnown && clock.seconds() >= Alarms.firstSeconds {
            isClockKnown = true
            if let boot { store?.save(clockSetIn: boot) }
        }
        followClock()
        look()
    }

    /// Moves a one-time alarm that was set by a wrong clock to the next such time by the right one.
    private func followClock() {
        defer { clock.see(at: timers.now) }
        guard let (from, seconds) = clock.change(at: timers.now), seconds > Alarms.wrongSeconds else { return }
        let wrong = from...max(from, clock.seconds() - seconds)
        var isOther = false
        for index in all.indices where all[index].isOn && all[index].days == .once {
            guard let since = all[index].sinceSeconds, wrong.contains(since) else { continue }
            all[index].sinceSeconds = since.addingSaturated(seconds)
            isOther = true
        }
        if isOther { store?.save(all) }
    }

    /// Rings due alarms, and schedules the next look.
    public func look() {
        guard kept != nil || ringing != nil || all.contains(where: { $0.isOn }) else {
            upcoming = nil
            awaitClock(false)
            return clock.wake(nil)
        }
        let now = clock.seconds()
        askClock()
        awaitClock(!isClockKnown)
        if !isClockKnown {
            upcoming = nil
            return clock.wake(now + Alarms.lookAgainSeconds)
        }
        if ringing != nil { keep() }
        var isOther = false
        var due: (alarm: Alarm, seconds: Int64)?
        var next: (seconds: Int64, minute: Int)?
        var forgetAt = now + Alarms.zoneSeconds
        for index in all.indices where all[index].isOn {
            if all[index].sinceSeconds == nil {
                all[index].sinceSeconds = now - Alarms.latestSeconds - 1
                isOther = true
            } else if let since = all[index].sinceSeconds, since > now {
                // A wrong clock, which was ahead, set it: from now on each look means the next such time.
                all[index].sinceSeconds = now
                isOther = true
            }
            var time = self.due(all[index], at: now)
            if time.seconds <= now {
                let isLate = time.seconds < now - Alarms.latestSeconds
                // A missed one-time alarm stays for a day, in case the clock goes back.
                if isLate && time.seconds > now - 86_400 {
                    forgetAt = min(forgetAt, time.seconds + 86_400)
                    continue
                }
                isOther = true
                if all[index].days == .once { all[index].isOn = false }
                if isLate { continue }
                all[index].rangMinute = time.wallMinute
                if time.seconds > due?.seconds ?? .min { due = (all[index], time.seconds) }
                if !all[index].isOn { continue }
                time = self.due(all[index], at: now)
            }
            if time.seconds < next?.seconds ?? .max { next = (time.seconds, all[index].minute) }
        }
        let isAnother = upcoming?.seconds != next?.seconds
        upcoming = next
        clock.wake(all.contains { $0.isOn } ? min(next?.seconds ?? .max, forgetAt) : nil)
        if let due {
            kept = nil
            ring(due.alarm, since: timers.now)
        } else {
            if isOther { store?.save(all) }
            goOn(at: now)
        }
        if isOther || isAnother { owner?.alarmsDidChange() }
    }

    /// Reads whether the clock is known.
    private func askClock() {
        if !isClockKnown && clock.seconds() >= Alarms.firstSeconds && clock.isSet() { isClockKnown = true }
    }

    private func awaitClock(_ isAwaited: Bool) {
        if isClockAwaited == isAwaited { return }
        isClockAwaited = isAwaited
        owner?.alarmsDidChange()
    }

    /// Rings the alarm that was ringing when the speaker last ran, for the rest of its time.
    private func goOn(at now: Int64) {
        guard let last = kept else { return }
        kept = nil
        let passed = (now - last.atSeconds) * 1000
        guard let alarm = all.first(where: { $0.id == last.alarm }), passed < Alarms.longestMilliseconds,
            passed >= -Alarms.snoozeMilliseconds
        else {
            store?.save(RingingAlarm?.none)
            return
        }
        if passed >= 0 { return ring(alarm, since: timers.now.adding(milliseconds: -passed)) }
        ringing = Ringing(alarm: alarm, began: timers.now)
        putOff(until: timers.now.adding(milliseconds: -passed))
    }

    private func ring(_ alarm: Alarm, since began: MonotonicTime) {
        let isAgain = ringing?.alarm.id == alarm.id && ringing?.again != nil
        ringing = Ringing(alarm: alarm, began: began)
        wait(until: began.adding(milliseconds: Alarms.longestMilliseconds)) { [self] in end() }
        // Save both or none: otherwise a power cut could lose an alarm that has rung but is not saved as ringing.
        store?.batch {
            store?.save(all)
            keep()
        }
        owner?.alarmRings(alarm, isAgain: isAgain)
    }

    static var snoozeMilliseconds: Int64 { Int64(Alarm.snoozeMinutes) * 60_000 }

    /// Silences the alarm, and rings again in some minutes.
    func snooze() {
        guard isRinging else { return }
        ringing?.began = timers.now
        putOff(until: timers.now.adding(milliseconds: Alarms.snoozeMilliseconds))
        owner?.alarmFallsSilent()
    }

    private func putOff(until again: MonotonicTime) {
        ringing?.again = again
        wait(until: again) { [self] in if let alarm = ringing?.alarm { ring(alarm, since: timers.now) } }
        keep()
    }

    /// Ends the alarm.
    func end() {
        guard let ended = ringing else { return }
        if let timer { timers.cancel(timer) }
        timer = nil
        ringing = nil
        keep()
        if ended.again == nil { owner?.alarmFallsSilent() } else { owner?.alarmsDidChange() }
    }

    private func wait(until time: MonotonicTime, _ action: @escaping () -> Void) {
        if let timer { timers.cancel(timer) }
        timer = timers.schedule(at: time) { [self] in
            timer = nil
            action()
        }
    }

    /// Saves the ringing alarm, by the clock's present time.
    private func keep() {
        store?.save(
            ringing.map {
                let milliseconds = ($0.again ?? $0.began).milliseconds(since: timers.now)
                return RingingAlarm(alarm: $0.alarm.id, atSeconds: clock.seconds() + milliseconds / 1000)
            })
    }
}

/// The effects of alarms. Control thread.
protocol AlarmOwner: AnyObject {
    /// Called when an alarm starts to sound.
    /// - Parameter isAgain: true after a snooze.
    func alarmRings(_ alarm: Alarm, isAgain: Bool)
    /// Called when an alarm snoozes, or has ended.
    func alarmFallsSilent()
    /// Called when an alarm or its state has changed.
    func alarmsDidChange()
}
