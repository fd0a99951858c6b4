import Library
import Posix
import Transcript

/// One look through folders and files for audio. Listing and probing happen on the feed thread in small steps, so that playing never
/// waits for it; what is known already is not looked into again.
final class LibraryScan {
    /// A file come across in a folder.
    struct Found {
        var path: String
        var bytes: Int64
        var modifiedSeconds: Int64
        /// Path of the best transcript beside it.
        var transcript: String?
        /// Path of a picture beside it.
        var artwork: String?
    }

    private static let audioExtensions = ["mp3", "mp2", "mp1", "mpga", "mpa"]
    private static let artworkNames = ["cover.jpg", "cover.png", "folder.jpg", "folder.png"]
    /// Each ext4 disk has one, for root only.
    private static let foundByRepair = "lost+found"
    /// Deeper is a loop of links.
    private static let depthLimit = 32

    /// Looked through, in order; files or folders.
    let roots: [String]
    /// Feed thread, then control thread: what was found, in order of roots, folders and names.
    private(set) var found: [Found] = []
    /// A folder could not be read, so that nothing may be called missing.
    private(set) var isIncomplete = false
    private(set) var problems: [String] = []
    /// Control thread: items whose duration is not known.
    var unmeasured: [Item.ID] = []
    /// Yet to be listed, the next at the end.
    private var pending: [(path: String, depth: Int)]
    /// Yet to be probed, the next at the end.
    private var toProbe: [Found] = []
    private var probed: [Probe] = []
    private let watch: FolderWatch?

    init(roots: [String], watch: FolderWatch?) {
        self.roots = roots
        self.watch = watch
        pending = roots.reversed().map { ($0, 0) }
    }

    // MARK: Feed thread

    /// Lists one folder or looks at one file; true when all are listed.
    func listStep() -> Bool {
        guard let next = pending.popLast() else { return true }
        do throws(PosixError) {
            let status = try FileStatus(path: next.path)
            if status.isDirectory {
                try list(next.path, depth: next.depth)
            } else if status.isRegularFile {
                // Named by a person: whatever it is called.
                let names = (try? Files.names(inFolder: next.path.pathFolder)) ?? []
                add(next.path, status, Sidecars(folder: names), names)
            }
        } catch {
            isIncomplete = true
            problems.append(error.message)
        }
        return pending.isEmpty
    }

    private func list(_ folder: String, depth: Int) throws(PosixError) {
        // First watched, then read, so that nothing falls in between.
        watch?.watch(folder)
        let names = try Files.names(inFolder: folder)
        let sidecars = Sidecars(folder: names)
        var folders: [(path: String, depth: Int)] = []
        let prefix = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
        for name in names where name.utf8.first != UInt8(ascii: ".") && name != LibraryScan.foundByRepair {
            let path = prefix + name
            let isAudio = LibraryScan.audioExtensions.contains(name.pathExtension)
            // The extension decides where it can, since asking the disk for each file costs.
            guard let status = try? FileStatus(path: path) else { continue }
            if status.isDirectory {
                if depth < LibraryScan.depthLimit { folders.append((path, depth + 1)) }
            } else if isAudio && status.isRegularFile {
                add(path, status, sidecars, names)
            }
        }
        pending.append(contentsOf: folders.reversed())
    }

    private func add(_ path: String, _ status: FileStatus, _ sidecars: Sidecars, _ names: [String]) {
        let folder = path.pathFolder
        found.append(
            Found(
                path: path, bytes: status.bytes, modifiedSeconds: status.modifiedSeconds,
                transcript: sidecars.names(for: path.pathName).first.map { folder + "/" + $0 },
                artwork: LibraryScan.artworkNames.first { names.contains($0) }.map { folder + "/" + $0 }))
    }

    /// Looks into one file; true when all are done or some are ready to be taken in.
    func probeStep() -> Bool {
        guard let next = toProbe.popLast() else { return true }
        do throws(ProbeError) {
            probed.append(try FileProbe.probe(next))
        } catch {
            problems.append(error.message)
        }
        return toProbe.isEmpty || probed.count >= 32
    }

    // MARK: Control thread, while no step is under way

    /// Says which of `found` have to be looked into.
    func probe(_ files: [Found]) { toProbe = files.reversed() }

    var hasMoreToProbe: Bool { !toProbe.isEmpty }

    func takeProbed() -> [Probe] {
        defer { probed = [] }
        return probed
    }

    func takeProblems() -> [String] {
        defer { problems = [] }
        return problems
    }
}

/// A file that is no audio or cannot be read.
struct ProbeError: Error {
    let message: String
}
