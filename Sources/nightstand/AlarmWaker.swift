// SPDX-License-Identifier: Apache-2.0
import Posix
import Speaker

/// Wakes the speaker at the time of an alarm. Without alarms it sets no timer.
final class AlarmWaker {
    private static let tryAgainMilliseconds = 60_000

    private let loop: EventLoop
    private let alarms: Alarms
    private let warn: (String) -> Void
    private var wall: WallClock?
    private var token: WallClock.TimerToken?

    init(_ alarms: Alarms, _ board: Board, loop: EventLoop, warn: @escaping (String) -> Void) {
        self.alarms = alarms
        self.loop = loop
        self.warn = warn
        alarms.clock.isSet = { board.isClockKnown }
        alarms.clock.wake = { [self] in wake(atSeconds: $0) }
    }

    private func wake(atSeconds seconds: Int64?) {
        if let token { wall?.cancel(token) }
        token = nil
        guard let seconds else { return }
        do throws(PosixError) {
            if wall == nil { wall = try WallClock(loop) }
            token = wall?.schedule(atSeconds: seconds) { [self] reason in
                token = nil
                if reason == .wasSet { alarms.clockWasSet() } else { alarms.look() }
            }
        } catch {
            warn("alarms: " + error.message)
            loop.schedule(inMilliseconds: AlarmWaker.tryAgainMilliseconds) { [self] in alarms.look() }
        }
    }
}
