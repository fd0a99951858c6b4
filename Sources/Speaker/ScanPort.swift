// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Scanning
import Transcript

/// The scanner's interface for the speaker. Control thread.
public protocol ScanPort: AnyObject {
    /// A look is under way.
    var isScanning: Bool { get }
    /// The progress of the running scan; nil for none.
    var progress: ScanProgress? { get }
    /// All has been looked through once.
    var hasScanned: Bool { get }
    /// The unplayable part of the library.
    var unplayable: Unplayable { get }
    /// Looks through everything.
    func scanAgain()
    /// Has what is said in an item found by what was fetched for it, as `LibraryKeeper` has it.
    func takeIn(_ words: FetchedTranscript, of id: Item.ID, name: String)
}

extension LibraryKeeper: ScanPort {
    public var isScanning: Bool { runningScan != nil }
    public func scanAgain() { scan() }
}
