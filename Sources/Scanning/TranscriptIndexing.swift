import Library
import Model
import Posix
import Transcript
import Workers

/// Keeps the index of what is said in step with the transcripts: goes through the items after each scan, and adds those whose
/// transcript is another than before. Control thread; the files and the index are the worker's, which does it when nothing else is due.
final class TranscriptIndexing {
    /// From the end of a scan: it plays first, and is shown.
    var startMilliseconds = 1000

    /// Items that are looked at in a request.
    private static let itemsInPortion = 64

    private let index: SpokenIndex
    private let loop: EventLoop
    private let made: MadeWords?
    private var due = DueTranscripts()
    private var timer: EventLoop.TimerToken?
    /// The worker has a request.
    private var isAsking = false
    /// A scan is under way.
    private var isPaused = false
    private var isStopped = false
    private var phase = Phase.idle

    private enum Phase {
        case idle, looking
        case removing(after: Item.ID)
    }

    /// All is taken in that there was after the last scan.
    var isIdle: Bool { if case .idle = phase { true } else { false } }

    /// - Parameter made: where words are that the speaker has made itself; nil for nowhere.
    init(_ index: SpokenIndex, loop: EventLoop, made: MadeWords?) {
        self.index = index
        self.loop = loop
        self.made = made
        index.didLose = { [self] in restart() }
    }

    /// Goes through all items from the first, after a pause.
    func begin() {
        isPaused = false
        restart()
    }

    private func restart() {
        due.restart()
        phase = .looking
        goOnLater()
    }

    /// Takes in what was fetched for an item, if that has not been taken in before.
    /// - Parameter name: another one where it is another transcript.
    func take(_ reader: FetchedTranscript, of id: Item.ID, name: String) {
        guard let item = index.library.spokenState(id),
            due.add(DueTranscripts.Due(item: item, stamp: TranscriptStamps.stamp(fetched: name), reader: reader)),
            isIdle
        else { return }
        phase = .looking
        goOnLater()
    }

    /// A scan begins: it goes first.
    func pause() {
        isPaused = true
        cancelTimer()
    }

    func stop() {
        isStopped = true
        cancelTimer()
        index.stop()
    }

    private func goOnLater() {
        cancelTimer()
        if isPaused || isStopped { return }
        timer = loop.schedule(at: .now.adding(milliseconds: startMilliseconds)) { [self] in
            timer = nil
            goOn()
        }
    }

    private func cancelTimer() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func goOn() {
        if isAsking || isPaused || isStopped || timer != nil { return }
        switch phase {
        case .looking:
            if let next = due.next() {
                take(next)
            } else if due.hasNextPage {
                look()
            } else {
                phase = .removing(after: 0)
                goOn()
            }
        case .removing(let id): remove(after: id)
        case .idle: break
        }
    }

    /// - Parameter then: called if the worker has answered.
    private func ask(_ step: @escaping (SpokenStore) -> Bool, then: @escaping () -> Void) {
        isAsking = true
        index.ask(.background) {
            step($0) ? .done : .again
        } finish: { [self] isAnswered in
            isAsking = false
            // A disk that hangs: the next scan begins anew.
            if isAnswered { then() } else { phase = .idle }
            goOn()
        }
    }

    /// Finds the items of the next page whose transcript is another than before.
    private func look() {
        let page = index.library.spokenStates(after: due.cursor, limit: TranscriptIndexing.itemsInPortion)
        due.didRead(until: page.next)
        let looking = Looking(page.items, TranscriptStamps(made))
        ask(looking.step) { [self] in due.didLook(looking.found) }
    }

    private func take(_ next: DueTranscripts.Due) {
        let taking = SpokenTaking(next, made: made)
        // The disk is full: the next scan begins anew.
        ask(taking.step) { [self] in if taking.hasFailed { phase = .idle } }
    }

    /// Removes what the library has forgotten.
    private func remove(after id: Item.ID) {
        let removing = Removing(after: id, limit: TranscriptIndexing.itemsInPortion)
        ask(removing.list) { [self] in
            guard case .removing = phase else { return }
            guard let last = removing.owners.last else {
                // What was fetched meanwhile comes now.
                phase = due.hasFetched ? .looking : .idle
                return
            }
            phase = .removing(after: last.id)
            removing.owners.removeAll { index.library.knows($0) }
            if !removing.owners.isEmpty { ask(removing.remove) {} }
        }
    }
}

/// Compares the transcripts of some items with what the index has. Worker, until it is done.
private final class Looking: @unchecked Sendable {
    private(set) var found: [DueTranscripts.Due] = []
    private let items: [Library.SpokenState]
    private let stamps: TranscriptStamps
    private var next = 0

    init(_ items: [Library.SpokenState], _ stamps: TranscriptStamps) {
        self.items = items
        self.stamps = stamps
    }

    /// Looks at an item. Returns true after the last.
    func step(_ store: SpokenStore) -> Bool {
        guard next < items.count else { return true }
        let item = items[next]
        next += 1
        if let stamp = stamps.stamp(of: item), stamp != store.stamp(of: item.owner) {
            found.append(DueTranscripts.Due(item: item, stamp: stamp))
        }
        return false
    }
}

/// Removes items from the index. Worker, while a request is under way.
private final class Removing: @unchecked Sendable {
    var owners: [SpokenStore.Owner] = []
    private let first: Item.ID
    private let limit: Int

    init(after id: Item.ID, limit: Int) {
        first = id
        self.limit = limit
    }

    func list(_ store: SpokenStore) -> Bool {
        owners = store.owners(after: first, limit: limit)
        return true
    }

    /// Removes a portion. Returns true after the last.
    func remove(_ store: SpokenStore) -> Bool {
        guard let owner = owners.last else { return true }
        if !store.remove(owner.id) { owners.removeLast() }
        return false
    }
}
