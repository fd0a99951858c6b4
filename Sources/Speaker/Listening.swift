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
    /// The item's, in order; none where it is one piece.
    private(set) var chapters: [Chapter] = []
    var troubles = Troubles()
    var rules = PlayingRules()
    /// The start of the silence.
    let rewind: SmartRewind
    private var playTime = PlayTime()
    private var heardHours: HourlyCounts
    private var underrunHours: HourlyCounts
    /// The beginning of the present stretch of listening: the last jump went there.
    private var stretchMilliseconds = 0
    /// The length of the item's skipped beginning.
    private var introMilliseconds = 0
    /// When it was last played on where it had been, in a household.
    private var goneOnAt: MonotonicTime?
    /// True from following another device until this one has played on: no ear came to its place.
    private var isFollowing = false
    /// The last saved place of this visit; nil where it was not yet.
    private var savedMilliseconds: Int?
    /// True until this visit was checked for beginning anew.
    private var mayBeginAnew = false
    private var known = Known()
    /// Tells when the ear reaches the end of a lone chapter, or another chapter.
    let chapterWatch: EarWatch
    private let library: Library
    private let player: any PlayerPort
    private let timers: any Timers

    /// The facts about the player that consoles' clients know.
    private struct Known: Equatable {
        var entry: Int?
        var wantsToPlay = false
        var isAtEnd = false
        var isWaitingForBytes = false
        var hasDevice = true
    }

    /// - Parameter store: the storage of a pause; nil for nowhere.
    init(_ library: Library, _ player: any PlayerPort, _ timers: any Timers, store: Library?) {
        rewind = SmartRewind(timers, store: store)
        self.library = library
        self.player = player
        self.timers = timers
        heardHours = HourlyCounts(hour: timers.now.hour)
        underrunHours = heardHours
        chapterWatch = EarWatch(player, timers)
    }

    /// The entry and place before a choice by hand, to return to if the choice never sounds.
    struct Left {
        var song: Int
        var milliseconds: Int
        var plays: Bool
    }
    /// nil without one, or after the choice has sounded.
    private(set) var left: Left?
    /// True from a choice by hand until it sounds.
    private(set) var isChosen = false

    /// Notes that a hand has chosen what is current now.
    func didChoose(leaving left: Left?) { (self.left, isChosen) = (left, true) }

    /// Another item is current, or the same anew.
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

    /// None is current any more.
    func end() {
        item = nil
        chapters = []
    }

    /// The library may say something else of the current item.
    func refresh() { item = item.flatMap { library.item($0.id) } }

    /// Notes a jump within the item.
    func didJump(to milliseconds: Int) {
        stretchMilliseconds = milliseconds
        goneOnAt = nil
        isFollowing = false
    }

    /// Notes that the place is another device's.
    func didFollow() {
        isFollowing = true
        if !player.wantsToPlay { goneOnAt = nil }
    }

    /// The way to save the current place.
    enum Saving { case nothing, save, saveAsHeard }

    /// Returns the way of saving the place, which counts as done. A pause without a change needs no second save. A place counts as heard
    /// now after listening here, or a hand's choice, and not after a report of another device.
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

    /// Playback resumed at the place where it stopped.
    /// - Parameter mayBeElsewhere: true in a household: another device may still report a later place, so keep the time of this resume.
    func didGoOn(mayBeElsewhere: Bool) {
        goneOnAt = mayBeElsewhere ? timers.now : nil
        if !mayBeElsewhere { isFollowing = false }
    }

    /// True shortly after resuming: a jump to a later place disturbs little, and the present one does not count as heard yet.
    var hasJustGoneOn: Bool {
        goneOnAt.map { timers.now.milliseconds(since: $0) < Listening.goingOnMilliseconds } ?? false
    }

    private static let goingOnMilliseconds: Int64 = 15_000

    /// Listening before the start of the program counts as one stretch.
    func didRestore() {
        stretchMilliseconds = 0
        standsReady()
    }

    /// The item is ready, but has not played: its place must not be written before.
    func standsReady() { savedMilliseconds = player.positionMilliseconds }

    /// The track that plays is that of the current item.
    var isHeard: Bool { item != nil && player.track?.id == item?.id }

    /// The current item's place, or its starting place.
    var placeMilliseconds: Int {
        player.track == nil ? item.map { library.resumeMilliseconds(of: $0) } ?? 0 : player.positionMilliseconds
    }

    // MARK: Chapters

    /// They may have come since the item is current.
    func readChapters() { chapters = item.map { library.chapters(of: $0.id) } ?? [] }

    /// False where a file has one heading, which is its title: a repetition would be useless.
    var namesChapters: Bool {
        guard let only = chapters.first, chapters.count == 1 else { return true }
        return !only.title.utf8.elementsEqual((item?.title ?? "").utf8)
    }

    /// The chapter at a place; nil before the first, and where there is none.
    func chapter(at milliseconds: Int) -> Int? { chapters.lastIndex { $0.startMilliseconds <= milliseconds } }

    /// The start of the next chapter; nil in the last one, and where there is none.
    /// - Parameter end: of a chapter that was heard, which the ear may be some milliseconds before.
    func nextChapterMilliseconds(behind end: Int = 0) -> Int? {
        let position = max(player.positionMilliseconds, end)
        return chapters.first { $0.startMilliseconds > position }?.startMilliseconds
    }

    /// Playing, or the place, is another than time alone would have made it.
    /// - Parameters:
    ///   - isHeard: the current entry of the queue is what plays.
    ///   - bounds: of a lone chapter; nil for the whole item.
    ///   - repeats: a repeated stretch comes before the end of the chapter.
    func watchChapters(isHeard: Bool, within bounds: Range<Int>?, repeats: Bool) {
        if !isHeard || chapters.isEmpty { return chapterWatch.watch(for: nil) }
        // The last chapter ends with the file.
        if let bounds { return chapterWatch.watch(for: repeats || bounds.upperBound == .max ? nil : bounds.upperBound) }
        let told = player.positionMilliseconds - Listening.surelyBegunMilliseconds + EarWatch.nearMilliseconds
        let next = chapters.first { $0.startMilliseconds > told }
        chapterWatch.watch(for: next.map { $0.startMilliseconds + Listening.surelyBegunMilliseconds })
    }

    /// A report so much behind the beginning finds the next chapter audible.
    private static let surelyBegunMilliseconds = 50

    // MARK: Beginning and end

    /// A play within so much of the start begins anew.
    private static let beginningMilliseconds = 60_000

    /// Returns whether the item plays anew from its beginning: once a visit, with the first place behind the very beginning.
    func beginsAnew() -> Bool {
        let milliseconds = player.positionMilliseconds
        guard mayBeginAnew, milliseconds > 0 else { return false }
        mayBeginAnew = false
        return milliseconds <= introMilliseconds + Listening.beginningMilliseconds
    }

    /// Returns whether the ear is in the last seconds of the item and has come there by listening, not by a jump into them or beyond.
    /// - Parameter isLeft: somebody leaves it: then its credits are an end, too.
    func isHeardToEnd(at milliseconds: Int, duration: Int?, isLeft: Bool = false) -> Bool {
        guard let duration else { return false }
        let end = max(1, duration - (isLeft ? Item.creditsMilliseconds(duration: duration) : Item.endMilliseconds))
        return milliseconds >= end && stretchMilliseconds < end
    }

    // MARK: Playing

    /// Returns whether the player's state has changed since the last call, beyond progress to the requested one.
    func playerIsOther() -> Bool {
        let now = Known(
            entry: player.track?.entry, wantsToPlay: player.wantsToPlay, isAtEnd: player.isAtEnd,
            isWaitingForBytes: player.isWaitingForBytes,
            // Closing an unused card is no news.
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

    /// Since the start.
    var playedMilliseconds: Int64 { playTime.played(at: timers.now) }
    /// The listening time of each of the last seven days; nil with an unknown clock.
    var heardWeek: HeardWeek? {
        wallClockDay().map { day in
            restoreWeek()
            return playTime.week(at: timers.now, day: day)
        }
    }

    /// Seconds listened, and times that the card ran dry, in each of the last hours.
    func lastHours() -> (heard: HourlyCounts, underruns: HourlyCounts) {
        heardHours.note(playTime.played(at: timers.now) / 1000, at: timers.now.hour)
        underrunHours.note(Int64(player.underruns), at: timers.now.hour)
        return (heardHours, underrunHours)
    }

    /// Once, when it is first needed: a start does not wait for it.
    private func restoreWeek() {
        if playTime.week == nil { playTime.week = library.restoredWeek() ?? HeardWeek(day: 0) }
    }

    /// Now and then, since the disk is to have little to do for it.
    func saveHeard() {
        // Every few seconds while it plays, so that each is of its hour.
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

    /// Counts the current item as played, if it is now that it begins to be.
    func countPlay(from milliseconds: Int) {
        guard let item,
            playTime.counts(isPlaying: player.wantsToPlay, positionMilliseconds: milliseconds - introMilliseconds)
        else { return }
        library.countPlay(item.id)
    }
}
