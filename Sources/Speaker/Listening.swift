// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback
import Posix

/// The current item, the listener's place in it, and the listening time.
final class Listening {
    private(set) var item: Item?
    /// The item's chapters, in order; none if it has no chapters.
    private(set) var chapters: [Chapter] = []
    var troubles = Troubles()
    var rules = PlayingRules()
    /// The start of the silence, and the rewind after it.
    let rewind: SmartRewind
    private var playTime = PlayTime()
    private var heardHours: HourlyCounts
    private var underrunHours: HourlyCounts
    /// The start of the present stretch of listening: the last jump's destination.
    private var stretchMilliseconds = 0
    /// The length of the item's skipped beginning.
    private var introMilliseconds = 0
    /// The time of the last resume at the same place, in a household.
    private var goneOnAt: MonotonicTime?
    /// True after following another device's place until playback here: no listener has heard this place here.
    private var isFollowing = false
    /// The last saved place of this visit; nil before the first save.
    private var savedMilliseconds: Int?
    /// True until the check whether this visit begins anew.
    private var mayBeginAnew = false
    private var known = Known()
    /// The watch that reports the end of a lone chapter, or the next chapter.
    let chapterWatch: EarWatch
    private let library: Library
    private let player: any PlayerPort
    private let timers: any Timers

    /// The player's state as the consoles' clients know it.
    private struct Known: Equatable {
        var entry: Int?
        var wantsToPlay = false
        var isAtEnd = false
        var isWaitingForBytes = false
        var hasDevice = true
    }

    /// - Parameter store: the storage of a pause; nil to store nothing.
    init(_ library: Library, _ player: any PlayerPort, _ timers: any Timers, store: Library?) {
        rewind = SmartRewind(timers, store: store)
        self.library = library
        self.player = player
        self.timers = timers
        heardHours = HourlyCounts(hour: timers.now.hour)
        underrunHours = heardHours
        chapterWatch = EarWatch(player, timers)
    }

    /// The entry and place before a listener's choice, to return to if the choice never sounds.
    struct Left {
        var song: Int
        var milliseconds: Int
        var plays: Bool
    }
    /// The earlier entry and place; nil without one, or after the choice has sounded.
    private(set) var left: Left?
    /// True from a listener's choice until it sounds.
    private(set) var isChosen = false

    /// Notes that a listener has chosen the current item.
    func didChoose(leaving left: Left?) { (self.left, isChosen) = (left, true) }

    /// Starts a visit of another item, or a new visit of the same.
    /// - Parameter intro: the length of its skipped beginning.
    func begin(_ item: Item, at milliseconds: Int, behind intro: Int = 0) {
        self.item = item
        introMilliseconds = intro
        (left, isChosen) = (nil, false)
        readChapters()
        troubles.forgetItem()
        playTime.beginVisit()
        stretchMilliseconds = milliseconds
        goneOnAt = nil
        isFollowing = false
        savedMilliseconds = nil
        mayBeginAnew = true
    }

    /// Ends the visit: no item is current.
    func end() {
        item = nil
        chapters = []
    }

    /// Reads the current item from the library again.
    func refresh() { item = item.flatMap { library.item($0.id) } }

    /// Notes a jump within the item.
    func didJump(to milliseconds: Int) {
        stretchMilliseconds = milliseconds
        goneOnAt = nil
        isFollowing = false
    }

    /// Notes that the place comes from another device.
    func didFollow() {
        isFollowing = true
        if !player.wantsToPlay { goneOnAt = nil }
    }

    /// The way to save the current place.
    enum Saving { case nothing, save, saveAsHeard }

    /// Returns the way of saving the place, which then counts as saved. A pause without a change needs no second save. A place counts as
    /// heard now after listening here or a listener's choice, but not after a report of another device.
    func saving() -> Saving {
        let position = player.positionMilliseconds
        if !player.wantsToPlay && savedMilliseconds == position { return .nothing }
        if hasJustGoneOn && player.wantsToPlay { return .save }
        savedMilliseconds = position
        if hasJustGoneOn { return .save }
        // A listener who resumed at another device's place, and pauses between two saves, has heard this one.
        if player.wantsToPlay || goneOnAt != nil { isFollowing = false }
        return isFollowing ? .save : .saveAsHeard
    }

    /// Notes that playback resumed at the place where it stopped.
    /// - Parameter mayBeElsewhere: true in a household: another device may still report a later place, so keep the time of this resume.
    func didGoOn(mayBeElsewhere: Bool) {
        goneOnAt = mayBeElsewhere ? timers.now : nil
        if !mayBeElsewhere { isFollowing = false }
    }

    /// True shortly after resuming: a jump to a later place disturbs little, and the present place does not count as heard yet.
    var hasJustGoneOn: Bool {
        goneOnAt.map { timers.now.milliseconds(since: $0) < Listening.goingOnMilliseconds } ?? false
    }

    private static let goingOnMilliseconds: Int64 = 15_000

    /// Notes that listening before the start of the program belongs to one stretch.
    func didRestore() {
        stretchMilliseconds = 0
        standsReady()
    }

    /// Notes that the item is ready, but has not played: its place must not be saved before.
    func standsReady() { savedMilliseconds = player.positionMilliseconds }

    /// True if the player's track is that of the current item.
    var isHeard: Bool { item != nil && player.track?.id == item?.id }

    /// The current item's place, or its starting place.
    var placeMilliseconds: Int {
        player.track == nil ? item.map { library.resumeMilliseconds(of: $0) } ?? 0 : player.positionMilliseconds
    }

    // MARK: Chapters

    /// Reads the chapters again, since they may have come after the item became current.
    func readChapters() { chapters = item.map { library.chapters(of: $0.id) } ?? [] }

    /// False if the file has one heading that is its title: repeating it would be useless.
    var namesChapters: Bool {
        guard let only = chapters.first, chapters.count == 1 else { return true }
        return !only.title.utf8.elementsEqual((item?.title ?? "").utf8)
    }

    /// Returns the chapter at a place; nil before the first, and without chapters.
    func chapter(at milliseconds: Int) -> Int? { chapters.lastIndex { $0.startMilliseconds <= milliseconds } }

    /// Returns the start of the next chapter; nil in the last one, and without chapters.
    /// - Parameter end: the end of a chapter that was heard, which the audible position may not have reached by some milliseconds.
    func nextChapterMilliseconds(behind end: Int = 0) -> Int? {
        let position = max(player.positionMilliseconds, end)
        return chapters.first { $0.startMilliseconds > position }?.startMilliseconds
    }

    /// Watches for the next chapter. Call it after any change of playback or place except progress.
    /// - Parameters:
    ///   - isHeard: true if the player plays the queue's current entry.
    ///   - bounds: of a lone chapter; nil for the whole item.
    ///   - repeats: true if a repeated stretch comes before the end of the chapter.
    func watchChapters(isHeard: Bool, within bounds: Range<Int>?, repeats: Bool) {
        if !isHeard || chapters.isEmpty { return chapterWatch.watch(for: nil) }
        // The last chapter ends with the file.
        if let bounds { return chapterWatch.watch(for: repeats || bounds.upperBound == .max ? nil : bounds.upperBound) }
        let told = player.positionMilliseconds - Listening.surelyBegunMilliseconds + EarWatch.nearMilliseconds
        let next = chapters.first { $0.startMilliseconds > told }
        chapterWatch.watch(for: next.map { $0.startMilliseconds + Listening.surelyBegunMilliseconds })
    }

    /// The delay of a report after a chapter's beginning, so that the report finds the chapter audible.
    private static let surelyBegunMilliseconds = 50

    // MARK: Beginning and end

    /// The distance from the start within which a play begins anew.
    private static let beginningMilliseconds = 60_000

    /// Returns whether the item plays anew from its beginning. True at most once a visit, at the first place behind the start.
    func beginsAnew() -> Bool {
        let milliseconds = player.positionMilliseconds
        guard mayBeginAnew, milliseconds > 0 else { return false }
        mayBeginAnew = false
        return milliseconds <= introMilliseconds + Listening.beginningMilliseconds
    }

    /// Returns whether the listener has reached the last seconds of the item by listening, not by a jump into them or beyond.
    /// - Parameter isLeft: true if a listener leaves it: then its credits are an end, too.
    func isHeardToEnd(at milliseconds: Int, duration: Int?, isLeft: Bool = false) -> Bool {
        guard let duration else { return false }
        let end = max(1, duration - (isLeft ? Item.creditsMilliseconds(duration: duration) : Item.endMilliseconds))
        return milliseconds >= end && stretchMilliseconds < end
    }

    // MARK: Playing

    /// Returns whether the player's state has changed since the last call, by anything but progress.
    func playerIsOther() -> Bool {
        let now = Known(
            entry: player.track?.entry, wantsToPlay: player.wantsToPlay, isAtEnd: player.isAtEnd,
            isWaitingForBytes: player.isWaitingForBytes,
            // Closing an unused card is no change.
            hasDevice: player.hasDevice || !player.wantsToPlay)
        defer { known = now }
        return now != known
    }

    func playerDidChange() {
        if player.isAdvancing {
            troubles.didSucceed()
            (left, isChosen) = (nil, false)
        }
        playTime.playingDidChange(to: player.wantsToPlay, at: timers.now)
    }

    /// The listening time since the start.
    var playedMilliseconds: Int64 { playTime.played(at: timers.now) }
    /// The listening time of each of the last seven days; nil with an unknown clock.
    var heardWeek: HeardWeek? {
        wallClockDay().map { day in
            restoreWeek()
            return playTime.week(at: timers.now, day: day)
        }
    }

    /// Returns the seconds listened, and the underruns of the card, in each of the last hours.
    func lastHours() -> (heard: HourlyCounts, underruns: HourlyCounts) {
        heardHours.note(playTime.played(at: timers.now) / 1000, at: timers.now.hour)
        underrunHours.note(Int64(player.underruns), at: timers.now.hour)
        return (heardHours, underrunHours)
    }

    /// Reads the saved week once, when first needed: a start does not wait for it.
    private func restoreWeek() {
        if playTime.week == nil { playTime.week = library.restoredWeek() ?? HeardWeek(day: 0) }
    }

    /// Saves the listening time now and then, to spare the disk.
    func saveHeard() {
        // Every few seconds during playback, so that each second counts for its hour.
        _ = lastHours()
        guard playTime.isWeekDue(at: timers.now, isPlaying: player.wantsToPlay), let day = wallClockDay() else {
            return
        }
        restoreWeek()
        guard
            let week = playTime.takeWeek(at: timers.now, isPlaying: player.wantsToPlay, day: day)
        else { return }
        library.save(week)
    }

    /// Counts the current item as played, if its playback starts now.
    func countPlay(from milliseconds: Int) {
        guard let item,
            playTime.counts(isPlaying: player.wantsToPlay, positionMilliseconds: milliseconds - introMilliseconds)
        else { return }
        library.countPlay(item.id)
    }
}
