// SPDX-License-Identifier: Apache-2.0
import CPosix
import Library
import Model
import Posix
import Transcript
import Workers

/// The control thread's half of a scan of folders: it runs the worker, looks up the found files, saves new ones and reports to the
/// listener, portion by portion. At the end it finds the missing ones. Control thread.
final class ScanRun {
    /// The scan looks for missing items in pages of this many, one for each turn of the loop.
    private static let pageItems = 200
    /// The interval of asking whether the disk has the writes; the other number is the longest such wait.
    private static let waitMilliseconds = 20
    private static let mostWaitMilliseconds = 60_000

    /// The common state of the keeper's parts.
    struct Context {
        let source: ScanSource
        let library: Library
        let worker: any Performer
        let loop: EventLoop
        let watch: FolderWatch?
        let made: MadeWords?
    }

    /// The result for a file.
    private enum Finding {
        case unknown(FoundFile)
        /// The library has the file unchanged; `hasArrived` is true if it was missing.
        case item(Item.ID, hasArrived: Bool, hasChanged: Bool)
        case nothing
    }

    let number: Int
    private let folder: String?
    private let readsAnew: Bool
    private let context: Context
    private let scan: LibraryScan
    private let keeper: LibraryKeeper
    private var job: Job?
    private var isStopped = false
    private var waitsUntil = MonotonicTime.now.adding(milliseconds: ScanRun.mostWaitMilliseconds)
    private var seen = SeenItems()
    /// The findings of the present portion, in its order.
    private var findings: [Finding] = []
    /// The unreadable folders: items below them do not count as missing.
    private var unreadable: [String] = []
    /// True for a scan of everything.
    var isWhole: Bool { folder == nil }
    private(set) var filesSeen = 0
    /// True if the scanned folder itself is missing.
    var isRootMissing: Bool {
        context.source.roots.contains { root in unreadable.contains { root.isWithin($0) } }
    }
    private var isWalked = false

    /// - Parameters:
    ///   - folder: the folder to scan; nil for everything.
    ///   - readsAnew: true to read unchanged files, too.
    init(number: Int, folder: String?, readsAnew: Bool, keeper: LibraryKeeper, context: Context) {
        self.number = number
        self.folder = folder
        self.readsAnew = readsAnew
        self.keeper = keeper
        self.context = context
        let roots = context.source.roots
        scan = LibraryScan(roots: folder.map { [$0] } ?? roots, within: roots, watch: context.watch, made: context.made)
    }

    func stop() {
        isStopped = true
        job?.cancel()
    }

    // MARK: Walking

    func walk() {
        perform(scan.walkStep) { [self] in didWalk() }
    }

    /// Runs a job of the scan. Only one is under way at a time, so nothing replaces it.
    private func perform(_ step: @escaping () -> Job.Step, then: @escaping () -> Void) {
        if isStopped { return }
        do throws(Job.Refusal) {
            job = try context.worker.perform(.background, key: "scan", step: step) { [self] outcome in
                job = nil
                if outcome == .done && !isStopped { then() }
            }
        } catch {
            // The disk hangs: the results so far stay, and the rest waits for the next scan.
            keeper.runDidBreakOff()
        }
    }

    private func didWalk() {
        let report = scan.takeReport()
        for problem in report.problems { keeper.say(problem) }
        for archive in report.broken { keeper.passOver(archive) }
        for folder in report.covered { context.watch?.watchMounts(near: folder) }
        unreadable += report.unreadable
        isWalked = report.isDone
        let files = scan.takeFound()
        filesSeen += files.count
        context.library.batch { findings = files.map(look) }
        var unknown: [FoundFile] = []
        for case .unknown(let file) in findings { unknown.append(file) }
        scan.probe(unknown)
        tell()
        keeper.runDidProgress()
        goOn()
    }

    private func look(_ file: FoundFile) -> Finding {
        if readsAnew { return .unknown(file) }
        let known = context.library.knownFile(
            path: file.path, fileBytes: file.bytes, fileModifiedSeconds: file.modifiedSeconds,
            sidecarStamp: file.sidecars.stamp)
        if let known {
            seen.insert(known.id)
            return .item(known.id, hasArrived: !known.isPresent, hasChanged: false)
        }
        return keeper.isRejected(file) ? .nothing : .unknown(file)
    }

    /// Starts the next portion, once the disk has caught up enough with the earlier ones.
    private func goOn() {
        if isStopped || waitsForDisk(then: goOn) { return }
        if scan.hasMoreToProbe {
            perform(scan.probeStep) { [self] in didProbe() }
        } else if isWalked {
            findGone()
        } else {
            walk()
        }
    }

    /// Returns whether the disk has to take the writes first; `body` is called when it may have.
    private func waitsForDisk(then body: @escaping () -> Void) -> Bool {
        if context.library.isLogBehind && MonotonicTime.now < waitsUntil {
            keeper.writeToDisk()
            context.loop.schedule(at: .now.adding(milliseconds: ScanRun.waitMilliseconds), body)
            return true
        }
        waitsUntil = .now.adding(milliseconds: ScanRun.mostWaitMilliseconds)
        return false
    }

    /// Takes the probes of a portion. If a known file has the same audio but was not found so far, checks whether it was moved here, or was
    /// copied.
    private func didProbe() {
        let results = scan.takeResults()
        for problem in scan.takeReport().problems { keeper.say(problem) }
        var others: [Library.ContentFile] = []
        for case .success(let probe) in results {
            for file in context.library.files(of: probe.identity) where !seen.contains(file.id) {
                if !file.path.utf8.elementsEqual(probe.path.utf8) { others.append(file) }
            }
        }
        if others.isEmpty { return take(results) }
        var moved: [Item.ID] = []
        perform {
            for other in others where !ScanRun.isThere(other) { moved.append(other.id) }
            return .done
        } then: { [self] in
            context.library.setPresent(moved, false)
            take(results)
        }
    }

    /// Returns whether a file is there unchanged. Worker.
    private static func isThere(_ file: Library.ContentFile) -> Bool {
        do throws(PosixError) {
            let status = try FileStatus(path: file.path)
            return status.bytes == file.fileBytes && status.modifiedSeconds == file.fileModifiedSeconds
        } catch {
            // A failed query does not prove that the file is missing.
            return error.code != ENOENT && error.code != ENOTDIR
        }
    }

    private func take(_ results: [Result<Probe, ProbeError>]) {
        var next = 0
        context.library.batch {
            for (place, finding) in findings.enumerated() {
                guard case .unknown(let file) = finding else { continue }
                if next == results.count { break }
                findings[place] = take(results[next], of: file)
                next += 1
            }
        }
        tell()
        goOn()
    }

    private func take(_ result: Result<Probe, ProbeError>, of file: FoundFile) -> Finding {
        switch result {
        case .success(let probe):
            guard let taken = context.library.takeIn(probe) else { return .nothing }
            seen.insert(taken.id)
            if !taken.displaced.isEmpty { keeper.tellLoss(taken.displaced) }
            keeper.fileDidChange(taken.id)
            return .item(taken.id, hasArrived: taken.hasArrived, hasChanged: !taken.hasArrived)
        case .failure(let error):
            keeper.say(error.message)
            if error.isFinal { keeper.reject(file) }
            return .nothing
        }
    }

    // MARK: Telling

    /// Reports the known findings at the front of the portion, so that all are reported in order.
    private func tell() {
        var told = 0
        var arrived: [Item.ID] = []
        var returned: [Item.ID] = []
        var changed: [Item.ID] = []
        loop: for finding in findings {
            switch finding {
            case .unknown: break loop
            case .nothing: break
            case .item(let id, let hasArrived, let hasChanged):
                if hasArrived { returned.append(id) }
                if hasArrived || isNamed { arrived.append(id) }
                if hasChanged { changed.append(id) }
            }
            told += 1
        }
        findings.removeFirst(told)
        context.library.setPresent(returned, true)
        if !arrived.isEmpty { keeper.tellGain(arrived.map { Arrival(id: $0, place: place(of: $0)) }) }
        if !changed.isEmpty { keeper.tellChange(changed) }
    }

    private var isNamed: Bool {
        if case .named = context.source { true } else { false }
    }

    private func place(of id: Item.ID) -> Arrival.Place {
        if isNamed { return .last }
        return context.library.itemBefore(id).map { .behind($0) } ?? .first
    }

    // MARK: What is gone

    private func findGone() {
        // An empty folder means a disk that is not mounted yet: its items stay. If the database had to be replaced meanwhile, the seen
        // items have other numbers now.
        if isNamed || (folder == nil && filesSeen == 0) || context.library.needsScan { return keeper.runDidEnd() }
        findGone(after: nil)
    }

    private func findGone(after cursor: Library.PresentCursor?) {
        if isStopped { return }
        let page = context.library.presentItems(in: folder, after: cursor, limit: ScanRun.pageItems)
        var gone: [Item.ID] = []
        for item in page.items where !seen.contains(item.id) && item.path.utf8.first == UInt8(ascii: "/") {
            if !unreadable.contains(where: { item.path.isWithin($0) }) { gone.append(item.id) }
        }
        context.library.setPresent(gone, false)
        if !gone.isEmpty { keeper.tellLoss(gone) }
        guard let next = page.next else { return makeBooks() }
        context.loop.schedule(at: .now) { [self] in findGone(after: next) }
    }

    // MARK: Books

    /// Makes the books of changed folders, some in each turn of the loop: the order of their files is known then.
    private func makeBooks() {
        if isStopped || waitsForDisk(then: makeBooks) { return }
        let isLeft = context.library.updateBooks()
        let moved = context.library.takeRearranged()
        if !moved.isEmpty { keeper.tellGain(moved.map { Arrival(id: $0, place: place(of: $0)) }) }
        if !isLeft { return keeper.runDidEnd() }
        context.loop.schedule(at: .now) { [self] in makeBooks() }
    }
}
