// SPDX-License-Identifier: Apache-2.0
import Foundation
import Library
import Model
import Posix
import TestSupport
import Testing

@testable import Scanning

/// A folder of a test's own files, a library in memory, and a keeper with a worker that works on request.
final class ScanDesk: LibraryListener {
    let root: String
    let library = Library(stateFolder: nil, warn: { _ in })
    let worker = FakeWorker()
    let loop: EventLoop
    private(set) var keeper: LibraryKeeper!
    private(set) var spoken: SpokenIndex!
    /// The queue, if it were the library.
    private(set) var queue: [Item.ID] = []
    private(set) var lost: [Item.ID] = []
    private(set) var changed: [Item.ID] = []
    private(set) var mounted: [String] = []
    private(set) var begun = 0
    private(set) var ended = 0
    private(set) var longestPortion = 0
    private(set) var warnings: [String] = []

    init(_ named: [String]? = nil) throws {
        var template = Array((NSTemporaryDirectory() + "scanning-XXXXXX").utf8CString)
        root = try Files.resolved(String(path: mkdtemp(&template)))
        loop = try EventLoop()
        let root = root
        take(up: named.map { names in .named(names.map { root + "/" + $0 }) } ?? .library(folder: root))
    }

    deinit {
        keeper?.stop()
        try? FileManager.default.removeItem(atPath: root)
    }

    /// A keeper as after a restart, with the library as it is.
    func take(up source: ScanSource) {
        keeper?.stop()
        spoken = SpokenIndex(library, worker: worker)
        keeper = LibraryKeeper(source: source, library: library, spoken: spoken, worker: worker, loop: loop) {
            [unowned self] in warnings.append($0)
        }
        keeper.timing.quietMilliseconds = 200
        keeper.timing.folderMissingMilliseconds = 200
        keeper.listener = self
    }

    // MARK: Files

    func path(_ name: String) -> String { root + "/" + name }

    func makeFolder(_ name: String) throws { try Files.createFolder(path(name)) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Files.createFolder(path(name).pathFolder)
        let file = try FileDescriptor.open(path(name), O_WRONLY | O_CREAT | O_TRUNC)
        // A closure that throws a type crashes this compiler here.
        let written = bytes.withUnsafeBytes { Foundation.write(file.number, $0.baseAddress, $0.count) }
        #expect(written == bytes.count)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    func rename(_ name: String, to new: String) throws { try Files.rename(path(name), to: path(new)) }

    /// MP3 with silent frames that no other number has.
    /// - Parameter track: the track in a tag of ID3v2.3.
    static func audio(_ number: Int, frames: Int = 4, knowsDuration: Bool = true, track: String? = nil) -> [UInt8] {
        if let track {
            let size = UInt8(track.utf8.count + 1)
            let tag: [UInt8] =
                Array("ID3\u{3}\0\0\0\0\0".utf8) + [10 + size] + Array("TRCK\0\0\0".utf8) + [size, 0, 0, 0]
            return tag + Array(track.utf8) + audio(number, frames: frames, knowsDuration: knowsDuration)
        }
        let frameBytes = 417
        var bytes: [UInt8] = []
        func frame() { bytes += [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: frameBytes - 4) }
        func set(_ value: Int, at offset: Int) {
            for i in 0..<4 { bytes[offset + i] = UInt8(truncatingIfNeeded: value >> (24 - 8 * i)) }
        }
        if knowsDuration {
            frame()
            for (i, letter) in "Info".utf8.enumerated() { bytes[36 + i] = letter }
            set(3, at: 40)
            set(frames, at: 44)
            set((frames + 1) * frameBytes, at: 48)
        }
        for _ in 0..<frames { frame() }
        // In the last frame's ancillary data, and nothing in it that looks like a frame.
        for i in 0..<8 { bytes[bytes.count - 8 + i] = UInt8(number >> (4 * i) & 0xF) }
        return bytes
    }

    // MARK: Running

    struct Stalled: Error {}

    /// Goes on until no scan is under way and the worker has nothing to do.
    func finish() throws {
        let deadline = MonotonicTime.now.adding(milliseconds: 60_000)
        while keeper.runningScan != nil || !worker.jobs.isEmpty {
            worker.runAll()
            if keeper.runningScan == nil { continue }
            if MonotonicTime.now > deadline { throw Stalled() }
            try turn()
        }
    }

    /// One turn of the loop, which may find nothing to do.
    func turn() throws {
        let watchdog = loop.schedule(at: .now.adding(milliseconds: 100)) {}
        try loop.waitOnce()
        loop.cancel(watchdog)
    }

    /// Scans, and leaves the worker's other jobs aside.
    func finishScanOnly() throws {
        while keeper.runningScan != nil {
            if worker.jobs.first?.key == "scan" { worker.runOne() } else { try turn() }
        }
    }

    func scan() throws {
        keeper.scan()
        try finish()
    }

    /// Runs the loop for a time, and the worker with it.
    func run(milliseconds: Int) throws {
        var isOver = false
        loop.schedule(at: .now.adding(milliseconds: milliseconds)) { isOver = true }
        while !isOver {
            try loop.waitOnce()
            worker.runAll()
        }
        try finish()
    }

    /// The queue by the names of its files.
    var names: [String] {
        queue.compactMap { library.item($0)?.path.dropping(bytes: root.utf8.count + 1) }
    }

    var durations: [Int?] { queue.map { library.item($0)?.durationMilliseconds } }

    func forgetEvents() { (lost, changed, begun, ended, warnings) = ([], [], 0, 0, []) }

    // MARK: Told

    func libraryDidGain(_ arrivals: [Arrival]) {
        longestPortion = max(longestPortion, arrivals.count)
        for arrival in arrivals {
            switch arrival.place {
            case .last: queue.append(arrival.id)
            case .first:
                queue.removeAll { $0 == arrival.id }
                queue.insert(arrival.id, at: 0)
            case .behind(let other):
                queue.removeAll { $0 == arrival.id }
                queue.insert(arrival.id, at: (queue.lastIndex(of: other) ?? queue.count - 1) + 1)
            }
        }
    }

    func libraryDidLose(_ ids: [Item.ID]) {
        lost += ids
        queue.removeAll { ids.contains($0) }
    }

    func libraryDidChange(_ ids: [Item.ID]) { changed += ids }
    func scanDidBegin() { begun += 1 }
    func scanDidProgress() {}
    func scanDidEnd(foundAny: Bool) { ended += 1 }
    func libraryDidMount(_ folder: String) { mounted.append(folder) }
}
