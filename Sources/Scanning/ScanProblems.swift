// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// The faults of files and folders, each reported once and not at every scan; and the unchanged files that are no audio, which need no
/// second look. Control thread.
struct ScanProblems {
    /// A disk full of broken files must not fill the journal.
    private static let mostInScan = 20

    /// By a hash: a text for each of a hundred thousand files would be megabytes.
    private var said: Set<UInt64> = []
    private var rejected: Set<UInt64> = []
    /// Files that are no audio, of those that the last look through everything came across: their number, and the names of some.
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

    /// - Parameter isWhole: true after a complete scan, and not only one folder.
    mutating func endScan(isWhole: Bool, _ warn: (String) -> Void) {
        if isWhole { unplayable = found }
        if unsaidInScan > 0 { warn("\(unsaidInScan) more files or folders could not be taken in") }
        saidInScan = 0
        unsaidInScan = 0
    }

    /// The file is no audio, and stays none until it changes.
    mutating func reject(_ file: FoundFile) {
        rejected.insert(ScanProblems.hash(file))
        found.add(file.path)
    }

    /// The archive is looked into at each scan.
    mutating func passOver(_ archive: String) { found.add(archive) }

    mutating func isRejected(_ file: FoundFile) -> Bool {
        if rejected.isEmpty || !rejected.contains(ScanProblems.hash(file)) { return false }
        found.add(file.path)
        return true
    }

    /// A scan begins.
    mutating func beginScan() { found = Unplayable() }

    private static func hash(_ file: FoundFile) -> UInt64 {
        var hash = StableHash()
        hash.add(file.path)
        hash.add(file.bytes)
        hash.add(file.modifiedSeconds)
        return hash.value
    }
}
