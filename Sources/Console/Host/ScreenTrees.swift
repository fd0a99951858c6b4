// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Wire

/// The clients that ask for the elements on the screen, and the screens that may answer. Screens report only on demand. Control thread.
final class ScreenTrees {
    /// The wait for a screen. A working one answers within a frame or two.
    static let patienceMilliseconds = 2000

    var didCome: () -> Void = {}
    private let timers: any Timers
    private var screens = 0
    /// The answer under way, which all waiting clients share.
    private var asked: Awaited<[ElementDescription]>?
    private var timer: EventLoop.TimerToken?

    init(timers: any Timers) { self.timers = timers }

    /// Notes that a client with a screen has come; or has gone.
    func screenCame() { screens += 1 }

    func screenWent() {
        screens -= 1
        if screens == 0 { settle(.failure(ConsoleError(.noExist, "the screen has gone"))) }
    }

    func ask() throws(ConsoleError) -> Awaited<[ElementDescription]> {
        if screens == 0 { throw ConsoleError(.noExist, "no screen is there") }
        if let asked { return asked }
        let tree = Awaited<[ElementDescription]>()
        asked = tree
        let due = timers.now.adding(milliseconds: ScreenTrees.patienceMilliseconds)
        timer = timers.schedule(at: due, latest: due) { [self] in
            timer = nil
            settle(.failure(ConsoleError(.system, "the screen does not answer")))
        }
        return tree
    }

    func tell(_ elements: [ElementDescription]) { settle(.success(elements)) }

    private func settle(_ outcome: Result<[ElementDescription], ConsoleError>) {
        guard let asked else { return }
        self.asked = nil
        if let timer { timers.cancel(timer) }
        timer = nil
        asked.settle(outcome)
        didCome()
    }
}
