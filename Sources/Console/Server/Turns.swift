import Posix

/// Work that is done a bounded piece a turn of the event loop, so that between two pieces buttons and others are answered.
final class Turns {
    private let loop: EventLoop
    private let work: (inout WorkBudget) -> Bool
    private var isScheduled = false

    /// - Parameter work: does as much as its budget allows; gives whether some is left for the next turn.
    init(_ loop: EventLoop, work: @escaping (inout WorkBudget) -> Bool) {
        self.loop = loop
        self.work = work
    }

    /// There is something to be done: begins within this turn of the loop, unless this turn has done its piece already.
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
