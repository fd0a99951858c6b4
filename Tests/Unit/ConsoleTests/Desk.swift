// SPDX-License-Identifier: Apache-2.0
import Audio
import CPosix
import Core
import Library
import Playback
import Playlists
import Posix
import Scanning
import Speaker
import TestSupport

@testable import Console
@testable import SpeakerBench
@testable import Wire

/// The figures of a player without a machine.
final class FakeFigures: PlayerFigures {
    var streamFormat: (rate: Int, channels: Int)? = (44_100, 2)
    let periodMicroseconds = 25_000
    let ringFillBytes = (now: 9000, least: 4096, capacity: 131_072)
    let shared: UnsafeMutablePointer<AudioShared>
    private let wake: UnsafeMutablePointer<WakeSignal>

    init() throws {
        wake = .allocate(capacity: 1)
        wake.initialize(to: try WakeSignal())
        shared = .allocate(capacity: 1)
        shared.initialize(to: try AudioShared(controlWake: wake))
    }

    deinit {
        shared.deinitialize(count: 1).deallocate()
        wake.deinitialize(count: 1).deallocate()
    }

    var counters: Counters { Counters(shared) }
}

final class FakeScanRequests: ScanRequests {
    var runningScan: Int?
    var progress: ScanProgress?
    var isReadingWords = false
    /// The requested scans; "" is everything.
    private(set) var asked: [String] = []

    func scan(readsAnew: Bool) -> Int {
        asked.append("")
        return asked.count
    }

    func scan(folder path: String, readsAnew: Bool) -> Int? {
        guard path.hasPrefix("/books/") else { return nil }
        asked.append(path)
        return asked.count
    }
}

/// A speaker on a bench, as consoles see it. Its library is /books.
final class Desk {
    let bench: Bench
    let figures: FakeFigures
    let scans = FakeScanRequests()
    let host: ConsoleHost
    /// The notices to consoles, one for each time.
    private(set) var told: [Subsystems] = []
    var turnBegan = MonotonicTime(nanoseconds: 5)

    /// - Parameters:
    ///   - playlists: the folder of the stored ones; nil for none.
    ///   - state: the folder of the database; nil for one in memory.
    ///   - loop: on which consoles are told of changes; nil for the bench's clock.
    init(
        root: String = "/books", mixer: FakeMixer? = nil, playlists: String? = nil, state: String? = nil,
        loop: EventLoop? = nil
    ) {
        bench = Bench(mixer: mixer, stateFolder: state, wallSeconds: { 1_700_000_000 })
        figures = try! FakeFigures()
        var began: () -> MonotonicTime = { MonotonicTime(nanoseconds: 0) }
        host = ConsoleHost(
            speaker: bench.speaker, figures: figures, scans: scans, timers: loop ?? bench.timers,
            turnBegan: { began() },
            root: root, outputName: "hw:CARD=DAC",
            playlists: playlists.map { [bench] in PlaylistStore(folder: $0, worker: bench.worker) },
            pictures: bench.worker, spoken: SpokenIndex(bench.library, worker: bench.worker))
        began = { [unowned self] in turnBegan }
        host.changes.tell = { [unowned self] in told.append($0) }
        bench.speaker.audience.didChange = { [unowned self] in host.note($0) }
    }

    /// The loop goes round.
    func turn() { bench.pass(milliseconds: 0) }

    func forgetTold() {
        turn()
        told = []
    }

    /// Paths of what a listing lists, folders with a slash, asked for in portions of so many.
    func names(_ listing: Pages<LibraryEntry>, by limit: Int = 64) -> [String] {
        var names: [String] = []
        while let page = listing(limit) {
            for entry in page {
                switch entry {
                case .folder(let uri, _): names.append(uri + "/")
                case .song(let song): names.append(song.uri)
                }
            }
        }
        return names
    }

    var queue: [String] { host.queue.songs(0..<host.queue.count).map(\.uri) }

    /// Plays a path, added as a client adds it.
    func add(_ uri: String, before position: Int? = nil) throws {
        var songs: [SongDescription] = []
        let listing = try host.contents(of: uri, recursive: true)
        while let page = listing(64) { for case .song(let song) in page { songs.append(song) } }
        _ = try host.addToQueue(songs, before: position)
    }

    func refusal(_ body: () throws(ConsoleError) -> Void) -> ConsoleError? {
        do throws(ConsoleError) { try body() } catch { return error }
        return nil
    }
}
