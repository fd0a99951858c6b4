// SPDX-License-Identifier: Apache-2.0
import Core
import Display
import Model
import Playback
import Posix

/// The audio thread, as far as a watchdog asks; a test puts its own here.
public protocol AudioThreadPort: AnyObject {
    /// Times that it was woken.
    var audioWakeUps: Int { get }
    /// Wakes it.
    func callAudioThread()
}

extension Player: AudioThreadPort {}

/// Tells the service manager when the speaker is ready, what it is doing and, for as long as the audio thread lives, that it does.
public final class ServiceReports {
    private let speaker: Speaker
    private let audio: any AudioThreadPort
    private let timers: any Timers
    private let watchdogMilliseconds: Int?
    private let tell: (String) -> Void
    private var toldStatus = ""
    /// The audio thread's wake-ups when it was last called.
    private var wakeUpsSeen = 0

    /// - Parameters:
    ///   - watchdogMilliseconds: without a `WATCHDOG=1` for this long we are killed; nil without a watchdog.
    ///   - tell: gives the service manager lines of `NAME=value`.
    public init(
        speaker: Speaker, audio: any AudioThreadPort, timers: any Timers, watchdogMilliseconds: Int?,
        tell: @escaping (String) -> Void
    ) {
        self.speaker = speaker
        self.audio = audio
        self.timers = timers
        self.watchdogMilliseconds = watchdogMilliseconds
        self.tell = tell
    }

    /// From here on buttons and consoles are answered.
    public func ready() {
        toldStatus = status()
        tell("READY=1\nSTATUS=" + toldStatus)
        guard let milliseconds = watchdogMilliseconds else { return }
        audio.callAudioThread()
        watch(everyMilliseconds: max(1, milliseconds / 3))
    }

    /// Something may have changed.
    public func update() {
        let status = status()
        if status == toldStatus { return }
        toldStatus = status
        tell("STATUS=" + status)
    }

    public func stopping() { tell("STOPPING=1\nSTATUS=Saving the place") }

    /// The watchdog is fed only if the audio thread has come round since it was called last. That this thread lives is shown by
    /// its being here.
    private func watch(everyMilliseconds milliseconds: Int) {
        timers.schedule(inMilliseconds: milliseconds) { [self] in
            let wakeUps = audio.audioWakeUps
            if wakeUps != wakeUpsSeen { tell("WATCHDOG=1") }
            wakeUpsSeen = wakeUps
            audio.callAudioThread()
            watch(everyMilliseconds: milliseconds)
        }
    }

    private func status() -> String {
        let showing = speaker.status
        if showing.trouble != nil, let words = showing.standingWords { return words }
        // A line feed would begin another variable.
        let title = String(decoding: showing.title.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
        if showing.wait != nil { return "Waiting" }
        return switch showing.state {
        case .playing: "Playing " + title
        case .paused: "Paused in " + title
        case .stopped: "Stopped"
        }
    }
}
