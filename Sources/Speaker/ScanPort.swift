// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Scanning
import Transcript

/// The scanner's interface for the speaker. Control thread.
public protocol ScanPort: AnyObject {
    /// True while a scan is under way.
    var isScanning: Bool { get }
    /// The progress of the running scan; nil for none.
    var progress: ScanProgress? { get }
    /// True once everything has been scanned.
    var hasScanned: Bool { get }
    /// The unplayable part of the library.
    var unplayable: Unplayable { get }
    /// Scans everything again.
    func scanAgain()
    /// Adds an item's fetched transcript to the search, as in `LibraryKeeper`.
    func takeIn(_ words: FetchedTranscript, of id: Item.ID, name: String)
}

extension LibraryKeeper: ScanPort {
    public var isScanning: Bool { runningScan != nil }
    public func scanAgain() { scan() }
}
