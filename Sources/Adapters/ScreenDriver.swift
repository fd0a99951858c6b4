import Core
import Display
import Model
import Posix
import Speaker
import Transcript

/// Keeps the screens showing what is so: asks for it when something has changed, and sets one timer for when the picture changes
/// by itself.
public final class ScreenDriver {
    private let speaker: Speaker
    private let timers: any Timers
    private let screens: [any Screen]
    private var timer: EventLoop.TimerToken?
    private var isDue = false
    private var isOff = false

    public init(speaker: Speaker, timers: any Timers, screens: [any Screen]) {
        self.speaker = speaker
        self.timers = timers
        self.screens = screens
    }

    /// Something has changed: all that changes before the loop goes round again is drawn at once.
    public func setNeedsUpdate() {
        if isDue || screens.isEmpty { return }
        isDue = true
        timers.schedule(at: timers.now) { [self] in update() }
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
        schedule(showing, at: now)
    }

    private func schedule(_ showing: SpeakerStatus, at now: MonotonicTime) {
        if let timer { timers.cancel(timer) }
        timer = nil
        var next: MonotonicTime?
        func consider(_ time: MonotonicTime) { next = min(next ?? time, time) }
        for screen in screens {
            if let time = screen.nextChange { consider(time) }
        }
        if showing.isRunning,
            let start = speaker.transcripts.transcript?.nextStart(after: showing.positionMilliseconds)
        {
            // A millisecond late rather than early, when it would be looked at twice. The end of a segment is left to the screens, which
            // know it: most let the words stand in the pause after it.
            let left = (start - showing.positionMilliseconds) * 100 / showing.speed.percent
            consider(now.adding(milliseconds: left + 1))
            if let steady = speaker.player.steadyMilliseconds { consider(now.adding(milliseconds: steady)) }
        }
        timer = next.map { time in timers.schedule(at: time) { [self] in update() } }
    }
}
