// SPDX-License-Identifier: Apache-2.0
import Playback
import Posix

/// The faults of the playback, in the failed part's own words.
struct Troubles {
    /// The fault of the sound device; nil while all is well.
    private(set) var ofDevice: String?
    /// The reason why the current item does not play; nil while it can.
    private(set) var ofItem: String?
    /// The first mistake in the configuration, with its file and line; nil if there is none.
    var ofSettings: String?
    /// The reason why a listener's last choice was unavailable; the earlier playback continues.
    private(set) var ofChoice: String?
    /// The number of consecutive items that failed.
    private(set) var failuresInARow = 0
    /// The missing libraries already reported.
    private var missingLibraries: [String] = []

    /// - Parameter message: nil once the device is back.
    mutating func deviceDidChange(_ message: String?) { ofDevice = message }

    mutating func itemDidFail(_ message: String) { ofItem = message }

    mutating func choiceDidFail(_ message: String?) { ofChoice = message }

    /// Forgets the item's faults: another item is current, or a client has read them.
    mutating func forgetItem() { (ofItem, ofChoice) = (nil, nil) }

    /// Notes that the player gave up an item.
    mutating func didGiveUp() { failuresInARow += 1 }

    /// Notes that an item plays.
    mutating func didSucceed() { failuresInARow = 0 }

    /// Returns whether the journal gets the error. A missing library is reported once, and not for each recording that needs it.
    mutating func isForJournal(_ error: PlaybackError) -> Bool {
        guard case .noLibrary(_, let library) = error else { return true }
        if missingLibraries.contains(library.name) { return false }
        missingLibraries.append(library.name)
        return true
    }
}
