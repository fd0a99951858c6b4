// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Media
import Model
import Playback
import Posix
import Scanning
import Transcript
import Workers

/// The product's rules: the effects of commands, the next item, the memory, the messages. It knows no card, no glass and no protocol.
/// Control thread, all of it, and none of it waits for a disk.
public final class Speaker {
    public let library: Library
    public let audience: Audience
    public let player: any PlayerPort
    let queueKeeper: QueueKeeper
    let listening: Listening
    public let transcripts: TranscriptFollower
    public let sound: Sound
    public let places: PlaceKeeper
    let missing: MissingFile
    let loop: SentenceLoop
    let skipped: SkippedParts
    let sleep: SleepTimer
    public let streaming: Streaming
    public let transfers: LibraryTransfer
    let menu: Menu

    /// - Parameters:
    ///   - source: the library's queue is kept across restarts, that of named files is one of this run.
    ///   - player: the speaker becomes its delegate.
    ///   - mixer: the card's own volume control; nil where there is none to use.
    ///   - scans: looks through the library; nil without a scanner.
    ///   - warn: a warning for the journal.
    ///   - disk: asked on the worker.
    ///   - makeReader: for the transcript of a file.
    public init(
        library: Library, source: ScanSource, player: any PlayerPort, mixer: (any MixerPort)?, scans: (any ScanPort)?,
        worker: any Performer, timers: any Timers, warn: @escaping (String) -> Void, disk: DiskLook = .files,
        makeReader: @escaping (_ audioPath: String, _ durationMilliseconds: Int?) -> any TranscriptReader
    ) {
        self.library = library
        self.player = player
        audience = Audience(warn: warn)
        queueKeeper = QueueKeeper(
            library, source, scans: scans, player: player, timers: timers, audience: audience)
        // Settings for named files are for this run alone.
        let store = queueKeeper.isLibrary ? library : nil
        listening = Listening(library, player, timers, store: store)
        transcripts = TranscriptFollower(worker: worker, audience: audience, makeReader: makeReader)
        places = PlaceKeeper(library: library, worker: worker, timers: timers, audience: audience)
        missing = MissingFile(worker: worker, timers: timers, disk: disk, audience: audience)
        loop = SentenceLoop(player, timers)
        skipped = SkippedParts(player, timers)
        sleep = SleepTimer(player, timers, store: store)
        menu = Menu(timers: timers)
        streaming = Streaming(
            library, player: player,
            podcasts: Podcasts(
                library, places: places, scans: scans, worker: worker, timers: timers, audience: audience),
            worker: worker, audience: audience)
        sound = Sound(
            library, store: store, player: player, mixer: mixer, queueKeeper: queueKeeper, streaming: streaming,
            worker: worker, timers: timers, audience: audience)
        transfers = LibraryTransfer(
            backup: LibraryBackup(library, timers),
            restore: LibraryRestore(library, places: places, scans: scans, worker: worker, timers: timers))
        player.delegate = self
        menu.source = self
        sound.interruption.isOver = { [self] in perform(.interrupt(.end)) }
        sound.interruption.didWaitTooLong = { [self] in pause(nil) }
        menu.didChange = { [self] in audience.didChange(.menu) }
        menu.isBeingRead = { [self] in (audience.answers?.isSpeaking ?? false) || isFindingHeadphones }
        menu.didExpire = { [audience] in audience.answers?.menuDidClose() }
        transfers.restore.replaceLibrary = { [self] in replaceLibrary($0) }
        streaming.podcasts.listener = self
        places.savePlace = { [self] in
            savePlace()
            sleepMarkMayBeHeard()
            nightMayHaveBegun()
        }
        transcripts.didRead = { [self] lastWanted in
            if lastWanted { goToLastSentence() }
            skipped.set(skipped.wanted, transcripts.transcript)
            audience.didChange(.transcript)
        }
        skipped.isRepeating = { [loop] in loop.isOn }
        alarms.owner = self
        sound.alarms.isSilent = { [self] in playTone() }
        sleep.fadeIsDue = { [self] in beginSleepFade() }
        sleep.arrived = { [self] in fallAsleep() }
        sleep.chapterDidEnd = { [self] in if currentBounds == nil { countChapter() } }
        listening.chapterWatch.arrived = { [self] in didHearChapter() }
    }

    /// Does what it was doing when it last ran.
    /// - Parameter boardStart: the facts about the board's start; nil for nothing.
    public func restore(_ boardStart: BoardStart? = nil) {
        // A ringing alarm replaces the earlier playback.
        defer { alarms.begin(boardStart) }
        let state = library.restoredState
        restoreSound(state)
        player.setOutputEnabled(library.isOutputEnabled)
        guard isLibrary else { return }
        streaming.podcasts.begin()
        queueKeeper.restore(state)
        // Kept by the first start, too: else the first power cut could not be told from a restart of the program.
        let lastBoot = library.restoredBoot()
        if let boardStart { library.save(boot: boardStart.identity) }
        guard let state else { return begin() }
        guard let index = queue.currentIndex, let item = library.item(queue.entries[index].itemID) else { return }
        let plays = state.isPlaying && playsOn(item, boardStart, lastBoot: lastBoot)
        if let duration = item.durationMilliseconds, item.positionMilliseconds >= duration {
            // Heard to its end: ready for what comes next.
            go(to: indexBehind(index), .passing(from: item.id), play: plays)
        } else {
            if !state.isPlaying {
                listening.rewind.restore(sinceSeconds: library.restoredPause())
            } else if !plays {
                listening.rewind.restore(sinceSeconds: library.placeSavedSeconds(item.id))
            }
            // Exactly where it was, were it in the last seconds.
            load(item, milliseconds: placeWithin(queue.entries[index], item), play: plays)
            listening.didRestore()
        }
        if plays, let wanted = library.restoredSleep() { setSleep(wanted, marks: false) } else { sleep.save() }
    }

    /// Brings back how loud, how fast and in which manner the library's owner wants to hear.
    func restoreSound(_ state: SpeakerState?) {
        sound.restore()
        sound.volume.mostPercent = library.restoredLoudest ?? 100
        sound.volume.set(state?.volumePercent ?? 100)
        sound.volume.headphonePercent = library.restoredHeadphonePercent ?? Volume.firstHeadphonePercent
        limitVolume()
        if let level = library.restoredHeadingLevel { rules.headingLevel = level }
        skipped.set(library.restoredSkippedParts, nil)
        sleep.restoreMark()
        rules.repeatsBook = library.restoredRepeatsBook
        if let manner = library.restoredVoiceManner { audience.answers?.manner = manner }
        if let language = library.restoredLanguage { audience.languages?.speak(language) { _ in } }
    }

    /// Saves everything, before the end of the program.
    public func saveForTheEnd() {
        let wasPlaying = wantsToPlay
        player.pause(asked: nil)
        savePlace()
        saveState(playing: wasPlaying)
    }

    // MARK: Asking

    public var queue: Queue { queueKeeper.queue }

    public var rules: PlayingRules {
        get { listening.rules }
        set { listening.rules = newValue }
    }

    public var alarms: Alarms { sound.alarms.times }

    var isLibrary: Bool { queueKeeper.isLibrary }

    /// It plays, or would if the card, the file or its disk were there.
    public var wantsToPlay: Bool { player.wantsToPlay || missing.isAwaited }

    public var currentItem: Item? { listening.item }

    /// The fault, in the failed part's own words; nil while all is well.
    public var troubleMessage: String? {
        let troubles = listening.troubles
        return troubles.ofDevice ?? troubles.ofItem ?? currentItem.flatMap { streaming.trouble($0) } ?? library.trouble
            ?? troubles.ofChoice ?? troubles.ofSettings
    }

    /// The reason of the last failed item; nil if all was.
    public var itemTrouble: String? { listening.troubles.ofItem }

    /// Time spent playing since the start.
    public var playedMilliseconds: Int64 { listening.playedMilliseconds }
    /// The listening time of each of the last seven days; nil where the clock is not known.
    public var heardWeek: HeardWeek? { listening.heardWeek }
    /// Seconds listened, and times that the card ran dry, in each of the last hours.
    public var lastHours: (heard: HourlyCounts, underruns: HourlyCounts) { listening.lastHours() }

    // MARK: Remembering

    /// Saves where the current item is, and has the disk take it.
    func savePlace() {
        listening.saveHeard()
        // A live stream has no place to come back to.
        guard listening.isHeard, let track = player.track, !track.isLive else { return }
        let saving = listening.saving()
        if saving != .nothing {
            library.savePosition(
                track.id, milliseconds: player.positionMilliseconds, isHeard: saving == .saveAsHeard)
            if listening.beginsAnew() { library.didBeginAnew(track.id) }
        }
        sleep.save()
        places.didWrite()
        if library.needsScan {
            // A damaged database was replaced under way.
            library.needsScan = false
            queueKeeper.scans?.scanAgain()
        }
    }

    func saveState(playing: Bool? = nil) {
        library.save(
            SpeakerState(
                currentSongID: queue.current?.songID, currentItemID: queue.current?.itemID,
                isPlaying: playing ?? wantsToPlay, volumePercent: sound.volume.cardPercent,
                nextSongID: queue.nextSongID,
                queueIsLibrary: isLibrary && queue.followsScans))
        if sound.isOnHeadphones { library.save(headphonePercent: sound.volume.percent) }
        places.didWrite()
    }

    // MARK: Loading

    /// The way to an item, which decides about its first place.
    public enum Approach: Equatable, Sendable {
        /// The same recording goes on.
        case goingOn
        /// By itself, behind another that has ended.
        case passing(from: ItemID)
        /// A person chose it among others.
        case chosen
    }

    /// Returns the first place of an item. The files of a book have one place together, where it was left: one goes on there, and any of
    /// them that is chosen, or that another passes into, begins at its beginning. Any other item resumes at its own place.
    func startMilliseconds(of item: Item, _ approach: Approach) -> Int {
        if !rules.resumes { return 0 }
        switch approach {
        case .goingOn: return library.resumeMilliseconds(of: item)
        // The same once more is heard from its start, wherever it is saved to be now.
        case .passing(from: item.id): return 0
        case .passing(let left):
            if !library.sharesPlace(item.id) { return item.resumeMilliseconds }
            // From elsewhere into a book: that goes on, if this is where it was left.
            let isLeft = !library.areOneBook(left, item.id) && library.book(of: item.id)?.left?.item == item.id
            return isLeft ? library.resumeMilliseconds(of: item) : 0
        case .chosen: return library.sharesPlace(item.id) ? 0 : item.resumeMilliseconds
        }
    }

    /// Makes an entry of the queue the current one.
    /// - Parameters:
    ///   - approach: says where it begins, where `milliseconds` does not. Choosing the current entry resumes it.
    ///   - isChosen: a person chose this very entry, out of turn.
    ///   - follows: the place is another device's, and not heard here.
    public func go(
        to index: Int, _ approach: Approach = .chosen, milliseconds: Int? = nil, play: Bool,
        asked: MonotonicTime? = nil, isChosen: Bool = false, follows: Bool = false
    ) {
        guard queue.entries.indices.contains(index), let item = library.item(queue.entries[index].itemID) else {
            return
        }
        if asked != nil, sleep.isFading { wake(by: .playEntry(id: 0)) }
        // A choice ends a ringing alarm.
        if asked != nil, alarms.isRinging { alarms.end() }
        if isChosen { missing.tryAgain(item.path) }
        let left = isChosen && index != queue.currentIndex ? placeToGoBackTo : nil
        savePlace()
        if !follows { noteLeft(for: item.id) }
        listening.rewind.end()
        loop.leave()
        let approach = approach == .chosen && index == queue.currentIndex ? .goingOn : approach
        let start =
            milliseconds ?? startMilliseconds(of: queue.entries[index], library.item(item.id) ?? item, approach)
        queueKeeper.setCurrent(index, isChosen: isChosen)
        load(item, milliseconds: min(start, item.durationMilliseconds ?? .max), play: play, asked: asked)
        if follows { listening.didFollow() }
        if isChosen { listening.didChoose(leaving: left) }
        // The item behind a finished work keeps its own place until it plays.
        if case .passing(let left) = approach, !play, !library.areOneBook(left, item.id) { listening.standsReady() }
        // The destination counts as the place from now on: it need not be heard first.
        savePlace()
        saveState()
    }

    /// The present entry and place, to return to if a choice is unavailable. A choice that failed before is not gone back to.
    private var placeToGoBackTo: Listening.Left? {
        guard let song = queue.current?.songID, player.track != nil, itemTrouble == nil, listening.isHeard else {
            return listening.left
        }
        return Listening.Left(song: song, milliseconds: player.positionMilliseconds, plays: wantsToPlay)
    }

    func load(_ item: Item, milliseconds: Int, play: Bool, asked: MonotonicTime? = nil) {
        let jumps = milliseconds > 0
        let milliseconds = jumps ? milliseconds : beginning(of: item)
        missing.forget()
        visit(item, from: milliseconds)
        // A file that is chosen from its start begins as it would by itself.
        if jumps { skipped.didJump(to: milliseconds) }
        sleep.willJump()
        player.go(
            to: sound.track(item, entry: queue.current?.songID ?? 0), milliseconds: milliseconds, play: play,
            asked: asked)
        updateSleepEnd()
        listening.countPlay(from: milliseconds)
        audience.didChange(.player)
    }

    /// Returns the place at which an item begins: behind its intro, in milliseconds.
    func beginning(of item: Item) -> Int {
        skippedEnds(of: item).played(ofMilliseconds: item.durationMilliseconds).lowerBound
    }

    func skippedEnds(of item: Item) -> SkippedEnds { library.skippedEnds(ofBookOf: item.id) ?? .none }

    /// It is the current item from here on.
    func visit(_ item: Item, from milliseconds: Int) {
        Fuse.setCurrent(item.path)
        let ends = skippedEnds(of: item)
        listening.begin(
            item, at: milliseconds, behind: ends.played(ofMilliseconds: item.durationMilliseconds).lowerBound)
        streaming.recordings.itemDidChange(to: item.id)
        skipped.didJump(to: nil)
        let isOther = transcripts.follow(item)
        skipped.set(ends)
        skipped.set(skipped.wanted, transcripts.transcript)
        if isOther {
            streaming.podcasts.follow(item, transcripts) { [self] in
                guard currentItem?.id == item.id else { return }
                listening.readChapters()
                updateSleepEnd()
                audience.didChange(.player)
            }
        }
        // Behind the words: on the worker one comes after the other.
        sound.itemDidChange(to: item.id)
    }
}
