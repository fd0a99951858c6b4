// SPDX-License-Identifier: Apache-2.0
import Core
import Display
import Model
import Posix
import Transcript

/// Keeps the screens up to date: updates them after each change, and sets one timer for the next change of the picture by itself.
public final class ScreenDriver {
    private let speaker: Speaker
    private let timers: any Timers
    private let screens: [any Screen]
    private var timer: EventLoop.TimerToken?
    /// The time to ask the speaker again; nil during plain progress.
    private var nextQuestion: MonotonicTime?
    /// The time from which a screen that wakes must not continue by itself.
    private var trustEnds = MonotonicTime(nanoseconds: 0)
    /// The time for which the screens continue by themselves: their seconds follow this clock, and not the card's.
    private static let trustMilliseconds = 5000
    /// The time for which screens are lit after a press at night.
    private static let glanceMilliseconds = 10_000
    /// The state of the light at night; nil if it stays on at night.
    private var night: (litUntil: MonotonicTime, isLit: Bool)?
    private var isDue = false
    private var isOff = false

    /// - Parameter isDarkAtNight: true to turn their light off at night, except for a moment after a press.
    public init(speaker: Speaker, timers: any Timers, screens: [any Screen], isDarkAtNight: Bool = false) {
        self.speaker = speaker
        if isDarkAtNight && !screens.isEmpty {
            night = (timers.now.adding(milliseconds: ScreenDriver.glanceMilliseconds), true)
        }
        self.timers = timers
        self.screens = screens
    }

    /// Requests an update: all changes in this turn of the loop are drawn at once.
    public func setNeedsUpdate() {
        if isDue || screens.isEmpty { return }
        isDue = true
        timers.schedule(at: timers.now) { [self] in update() }
    }

    /// Lights the screens after a press, since the listener expects to see its effect.
    public func didPress() {
        if night == nil { return }
        night?.litUntil = timers.now.adding(milliseconds: ScreenDriver.glanceMilliseconds)
        setNeedsUpdate()
    }

    /// Switches the screens' light on or off.
    /// - Returns: the time of its next change by itself; nil for none.
    private func shine(isRinging: Bool, at now: MonotonicTime) -> MonotonicTime? {
        guard let night else { return nil }
        let isNight = speaker.isNight
        let isAwaited = now < night.litUntil || speaker.isMenuOpen || isRinging
        let isLit = !isNight || isAwaited
        if isLit != night.isLit {
            self.night?.isLit = isLit
            for screen in screens { screen.setLit(isLit) }
        }
        let change = speaker.minutesToNightChange.map { now.adding(milliseconds: $0 * 60_000) }
        return isNight && now < night.litUntil ? min(night.litUntil, change ?? night.litUntil) : change
    }

    public func announce(_ notice: Notice) {
        let now = timers.now
        for screen in screens { screen.announce(notice, at: now) }
        setNeedsUpdate()
    }

    /// Leaves the screens dark, before the program ends.
    public func turnOff() {
        if let timer { timers.cancel(timer) }
        timer = nil
        isOff = true
        for screen in screens { screen.turnOff() }
    }

    private func update() {
        isDue = false
        if isOff { return }
        let now = timers.now
        let showing = speaker.status
        for screen in screens { screen.show(showing, at: now) }
        nextQuestion = question(after: showing, at: now)
        if let change = shine(isRinging: showing.alarm?.state == .ringing, at: now) {
            nextQuestion = min(nextQuestion ?? change, change)
        }
        // A silence after a segment needs no wake-up at its start, but the next wake-up shows it.
        var trusted = ScreenDriver.trustMilliseconds
        if let segment = showing.segment {
            trusted = min(trusted, max(0, segment.endMilliseconds - showing.positionMilliseconds))
        }
        trustEnds = now.adding(milliseconds: showing.speed.clockMilliseconds(of: trusted))
        schedule()
    }

    /// Handles the timer. For a mere second of progress, the screens know as much as the speaker.
    private func wake() {
        let now = timers.now
        if now >= min(trustEnds, nextQuestion ?? trustEnds) { return update() }
        for screen in screens {
            if let time = screen.nextChange, time <= now { screen.refresh(at: now) }
        }
        schedule()
    }

    private func schedule() {
        if let timer { timers.cancel(timer) }
        var next = nextQuestion
        for screen in screens {
            if let time = screen.nextChange { next = min(next ?? time, time) }
        }
        timer = next.map { time in timers.schedule(at: time) { [self] in wake() } }
    }

    private func question(after showing: SpeakerStatus, at now: MonotonicTime) -> MonotonicTime? {
        var next: MonotonicTime?
        func consider(_ time: MonotonicTime) { next = min(next ?? time, time) }
        if showing.isRunning, let transcript = speaker.transcripts.transcript, transcript.hasWords,
            let start = transcript.nextStart(after: showing.positionMilliseconds)
        {
            // A millisecond late, since an early wake-up would need a second one. The screens know the end of a segment: most leave the
            // words visible in the pause after it.
            let left = showing.speed.clockMilliseconds(of: start.subtractingSaturated(showing.positionMilliseconds))
            consider(now.adding(milliseconds: left + 1))
            if let steady = speaker.player.steadyMilliseconds { consider(now.adding(milliseconds: steady)) }
        }
        return next
    }
}
