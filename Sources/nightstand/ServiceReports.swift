import Core
import Display
import Playback
import Posix
import Speaker

/// Tells the service manager when the speaker is ready, what it is doing and, for as long as the audio thread lives, that it does.
final class ServiceReports {
    private let speaker: Speaker
    private let player: Player
    private let loop: EventLoop
    private let manager: ServiceManager
    private var toldStatus = ""
    /// The audio thread's wake-ups when it was last called.
    private var wakeUpsSeen = 0

    init(speaker: Speaker, player: Player, loop: EventLoop, manager: ServiceManager) {
        self.speaker = speaker
        self.player = player
        self.loop = loop
        self.manager = manager
    }

    /// From here on buttons and consoles are answered.
    func ready() {
        toldStatus = status()
        manager.tell("READY=1\nSTATUS=" + toldStatus)
        guard let milliseconds = manager.watchdogMilliseconds else { return }
        player.callAudioThread()
        watch(everyMilliseconds: max(1, milliseconds / 3))
    }

    /// Something may have changed.
    func update() {
        let status = status()
        if status == toldStatus { return }
        toldStatus = status
        manager.tell("STATUS=" + status)
    }

    func stopping() { manager.tell("STOPPING=1\nSTATUS=Saving the place") }

    /// The watchdog is fed only if the audio thread has come round since it was called last. That this thread lives is shown by
    /// its being here.
    private func watch(everyMilliseconds milliseconds: Int) {
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: milliseconds)) { [self] in
            let wakeUps = player.audioWakeUps
            if wakeUps != wakeUpsSeen { manager.tell("WATCHDOG=1") }
            wakeUpsSeen = wakeUps
            player.callAudioThread()
            watch(everyMilliseconds: milliseconds)
        }
    }

    private func status() -> String {
        let showing = speaker.showing()
        if showing.trouble != nil, let words = showing.standingWords { return words }
        // A line feed would begin another variable.
        let title = String(decoding: showing.title.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
        return switch showing.state {
        case .playing: "Playing " + title
        case .paused: "Paused in " + title
        case .stopped: "Stopped"
        case .waitingForDevice, .waitingForLibrary: "Waiting"
        }
    }
}
