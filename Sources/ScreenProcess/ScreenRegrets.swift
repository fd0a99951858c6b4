// SPDX-License-Identifier: Apache-2.0
import Design
import Posix

/// The last action while it can be undone. Its final step waits for that long, or until the next action of its kind. One thread.
final class ScreenRegrets {
    private let timers: any Timers
    private var undoing: (() -> Void)?
    private var ending: (() -> Void)?
    private var timer: EventLoop.TimerToken?

    init(_ timers: any Timers) { self.timers = timers }

    func offer(_ undo: @escaping () -> Void, _ end: @escaping () -> Void) {
        finish()
        (undoing, ending) = (undo, end)
        timer = timers.schedule(at: timers.now.adding(milliseconds: Int(Motion.undo * 1000))) { [self] in
            timer = nil
            finish()
        }
    }

    func undo() {
        let undo = undoing
        forget()
        undo?()
    }

    private func finish() {
        let end = ending
        forget()
        end?()
    }

    private func forget() {
        if let due = timer.take() { timers.cancel(due) }
        (undoing, ending) = (nil, nil)
    }
}
