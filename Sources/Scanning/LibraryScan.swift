// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Library
import Media
import Posix
import Transcript
import Workers

/// The worker's half of a scan of folders and files: it finds files in the library's order, and probes the requested ones. The worker owns
/// it while a job is under way, and the control thread between jobs.
///
/// It visits every folder once, by its device and inode. It skips a link to a folder within the roots, and follows one that leads out of
/// them. So no tangle of links makes it endless, and it finds folders at any depth, as far as the kernel takes their paths.
final class LibraryScan {
    /// The number of entries in a step of walking, each of which asks the disk.
    private static let entriesInStep = 32
    /// The number of files in a portion, which the control thread looks up in one turn of its loop.
    private static let filesInPortion = 64
    private static let probesInPortion = 16

    /// The remaining roots, the next at the end.
    private var pendingRoots: [String]
    /// The folders that the scan reaches by itself, so that it need not follow links into them: the source's roots, without links; then
    /// also the targets of links that led out of them.
    private var covered: [String] = []
    private let sourceRoots: [String]
    private let watch: FolderWatch?
    /// The folders on the present path, each within the one before.
    private var folders: [ScanFolder] = []
    private var visited: Set<FileStatus.Identity> = []
    /// The surroundings of the last named file.
    private var surroundings: ScanFolder?
    /// The unpacked EPUB around a folder or file that is scanned by itself.
    private var bookAround: FileSidecars?
    /// The remaining audio of an archive, the next at the end.
    private var archived: [FoundFile] = []
    /// The size of the first portion: small, so that named files play at once.
    private var portion = 4
    private var reading: ScanFolder?

    /// The files found since the last portion.
    private var found: [FoundFile] = []
    /// The files to probe, the next at the end.
    private var unknown: [FoundFile] = []
    private var results: [Result<Probe, ProbeError>] = []
    private let probe = FileProbe()
    private let made: MadeWords?
    /// The names of the lists of chapters in that folder; nil before it was read.
    private var madeChapters: Set<String>?
    private(set) var report = Report()

    /// A report of a scan, beside files.
    struct Report {
        var problems: [String] = []
        /// The unreadable folders: items below them do not count as missing.
        var unreadable: [String] = []
        /// The broken archives, and encrypted ones.
        var broken: [String] = []
        /// The roots without links, and the targets of links that led out of them.
        var covered: [String] = []
        var isDone = false
    }

    /// - Parameters:
    ///   - roots: the files and folders to scan, in this order.
    ///   - sourceRoots: the roots of a scan of everything.
    ///   - made: the folder of the speaker's own words and chapters; nil for none.
    init(roots: [String], within sourceRoots: [String], watch: FolderWatch?, made: MadeWords? = nil) {
        self.made = made
        pendingRoots = roots.reversed()
        self.sourceRoots = sourceRoots
        self.watch = watch
    }

    // MARK: Worker: walking

    /// Walks some entries further; done at the end of a portion or of everything.
    func walkStep() -> Job.Step {
        if covered.isEmpty { for root in sourceRoots { cover((try? Files.resolved(root)) ?? root) } }
        var left = LibraryScan.entriesInStep
        while left > 0 && found.count < portion {
            left -= 1
            if let file = archived.popLast() {
                found.append(file)
                continue
            }
            if let folder = reading {
                readList(folder)
                return .again
            }
            if let folder = folders.last {
                if let entry = folder.nextEntry() { look(at: entry, in: folder) } else { folders.removeLast() }
            } else if let root = pendingRoots.popLast() {
                begin(root)
            } else {
                report.isDone = true
                return .done
            }
        }
        if found.count < portion { return .again }
        portion = min(LibraryScan.filesInPortion, portion * 2)
        return .done
    }

    private func readList(_ folder: ScanFolder) {
        do throws(PosixError) {
            let isRead = try folder.readStep { path in
                // Reports the kind of the file.
                if let status = status(path, isExpected: false) { sayWrongKind(path, status) }
            }
            if !isRead { return }
        } catch {
            couldNotRead(folder.path, error)
        }
        reading = nil
    }

    private func begin(_ root: String) {
        guard let status = status(root, isExpected: true) else { return }
        // A path within an archive means the whole archive.
        if status.isRegularFile, let archive = ScanFolder.isArchive(root.pathName) ? root : ArchivePath(root)?.archive {
            if (try? FileStatus(path: archive))?.isRegularFile == true { return enterArchive(archive, status) }
        }
        bookAround = nil
        if status.isDirectory {
            if !sourceRoots.contains(root), let package = EPUB.package(around: root) {
                bookAround = FileSidecars(package: package)
            }
            enter(root, status)
        } else if status.isRegularFile {
            // A listener named the file: any name will do.
            let path = root.pathFolder
            if let surroundings, surroundings.path.utf8.elementsEqual(path.utf8) {
                return add(root, status, surroundings)
            }
            surroundings = ScanFolder(surroundings: path)
            bookAround = FileSidecars(package: EPUB.package(around: root))
            reading = surroundings
            pendingRoots.append(root)
        } else {
            sayWrongKind(root, status)
        }
    }

    private func enter(_ path: String, _ status: FileStatus) {
        if !visited.insert(status.identity).inserted { return }
        // Watch first, then read, so that no change in between is lost.
        if let watch, !watch.watch(path) {
            report.problems.append(
                "not all folders can be watched: what is new there is found at the next start or 'update' (see fs.inotify.max_user_watches)"
            )
        }
        do throws(PosixError) {
            let folder = try ScanFolder(path)
            folders.append(folder)
            reading = folder
        } catch {
            couldNotRead(path, error)
        }
    }

    private func look(at entry: ScanFolder.Entry, in folder: ScanFolder) {
        let path = folder.path.appending(name: entry.name)
        let isAudio = ScanFolder.isAudio(entry.name)
        guard let status = status(path, isExpected: entry.kind == .link && isAudio) else { return }
        if status.isDirectory {
            if entry.kind != .link || leadsOut(path) { enter(path, status) }
        } else if status.isRegularFile {
            if ScanFolder.isArchive(entry.name) {
                enterArchive(path, status)
            } else if ScanFolder.isLookedInto(entry.name) {
                add(path, status, folder)
            }
        } else if isAudio {
            sayWrongKind(path, status)
        }
    }

    /// Returns whether a link leads outside the scan's own reach.
    private func leadsOut(_ link: String) -> Bool {
        guard let target = try? Files.resolved(link) else { return false }
        for root in covered where target.isWithin(root) {
            // The scan skips hidden folders, but a link may lead there.
            return target.dropping(bytes: root.utf8.count).hasDottedPart
        }
        cover(target)
        return true
    }

    private func cover(_ folder: String) {
        covered.append(folder)
        report.covered.append(folder)
    }

    private func add(_ path: String, _ status: FileStatus, _ folder: ScanFolder) {
        var sidecars = folder.sidecars(of: path.pathName)
        if sidecars.book == nil, let epub = folders.last(where: { $0.isEPUB }) {
            sidecars.add(book: epub.sidecarsOfEPUB)
        } else if sidecars.book == nil, let book = bookAround {
            sidecars.add(book: book)
        }
        addMadeChapters(path, status, &sidecars)
        found.append(
            FoundFile(
                path: path, bytes: status.bytes, modifiedSeconds: status.modifiedSeconds, sidecars: sidecars))
    }

    /// Adds the chapters that the speaker made. Most speakers have made none, so one look at their folder suffices for all files.
    private func addMadeChapters(_ path: String, _ status: FileStatus, _ sidecars: inout FileSidecars) {
        guard let made else { return }
        let names = madeChapters ?? made.namesOfChapters
        madeChapters = names
        if names.isEmpty || sidecars.chapters != nil || sidecars.book != nil { return }
        let words = made.path(for: path, bytes: status.bytes, modifiedSeconds: status.modifiedSeconds)
        let chapters = MadeWords.chaptersPath(ofWords: words)
        if names.contains(chapters.pathName) { sidecars.add(madeChapters: chapters) }
    }

    /// Adds the audio of a talking book in an archive. Other archives are ignored.
    private func enterArchive(_ path: String, _ status: FileStatus) {
        if !visited.insert(status.identity).inserted || Fuse.refuses(path) { return }
        let mark = Fuse.begin(path)
        defer { Fuse.end(mark) }
        let contents: (index: String, audio: [String])?
        do throws(SourceError) { contents = try TalkingBook.contents(ofArchive: path) } catch {
            if error.mayPass { return couldNotRead(path, error.cause) }
            report.problems.append(error.cause.message)
            return report.broken.append(path)
        }
        guard let (index, audio) = contents else { return }
        var hash = StableHash()
        hash.add(index)
        hash.add(status.bytes)
        hash.add(status.modifiedSeconds)
        var sidecars = FileSidecars()
        sidecars.book = index
        sidecars.bookStamp = Int64(bitPattern: hash.value | 1)
        sidecars.stamp = sidecars.bookStamp
        let keyed = audio.map { (name: $0, key: naturalKey($0)) }
        archived = keyed.sorted { $1.key.lexicographicallyPrecedes($0.key) }.map {
            FoundFile(
                path: path + "/" + $0.name, bytes: status.bytes, modifiedSeconds: status.modifiedSeconds,
                sidecars: sidecars)
        }
    }

    /// Returns stat(2); nil if that fails.
    /// - Parameter isExpected: true to report a missing file: a root, or a link with the name of audio. Any other file may be gone again by
    ///   now.
    private func status(_ path: String, isExpected: Bool) -> FileStatus? {
        do throws(PosixError) { return try FileStatus(path: path) } catch {
            if isExpected && error.code == ENOENT && sourceRoots.contains(path) {
                report.problems.append(
                    "\(path): there is no such folder; [library] path names where the recordings are")
                report.unreadable.append(path)
            } else if isExpected || error.code != ENOENT {
                couldNotRead(path, error)
            }
            return nil
        }
    }

    private func couldNotRead(_ path: String, _ error: PosixError) {
        report.problems.append(error.message)
        report.unreadable.append(path)
    }

    private func sayWrongKind(_ path: String, _ status: FileStatus) {
        do throws(PosixError) { try status.requireRegularFile(path) } catch { report.problems.append(error.message) }
    }

    // MARK: Worker: looking into files

    /// Probes one file, or continues to read its talking book; done at the end, or with some results ready.
    func probeStep() -> Job.Step {
        guard let file = unknown.last else { return .done }
        if !probe.prepare(file, &report.problems) { return .again }
        unknown.removeLast()
        do throws(ProbeError) { results.append(.success(try probe.probe(file, &report.problems))) } catch {
            results.append(.failure(error))
        }
        return unknown.isEmpty || results.count >= LibraryScan.probesInPortion ? .done : .again
    }

    // MARK: Control thread, while no job is under way

    func takeFound() -> [FoundFile] {
        defer { found = [] }
        return found
    }

    func takeReport() -> Report {
        defer {
            report = Report(isDone: report.isDone)
        }
        return report
    }

    /// Chooses the files to probe, in their order.
    func probe(_ files: [FoundFile]) { unknown = files.reversed() }

    var hasMoreToProbe: Bool { !unknown.isEmpty }

    /// Returns the results of the probes, in their order.
    func takeResults() -> [Result<Probe, ProbeError>] {
        defer { results = [] }
        return results
    }
}
