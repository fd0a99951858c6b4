import ALSA
import Configuration
import Core
import Library
import Media
import Playback
import Posix
import Scanning
import Transcript
import Workers

/// The speaker as a whole: it owns the library, the player, the queue and all that people see and press, and wires them. All of it
/// lives on the control thread.
final class Appliance {
    /// Where what is played comes from.
    enum Source {
        /// The library's folder, kept in the queue across restarts.
        case library
        /// Files and folders named on the command line: the queue of this run.
        case paths([String])
    }

    /// A little less than the 5 s that may be lost, so that the moment of writing is in them.
    static let saveMilliseconds = 4500
    private static let lookAgainMilliseconds = 2000
    /// By then it plays, and what starting took is not needed any more.
    private static let settledMilliseconds = 3000
    private static let checkpointMilliseconds = 20_000

    let configuration: Configuration
    let source: Source
    let loop: EventLoop
    let library: Library
    private(set) var player: Player!
    /// Waits for disks, so that no other thread does.
    let worker: Worker
    let startedAt = MonotonicTime.now

    // MARK: The queue
    var queue: [QueueEntry] = [] { didSet { queueVersion = queueVersion % 0x7FFF_FFFF + 1 } }
    var queueVersion = 1
    var currentSongID: Int?
    var nextSongID = 1

    // MARK: What people see
    var transcript: Transcript?
    private var transcriptItem: Item.ID?
    var currentItem: Item?
    /// What is wrong with the sound device; nil while all is well.
    private(set) var deviceTrouble: String?
    /// What is wrong with what is to be played; cleared by the next that plays.
    var itemTrouble: String?
    /// Called for every change, whoever caused it, with what changed.
    var didChange: (Changes) -> Void = { _ in }
    /// A message for a person, shown a moment.
    var announce: (Notice) -> Void = { _ in }
    /// A warning for the journal.
    let warn: (String) -> Void
    /// Everything has been played to its end.
    var didEnd: () -> Void = {}

    var mixer: VolumeControl?
    var volumePercent = 100

    // MARK: Scanning
    private(set) var keeper: LibraryKeeper!
    /// The queue is the library in its order: nobody has added, removed or cleared.
    var queueIsLibrary = true
    private var saveTimer: EventLoop.TimerToken?
    private var idleTimer: EventLoop.TimerToken?
    private var lookTimer: EventLoop.TimerToken?
    /// Was playing when what it played went missing: goes on when it is back.
    private var waitsForFile = false
    var isWaitingForFile: Bool { waitsForFile }
    private var failuresInARow = 0
    /// When a person asked for what is being done.
    var asked: MonotonicTime?
    /// That something is saved was announced, and is taken back should the disk refuse it.
    private var syncIsAnnounced = false
    /// What of SQLite may be let go of until it is needed again.
    private var databaseCode: [UnsafeMutableRawBufferPointer] = []
    private var playedBeforeMilliseconds: Int64 = 0
    private var playingSince: MonotonicTime?

    /// Time spent playing since start.
    var playedMilliseconds: Int64 {
        playedBeforeMilliseconds + (playingSince.map { MonotonicTime.now.milliseconds(since: $0) } ?? 0)
    }

    init(
        configuration: Configuration, source: Source, silentDevice: String?, warn: @escaping (String) -> Void
    ) throws(PlaybackError) {
        self.configuration = configuration
        self.source = source
        if case .paths = source { queueIsLibrary = false }
        self.warn = warn
        do throws(PosixError) {
            loop = try EventLoop()
            worker = try Worker(name: "work")
        } catch { throw .file(error) }
        PlaybackDevice.prepareLibrary()
        library = Library(stateFolder: configuration.statePath, warn: warn)
        let audio = configuration.audio
        let cut: CutMethod? =
            switch audio.cut {
            case .automatic: nil
            case .rewind: .rewind
            case .drop: .drop
            }
        player = try Player(
            loop: loop,
            settings: Player.Settings(
                device: audio.device, silentDevice: silentDevice, bufferMilliseconds: audio.bufferMilliseconds,
                periodMilliseconds: audio.periodMilliseconds, priority: audio.priority, cut: cut),
            worker: worker, delegate: self)
        let scanned: ScanSource =
            switch source {
            case .library: .library(folder: configuration.libraryPath)
            case .paths(let paths): .named(paths)
            }
        keeper = LibraryKeeper(source: scanned, library: library, worker: worker, loop: loop, warn: warn)
        keeper.listener = self
    }

    /// Takes up what it was doing when it last ran, then looks through the library.
    func start() throws(PlaybackError) {
        do throws(PosixError) { try worker.start(loop: loop) } catch { throw .file(error) }
        try player.start(warn: warn)
        loop.schedule(at: MonotonicTime.now.adding(milliseconds: Appliance.settledMilliseconds)) { [self] in
            ResidentMemory.giveBackStartup()
            // Without a real-time thread there is nothing that a page read back could be late for.
            if configuration.audio.priority > 0, let warning = ResidentMemory.lock() { warn(warning) }
            databaseCode = ResidentMemory.unlock(library: "libsqlite3.")
        }
        restore()
        library.wholeQueue = { [unowned(unsafe) self] in queueIsLibrary ? nil : queue }
        keeper.start()
    }

    /// Saves everything and ends the threads.
    func shutDown() {
        let wasPlaying = player.wantsToPlay || waitsForFile
        player.pause()
        savePlace()
        saveState(playing: wasPlaying)
        player.stop()
        keeper.stop()
        worker.stop()
        library.settle()
        library.close()
    }

    // MARK: Remembering

    private func restore() {
        let state = library.restoredState
        changeVolume(to: state?.volumePercent ?? 100, save: false)
        guard let state else { return }
        nextSongID = state.nextSongID
        if case .library = source {
            queueIsLibrary = state.queueIsLibrary
            if queueIsLibrary {
                queue = libraryQueue([])
                currentSongID = queue.first { $0.itemID == state.currentItemID }?.songID
            } else {
                queue = library.restoredQueue()
                currentSongID = state.currentSongID
            }
            guard let index = currentIndex, let item = library.item(queue[index].itemID) else { return }
            if let duration = item.durationMilliseconds, item.positionMilliseconds >= duration {
                // Heard to its end: ready for what comes next.
                go(to: index + 1 < queue.count ? index + 1 : 0, play: state.isPlaying)
            } else {
                // Exactly where it was, were it in the last seconds.
                load(item, milliseconds: item.positionMilliseconds, play: state.isPlaying)
            }
        }
    }

    /// Saves where the current item is, and has it brought to the disk.
    func savePlace() {
        guard let item = currentItem, let track = player.track, track.id == item.id else { return }
        library.savePosition(item.id, milliseconds: player.positionMilliseconds)
        syncLog()
        if library.needsScan {
            // A damaged database was replaced under way.
            library.needsScan = false
            keeper.scan()
        }
    }

    func saveState(playing: Bool? = nil) {
        library.save(
            SpeakerState(
                currentSongID: currentSongID, currentItemID: currentItem?.id,
                isPlaying: playing ?? (player.wantsToPlay || waitsForFile),
                volumePercent: volumePercent, nextSongID: nextSongID, queueIsLibrary: queueIsLibrary))
        syncLog()
    }

    /// The worker waits for the disk, so that this thread never does. However often it is asked for meanwhile, it is done once more.
    /// - Parameters:
    ///   - said: that it is saved was announced, and is taken back should the disk refuse it.
    ///   - isIdle: nobody listens, so that the log may be folded in.
    func syncLog(said: Bool = false, isIdle: Bool = false) {
        syncIsAnnounced = syncIsAnnounced || said
        guard let job = library.logJob(isIdle: isIdle) else { return }
        do throws(Job.Refusal) {
            _ = try worker.perform(.soon, key: "sync") {
                job.run()
                return .done
            } finish: { [self] _ in
                didSync(job, isIdle: isIdle)
            }
        } catch { didSync(job, isIdle: isIdle, wasRefused: true) }
    }

    private func didSync(_ job: LogJob, isIdle: Bool, wasRefused: Bool = false) {
        let failure = library.finish(job)
        if failure != nil && syncIsAnnounced { announce(.notSaved) }
        if library.needsScan {
            // A damaged database was replaced under way.
            library.needsScan = false
            keeper.scan()
        }
        // What was saved meanwhile.
        if failure == nil && !wasRefused { syncLog(isIdle: isIdle) }
        if failure != nil || library.isSynced { syncIsAnnounced = false }
    }

    private func tick() {
        if let saveTimer { loop.cancel(saveTimer) }
        saveTimer = nil
        guard player.wantsToPlay else { return }
        saveTimer = loop.schedule(at: MonotonicTime.now.adding(milliseconds: Appliance.saveMilliseconds)) { [self] in
            savePlace()
            // Of the speaker at rest, a third would be SQLite's code waiting for the next save.
            ResidentMemory.giveBack(databaseCode)
            tick()
        }
    }

    /// The database's log is folded in when nobody listens.
    private func scheduleCheckpoint() {
        if let idleTimer { loop.cancel(idleTimer) }
        idleTimer = nil
        if player.wantsToPlay { return }
        idleTimer = loop.schedule(at: MonotonicTime.now.adding(milliseconds: Appliance.checkpointMilliseconds)) {
            [self] in
            idleTimer = nil
            syncLog(isIdle: true)
        }
    }

    // MARK: Loading

    /// The queue's entry that is current.
    var currentIndex: Int? { currentSongID.flatMap { id in queue.firstIndex { $0.songID == id } } }

    func track(_ item: Item) -> Track {
        Track(
            id: item.id, source: .file(path: item.path), durationMilliseconds: item.durationMilliseconds,
            seekTable: library.seekTable(item.id).flatMap { SeekTable(stored: $0) })
    }

    /// Makes an entry of the queue the current one.
    func go(to index: Int, milliseconds: Int? = nil, play: Bool) {
        guard queue.indices.contains(index), let item = library.item(queue[index].itemID) else { return }
        savePlace()
        currentSongID = queue[index].songID
        load(item, milliseconds: milliseconds ?? item.resumeMilliseconds, play: play)
        saveState()
    }

    private func load(_ item: Item, milliseconds: Int, play: Bool) {
        waitsForFile = false
        itemTrouble = nil
        setCurrent(item)
        if play && milliseconds < 5000 { library.countPlay(item.id) }
        player.go(to: track(item), milliseconds: milliseconds, play: play, asked: asked)
        didChange(.player)
    }

    /// Has an item ready, paused, where it was left.
    func prepare(_ item: Item) {
        load(item, milliseconds: item.resumeMilliseconds, play: false)
        saveState()
    }

    func setCurrent(_ item: Item?) {
        currentItem = item
        if item?.id != transcriptItem { loadTranscript(of: item) }
    }

    private func loadTranscript(of item: Item?) {
        transcript = nil
        transcriptItem = item?.id
        guard let item else { return }
        let reading = TranscriptReading(audioPath: item.path, durationMilliseconds: item.durationMilliseconds)
        _ = try? worker.perform(.soon, key: "transcript") {
            reading.step() ? .done : .again
        } finish: { [self] _ in
            guard transcriptItem == item.id else { return }
            for warning in reading.warnings { warn(warning) }
            transcript = reading.transcript
            didChange(.transcript)
        }
    }

    // MARK: Commands

    /// What buttons and keys do.
    /// - Parameter time: when it was pressed; nil for now.
    func perform(_ command: Command, at time: MonotonicTime? = nil) {
        asked = time ?? loop.turnBegan
        carryOut(command)
        asked = nil
    }

    private func carryOut(_ command: Command) {
        switch command {
        case .none: break
        case .playPause: if player.wantsToPlay || waitsForFile { pause() } else { playAnything() }
        case .play: playAnything()
        case .pause: pause()
        case .stop: stopPlaying()
        case .toggleFavourite: toggleFavourite()
        case .next: step(by: 1)
        case .previous: step(by: -1)
        case .skip(let milliseconds): skip(milliseconds)
        case .seek(let milliseconds): seek(to: milliseconds)
        case .volume(let step): changeVolume(to: volumePercent + step)
        case .setVolume(let percent): changeVolume(to: percent)
        case .playEntry(let id):
            if let index = queue.firstIndex(where: { $0.songID == id }) { go(to: index, play: true) }
        case .playItem(let id):
            if let index = queue.firstIndex(where: { $0.itemID == id }) { go(to: index, play: true) }
        case .open: break
        }
    }

    /// Plays on; where nothing is chosen, from the start of the queue, and where that is empty, of the library.
    func playAnything() {
        if player.wantsToPlay { return }
        if player.track != nil && !player.isAtEnd {
            if itemTrouble != nil, let index = currentIndex {
                // Tried again from the same place.
                go(to: index, milliseconds: player.positionMilliseconds, play: true)
            } else {
                player.play(asked: asked)
                saveState()
            }
            return
        }
        if queue.isEmpty {
            queue = library.itemIDs().map { entry(for: $0) }
            queueIsLibrary = true
        }
        if queue.isEmpty {
            announce(keeper.runningScan == nil ? .nothingToPlay : .lookingForAudio)
            return
        }
        if let index = currentIndex {
            // At the end of an item: on to the next, and from the last to the first.
            go(to: player.isAtEnd && index + 1 < queue.count ? index + 1 : player.isAtEnd ? 0 : index, play: true)
        } else {
            go(to: 0, play: true)
        }
    }

    func pause() {
        waitsForFile = false
        player.pause(asked: asked)
        savePlace()
        saveState()
    }

    /// Stops, and forgets which of the queue was current.
    func stopPlaying() {
        savePlace()
        waitsForFile = false
        player.unload(asked: asked)
        setCurrent(nil)
        currentSongID = nil
        saveState()
        didChange(.player)
    }

    func step(by count: Int) {
        guard !queue.isEmpty else { return }
        let plays = player.wantsToPlay || waitsForFile
        guard let index = currentIndex else { return go(to: count > 0 ? 0 : queue.count - 1, play: plays) }
        let wanted = index + count
        if wanted < 0 { return go(to: 0, milliseconds: 0, play: plays) }
        if wanted >= queue.count {
            announce(.lastItem)
            return
        }
        go(to: wanted, play: plays)
    }

    /// Presses in quick succession add up, since the position is at once that of the jump under way.
    func skip(_ milliseconds: Int) {
        seek(to: player.positionMilliseconds + milliseconds)
    }

    func seek(to milliseconds: Int) {
        guard player.track != nil else { return }
        player.seek(toMilliseconds: milliseconds, asked: asked)
        savePlace()
        didChange(.player)
    }

    func toggleFavourite() {
        guard let item = currentItem else { return }
        if item.isFavourite {
            library.removeFavourite(item.id)
        } else {
            _ = library.addFavourite(item.id)
        }
        refreshItem()
        if currentItem?.isFavourite != item.isFavourite {
            favouritesDidChange(added: !item.isFavourite)
        } else {
            announce(.notSaved)
        }
    }

    /// Says so, unless it is for as long as the power is on only.
    func favouritesDidChange(added: Bool) {
        announce(library.isForNowOnly ? .notSaved : added ? .addedToFavourites : .removedFromFavourites)
        syncLog(said: true)
    }

    /// Sees anew what the library says of the current item.
    func refreshItem() {
        currentItem = currentItem.flatMap { library.item($0.id) }
        didChange(.favourites)
    }

    func changeVolume(to percent: Int, save: Bool = true) {
        volumePercent = min(100, max(0, percent))
        if let mixer {
            mixer.set(volumePercent)
        } else {
            player.setVolume(percent: volumePercent)
        }
        if save { saveState() }
        didChange(.volume)
    }

    func entry(for item: Item.ID) -> QueueEntry {
        defer { nextSongID += 1 }
        return QueueEntry(songID: nextSongID, itemID: item)
    }

    /// Call after the queue was changed.
    func queueDidChange() {
        library.saveQueue(queueIsLibrary ? .followLibrary : .replace(queue))
        player.followingDidChange()
        saveState()
        didChange(.queue)
    }

    // MARK: Missing files

    /// The folder or file is away: looks for it until it is back.
    private func lookAgain(for path: String) {
        if let lookTimer { loop.cancel(lookTimer) }
        lookTimer = loop.schedule(at: MonotonicTime.now.adding(milliseconds: Appliance.lookAgainMilliseconds)) {
            [self] in
            lookTimer = nil
            guard let item = currentItem, item.path == path, itemTrouble != nil else { return }
            if isThere(path) {
                let plays = waitsForFile
                load(item, milliseconds: player.positionMilliseconds, play: plays)
                keeper.scan()
            } else {
                lookAgain(for: path)
            }
        }
    }
}

// MARK: What the player tells

extension Appliance: PlayerDelegate {
    func trackAfter(_ track: Track) -> (track: Track, milliseconds: Int)? {
        guard let index = queueIndex(following: track), let item = library.item(queue[index].itemID) else { return nil }
        return (self.track(item), item.resumeMilliseconds)
    }

    /// Where the queue goes on after a track. The same item may stand in it twice, so the current entry is asked first.
    private func queueIndex(following track: Track) -> Int? {
        let index: Int?
        if let current = currentIndex, queue[current].itemID == track.id {
            index = current
        } else {
            let from = currentIndex ?? 0
            index = queue[from...].firstIndex { $0.itemID == track.id } ?? queue.firstIndex { $0.itemID == track.id }
        }
        guard let index, index + 1 < queue.count else { return nil }
        return index + 1
    }

    func playerDidPass(from ended: Track, to track: Track) {
        failuresInARow = 0
        if let duration = ended.durationMilliseconds { library.savePosition(ended.id, milliseconds: duration) }
        if let index = queueIndex(following: ended), queue[index].itemID == track.id {
            currentSongID = queue[index].songID
        }
        guard let item = library.item(track.id) else { return }
        itemTrouble = nil
        setCurrent(item)
        library.countPlay(item.id)
        savePlace()
        saveState()
        didChange(.player)
    }

    func playerDidEnd(_ track: Track) {
        savePlace()
        saveState()
        didChange(.player)
        didEnd()
    }

    func playerDidFail(_ track: Track, _ error: PlaybackError, wanted wantedToPlay: Bool) {
        warn(error.message)
        itemTrouble = error.message
        savePlace()
        if case .file = error, let path = track.source.path, !isThere(path) {
            // The disk or stick is away, perhaps not for long. The place is kept.
            if !isThere(path.pathFolder) || !hasAnyFile {
                // A jump made while it is away is waited for, too.
                waitsForFile = waitsForFile || wantedToPlay
                announce(.fileMissing)
                lookAgain(for: path)
                didChange(.player)
                return
            }
            library.markMissing(track.id)
        }
        announce(.cannotPlay)
        failuresInARow += 1
        if wantedToPlay, let index = currentIndex, index + 1 < queue.count, failuresInARow <= queue.count {
            go(to: index + 1, play: true)
        } else if wantedToPlay {
            didEnd()
        }
        didChange(.player)
    }

    /// Whether any of the queue can be played; if not, a disk is away.
    private var hasAnyFile: Bool {
        queue.contains { entry in library.item(entry.itemID).map { isThere($0.path) } ?? false }
    }

    private func isThere(_ path: String) -> Bool { (try? FileStatus(path: path))?.isDiskThere ?? false }

    func playerDidMeasure(_ track: Track, _ index: SeekTable) {
        // Short files are walked again in no time; long ones are remembered.
        if index.durationMilliseconds >= 10 * 60 * 1000 {
            library.saveSeekTable(track.id, index.bytes, durationMilliseconds: index.durationMilliseconds)
        } else if library.item(track.id)?.durationMilliseconds != index.durationMilliseconds {
            library.saveDuration(track.id, milliseconds: index.durationMilliseconds)
        }
        if currentItem?.id == track.id { refreshItem() }
    }

    func playerDidFailToMeasure(_ track: Track) {}

    func playerDidLoseDevice(_ message: String) {
        deviceTrouble = message
        warn(message)
        savePlace()
        didChange([.player, .output])
    }

    func playerDidFindDevice() {
        deviceTrouble = nil
        warn("sound device \(configuration.audio.device) is back")
        didChange([.player, .output])
    }

    func playerDidChange() {
        if player.isAdvancing { failuresInARow = 0 }
        if player.wantsToPlay {
            playingSince = playingSince ?? .now
            if saveTimer == nil { tick() }
            if let idleTimer { loop.cancel(idleTimer) }
            idleTimer = nil
        } else {
            if let saveTimer { loop.cancel(saveTimer) }
            saveTimer = nil
            if idleTimer == nil { scheduleCheckpoint() }
            playedBeforeMilliseconds = playedMilliseconds
            playingSince = nil
        }
        didChange(.player)
    }
}
