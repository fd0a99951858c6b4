// SPDX-License-Identifier: Apache-2.0
import Core
import Display
import Model
import Playback
import Posix

/// The audio thread's interface for the watchdog; a test has its own.
public protocol AudioThreadPort: AnyObject {
    /// The number of the audio thread's wake-ups.
    var audioWakeUps: Int { get }
    /// Wakes the audio thread.
    func callAudioThread()
}

extension Player: AudioThreadPort {}

/// Reports to the service manager that the speaker is ready, what it does, and, as long as the audio thread lives, that it lives.
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
    ///   - watchdogMilliseconds: the time without a `WATCHDOG=1` after which the service manager kills the process; nil without a watchdog.
    ///   - tell: sends lines of `NAME=value` to the service manager.
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

    /// Reports that buttons and consoles work from now on.
    public func ready() {
        toldStatus = status()
        tell("READY=1\nSTATUS=" + toldStatus)
        guard let milliseconds = watchdogMilliseconds else { return }
        audio.callAudioThread()
        watch(everyMilliseconds: max(1, milliseconds / 3))
    }

    /// Reports the status if it has changed.
    public func update() {
        let status = status()
        if status == toldStatus { return }
        toldStatus = status
        tell("STATUS=" + status)
    }

    public func stopping() { tell("STOPPING=1\nSTATUS=Saving the place") }

    /// Feeds the watchdog only if the audio thread has woken since the last call. The call itself shows that this thread lives.
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
