// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// An interruption by another sound, while the playback pauses. Control thread.
final class Interruption {
    /// The longest interruption after which playback resumes by itself.
    static let shortMilliseconds: Int64 = 300_000

    private var began: MonotonicTime?
    private var timer: EventLoop.TimerToken?
    /// The timer that ends the wait for a card of another program.
    private var patience: EventLoop.TimerToken?
    private let timers: any Timers
    /// Called when the interruption has lasted its time.
    var isOver: () -> Void = {}

    /// Called when another program has had the card for too long.
    var didWaitTooLong: () -> Void = {}

    init(_ timers: any Timers) { self.timers = timers }

    var isUnderWay: Bool { began != nil }

    /// - Parameter seconds: the time until it ends by itself; nil if a command ends it.
    func begin(seconds: Int?) {
        let start = began ?? timers.now
        forget()
        began = start
        guard let seconds else { return }
        timer = timers.schedule(at: timers.now.adding(milliseconds: seconds * 1000)) { [self] in
            timer = nil
            isOver()
        }
    }

    /// - Returns: true if playback is to resume.
    func end() -> Bool {
        defer { forget() }
        return began.map { timers.now.milliseconds(since: $0) <= Interruption.shortMilliseconds } ?? false
    }

    /// - Parameter isAwaited: true if another program has the wanted card.
    func watchCard(isAwaited: Bool) {
        if !isAwaited {
            if let patience { timers.cancel(patience) }
            patience = nil
        } else if patience == nil {
            patience = timers.schedule(at: timers.now.adding(milliseconds: Int(Interruption.shortMilliseconds))) {
                [self] in
                patience = nil
                didWaitTooLong()
            }
        }
    }

    /// Forgets the interruption, since a listener decided otherwise.
    func forget() {
        if let timer { timers.cancel(timer) }
        timer = nil
        began = nil
    }
}

extension Speaker {
    func perform(_ step: Command.Interruption, _ asked: MonotonicTime?) {
        switch step {
        case .begin(let seconds):
            // The other program may need to open the same card.
            defer { player.letGoOfCard() }
            // A silent speaker stays silent.
            guard wantsToPlay || sound.interruption.isUnderWay else { return }
            if wantsToPlay { pause(asked) }
            sound.interruption.begin(seconds: seconds)
        case .end: if sound.interruption.end() { play(asked) }
        }
    }

    /// Limits the wait for a busy card to the time of an interruption; an alarm waits on.
    func watchBusyCard() {
        sound.interruption.watchCard(
            isAwaited: player.wantsToPlay && !player.hasDevice && player.isDeviceBusy && !alarms.isRinging)
    }

    /// Ends the interruption after a command to play, pause or jump, which is the listener's choice.
    func endInterruption(by command: Command) {
        switch command {
        case .none, .interrupt, .alarm, .menu, .screen, .volume, .setVolume, .toggleFavourite, .toggleBookmark, .sleep,
            .sleepStep, .say, .switchVoice, .describe, .lock:
            break
        default: sound.interruption.forget()
        }
    }
}
