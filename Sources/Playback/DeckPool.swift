import Audio
import Posix
import Workers

/// The decks, of which each is at one thing: free, got ready, waiting its turn, with the audio thread, or being closed. Control
/// thread.
final class DeckPool {
    private enum State {
        case free
        case preparing
        /// Got ready, and whoever asked for it knows.
        case ready
        /// The audio thread has it.
        case loaded
        case closing
        /// It has been for too long: a thread is at its stream, and its disk hangs.
        case hanging
    }

    /// What is being got ready.
    private struct Preparation {
        var token: Int
        var job: Job
        var since: MonotonicTime
        /// Nobody waits for it.
        var isDropped = false
    }

    /// Between the two halves of a job.
    private final class Attempt {
        var job: Job?
        var outcome: Result<PreparedDeck, PlaybackError>?
    }

    /// As many as are needed: one plays, one follows, and one is got ready for where somebody goes.
    private static let usualCount = 3
    /// What hangs takes its deck along. There are as many more as threads that can hang, and they cost nothing until then.
    static let deckCount = 6
    /// What nobody wants any more ends by itself within some milliseconds, unless a disk hangs: then others no longer wait for it.
    private static let patienceMilliseconds = 300
    static let retryMilliseconds = 1000

    private let decks: UnsafeMutablePointer<Deck>
    private let preparer: any DeckPreparer
    private let feed: any Performer
    private let scheduler: any Scheduler
    private var states = [State](repeating: .free, count: DeckPool.deckCount)
    private var preparations: [Preparation] = []
    /// A deck has become free, or ready to be asked for.
    var didChange: () -> Void = {}

    /// - Parameter decks: `deckCount` of them.
    init(
        decks: UnsafeMutablePointer<Deck>, preparer: any DeckPreparer, feed: any Performer, scheduler: any Scheduler
    ) {
        self.decks = decks
        self.preparer = preparer
        self.feed = feed
        self.scheduler = scheduler
    }

    /// The token that is being got ready and is wanted.
    func isPreparing(_ token: Int) -> Bool { preparations.contains { $0.token == token && !$0.isDropped } }

    /// Gets a deck ready, if one is free and no other is being got ready; otherwise `didChange` tells when to ask again. `finish` gets
    /// the deck's number with what is known of it, or why it failed; a deck that was dropped meanwhile is not told of.
    func prepare(
        _ order: DeckOrder, _ priority: Job.Priority,
        finish: @escaping (Result<(Int, PreparedDeck), PlaybackError>) -> Void
    ) {
        guard !isBusy, let deck = freeDeck else { return }
        let preparer = preparer
        let attempt = Attempt()
        let job = Job(priority) {
            do throws(PlaybackError) {
                attempt.outcome = .success(try preparer.prepare(deck, order) { attempt.job?.isCancelled == false })
            } catch {
                attempt.outcome = .failure(error)
            }
            return .done
        } finish: { [self] _ in
            attempt.job = nil
            didEnd(deck, order.token, attempt.outcome, finish)
        }
        attempt.job = job
        states[deck] = .preparing
        preparations.append(Preparation(token: order.token, job: job, since: scheduler.now))
        do throws(Job.Refusal) { try feed.take(job) } catch {
            states[deck] = .free
            preparations.removeAll { $0.token == order.token }
            later(error) { [self] in didChange() }
        }
    }

    /// Tries once more what was refused since too much waits already, some time later: nobody else would ask.
    private func later(_ refusal: Job.Refusal, _ body: @escaping () -> Void) {
        if refusal == .full {
            scheduler.schedule(at: scheduler.now.adding(milliseconds: DeckPool.retryMilliseconds), body)
        }
    }

    /// Another deck is being got ready, and does not hang.
    private var isBusy: Bool {
        preparations.contains {
            !$0.isDropped || scheduler.now.milliseconds(since: $0.since) < Int64(DeckPool.patienceMilliseconds)
        }
    }

    /// The next that may be taken; nil where none is free, or those that are free are for when another hangs.
    private var freeDeck: Int? {
        let usedCount = states.count { $0 != .free }
        let hungCount = preparations.count { $0.isDropped } + states.count { $0 == .hanging }
        return usedCount < DeckPool.usualCount + hungCount ? states.firstIndex(of: .free) : nil
    }

    private func didEnd(
        _ deck: Int, _ token: Int, _ outcome: Result<PreparedDeck, PlaybackError>?,
        _ finish: (Result<(Int, PreparedDeck), PlaybackError>) -> Void
    ) {
        let isDropped = preparations.contains { $0.token == token && $0.isDropped }
        preparations.removeAll { $0.token == token }
        switch outcome {
        case .success(let prepared)? where !isDropped:
            states[deck] = .ready
            finish(.success((deck, prepared)))
        case .failure(let error)? where !isDropped:
            close(deck)
            finish(.failure(error))
        default: close(deck)
        }
        didChange()
    }

    /// Nobody wants what is being got ready under this token.
    func drop(token: Int) {
        guard let place = preparations.firstIndex(where: { $0.token == token && !$0.isDropped }) else { return }
        preparations[place].isDropped = true
        preparations[place].since = scheduler.now
        preparations[place].job.cancel()
        scheduler.schedule(at: scheduler.now.adding(milliseconds: DeckPool.patienceMilliseconds)) { [self] in
            if preparations.contains(where: { $0.token == token }) { didChange() }
        }
    }

    /// Nobody wants this deck any more, that is ready: it lets go of its stream.
    func giveBack(_ deck: Int) {
        if states[deck] == .ready { close(deck) }
    }

    /// The audio thread is about to get this deck.
    func load(_ deck: Int) -> UnsafeMutablePointer<Deck> {
        states[deck] = .loaded
        return decks + deck
    }

    /// The audio thread is done with a deck.
    func didRelease(_ deck: UnsafeMutablePointer<Deck>) { close(deck - decks) }

    private func close(_ deck: Int) {
        states[deck] = .closing
        let preparer = preparer
        let patience = scheduler.schedule(at: scheduler.now.adding(milliseconds: DeckPool.patienceMilliseconds)) {
            [self] in
            states[deck] = .hanging
            didChange()
        }
        let job = Job(.pressed) {
            preparer.close(deck)
            return .done
        } finish: { [self] _ in
            scheduler.cancel(patience)
            states[deck] = .free
            didChange()
        }
        do throws(Job.Refusal) { try feed.take(job) } catch {
            scheduler.cancel(patience)
            later(error) { [self] in close(deck) }
        }
    }
}
