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

/// The product's rules: the effects of commands, the next item, the memory, the messages. It knows no card, no screen and no protocol.
/// Control thread only, and nothing waits for a disk.
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
    ///   - source: the library or named files. Only the library's queue survives restarts.
    ///   - player: the speaker becomes its delegate.
    ///   - mixer: the card's own volume control; nil without a usable one.
    ///   - scans: the scanner of the library; nil without one.
    ///   - warn: a warning for the journal.
    ///   - disk: queries for the worker.
    ///   - makeReader: makes the reader of a file's transcript.
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
        // Settings for named files are for this run only.
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

    /// Resumes the state of the last run.
    /// - Parameter boardStart: the facts about the board's start; nil for unknown.
    public func restore(_ boardStart: BoardStart? = nil) {
        // A ringing alarm replaces the earlier playback.
        defer { alarms.begin(boardStart) }
        let state = library.restoredState
        restoreSound(state)
        player.setOutputEnabled(library.isOutputEnabled)
        guard isLibrary else { return }
        streaming.podcasts.begin()
        queueKeeper.restore(state)
        // The first start saves it, too: otherwise the first power cut would look like a restart of the program.
        let lastBoot = library.restoredBoot()
        if let boardStart { library.save(boot: boardStart.identity) }
        guard let state else { return begin() }
        guard let index = queue.currentIndex, let item = library.item(queue.entries[index].itemID) else { return }
        let plays = state.isPlaying && playsOn(item, boardStart, lastBoot: lastBoot)
        if let duration = item.durationMilliseconds, item.positionMilliseconds >= duration {
            // The item was heard to its end: prepare the next one.
            go(to: indexBehind(index), .passing(from: item.id), play: plays)
        } else {
            if !state.isPlaying {
                listening.rewind.restore(sinceSeconds: library.restoredPause())
            } else if !plays {
                listening.rewind.restore(sinceSeconds: library.placeSavedSeconds(item.id))
            }
            // The exact place, even in the last seconds.
            load(item, milliseconds: placeWithin(queue.entries[index], item), play: plays)
            listening.didRestore()
        }
        if plays, let wanted = library.restoredSleep() { setSleep(wanted, marks: false) } else { sleep.save() }
    }

    /// Restores the volume, the speed and the manner of playback.
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

    /// Saves everything before the program ends.
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

    /// True if the speaker plays, or would if the card, the file or its disk were there.
    public var wantsToPlay: Bool { player.wantsToPlay || missing.isAwaited }

    public var currentItem: Item? { listening.item }

    /// The fault, in the failed part's own words; nil while all is well.
    public var troubleMessage: String? {
        let troubles = listening.troubles
        return troubles.ofDevice ?? troubles.ofItem ?? currentItem.flatMap { streaming.trouble($0) } ?? library.trouble
            ?? troubles.ofChoice ?? troubles.ofSettings
    }

    /// The reason why the current item failed; nil if it did not.
    public var itemTrouble: String? { listening.troubles.ofItem }

    /// The listening time since the start.
    public var playedMilliseconds: Int64 { listening.playedMilliseconds }
    /// The listening time of each of the last seven days; nil with an unknown clock.
    public var heardWeek: HeardWeek? { listening.heardWeek }
    /// The seconds listened, and the underruns of the card, in each of the last hours.
    public var lastHours: (heard: HourlyCounts, underruns: HourlyCounts) { listening.lastHours() }

    // MARK: Remembering

    /// Saves the current item's place, and has the disk save it.
    func savePlace() {
        listening.saveHeard()
        // A live stream has no place to resume at.
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
            // A damaged database was replaced meanwhile.
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
        /// The same recording resumes.
        case goingOn
        /// Playback continues by itself, behind another item that has ended.
        case passing(from: ItemID)
        /// A listener chose it among others.
        case chosen
    }

    /// Returns the first place of an item. The files of a book share one place. Resuming the file with that place starts there. A chosen
    /// file, and one that another continues into, starts at its beginning. Any other item resumes at its own place.
    func startMilliseconds(of item: Item, _ approach: Approach) -> Int {
        if !rules.resumes { return 0 }
        switch approach {
        case .goingOn: return library.resumeMilliseconds(of: item)
        // A repetition starts at the beginning, independent of the saved place.
        case .passing(from: item.id): return 0
        case .passing(let left):
            if !library.sharesPlace(item.id) { return item.resumeMilliseconds }
            // From another book into this one: it resumes, if this file has its place.
            let isLeft = !library.areOneBook(left, item.id) && library.book(of: item.id)?.left?.item == item.id
            return isLeft ? library.resumeMilliseconds(of: item) : 0
        case .chosen: return library.sharesPlace(item.id) ? 0 : item.resumeMilliseconds
        }
    }

    /// Makes an entry of the queue the current one.
    /// - Parameters:
    ///   - approach: decides the first place, unless `milliseconds` does. Choosing the current entry resumes it.
    ///   - isChosen: true if a listener chose this very entry, out of turn.
    ///   - follows: true if the place comes from another device.
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
        // The destination counts as the place from now on, before it is heard.
        savePlace()
        saveState()
    }

    /// The present entry and place, to return to if a choice is unavailable. An earlier choice that failed is never returned to.
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
        // A chosen file starts the same way as by itself.
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

    /// Makes an item the current one.
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
        // After the transcript: the worker does one after the other.
        sound.itemDidChange(to: item.id)
    }
}
