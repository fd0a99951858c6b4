// SPDX-License-Identifier: Apache-2.0
import Playback
import Posix

/// The faults of the playback, in the failed part's own words.
struct Troubles {
    /// Of the sound device; nil while all is well.
    private(set) var ofDevice: String?
    /// Why the current item is not played; nil while it can be.
    private(set) var ofItem: String?
    /// The first mistake in the configuration, with its file and line; nil where there is none.
    var ofSettings: String?
    /// Why what a hand chose last could not be had; the earlier playback continues.
    private(set) var ofChoice: String?
    /// Items that could not be played, one after the other.
    private(set) var failuresInARow = 0
    /// Those that were told of.
    private var missingLibraries: [String] = []

    /// - Parameter message: nil where it is back.
    mutating func deviceDidChange(_ message: String?) { ofDevice = message }

    mutating func itemDidFail(_ message: String) { ofItem = message }

    mutating func choiceDidFail(_ message: String?) { ofChoice = message }

    /// Another item is current, or what went wrong has been read.
    mutating func forgetItem() { (ofItem, ofChoice) = (nil, nil) }

    /// The item is not tried any longer.
    mutating func didGiveUp() { failuresInARow += 1 }

    /// One can be heard.
    mutating func didSucceed() { failuresInARow = 0 }

    /// Returns whether the journal gets the error: of a library that is not installed once, and not for each recording that it would play.
    mutating func isForJournal(_ error: PlaybackError) -> Bool {
        guard case .noLibrary(_, let library) = error else { return true }
        if missingLibraries.contains(library.name) { return false }
        missingLibraries.append(library.name)
        return true
    }
}
