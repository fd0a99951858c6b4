import Library
import Model
import Posix
import Transcript
import Workers

/// Keeps the index of what is said in step with the transcripts, when there is nothing better to do: goes through the items after
/// each scan, has those read whose transcript is another than before, and takes them in, a small portion at a time and with pauses
/// between. Control thread; the files are the worker's.
final class TranscriptIndexing {
    struct Timing {
        /// From the end of a scan: it plays first, and is shown.
        var startMilliseconds = 1000
        /// Between two portions.
        var pauseMilliseconds = 15
        /// While the disk takes what was written; longer each time.
        var busyMilliseconds = 100
        var mostBusyMilliseconds = 5000
    }
    var timing = Timing()

    /// Items that are looked at in a portion.
    private static let itemsInPortion = 64
    /// Some 100 sentences: 3 million instructions.
    private static let blocksInPortion = 8

    private let library: Library
    private let worker: any Performer
    private let loop: EventLoop
    /// The disk is to have what was written.
    var didWrite: () -> Void = {}

    private let stamps: TranscriptStamps
    private let made: MadeWords?
    private var due = DueTranscripts()
    private var current: Current?
    private var job: Job?
    private var timer: EventLoop.TimerToken?
    /// A scan is under way, or it has ended for good.
    private var activity = Activity.running
    private var busyMilliseconds = 0
    /// Something was written since the walk began.
    private var hasWritten = false

    private enum Activity { case running, paused, stopped }

    /// The item that is being taken in.
    private struct Current {
        let due: DueTranscripts.Due
        let reading: SpokenReading
        var hasBegun = false
        var blocks: ArraySlice<SpokenBlock> = []
    }

    private enum Phase {
        case idle, looking, taking
        case orphans(Item.ID)
        case merging
    }
    private var phase = Phase.idle

    /// All is taken in that there was after the last scan.
    var isIdle: Bool { if case .idle = phase { true } else { false } }

    /// - Parameter made: where words are that the speaker has made itself; nil for nowhere.
    init(library: Library, worker: any Performer, loop: EventLoop, made: MadeWords?) {
        self.made = made
        stamps = TranscriptStamps(made)
        self.library = library
        self.worker = worker
        self.loop = loop
    }

    /// Goes through all items from the first, after a pause. What is half taken in goes on first.
    func begin() {
        if activity == .paused { activity = .running }
        due.restart()
        if case .taking = phase, current != nil { return goOn(after: timing.startMilliseconds) }
        phase = .looking
        goOn(after: timing.startMilliseconds)
    }

    /// Takes in what was fetched for an item, if that has not been taken in before.
    /// - Parameter name: another one where it is another transcript.
    func take(_ reader: FetchedTranscript, of id: Item.ID, name: String) {
        let stamp = TranscriptStamps.stamp(fetched: name)
        guard let item = library.spokenState(id), item.stamp != stamp, current?.due.item.id != id,
            due.add(DueTranscripts.Due(item: item, stamp: stamp, reader: reader)), isIdle
        else { return }
        phase = .looking
        goOn(after: timing.startMilliseconds)
    }

    /// A scan begins: it goes first.
    func pause() {
        if activity == .running { activity = .paused }
        cancelTimer()
    }

    func stop() {
        activity = .stopped
        job?.cancel()
        cancelTimer()
    }

    // MARK: One portion after the other

    private func goOn(after milliseconds: Int? = nil) {
        if activity != .running || job != nil { return }
        cancelTimer()
        let pause = milliseconds ?? timing.pauseMilliseconds
        timer = loop.schedule(at: .now.adding(milliseconds: pause)) { [self] in
            timer = nil
            step()
        }
    }

    private func cancelTimer() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func step() {
        switch phase {
        case .idle: break
        case .looking: if !waitsForDisk() { look() }
        case .taking: if !waitsForDisk() { take() }
        case .orphans(let id): if !waitsForDisk() { removeOrphans(after: id) }
        case .merging:
            if waitsForDisk() { break }
            if library.mergeSpoken() { return goOn() }
            if !due.hasFetched { return end() }
            // It came meanwhile.
            phase = .looking
            goOn()
        }
    }

    /// So much was written that the disk has to take it first.
    private func waitsForDisk() -> Bool {
        guard library.isLogBusy else {
            busyMilliseconds = 0
            return false
        }
        didWrite()
        busyMilliseconds = min(timing.mostBusyMilliseconds, max(timing.busyMilliseconds, busyMilliseconds * 2))
        goOn(after: busyMilliseconds)
        return true
    }

    private func end() {
        phase = .idle
        if hasWritten { didWrite() }
        hasWritten = false
        library.releaseMemory()
    }

    private func perform(_ step: @escaping () -> Job.Step, then: @escaping () -> Void) {
        do throws(Job.Refusal) {
            job = try worker.perform(.background, key: "spoken", step: step) { [self] outcome in
                job = nil
                if outcome == .done && activity != .stopped { then() }
            }
        } catch {
            // A disk hangs: the next scan begins anew.
            phase = .idle
        }
    }

    // MARK: Looking

    private func look() {
        if let next = due.next() { return begin(next) }
        guard due.hasNextPage else {
            phase = .orphans(0)
            return goOn()
        }
        let page = library.spokenStates(after: due.cursor, limit: TranscriptIndexing.itemsInPortion)
        due.didRead(until: page.next)
        var found: [DueTranscripts.Due] = []
        var next = 0
        let stamps = stamps
        perform {
            guard next < page.items.count else { return .done }
            let item = page.items[next]
            next += 1
            if let stamp = stamps.stamp(of: item), stamp != item.stamp {
                found.append(DueTranscripts.Due(item: item, stamp: stamp))
            }
            return .again
        } then: { [self] in
            due.didLook(found)
            goOn()
        }
    }

    // MARK: Taking in

    private func begin(_ next: DueTranscripts.Due) {
        let item = next.item
        let reader: any TranscriptReader =
            next.reader
            ?? TranscriptReading(
                audioPath: item.path, durationMilliseconds: item.durationMilliseconds, made: made)
        current = Current(due: next, reading: SpokenReading(reader))
        phase = .taking
        read()
    }

    private func read() {
        guard let reading = current?.reading else { return }
        perform {
            reading.step() ? .done : .again
        } then: { [self] in
            current?.blocks = reading.takeBlocks()[...]
            goOn()
        }
    }

    private func take() {
        guard var item = current else {
            phase = .looking
            return goOn()
        }
        let id = item.due.item.id
        hasWritten = true
        if !item.hasBegun {
            // What was said before is taken out first.
            if item.due.item.stamp != nil, library.removeSpoken(id, blocks: TranscriptIndexing.blocksInPortion) {
                return goOn()
            }
            if let code = item.reading.code { library.beginSpoken(id, code: code) }
            item.hasBegun = true
        } else if !item.blocks.isEmpty {
            let portion = item.blocks.prefix(TranscriptIndexing.blocksInPortion)
            guard library.addSpoken(id, portion) else {
                // The disk is full or gone: another time, from the start.
                current = nil
                phase = .idle
                return
            }
            item.blocks = item.blocks.dropFirst(portion.count)
        } else if library.mergeSpoken() {
            // As much as was added, so that parts never pile up.
        } else if item.reading.isOver {
            library.endSpoken(id, stamp: item.due.stamp)
            current = nil
            phase = .looking
            return goOn()
        } else {
            current = item
            return read()
        }
        current = item
        goOn()
    }

    private func removeOrphans(after id: Item.ID) {
        let page = library.spokenOrphans(after: id, limit: TranscriptIndexing.itemsInPortion)
        if let orphan = page.items.first {
            hasWritten = true
            // The same page again, until there is none.
            _ = library.removeSpoken(orphan, blocks: TranscriptIndexing.blocksInPortion)
        } else if let next = page.next {
            phase = .orphans(next)
        } else {
            phase = .merging
        }
        goOn()
    }
}
