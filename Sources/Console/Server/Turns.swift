// SPDX-License-Identifier: Apache-2.0
import Posix

/// Work in bounded pieces, one in each turn of the event loop, so that buttons and others get answers in between.
final class Turns {
    private let loop: EventLoop
    private let work: (inout WorkBudget) -> Bool
    private var isScheduled = false

    /// - Parameter work: does as much as its budget allows; returns true if some is left for the next turn.
    init(_ loop: EventLoop, work: @escaping (inout WorkBudget) -> Bool) {
        self.loop = loop
        self.work = work
    }

    /// Starts the work within this turn of the loop, unless this turn has done its piece already.
    func wake() {
        if isScheduled { return }
        isScheduled = true
        loop.schedule(at: .now) { [self] in
            isScheduled = false
            var budget = WorkBudget()
            if work(&budget) { wake() }
        }
    }
}
