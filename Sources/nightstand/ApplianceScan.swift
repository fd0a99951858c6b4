import Configuration
import Core
import Library
import Playback
import Posix
import Workers

/// Keeping library and queue in step with what is on the disk.
extension Appliance {
    private static let folderMissingMilliseconds = 5000
    /// So long nothing must have changed in the library's folders before they are looked through again.
    private static let quietMilliseconds = 1500

    /// What is looked through when everything is.
    var roots: [String] {
        switch source {
        case .library: [configuration.libraryPath]
        case .paths(let paths): paths
        }
    }

    func scanAll() { startScan(of: nil) }

    /// Looks through a folder of the library, nil for all of it, unless that is under way already. Returns the scan's number.
    @discardableResult
    func startScan(of folder: String?) -> Int {
        if scan != nil { return scanNumber }
        scanNumber += 1
        let scan = LibraryScan(roots: folder.map { [$0] } ?? roots, watch: watch)
        self.scan = scan
        didChange(.scan)
        _ = try? worker.perform(.background) {
            scan.listStep() ? .done : .again
        } finish: { [self] outcome in
            if outcome == .done { didList(scan, folder) }
        }
        return scanNumber
    }

    private func didList(_ scan: LibraryScan, _ folder: String?) {
        for problem in scan.takeProblems() {
            if !saidProblems.contains(problem) { warn(problem) }
            saidProblems.insert(problem)
        }
        library.beginScan()
        var unknown: [LibraryScan.Found] = []
        library.batch {
            for file in scan.found {
                let isKnown =
                    library.knownItem(
                        path: file.path, fileBytes: file.bytes, fileModifiedSeconds: file.modifiedSeconds) != nil
                if !isKnown { unknown.append(file) }
            }
        }
        if unknown.isEmpty { return finish(scan, folder) }
        scan.probe(unknown)
        takeInKnown(scan)
        probe(scan, folder)
    }

    private func probe(_ scan: LibraryScan, _ folder: String?) {
        _ = try? worker.perform(.background) {
            scan.probeStep() ? .done : .again
        } finish: { [self] outcome in
            if outcome != .done { return }
            for problem in scan.takeProblems() { warn(problem) }
            let probed = scan.takeProbed()
            library.batch {
                for probe in probed {
                    guard let item = library.upsert(probe) else { continue }
                    if item.durationMilliseconds == nil { scan.unmeasured.append(item.id) }
                }
            }
            takeInKnown(scan)
            if scan.hasMoreToProbe { probe(scan, folder) } else { finish(scan, folder) }
        }
    }

    private func finish(_ scan: LibraryScan, _ folder: String?) {
        // Where there is nothing at all a disk is not mounted yet: what is known of it is kept.
        if case .library = source, folder == nil, !scan.isIncomplete, !scan.found.isEmpty {
            library.endScan()
        } else {
            library.cancelScan()
        }
        self.scan = nil
        lastScanSeconds = wallClockSeconds()
        takeInKnown(scan)
        hasScanned = true
        measure(scan.unmeasured)
        didChange([.library, .scan])
        if queue.isEmpty, case .paths = source { didEnd() }
        if !Files.exists(configuration.libraryPath), case .library = source { lookForLibrary() }
    }

    /// Looks through the library again whenever something in its folders has changed, once that has come to rest.
    func watchLibrary() {
        guard case .library = source else { return }
        do throws(PosixError) {
            watch = try FolderWatch(loop: loop) { [self] in scanWhenQuiet() }
        } catch {
            warn("new audio is found at the next start or 'update': \(error.message)")
        }
    }

    private func scanWhenQuiet() {
        if let quietTimer { loop.cancel(quietTimer) }
        quietTimer = loop.schedule(at: MonotonicTime.now.adding(milliseconds: Appliance.quietMilliseconds)) { [self] in
            quietTimer = nil
            if scan == nil { scanAll() } else { scanWhenQuiet() }
        }
    }

    /// The library's folder is away: looks until it is there.
    private func lookForLibrary() {
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: Appliance.folderMissingMilliseconds)) { [self] in
            if Files.exists(configuration.libraryPath) { scanAll() } else { lookForLibrary() }
        }
    }

    /// Brings the queue up to date with what the library knows by now.
    private func takeInKnown(_ scan: LibraryScan) {
        switch source {
        case .library:
            // A queue that nobody has changed is the library in its order, whatever is added to it.
            guard queueIsLibrary else { return }
            replaceQueue(with: library.itemIDs())
            if currentSongID == nil, currentItem == nil, let first = queue.first, let item = library.item(first.itemID)
            {
                // Ready for the first press.
                currentSongID = first.songID
                prepare(item)
            }
        case .paths:
            let ids = naturallySorted(scan.found).compactMap { library.item(path: $0.path)?.id }
            replaceQueue(with: ids)
            if currentSongID == nil, let first = startingEntry(), queueCanStart(scan) {
                go(to: first, play: true)
            }
        }
    }

    /// The order in which people count: roots as they were named, then as the library sorts.
    private func naturallySorted(_ found: [LibraryScan.Found]) -> [LibraryScan.Found] {
        var result: [LibraryScan.Found] = []
        for root in roots {
            let below = root.utf8.last == UInt8(ascii: "/") ? root : root + "/"
            var part = found.filter { $0.path == root || $0.path.begins(with: below) }
                .map { (key: naturalKey($0.path), file: $0) }
            part.sort { $0.key.lexicographicallyPrecedes($1.key) }
            result.append(contentsOf: part.map { $0.file })
        }
        return result
    }

    /// Not before it is known what comes first.
    private func queueCanStart(_ scan: LibraryScan) -> Bool {
        guard let first = naturallySorted(scan.found).first else { return false }
        return library.item(path: first.path) != nil || !scan.hasMoreToProbe
    }

    /// Where this run of named paths begins: with what was played when the last one ended, if it is among them.
    private func startingEntry() -> Int? {
        if queue.isEmpty { return nil }
        guard let state = library.restoredState,
            let last = state.queue.first(where: { $0.songID == state.currentSongID })
        else { return 0 }
        guard let index = queue.firstIndex(where: { $0.itemID == last.itemID }) else { return 0 }
        guard let item = library.item(last.itemID), let duration = item.durationMilliseconds,
            item.positionMilliseconds >= duration
        else { return index }
        return index + 1 < queue.count ? index + 1 : 0
    }

    /// Keeps the song numbers of what stays.
    private func replaceQueue(with ids: [Item.ID]) {
        if queue.map({ $0.itemID }) == ids { return }
        var old: [Item.ID: SpeakerState.Entry] = [:]
        for entry in queue { old[entry.itemID] = entry }
        queue = ids.map { old[$0] ?? entry(for: $0) }
        queueDidChange()
    }
}
