import CPosix
import Posix
import Realtime
import Synchronization

/// The feed thread: everything that may wait for a disk or a driver. It keeps the decks' rings full, and in between does the jobs
/// that control gives it: opening files and cards, walking frame headers, probing the library, syncing the database's log.
/// Decks come first, then jobs in order, then background jobs a step at a time.
public final class Feed: @unchecked Sendable {
    /// Woken by control with a new job and by the audio thread when a ring runs low.
    let wake: UnsafeMutablePointer<WakeSignal>
    private let requests: UnsafeMutablePointer<MessageRing<UnsafeMutableRawPointer>>
    private let results: UnsafeMutablePointer<MessageRing<UnsafeMutableRawPointer>>
    private let controlWake: UnsafeMutablePointer<WakeSignal>
    private let shouldStop: UnsafeMutablePointer<Atomic<Bool>>

    /// Feed thread only, as all below.
    private var sources: [DeckSource] = []
    private var waiting: [FeedJob] = []
    private var background: [FeedJob] = []
    /// Results that found the ring full; sent again before anything else.
    private var unsent: [FeedJob] = []
    private var thread: Thread?

    init(controlWake: UnsafeMutablePointer<WakeSignal>) throws(PosixError) {
        self.controlWake = controlWake
        wake = .allocate(capacity: 1)
        wake.initialize(to: try WakeSignal())
        requests = .allocate(capacity: 1)
        requests.initialize(to: MessageRing(capacity: 256))
        results = .allocate(capacity: 1)
        results.initialize(to: MessageRing(capacity: 256))
        shouldStop = .allocate(capacity: 1)
        shouldStop.initialize(to: Atomic<Bool>(false))
    }

    /// `audioWake` is signalled when a deck that was found empty has bytes again.
    func start(sources: [DeckSource]) throws(PosixError) {
        self.sources = sources
        thread = try Thread(name: "feed", stackBytes: 256 * 1024) { self.run() }
    }

    /// Ends the thread after the job it is at.
    func stop() {
        shouldStop.pointee.store(true, ordering: .releasing)
        wake.pointee.signal()
        thread?.join()
        thread = nil
    }

    // MARK: Control thread

    /// Has `work` done on the feed thread, then `then` on the control thread. `work` is called until it returns true.
    public func perform(
        inBackground isBackground: Bool = false, _ work: @escaping () -> Bool, then finish: @escaping () -> Void
    ) {
        let job = FeedJob(isBackground: isBackground, step: work, finish: finish)
        let pointer = Unmanaged.passRetained(job).toOpaque()
        // 256 jobs in flight mean a disk that has hung for minutes: more are not worth keeping.
        if !requests.pointee.send(pointer) {
            Unmanaged<FeedJob>.fromOpaque(pointer).release()
            return
        }
        wake.pointee.signal()
    }

    /// Runs the second half of the jobs that are done.
    func finishJobs() {
        while let pointer = results.pointee.receive() {
            Unmanaged<FeedJob>.fromOpaque(pointer).takeRetainedValue().finish()
        }
    }

    // MARK: Feed thread

    private func run() {
        while !shouldStop.pointee.load(ordering: .acquiring) {
            wake.pointee.clear()
            collectRequests()
            if refillDecks() { continue }
            if let job = waiting.first {
                if job.step() {
                    waiting.removeFirst()
                    report(job)
                }
                continue
            }
            if !background.isEmpty {
                // In turns, so that a short one need not wait for a long one.
                let job = background.removeFirst()
                if job.step() { report(job) } else { background.append(job) }
                continue
            }
            if !unsent.isEmpty {
                report(nil)
            }
            var polled = pollfd(fd: wake.pointee.number, events: Int16(POLLIN), revents: 0)
            _ = ns_poll(&polled, 1, unsent.isEmpty ? -1 : 50)
        }
    }

    private func collectRequests() {
        while let pointer = requests.pointee.receive() {
            let job = Unmanaged<FeedJob>.fromOpaque(pointer).takeRetainedValue()
            if job.isBackground { background.append(job) } else { waiting.append(job) }
        }
    }

    /// One read for the deck that needs it most; false where none needs any.
    private func refillDecks() -> Bool {
        for source in sources where source.wantsBytes() {
            source.read()
            return true
        }
        return false
    }

    /// For jobs that take long in one step: keeps the decks full in between.
    func serveDecks() {
        while refillDecks() {}
    }

    private func report(_ job: FeedJob?) {
        if let job { unsent.append(job) }
        while let first = unsent.first {
            let pointer = Unmanaged.passRetained(first).toOpaque()
            if !results.pointee.send(pointer) {
                Unmanaged<FeedJob>.fromOpaque(pointer).release()
                break
            }
            unsent.removeFirst()
        }
        controlWake.pointee.signal()
    }
}
