// SPDX-License-Identifier: Apache-2.0
import Core
import Display
import Model
import Posix
import Transcript

/// Keeps the screens showing what is so: asks for it when something has changed, and sets one timer for when the picture changes
/// by itself.
public final class ScreenDriver {
    private let speaker: Speaker
    private let timers: any Timers
    private let screens: [any Screen]
    private var timer: EventLoop.TimerToken?
    /// When the speaker has to be asked again; nil while it only plays on.
    private var nextQuestion: MonotonicTime?
    /// From when on a screen that wakes is not to go on by itself.
    private var trustEnds = MonotonicTime(nanoseconds: 0)
    /// So long the screens go on by themselves: their seconds are those of this clock, and not those of the card.
    private static let trustMilliseconds = 5000
    /// At night screens shine for so long after a press.
    private static let glanceMilliseconds = 10_000
    /// Nil where their light is on at night, too.
    private var night: (litUntil: MonotonicTime, isLit: Bool)?
    private var isDue = false
    private var isOff = false

    /// - Parameter isDarkAtNight: their light is off then, but for a moment after a press.
    public init(speaker: Speaker, timers: any Timers, screens: [any Screen], isDarkAtNight: Bool = false) {
        self.speaker = speaker
        if isDarkAtNight && !screens.isEmpty {
            night = (timers.now.adding(milliseconds: ScreenDriver.glanceMilliseconds), true)
        }
        self.timers = timers
        self.screens = screens
    }

    /// Something has changed: all that changes before the loop goes round again is drawn at once.
    public func setNeedsUpdate() {
        if isDue || screens.isEmpty { return }
        isDue = true
        timers.schedule(at: timers.now) { [self] in update() }
    }

    /// A hand did something, and expects to see it.
    public func didPress() {
        if night == nil { return }
        night?.litUntil = timers.now.adding(milliseconds: ScreenDriver.glanceMilliseconds)
        setNeedsUpdate()
    }

    /// Has the screens' light as it is to be.
    /// - Returns: when that may be otherwise; nil for not before something changes.
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

    /// Leaves the screens dark: the program ends.
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

    /// The timer has run out. Of a second that passes the speaker knows no more than the screens do.
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
            // A millisecond late rather than early, when it would be looked at twice. The end of a segment is left to the screens, which
            // know it: most let the words stand in the pause after it.
            let left = showing.speed.clockMilliseconds(of: start.subtractingSaturated(showing.positionMilliseconds))
            consider(now.adding(milliseconds: left + 1))
            if let steady = speaker.player.steadyMilliseconds { consider(now.adding(milliseconds: steady)) }
        }
        return next
    }
}
