// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// Another sound, while the playback pauses. Control thread.
final class Interruption {
    /// After a longer one playback does not resume by itself.
    static let shortMilliseconds: Int64 = 300_000

    private var began: MonotonicTime?
    private var timer: EventLoop.TimerToken?
    /// Ends the wait for a card that another program has.
    private var patience: EventLoop.TimerToken?
    private let timers: any Timers
    /// It has lasted for as long as it was to.
    var isOver: () -> Void = {}

    /// Another program has had the card for too long.
    var didWaitTooLong: () -> Void = {}

    init(_ timers: any Timers) { self.timers = timers }

    var isUnderWay: Bool { began != nil }

    /// - Parameter seconds: until it ends by itself; nil if a command ends it.
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

    /// - Parameter isAwaited: another program has the card that is wanted.
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

    /// A hand decided otherwise.
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
            // The other program may have to open the same card.
            defer { player.letGoOfCard() }
            // Silence stays silence.
            guard wantsToPlay || sound.interruption.isUnderWay else { return }
            if wantsToPlay { pause(asked) }
            sound.interruption.begin(seconds: seconds)
        case .end: if sound.interruption.end() { play(asked) }
        }
    }

    /// Waits no longer for a busy card than an interruption may last; an alarm waits on.
    func watchBusyCard() {
        sound.interruption.watchCard(
            isAwaited: player.wantsToPlay && !player.hasDevice && player.isDeviceBusy && !alarms.isRinging)
    }

    /// Playing, pausing or jumping meanwhile is the listener's choice.
    func endInterruption(by command: Command) {
        switch command {
        case .none, .interrupt, .alarm, .menu, .screen, .volume, .setVolume, .toggleFavourite, .toggleBookmark, .sleep,
            .sleepStep, .say, .switchVoice, .describe, .lock:
            break
        default: sound.interruption.forget()
        }
    }
}
