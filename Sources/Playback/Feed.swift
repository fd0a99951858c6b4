// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Realtime
import Workers

/// The feed thread: keeps the decks' rings full, and in between gets decks ready and opens cards, which a person waits for. All
/// else that may wait belongs to a worker that stands back.
public final class Feed: Performer, @unchecked Sendable {
    /// Woken by the audio thread when a ring runs low.
    let wake: UnsafeMutablePointer<WakeSignal>
    private var sources: [DeckSource] = []
    private var worker: Worker!

    init() throws(PosixError) {
        let signal = try WakeSignal()
        wake = .allocate(capacity: 1)
        wake.initialize(to: signal)
        worker = try Worker(name: "feed", standsBack: false, dutyWake: wake) { [self] in refillDecks() }
    }

    /// Nil for `loop` if it will get no jobs.
    func start(sources: [DeckSource], loop: EventLoop?) throws(PosixError) {
        self.sources = sources
        try worker.start(loop: loop)
    }

    func stop() { worker.stop() }

    public func take(_ job: Job) throws(Job.Refusal) { try worker.take(job) }

    /// One read for the deck that needs it most; false where none needs any. By two threads at once where a disk hangs: each leaves a
    /// source alone that the other is stuck in.
    private func refillDecks() -> Bool {
        for source in sources where source.refill() { return true }
        return false
    }

    /// For steps that take long: keeps the decks full in between. Feed thread.
    func serveDecks() {
        while refillDecks() {}
    }
}
