// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// The faults of files and folders, each reported once and not at every scan; and the unchanged files that are no audio, which need no
/// second probe. Control thread.
struct ScanProblems {
    /// The limit of reports in a scan: a disk full of broken files must not fill the journal.
    private static let mostInScan = 20

    /// The hashes of reported problems: the texts for a hundred thousand files would be megabytes.
    private var said: Set<UInt64> = []
    private var rejected: Set<UInt64> = []
    /// The files that are no audio, from the last complete scan: their number, and the names of some.
    private(set) var unplayable = Unplayable()
    private var found = Unplayable()
    private var saidInScan = 0
    private var unsaidInScan = 0

    /// Reports a problem once.
    mutating func say(_ message: String, _ warn: (String) -> Void) {
        guard said.insert(message.stableHash).inserted else { return }
        if saidInScan == ScanProblems.mostInScan {
            unsaidInScan += 1
        } else {
            saidInScan += 1
            warn(message)
        }
    }

    /// - Parameter isWhole: true after a complete scan; false for one folder.
    mutating func endScan(isWhole: Bool, _ warn: (String) -> Void) {
        if isWhole { unplayable = found }
        if unsaidInScan > 0 { warn("\(unsaidInScan) more files or folders could not be taken in") }
        saidInScan = 0
        unsaidInScan = 0
    }

    /// Notes that a file is no audio, and stays none until it changes.
    mutating func reject(_ file: FoundFile) {
        rejected.insert(ScanProblems.hash(file))
        found.add(file.path)
    }

    /// Counts an unreadable archive, which every scan opens again.
    mutating func passOver(_ archive: String) { found.add(archive) }

    mutating func isRejected(_ file: FoundFile) -> Bool {
        if rejected.isEmpty || !rejected.contains(ScanProblems.hash(file)) { return false }
        found.add(file.path)
        return true
    }

    /// Starts the counts of a scan.
    mutating func beginScan() { found = Unplayable() }

    private static func hash(_ file: FoundFile) -> UInt64 {
        var hash = StableHash()
        hash.add(file.path)
        hash.add(file.bytes)
        hash.add(file.modifiedSeconds)
        return hash.value
    }
}
