import Display
import Library
import Playback
import Posix

/// Tells the service manager when the speaker is ready, what it is doing and, for as long as the audio thread lives, that it does.
final class ServiceReports {
    private let appliance: Appliance
    private let manager: ServiceManager
    private var toldStatus = ""
    /// The audio thread's wake-ups when it was last called.
    private var wakeUpsSeen = 0

    init(appliance: Appliance, manager: ServiceManager) {
        self.appliance = appliance
        self.manager = manager
    }

    /// From here on buttons and consoles are answered.
    func ready() {
        toldStatus = status()
        manager.tell("READY=1\nSTATUS=" + toldStatus)
        guard let milliseconds = manager.watchdogMilliseconds else { return }
        appliance.player.callAudioThread()
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
        appliance.loop.schedule(at: MonotonicTime.now.adding(milliseconds: milliseconds)) { [self] in
            let wakeUps = appliance.player.audioWakeUps
            if wakeUps != wakeUpsSeen { manager.tell("WATCHDOG=1") }
            wakeUpsSeen = wakeUps
            appliance.player.callAudioThread()
            watch(everyMilliseconds: milliseconds)
        }
    }

    private func status() -> String {
        if let trouble = appliance.showingTrouble { return trouble.words }
        // A line feed would begin another variable.
        let title = String(
            decoding: (appliance.currentItem?.title ?? "").utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
        return switch appliance.showingState {
        case .playing: "Playing " + title
        case .paused: "Paused in " + title
        case .stopped: "Stopped"
        case .waitingForDevice, .waitingForLibrary: "Waiting"
        }
    }
}
