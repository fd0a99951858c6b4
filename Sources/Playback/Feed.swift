// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Realtime
import Workers

/// The feed thread: keeps the decks' rings full, prepares decks, and opens cards, for which the listener waits. All other slow work belongs
/// to a background worker.
public final class Feed: Performer, @unchecked Sendable {
    /// The signal of the audio thread when a ring runs low.
    let wake: UnsafeMutablePointer<WakeSignal>
    private var sources: [DeckSource] = []
    private var worker: Worker!

    init() throws(PosixError) {
        let signal = try WakeSignal()
        wake = .allocate(capacity: 1)
        wake.initialize(to: signal)
        worker = try Worker(name: "feed", standsBack: false, dutyWake: wake) { [self] in refillDecks() }
    }

    /// Starts the thread. `loop` is nil if it will get no jobs.
    func start(sources: [DeckSource], loop: EventLoop?) throws(PosixError) {
        self.sources = sources
        try worker.start(loop: loop)
    }

    func stop() { worker.stop() }

    public func take(_ job: Job) throws(Job.Refusal) { try worker.take(job) }

    /// Does one read for the neediest deck. Returns false if none needs any. Two threads may call it if a disk hangs: each skips a source
    /// in which the other is stuck.
    private func refillDecks() -> Bool {
        for source in sources where source.refill() { return true }
        return false
    }

    /// Keeps the decks full during long steps. Feed thread.
    func serveDecks() {
        while refillDecks() {}
    }
}
