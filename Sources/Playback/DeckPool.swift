// SPDX-License-Identifier: Apache-2.0
import Audio
import Posix
import Workers

/// The decks and their states: free, being prepared, ready, with the audio thread, or being closed. Control thread.
final class DeckPool {
    private enum State {
        case free
        case preparing
        /// The deck is prepared, and its client knows.
        case ready
        /// The audio thread has it.
        case loaded
        case closing
        /// The deck has been closing for too long: a thread hangs in its stream's disk.
        case hanging
    }

    /// A preparation under way.
    private struct Preparation {
        var token: Int
        var job: Job
        var since: MonotonicTime
        /// True if no client waits for it.
        var isDropped = false
    }

    /// The state shared by the two halves of a job.
    private final class Attempt {
        var job: Job?
        var outcome: Result<PreparedDeck, PlaybackError>?
    }

    /// The decks in normal use: one plays, one follows, and one is prepared for a jump.
    private static let usualCount = 3
    /// A hanging disk blocks the deck that reads from it. So there is a spare deck for each thread that can hang; until then they cost
    /// nothing.
    static let deckCount = 6
    /// The time after which a dropped preparation no longer delays others: it ends within milliseconds unless a disk hangs.
    private static let patienceMilliseconds = 300
    static let retryMilliseconds = 1000

    private let decks: UnsafeMutablePointer<Deck>
    private let preparer: any DeckPreparer
    private let feed: any Performer
    private let scheduler: any Scheduler
    private var states = [State](repeating: .free, count: DeckPool.deckCount)
    private var preparations: [Preparation] = []
    /// Called when a deck became free, or ready for another try.
    var didChange: () -> Void = {}

    /// - Parameter decks: the decks, `deckCount` of them.
    init(
        decks: UnsafeMutablePointer<Deck>, preparer: any DeckPreparer, feed: any Performer, scheduler: any Scheduler
    ) {
        self.decks = decks
        self.preparer = preparer
        self.feed = feed
        self.scheduler = scheduler
    }

    /// Returns whether a wanted preparation has this token.
    func isPreparing(_ token: Int) -> Bool { preparations.contains { $0.token == token && !$0.isDropped } }

    /// Prepares a deck if one is free and no other is being prepared; otherwise `didChange` tells when to ask again. `finish` gets the
    /// deck's number with its facts, or the error. A drop in between cancels that call.
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

    /// Tries a refused job again later, since no other event would do so.
    private func later(_ refusal: Job.Refusal, _ body: @escaping () -> Void) {
        if refusal == .full {
            scheduler.schedule(at: scheduler.now.adding(milliseconds: DeckPool.retryMilliseconds), body)
        }
    }

    /// True if another preparation runs, and does not hang.
    private var isBusy: Bool {
        preparations.contains {
            !$0.isDropped || scheduler.now.milliseconds(since: $0.since) < Int64(DeckPool.patienceMilliseconds)
        }
    }

    /// The next usable deck; nil if none is free, or the free ones are spares for a hanging one.
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

    /// Drops the preparation with this token.
    func drop(token: Int) {
        guard let place = preparations.firstIndex(where: { $0.token == token && !$0.isDropped }) else { return }
        preparations[place].isDropped = true
        preparations[place].since = scheduler.now
        preparations[place].job.cancel()
        scheduler.schedule(at: scheduler.now.adding(milliseconds: DeckPool.patienceMilliseconds)) { [self] in
            if preparations.contains(where: { $0.token == token }) { didChange() }
        }
    }

    /// Returns a ready deck to the pool and closes its stream.
    func giveBack(_ deck: Int) {
        if states[deck] == .ready { close(deck) }
    }

    /// Hands a deck to the audio thread.
    func load(_ deck: Int) -> UnsafeMutablePointer<Deck> {
        states[deck] = .loaded
        return decks + deck
    }

    /// Handles a deck that the audio thread returned.
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
