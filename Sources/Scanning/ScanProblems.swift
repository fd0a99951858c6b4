import Core
import Posix

/// What was wrong with files and folders, each said once and not at every scan; and which files need not be looked into again, as
/// they are no audio and have not changed. Control thread.
struct ScanProblems {
    /// A disk full of broken files must not fill the journal.
    private static let mostInScan = 20

    /// By a hash: a text for each of a hundred thousand files would be megabytes.
    private var said: Set<UInt64> = []
    private var rejected: Set<UInt64> = []
    private var saidInScan = 0
    private var unsaidInScan = 0

    /// Says a problem, unless it was said before.
    mutating func say(_ message: String, _ warn: (String) -> Void) {
        guard said.insert(message.stableHash).inserted else { return }
        if saidInScan == ScanProblems.mostInScan {
            unsaidInScan += 1
        } else {
            saidInScan += 1
            warn(message)
        }
    }

    mutating func endScan(_ warn: (String) -> Void) {
        if unsaidInScan > 0 { warn("\(unsaidInScan) more files or folders could not be taken in") }
        saidInScan = 0
        unsaidInScan = 0
    }

    /// The file is no audio, and stays none until it changes.
    mutating func reject(_ file: FoundFile) { rejected.insert(ScanProblems.hash(file)) }

    func isRejected(_ file: FoundFile) -> Bool { !rejected.isEmpty && rejected.contains(ScanProblems.hash(file)) }

    private static func hash(_ file: FoundFile) -> UInt64 {
        var hash = StableHash()
        hash.add(file.path)
        hash.add(file.bytes)
        hash.add(file.modifiedSeconds)
        return hash.value
    }
}
