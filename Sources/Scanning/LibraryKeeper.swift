// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Posix
import Transcript
import Workers

/// Keeps the library in step with the disk: scans folders on request, after changes, and when they come back; and counts missing durations.
/// Control thread; the worker reads the disk.
public final class LibraryKeeper {
    struct Timing {
        /// The pause before another look for a missing folder.
        var folderMissingMilliseconds = 5000
        /// The rest of the folders before another scan.
        var quietMilliseconds = 1500
        /// The same after a mount or unmount: its files appear all at once.
        var mountMilliseconds = 200
        /// A mount sooner after the start means that the disk was there at power-on.
        var bootMilliseconds: Int64 = 20_000
        /// The longest wait for that rest, if something changes all the time.
        var unquietMilliseconds = 60_000
        /// The time between two reports of a scan's progress.
        var progressMilliseconds = 1000
    }

    /// A request during another scan.
    private struct Request {
        /// The folder; nil for everything.
        var folder: String?
        var readsAnew = false
    }

    /// New disks that the listener has yet to hear of.
    private struct Mounted {
        var folders: [String] = []
        /// The scan of these disks; nil before it starts.
        var scan: Int?
        var start = MonotonicTime.now
    }

    /// The receiver of the library's changes.
    public var listener: (any LibraryListener)?
    /// True after the first complete scan.
    public private(set) var hasScanned = false
    /// True while some transcripts wait to be read: their words cannot be found yet.
    public var isReadingWords: Bool { !hasScanned || run != nil || !indexing.isIdle }

    private var context: ScanRun.Context
    private let warn: (String) -> Void
    private let measuring: Measuring
    private var didWrite: () -> Void = {}
    let indexing: TranscriptIndexing
    private var problems = ScanProblems()
    private var run: ScanRun?
    private var scanCount = 0
    private var request: Request?
    private var mounted = Mounted()
    private var timers = Timers()
    var timing = Timing()

    private struct Timers {
        /// The timer for the first scan.
        var start: EventLoop.TimerToken?
        /// The timer for the rest after a change.
        var quiet: EventLoop.TimerToken?
        var firstChange: MonotonicTime?
        /// The timer for the next look at a missing folder.
        var missing: EventLoop.TimerToken?
        var lastProgress = MonotonicTime.now
    }

    /// - Parameters:
    ///   - spoken: the index of spoken words, which follows the library.
    ///   - made: the folder of the speaker's own transcripts; nil for none.
    public init(
        source: ScanSource, library: Library, spoken: SpokenIndex, worker: any Performer, loop: EventLoop,
        made: MadeWords? = nil, warn: @escaping (String) -> Void
    ) {
        self.warn = warn
        context = ScanRun.Context(source: source, library: library, worker: worker, loop: loop, watch: nil, made: made)
        measuring = Measuring(library: library, worker: worker)
        indexing = TranscriptIndexing(spoken, loop: loop, made: made)
        measuring.didMeasure = { [self] id in tellChange([id]) }
        indexing.didEnd = { [self] in didWrite() }
    }

    /// Sets the callback that sends idle writes to the disk, and frees memory.
    public func whenWritten(_ body: @escaping () -> Void) { didWrite = body }

    /// Starts to watch, and scans everything.
    /// - Parameter milliseconds: the delay of the scan, for other users of the disk. It counts as under way meanwhile.
    public func start(after milliseconds: Int = 0) {
        timers.start = context.loop.schedule(at: .now.adding(milliseconds: milliseconds)) { [self] in
            timers.start = nil
            if case .library(let folder) = context.source { watch(folder) }
            scan()
        }
    }

    /// Ends all work. No report comes after it.
    public func stop() {
        listener = nil
        request = nil
        run?.stop()
        run = nil
        measuring.stop()
        indexing.stop()
        context.watch?.stop()
        cancel(&timers.start)
        cancel(&timers.quiet)
        cancel(&timers.missing)
        measuring.didMeasure = { _ in }
    }

    // MARK: Asking

    /// The number of the scan under way; nil for none.
    public var runningScan: Int? { run?.number ?? (timers.start == nil ? nil : scanCount + 1) }

    /// The unplayable part of the library.
    public var unplayable: Unplayable { problems.unplayable }

    /// The progress of the running scan; nil for none.
    public var progress: ScanProgress? { run.map { ScanProgress(filesSeen: $0.filesSeen) } }

    /// Scans everything; once more if a scan is under way. Returns the scan's number.
    /// - Parameter readsAnew: true to read the tags of unchanged files, too.
    @discardableResult
    public func scan(readsAnew: Bool = false) -> Int { begin(Request(folder: nil, readsAnew: readsAnew)) }

    /// Scans one folder or one file, within the scanned folders.
    /// - Returns: the scan's number; nil if the path leads elsewhere.
    public func scan(folder path: String, readsAnew: Bool = false) -> Int? {
        for root in context.source.roots where path.isWithin(root) {
            if path.utf8.count == root.utf8.count { return scan(readsAnew: readsAnew) }
            // ".." leads out; hidden files are not the library's.
            if path.dropping(bytes: root.utf8.count).hasDottedPart { return nil }
            return begin(Request(folder: path, readsAnew: readsAnew))
        }
        return nil
    }

    /// Adds the fetched words of an item to the search.
    /// - Parameter name: a name that differs for another transcript.
    public func takeIn(_ words: FetchedTranscript, of id: Item.ID, name: String) {
        if case .library = context.source { indexing.take(words, of: id, name: name) }
    }

    /// Counts an item's frames, before all others.
    public func measure(_ id: Item.ID) { measuring.measure(id) }

    private func begin(_ asked: Request) -> Int {
        guard run == nil else {
            guard var next = request else {
                request = asked
                return scanCount + 1
            }
            next.readsAnew = next.readsAnew || asked.readsAnew
            // Two folders become everything.
            if next.folder != asked.folder { next.folder = nil }
            request = next
            return scanCount + 1
        }
        cancel(&timers.missing)
        indexing.pause()
        scanCount += 1
        let run = ScanRun(
            number: scanCount, folder: asked.folder, readsAnew: asked.readsAnew, keeper: self, context: context)
        self.run = run
        problems.beginScan()
        timers.lastProgress = .now
        context.loop.schedule(at: .now) { [self] in
            guard self.run === run else { return }
            listener?.scanDidBegin()
            run.walk()
        }
        return scanCount
    }

    // MARK: The scan's reports

    func say(_ problem: String) { problems.say(problem, warn) }
    func reject(_ file: FoundFile) { problems.reject(file) }
    /// Counts an archive that cannot be read.
    func passOver(_ archive: String) { problems.passOver(archive) }
    func isRejected(_ file: FoundFile) -> Bool { problems.isRejected(file) }
    /// Asks for the writes to go to the disk, for which the scan waits.
    func writeToDisk() { didWrite() }
    func fileDidChange(_ id: Item.ID) { measuring.fileDidChange(id) }

    func tellGain(_ arrivals: [Arrival]) { listener?.libraryDidGain(arrivals) }
    func tellLoss(_ ids: [Item.ID]) { listener?.libraryDidLose(ids) }
    func tellChange(_ ids: [Item.ID]) { listener?.libraryDidChange(ids) }

    func runDidProgress() {
        let now = MonotonicTime.now
        if now.milliseconds(since: timers.lastProgress) < Int64(timing.progressMilliseconds) { return }
        timers.lastProgress = now
        listener?.scanDidProgress()
    }

    func runDidEnd() {
        guard let ended = run else { return }
        run = nil
        problems.endScan(isWhole: ended.isWhole, warn)
        hasScanned = true
        context.library.releaseMemory()
        measuring.begin()
        if case .library = context.source { indexing.begin() }
        listener?.scanDidEnd(foundAny: ended.filesSeen > 0)
        tellMounted(ended.number)
        if let next = request {
            request = nil
            _ = begin(next)
        } else if ended.isRootMissing {
            lookForFolder()
        }
    }

    private func tellMounted(_ scan: Int) {
        guard let awaited = mounted.scan, scan >= awaited else { return }
        let folders = mounted.folders
        mounted.folders = []
        for folder in folders { listener?.libraryDidMount(folder) }
    }

    /// Notes that the worker accepts no more, since a disk hangs.
    func runDidBreakOff() {
        run = nil
        problems.endScan(isWhole: false, warn)
        listener?.scanDidEnd(foundAny: true)
        lookForFolder()
    }

    // MARK: When

    private func watch(_ folder: String) {
        do throws(PosixError) {
            let watch = try FolderWatch(loop: context.loop, folders: [folder]) { [self] in didChange($0) }
            context = ScanRun.Context(
                source: context.source, library: context.library, worker: context.worker, loop: context.loop,
                watch: watch, made: context.made)
        } catch {
            warn("new audio is found at the next start or 'update': \(error.message)")
        }
    }

    /// Notes a change in the folders: a scan follows once they rest.
    private func didChange(_ change: FolderWatch.Change) {
        let now = MonotonicTime.now
        var quiet = timing.quietMilliseconds
        if case .mounts(let new) = change {
            quiet = timing.mountMilliseconds
            mounted.scan = nil
            if now.milliseconds(since: mounted.start) >= timing.bootMilliseconds { mounted.folders += new }
        }
        let first = timers.firstChange ?? now
        timers.firstChange = first
        cancel(&timers.quiet)
        let due = min(
            now.adding(milliseconds: quiet), first.adding(milliseconds: timing.unquietMilliseconds))
        timers.quiet = context.loop.schedule(at: due) { [self] in
            timers.quiet = nil
            timers.firstChange = nil
            mounted.scan = scan()
        }
    }

    /// Looks for the library's folder until it is there, and then scans it; one look at a time, at any number of calls.
    private func lookForFolder() {
        guard case .library(let folder) = context.source else { return }
        cancel(&timers.missing)
        timers.missing = context.loop.schedule(at: .now.adding(milliseconds: timing.folderMissingMilliseconds)) {
            [self] in
            timers.missing = nil
            var isThere = false
            do throws(Job.Refusal) {
                try context.worker.perform(.background, key: "look") {
                    isThere = Files.exists(folder)
                    return .done
                } finish: { [self] outcome in
                    // Or a scan is under way.
                    guard outcome == .done, run == nil else { return }
                    if isThere { scan() } else { lookForFolder() }
                }
            } catch {
                if error == .full { lookForFolder() }
            }
        }
    }

    private func cancel(_ timer: inout EventLoop.TimerToken?) {
        if let token = timer { context.loop.cancel(token) }
        timer = nil
    }
}
