import Library
import Media
import Model
import Playback
import Posix

/// The item that is current, how it goes with it and those before it, and how long something was played.
struct Listening {
    private(set) var item: Item?
    /// The item's, in order; none where it is one piece.
    private(set) var chapters: [Chapter] = []
    /// What is wrong with the sound device, in its words; nil while all is well.
    var deviceTrouble: String?
    /// Why the current item is not played, in the words of whoever failed; nil while it can be.
    private(set) var itemTrouble: String?
    /// Items that could not be played, one after the other.
    private(set) var failuresInARow = 0
    /// Those that were told of.
    private var missingLibraries: [String] = []
    private var playTime = PlayTime()
    /// Where the stretch began that is heard: the last jump went there.
    private var stretchMilliseconds = 0
    /// It was not looked yet whether this visit plays the item anew.
    private var mayBeginAnew = false

    /// Another item is current, or the same anew.
    mutating func begin(_ item: Item, at milliseconds: Int, chapters: [Chapter] = []) {
        self.item = item
        self.chapters = chapters
        itemTrouble = nil
        playTime.beginVisit()
        stretchMilliseconds = milliseconds
        mayBeginAnew = true
    }

    /// Somebody went to another place of the item.
    mutating func didJump(to milliseconds: Int) { stretchMilliseconds = milliseconds }

    // MARK: Beginning and end

    /// Who plays so little of its start begins anew.
    private static let beginningMilliseconds = 60_000

    /// Whether the item is played anew from its beginning: once a visit, with the first place behind the very beginning.
    mutating func beginsAnew(at milliseconds: Int) -> Bool {
        guard mayBeginAnew, milliseconds > 0 else { return false }
        mayBeginAnew = false
        return milliseconds <= Listening.beginningMilliseconds
    }

    /// Whether the ear is in the last seconds of the item and has come there by listening, not by a jump into them or beyond.
    func isHeardToEnd(at milliseconds: Int, duration: Int?) -> Bool {
        guard let duration else { return false }
        let end = max(1, duration - Item.endMilliseconds)
        return milliseconds >= end && stretchMilliseconds < end
    }

    /// Its chapters have come since.
    mutating func take(_ chapters: [Chapter]) { self.chapters = chapters }

    /// None is current any more.
    mutating func end() {
        item = nil
        chapters = []
    }

    /// The chapter at a place; nil before the first, and where there is none.
    func chapter(at milliseconds: Int) -> Int? { chapters.lastIndex { $0.startMilliseconds <= milliseconds } }

    /// The library says something else of the current item.
    mutating func refresh(_ look: (Item.ID) -> Item?) { item = item.flatMap { look($0.id) } }

    // MARK: Failing

    /// Whether the journal is to be told: of a library that is not installed once, and not for each recording that it would play.
    mutating func isToTell(_ error: PlaybackError) -> Bool {
        guard case .noLibrary(_, let library) = error else { return true }
        if missingLibraries.contains(library.name) { return false }
        missingLibraries.append(library.name)
        return true
    }

    mutating func didFail(_ message: String) { itemTrouble = message }

    /// It is not tried any longer.
    mutating func didGiveUp() { failuresInARow += 1 }

    /// One can be heard.
    mutating func didSucceed() { failuresInARow = 0 }

    /// What went wrong has been read.
    mutating func clearTrouble() { itemTrouble = nil }

    /// What a client of the consoles knows of the player without asking again.
    private struct Known: Equatable {
        var entry: Int?
        var wantsToPlay = false
        var isAtEnd = false
        var isWaitingForBytes = false
        var hasDevice = true
    }
    private var known = Known()

    /// Whether the player is at something else than it last was here, and not only nearer to what it was asked for.
    mutating func isToTell(_ player: any PlayerPort) -> Bool {
        let now = Known(
            entry: player.track?.entry, wantsToPlay: player.wantsToPlay, isAtEnd: player.isAtEnd,
            isWaitingForBytes: player.isWaitingForBytes, hasDevice: player.hasDevice)
        defer { known = now }
        return now != known
    }

    // MARK: Time

    mutating func playingDidChange(to isPlaying: Bool, at now: MonotonicTime) {
        playTime.playingDidChange(to: isPlaying, at: now)
    }

    /// Milliseconds since the start.
    func played(at now: MonotonicTime) -> Int64 { playTime.played(at: now) }

    /// The current item, if it is now that it is to be counted as played.
    mutating func itemToCount(isPlaying: Bool, positionMilliseconds: Int) -> Item? {
        guard let item else { return nil }
        return playTime.counts(isPlaying: isPlaying, positionMilliseconds: positionMilliseconds) ? item : nil
    }
}
