// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Display
import Foundation
import Library
import Media
import Model
import Playback
import Posix
import Scanning
import TestSupport
import Transcript
import Workers

@testable import Speaker

/// A player without a card: requests take effect at once, and a test decides about the rest.
final class FakePlayer: PlayerPort {
    unowned var delegate: (any PlayerDelegate)!
    private(set) var track: Track?
    var positionMilliseconds = 0
    private(set) var wantsToPlay = false
    var isAtEnd = false
    var isWaitingForBytes = false
    var isAdvancing: Bool { wantsToPlay && hasDevice }
    var hasDevice = true
    var isDeviceBusy = false
    var cardHolder: String?
    var isLettingGoOfCard = false
    private(set) var isUrgent = false
    func setUrgent(_ isUrgent: Bool) { self.isUrgent = isUrgent }
    private(set) var device: String?
    func setDevice(_ device: String?) { self.device = device }
    var isSilent = false
    var underruns = 0
    private(set) var softwarePercent: Int?
    /// When the last of what it was asked for was asked.
    private(set) var asked: MonotonicTime?
    /// The number of requests for the following items.
    private(set) var followingChanges = 0
    /// The jobs that waited when a track was last asked for.
    var jobsAtGo: () -> [Job] = { [] }
    private(set) var jobsBeforeGo: [Job] = []

    func go(to track: Track, milliseconds: Int, play: Bool, asked: MonotonicTime?) {
        self.asked = asked
        jobsBeforeGo = jobsAtGo()
        self.track = track
        positionMilliseconds = milliseconds
        wantsToPlay = play && isOutputEnabled
        isAtEnd = false
        if let duration = track.durationMilliseconds, milliseconds >= duration { return end(at: duration) }
        delegate.playerDidChange()
    }

    func play(asked: MonotonicTime?) {
        guard isOutputEnabled, track != nil, !isAtEnd else { return }
        wantsToPlay = true
        delegate.playerDidChange()
    }

    func pause(asked: MonotonicTime?) {
        self.asked = asked
        wantsToPlay = false
        delegate.playerDidChange()
    }

    func seek(toMilliseconds milliseconds: Int, asked: MonotonicTime?) {
        if let duration = track?.durationMilliseconds, milliseconds >= duration { return end(at: duration) }
        positionMilliseconds = milliseconds
        isAtEnd = false
        delegate.playerDidChange()
    }

    func unload(asked: MonotonicTime?) {
        track = nil
        positionMilliseconds = 0
        wantsToPlay = false
        isAtEnd = false
        delegate.playerDidChange()
    }

    func setVolume(percent: Int) { softwarePercent = percent }

    func setSpeed(_ speed: Int, asked: MonotonicTime?) {
        self.asked = asked
        track?.speed = speed
        delegate.playerDidChange()
    }

    func setShortensSilences(_ shortens: Bool, asked: MonotonicTime?) {
        self.asked = asked
        track?.shortensSilences = shortens
        delegate.playerDidChange()
    }

    func setGain(_ gain: Int?, asked: MonotonicTime?) { track?.gain = gain }

    /// The duration in which the heard sound fades out, or has; nil while it does not.
    private(set) var fall: Int?
    func fall(withinMilliseconds milliseconds: Int) { fall = milliseconds }
    func rise(withinMilliseconds milliseconds: Int) { fall = nil }

    public var savedMilliseconds = 0
    public var steadyMilliseconds: Int?
    private(set) var isOutputEnabled = true

    func setOutputEnabled(_ isEnabled: Bool) {
        isOutputEnabled = isEnabled
        if !isEnabled { pause(asked: nil) }
    }

    private(set) var timesLetGo = 0
    func letGoOfCard() { timesLetGo += 1 }

    func followingDidChange() { followingChanges += 1 }

    // MARK: What happens to it

    private func end(at milliseconds: Int) {
        positionMilliseconds = milliseconds
        wantsToPlay = false
        isAtEnd = true
        delegate.playerDidChange()
    }

    /// The track has been heard to its end.
    func reachEnd() {
        guard let ended = track else { return }
        if let next = delegate.trackAfter(ended) {
            track = next.track
            positionMilliseconds = next.milliseconds
            delegate.playerDidPass(from: ended, to: next.track)
        } else {
            end(at: ended.durationMilliseconds ?? positionMilliseconds)
            delegate.playerDidEnd(ended)
        }
    }

    /// The track cannot be read, or read any further.
    func fail(_ code: Int32 = ENOENT) {
        guard let failed = track else { return }
        let wanted = wantsToPlay
        wantsToPlay = false
        delegate.playerDidFail(
            failed, .file(PosixError(code: code, operation: "read \(failed.source.name)")), wanted: wanted)
        delegate.playerDidChange()
    }

    func loseDevice() {
        hasDevice = false
        delegate.playerDidLoseDevice("sound device hw: No such device")
        delegate.playerDidChange()
    }

    func findDevice() {
        hasDevice = true
        delegate.playerDidFindDevice()
        delegate.playerDidChange()
    }
}

/// A card's volume control that may be away.
final class FakeMixer: MixerPort {
    var isThere = true
    var percent: Int?
    private(set) var timesSet = 0

    func set(_ percent: Int, finish: @escaping (Bool) -> Void) {
        timesSet += 1
        if isThere { self.percent = percent }
        finish(isThere)
    }
}

final class FakeReader: TranscriptReader {
    var stepsLeft = 3
    private(set) var transcript = try? Transcript.parse(
        Array("[00:00]One.\n[00:01]\n[00:02]Two.\n[00:03]Three.\n[00:04]\n".utf8), format: .lrc)
    let warnings: [String] = []

    private let marks: FakeMarks

    init(_ marks: FakeMarks = FakeMarks()) { self.marks = marks }

    func step() -> Bool {
        stepsLeft -= 1
        transcript?.skippable = marks.skippable
        return stepsLeft == 0
    }
}

final class FakeScans: ScanPort {
    var isScanning = false
    var hasScanned = true
    var progress: ScanProgress?
    var unplayable = Unplayable()
    var timesAsked = 0
    func scanAgain() { timesAsked += 1 }
    var takenIn: [(id: Item.ID, name: String)] = []
    func takeIn(_ words: FetchedTranscript, of id: Item.ID, name: String) { takenIn.append((id, name)) }
}

/// The skippable stretches of every file.
final class FakeMarks {
    var skippable: [(milliseconds: Range<Int>, parts: SkippableParts)] = []
}

/// Files that are there, for what asks on the worker.
final class FakeDisk: @unchecked Sendable {
    var paths: Set<String> = []
}

/// A speaker with nothing around it: in-memory library, a clock that a test moves, a worker that works when told.
final class Bench {
    let timers: FakeTimers
    let worker = FakeWorker()
    let library: Library
    let mixer: FakeMixer?
    let scans = FakeScans()
    let disk = FakeDisk()
    let marks = FakeMarks()
    let speaker: Speaker
    let player = FakePlayer()
    /// Of every item, as `teach` has it.
    private var chapters: [Int] = []
    private var items: [ItemID] = []
    private(set) var notices: [Notice] = []
    private(set) var changes: Changes = []
    private(set) var warnings: [String] = []
    private(set) var timesEnded = 0
    private var itemCount: UInt64 = 0

    /// - Parameter stateFolder: nil for a library in memory.
    /// - Parameter start: of the board; nil for one that is not known.
    init(
        source: ScanSource = .library(folder: "/"), mixer: FakeMixer? = nil, stateFolder: String? = nil,
        library: Library? = nil, start: BoardStart? = nil, rules: PlayingRules = PlayingRules(),
        wallSeconds: (() -> Int64)? = nil, timers: FakeTimers = FakeTimers(), alarmClock: AlarmClock? = nil
    ) {
        self.timers = timers
        self.mixer = mixer
        self.library = library ?? Library(stateFolder: stateFolder) { _ in }
        let library = self.library
        let (disk, marks) = (disk, marks)
        speaker = Speaker(
            library: library, source: source, player: player, mixer: mixer, scans: scans, worker: worker,
            timers: timers, warn: { _ in },
            disk: DiskLook(
                isThere: { disk.paths.contains($0) },
                isEmpty: { folder in !disk.paths.contains { $0.hasPrefix(folder + "/") } }),
            makeReader: { _, _ in FakeReader(marks) })
        speaker.rules = rules
        if let wallSeconds { speaker.listening.rewind.wallSeconds = wallSeconds }
        if let alarmClock { speaker.alarms.clock = alarmClock }
        speaker.audience.announce = { [unowned self] notice in
            notices.append(notice)
            speaker.didAnnounce(notice)
        }
        speaker.audience.didChange = { [unowned self] change in changes.formUnion(change) }
        speaker.audience.warn = { [unowned self] warning in warnings.append(warning) }
        speaker.audience.didEnd = { [unowned self] in timesEnded += 1 }
        speaker.restore(start)
        player.jobsAtGo = { [unowned self] in worker.jobs }
    }

    /// Puts items of a minute into the library and has the scan tell of them.
    @discardableResult
    func add(_ names: String..., folder: String = "/books", language: String = "") -> [ItemID] {
        var ids: [ItemID] = []
        for name in names {
            let path = folder + "/" + name + ".mp3"
            disk.paths.formUnion([folder, path])
            itemCount += 1
            let probe = Probe(
                identity: ContentIdentity(hash: itemCount, audioBytes: 960_000),
                path: path, fileBytes: 960_128, fileModifiedSeconds: 1,
                tags: TagList([(.title, name), (.language, language)]),
                durationMilliseconds: 60_000)
            guard let item = library.upsert(probe) else { continue }
            ids.append(item.id)
            items.append(item.id)
            if !chapters.isEmpty { teach(chapters) }
            speaker.libraryDidGain([Arrival(id: item.id, place: .last)])
        }
        return ids
    }

    /// Every item has chapters that begin at these milliseconds, from now on.
    func teach(_ starts: [Int]) {
        chapters = starts
        let chapters = starts.enumerated().map { Chapter(startMilliseconds: $1, title: "Chapter \($0 + 1)") }
        for id in items { library.setChapters(of: id, chapters) }
    }

    var title: String? { speaker.currentItem?.title }
    var showing: SpeakerStatus { speaker.status }

    func press(_ commands: Command...) { for command in commands { speaker.perform(command) } }

    /// The words since they were last asked for.
    func said() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    func changed() -> Changes {
        defer { changes = [] }
        return changes
    }

    func pass(milliseconds: Int) {
        timers.pass(milliseconds: milliseconds)
        worker.runAll()
        timers.pass(milliseconds: 0)
    }

    func removeDisk() { disk.paths = [] }

    /// The program ends.
    func end() {
        speaker.saveForTheEnd()
        library.close()
    }
}

/// A folder that is gone after the test.
final class TemporaryFolder {
    let path = NSTemporaryDirectory() + "speaker-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func bytes(_ name: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
        return (attributes?[.size] as? Int) ?? 0
    }
}
