import Core
import Library
import Media
import Model
import Playback
import Posix
import Transcript
import Workers

/// The product's rules: what a command does, what is played next, what is remembered, what a person is told. It knows no card, no
/// glass and no protocol. Control thread, all of it, and none of it waits for a disk.
public final class Speaker {
    /// Where what is played comes from.
    public enum Source {
        /// The library's folder, kept in the queue across restarts.
        case library
        /// Files and folders named on the command line: the queue of this run.
        case named([String])
    }

    /// Who is told.
    public struct Audience {
        /// For every change, whoever caused it.
        public var didChange: (Changes) -> Void = { _ in }
        /// A passing word for a person.
        public var announce: (Notice) -> Void = { _ in }
        /// A warning for the journal.
        public var warn: (String) -> Void = { _ in }
        /// Everything has been played to its end.
        public var didEnd: () -> Void = {}
    }

    public let library: Library
    public let source: Source
    public var audience = Audience()
    public let transcripts: TranscriptFollower
    public private(set) var player: (any PlayerPort)!
    private(set) var volume: Volume!
    /// Who looks through the library; nil for nobody.
    public var scans: (any ScanPort)?
    /// What comes from a network; nil where nothing does.
    public var streams: (any StreamPort)?
    public let podcasts: Podcasts
    let places: PlaceKeeper
    let missing: MissingFile
    let timers: any Timers
    let worker: any Performer
    public let transfers: LibraryTransfer
    /// What plays while the library is changed for a restored one.
    var itemBeforeRestore: Item?

    public internal(set) var queue: Queue
    /// What the scan under way last told of itself.
    var filesSeen: Int?
    var listening = Listening()
    public internal(set) var speeds = Speeds()
    public internal(set) var sound = SoundChanges()
    var savedBeforeItem = 0
    public var rules = PlayingRules()
    public let loop: SentenceLoop
    /// Somebody went back from its first sentence into the file before, to its last, which is not known yet.
    var itemOfWantedSentence: ItemID?
    let sleep: SleepTimer
    /// Tells when another chapter is heard.
    let chapterWatch: EarWatch
    let leveling: Leveling
    var rewind = SmartRewind(restored: nil)
    /// The clock on the wall, which a test sets.
    var wallSeconds: () -> Int64 = wallClockSeconds
    /// What is known of the board's start; nil for nothing.
    public var boardStart: BoardStart?
    /// The chapters of an item, in order; none where it is one piece.
    var chapters: (ItemID) -> [Chapter]

    /// - Parameters:
    ///   - warn: a warning for the journal.
    ///   - disk: asked on the worker.
    ///   - makeReader: for the transcript of a file.
    public init(
        library: Library, source: Source, worker: any Performer, timers: any Timers, warn: @escaping (String) -> Void,
        disk: DiskLook = .files,
        makeReader: @escaping (_ audioPath: String, _ durationMilliseconds: Int?) -> any TranscriptReader
    ) {
        self.library = library
        self.source = source
        self.timers = timers
        self.worker = worker
        chapters = { library.chapters(of: $0) }
        audience.warn = warn
        queue = Queue(followsScans: true, seed: UInt64(truncatingIfNeeded: timers.now.nanoseconds))
        transcripts = TranscriptFollower(worker: worker, warn: warn, makeReader: makeReader)
        podcasts = Podcasts(library: library, worker: worker, timers: timers)
        places = PlaceKeeper(library: library, worker: worker, timers: timers)
        missing = MissingFile(worker: worker, timers: timers, disk: disk)
        loop = SentenceLoop(timers: timers)
        sleep = SleepTimer(timers: timers)
        chapterWatch = EarWatch(timers: timers)
        leveling = Leveling(library: library, worker: worker, warn: warn)
        transfers = LibraryTransfer(library: library, worker: worker, timers: timers)
        transcripts.didRead = { [self] in
            goToWantedSentence()
            audience.didChange(.transcript)
        }
        places.savePlace = { [self] in savePlace() }
        places.didFail = { [self] in audience.announce(.notSaved) }
        library.wholeQueue = { [self] in
            isLibrary && !queue.followsScans ? queue.entries : nil
        }
        connectTransfers()
        connectPodcasts()
        connectLeveling()
    }

    /// Gives it the player, whose delegate it is. Before anything else.
    /// - Parameter mixer: the card's own volume control; nil where there is none to use.
    public func connect(_ player: any PlayerPort, mixer: (any MixerPort)?) {
        self.player = player
        volume = Volume(mixer: mixer) { player.setVolume(percent: $0) }
        connectLoop()
        connectSleep()
        connectChapters()
    }

    private func connectLoop() {
        loop.heard = { [self] in
            EarWatch.Heard(
                milliseconds: player.positionMilliseconds, speed: currentSpeed, isAdvancing: player.isAdvancing,
                isWanted: player.wantsToPlay && player.hasDevice, steadyMilliseconds: player.steadyMilliseconds)
        }
        loop.jump = { [self] milliseconds in player.seek(toMilliseconds: milliseconds, asked: nil) }
    }

    /// Called each time that the disk has all that was saved.
    public func whenSaved(_ body: @escaping () -> Void) { places.didSave = body }

    /// Takes up what it was doing when it last ran.
    public func restore() {
        let state = library.restoredState
        if isLibrary {
            speeds.speaker = library.restoredSpeed()
            sound = library.restoredSound()
        }
        volume.set(state?.volumePercent ?? 100)
        player.setOutputEnabled(library.isOutputEnabled)
        guard isLibrary else { return }
        podcasts.begin()
        guard let state else {
            _ = queue.set(library.restoredModes())
            // A scan tells of nothing that is known already, and items may be known to a database without a state.
            _ = queue.follow(library.itemIDs(inFolder: "/"))
            return begin()
        }
        takeUpQueue(state)
        guard let index = queue.currentIndex, let item = library.item(queue.entries[index].itemID) else { return }
        let plays = state.isPlaying && playsOn(item)
        if let start = boardStart { library.save(boot: start.identity) }
        if let duration = item.durationMilliseconds, item.positionMilliseconds >= duration {
            // Heard to its end: ready for what comes next.
            let next = queue.index(after: index, isAsked: true) ?? queue.firstIndex ?? 0
            go(to: next, .passing(from: item.id), play: plays)
        } else {
            if !state.isPlaying {
                rewind = SmartRewind(restored: library.restoredPause())
            } else if !plays, let seconds = library.placeSavedSeconds(item.id) {
                rewind = SmartRewind(restored: seconds)
            }
            // Exactly where it was, were it in the last seconds.
            load(item, milliseconds: placeWithin(queue.entries[index], item), play: plays)
        }
        if plays, let sleep = library.restoredSleep() { setSleep(sleep) } else { saveSleep() }
    }

    /// Makes the queue that of the library.
    func takeUpQueue(_ state: SpeakerState) {
        let entries: [QueueEntry]
        if state.queueIsLibrary {
            var fresh = Queue(followsScans: true)
            _ = fresh.follow(library.itemIDs(inFolder: "/"))
            entries = fresh.entries
        } else {
            entries = library.restoredQueue()
        }
        let current =
            state.queueIsLibrary
            ? entries.first { $0.itemID == state.currentItemID }?.songID : state.currentSongID
        queue = Queue(
            entries: entries, currentSongID: current, nextSongID: state.nextSongID, followsScans: state.queueIsLibrary,
            modes: library.restoredModes(),
            seed: UInt64(truncatingIfNeeded: timers.now.nanoseconds))
    }

    /// Saves everything, before the end of the program.
    public func saveForTheEnd() {
        let wasPlaying = wantsToPlay
        player.pause(asked: nil)
        savePlace()
        saveState(playing: wasPlaying)
    }

    // MARK: Asking

    var isLibrary: Bool { if case .library = source { true } else { false } }

    /// It plays, or would if the card, the file or its disk were there.
    public var wantsToPlay: Bool { player.wantsToPlay || missing.isAwaited }

    public var positionMilliseconds: Int { player.positionMilliseconds }

    public var volumePercent: Int { volume.percent }

    public var currentItem: Item? { listening.item }

    /// What is wrong, in the words of whoever failed; nil while all is well.
    public var troubleMessage: String? {
        listening.deviceTrouble ?? listening.itemTrouble ?? streamTrouble ?? library.trouble
    }

    /// What could not be played; nil if all was.
    public var itemTrouble: String? { listening.itemTrouble }

    /// Time spent playing since the start.
    public var playedMilliseconds: Int64 { listening.played(at: timers.now) }

    // MARK: Remembering

    /// Saves where the current item is, and has the disk take it.
    func savePlace() {
        guard let item = currentItem, let track = player.track, track.id == item.id else { return }
        // A station has no place to come back to.
        if isLive { return }
        let position = player.positionMilliseconds
        library.savePosition(item.id, milliseconds: position)
        if listening.beginsAnew(at: position) { library.didBeginAnew(item.id) }
        saveSleep()
        places.didWrite()
        if library.needsScan {
            // A damaged database was replaced under way.
            library.needsScan = false
            scans?.scanAgain()
        }
    }

    func saveState(playing: Bool? = nil) {
        library.save(
            SpeakerState(
                currentSongID: queue.current?.songID, currentItemID: queue.current?.itemID,
                isPlaying: playing ?? wantsToPlay, volumePercent: volume.percent, nextSongID: queue.nextSongID,
                queueIsLibrary: isLibrary && queue.followsScans))
        places.didWrite()
    }

    // MARK: Loading

    /// How somebody comes to an item, which says where it begins.
    public enum Approach: Equatable, Sendable {
        /// What was heard goes on.
        case goingOn
        /// By itself, behind another that has ended.
        case passing(from: ItemID)
        /// Somebody chose it among others.
        case chosen
    }

    /// Where an item begins that is come to. The files of a book have one place together, where it was left: one goes on there, and any of
    /// them that is chosen, or that another passes into, begins at its beginning. What is no part of a book goes on where it was left.
    func startMilliseconds(of item: Item, _ approach: Approach) -> Int {
        if !rules.resumes { return 0 }
        switch approach {
        case .goingOn: return item.resumeMilliseconds
        // The same once more is heard from its start, wherever it is saved to be now.
        case .passing(from: item.id): return 0
        case .passing(let left):
            if !library.sharesPlace(item.id) { return item.resumeMilliseconds }
            // From elsewhere into a book: that goes on, if this is where it was left.
            let isLeft = !library.areOneBook(left, item.id) && library.book(of: item.id)?.left?.item == item.id
            return isLeft ? item.resumeMilliseconds : 0
        case .chosen: return library.sharesPlace(item.id) ? 0 : item.resumeMilliseconds
        }
    }

    /// - Parameter entry: which entry of the queue it is played as.
    func track(_ item: Item, entry: Int) -> Track {
        var track = Track(
            id: item.id, entry: entry, source: source(of: item), durationMilliseconds: item.durationMilliseconds,
            seekTable: library.seekTable(item.id).flatMap { SeekTable(stored: $0) },
            speed: speed(of: item.id).percent * 10)
        track.shortensSilences = sound.shortensSilences
        track.gain = gain(of: item.id)
        return track
    }

    /// Makes an entry of the queue the current one.
    /// - Parameters:
    ///   - approach: says where it begins, where `milliseconds` does not. Who chooses the entry that is current goes on with it.
    ///   - isChosen: somebody chose this very entry, whatever its turn was.
    public func go(
        to index: Int, _ approach: Approach = .chosen, milliseconds: Int? = nil, play: Bool,
        asked: MonotonicTime? = nil, isChosen: Bool = false
    ) {
        guard queue.entries.indices.contains(index), let item = library.item(queue.entries[index].itemID) else {
            return
        }
        if asked != nil, sleep.isFading { wake(by: .playEntry(id: 0)) }
        if isChosen { tryAgain(item) }
        savePlace()
        endPause()
        loop.leave()
        itemOfWantedSentence = nil
        let approach = approach == .chosen && index == queue.currentIndex ? .goingOn : approach
        let start =
            milliseconds ?? startMilliseconds(of: queue.entries[index], library.item(item.id) ?? item, approach)
        makeCurrent(index, isChosen: isChosen)
        load(item, milliseconds: min(start, item.durationMilliseconds ?? .max), play: play, asked: asked)
        // What is gone to is where one is, from now on: nobody waits to hear it for that.
        savePlace()
        saveState()
    }

    /// The entry that was current may leave the queue with this, if it stood for an item that is away.
    func makeCurrent(_ index: Int, isChosen: Bool = false) {
        let edits = queue.setCurrent(index, isChosen: isChosen)
        if edits.isEmpty { return }
        save(edits, wasFollowing: queue.followsScans)
        audience.didChange(.queue)
    }

    func load(_ item: Item, milliseconds: Int, play: Bool, asked: MonotonicTime? = nil) {
        missing.forget()
        visit(item, from: milliseconds)
        sleep.lookAway()
        player.go(
            to: track(item, entry: queue.current?.songID ?? 0), milliseconds: milliseconds, play: play, asked: asked)
        aimSleep()
        countPlay(from: milliseconds)
        audience.didChange(.player)
    }

    /// It is the current item from here on.
    func visit(_ item: Item, from milliseconds: Int) {
        Fuse.setCurrent(item.path)
        listening.begin(item, at: milliseconds, chapters: chapters(item.id))
        countSavedAnew()
        speeds.book = library.speed(ofBookOf: item.id)
        let isOther = transcripts.follow(item)
        if isOther { followEpisode(item) }
        measureLoudness()
    }

    /// Counts the current item as played, if it is now that it begins to be.
    func countPlay(from milliseconds: Int) {
        let item = listening.itemToCount(isPlaying: player.wantsToPlay, positionMilliseconds: milliseconds)
        if let item { library.countPlay(item.id) }
    }

    /// Sees anew what the library says of the current item.
    func refreshItem() { listening.refresh { library.item($0) } }
}
