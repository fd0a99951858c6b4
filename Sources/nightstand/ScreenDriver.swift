import Core
import Display
import Library
import Playback
import Posix
import Scanning
import Transcript

/// Keeps the screens showing what is so: gathers it into one value when something has changed, and sets one timer for when the
/// picture changes by itself.
final class ScreenDriver {
    private let appliance: Appliance
    private let screens: [any Screen]
    private var timer: EventLoop.TimerToken?
    private var isDue = false

    init(appliance: Appliance, screens: [any Screen]) {
        self.appliance = appliance
        self.screens = screens
    }

    /// Something has changed: all that changes before the loop goes round again is drawn at once.
    func setNeedsUpdate() {
        if isDue || screens.isEmpty { return }
        isDue = true
        appliance.loop.schedule(at: .now) { [self] in update() }
    }

    func announce(_ notice: Notice) {
        let now = MonotonicTime.now
        for screen in screens { screen.announce(notice, at: now) }
        setNeedsUpdate()
    }

    private func update() {
        isDue = false
        let now = MonotonicTime.now
        let showing = gather()
        for screen in screens { screen.show(showing, at: now) }
        schedule(showing, at: now)
    }

    private func schedule(_ showing: NowShowing, at now: MonotonicTime) {
        if let timer { appliance.loop.cancel(timer) }
        timer = nil
        var next: MonotonicTime?
        func consider(_ time: MonotonicTime) { next = min(next ?? time, time) }
        for screen in screens {
            if let time = screen.nextChange { consider(time) }
        }
        if showing.state == .playing,
            let change = appliance.transcript?.nextChange(after: showing.positionMilliseconds)
        {
            // A millisecond late rather than early, when it would be looked at twice.
            consider(now.adding(milliseconds: change - showing.positionMilliseconds + 1))
        }
        timer = next.map { time in appliance.loop.schedule(at: time) { [self] in update() } }
    }

    private func gather() -> NowShowing {
        var showing = NowShowing()
        let player = appliance.player!
        let position = player.positionMilliseconds
        if let item = appliance.currentItem {
            showing.title = item.title
            showing.artist = item.artist
            showing.isFavourite = item.isFavourite
            showing.durationMilliseconds = player.track?.durationMilliseconds ?? item.durationMilliseconds
        }
        showing.state = appliance.showingState
        showing.positionMilliseconds = position
        showing.volumePercent = appliance.volumePercent
        if let transcript = appliance.transcript, let index = transcript.index(at: position) {
            let segment = transcript[index]
            showing.transcript = NowShowing.Line(
                text: segment.text, startMilliseconds: segment.startMilliseconds,
                endMilliseconds: segment.endMilliseconds)
        }
        showing.trouble = appliance.showingTrouble
        return showing
    }
}

// What screens and the service manager show.
extension Appliance {
    var showingState: NowShowing.State {
        if player.wantsToPlay && deviceTrouble != nil && !player.hasDevice && !player.isSilent {
            return .waitingForDevice
        }
        if isWaitingForFile || (queue.isEmpty && keeper.runningScan == nil && currentItem == nil) {
            return .waitingForLibrary
        }
        if player.wantsToPlay { return .playing }
        return player.track == nil || currentItem == nil ? .stopped : .paused
    }

    /// What a person at the speaker has to know.
    var showingTrouble: Trouble? {
        if player.wantsToPlay && deviceTrouble != nil && !player.hasDevice && !player.isSilent {
            return .noSoundDevice
        }
        if isWaitingForFile { return .fileMissing }
        if queue.isEmpty && currentItem == nil {
            if keeper.runningScan == nil && keeper.hasScanned { return .noAudioFound }
            // Files that were named are found before anybody could read this.
            if case .library = source { return .lookingForAudio }
        }
        return nil
    }
}
