// SPDX-License-Identifier: Apache-2.0
import Foundation
import Model
import TestSupport
import Testing

@testable import Library
@testable import SQLite

/// kill -9 and power cuts at every moment. The test assembles files from the process's writes until then.
@Suite struct CrashTests {
    private let folder = TemporaryFolder()

    /// Files as they are at some moment.
    private struct Files {
        var database: [UInt8]
        var log: [UInt8]

        mutating func apply(_ kind: FaultyFile.Kind, _ operation: FaultyFile.Operation) {
            switch kind {
            case .database: Files.apply(operation, to: &database)
            case .log: Files.apply(operation, to: &log)
            }
        }

        static func apply(_ operation: FaultyFile.Operation, to file: inout [UInt8]) {
            switch operation {
            case .sync: break
            case .truncate(let size):
                if size < file.count {
                    file.removeLast(file.count - size)
                } else {
                    file += [UInt8](repeating: 0, count: size - file.count)
                }
            case .write(let offset, let bytes):
                if file.count < offset + bytes.count {
                    file += [UInt8](repeating: 0, count: offset + bytes.count - file.count)
                }
                file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            }
        }
    }

    /// One write as the workload makes it: item 1 is at `step` seconds, item 2 the same where both were in one transaction.
    private struct Run {
        var start: Files
        var operations: [(kind: FaultyFile.Kind, operation: FaultyFile.Operation)]
        /// The number of operations after each step, from step 0 on.
        var doneAt: [Int]
    }

    /// A night: positions each few seconds, buttons, a scan, and between them the log is folded in.
    /// - Parameters:
    ///   - isBusy: things are saved while the worker waits for the disk as well.
    ///   - killedSteps: so many are saved by a process that is then killed, and the run is that of the next one.
    private func run(steps: Int, foldEvery: Int, isBusy: Bool = false, killedSteps: Int = 0) -> Run {
        var folder = self.folder
        var library = Library(folder)
        library.root = "/m"
        library.batch { for number in 1...30 { library.upsert(probe(number)) } }
        library.settle()
        func filesOnDisk() -> Files {
            Files(
                database: FileManager.default.bytes(folder.database),
                log: FileManager.default.bytes(folder.database + "-wal"))
        }
        var doneAt: [Int] = []
        var step = 0
        func save() {
            library.batch {
                // Three rows that must agree after any crash.
                library.savePosition(1, milliseconds: step)
                library.savePosition(30, milliseconds: step)
                library.save(SpeakerState(currentSongID: step, nextSongID: step))
                if step % 7 == 0 { library.upsert(probe(1000 + step, title: "Found at \(step)")) }
                // A podcast with all its episodes, and one that is unsubscribed from.
                if step % 13 == 5 { CrashTests.subscribe(library, step) }
                if step % 26 == 25, let feed = library.feed(address: "https://h/\(step - 20)") {
                    _ = library.removeFeed(feed.id)
                }
                if step % 11 == 0 {
                    library.saveSeekTable(
                        2, [UInt8](repeating: UInt8(step % 256), count: 5000), durationMilliseconds: 1)
                }
            }
            step += 1
        }
        /// Steps that no job has written.
        var unwritten = 0
        while step < killedSteps {
            save()
            unwritten += 1
            // One that folds the log in writes nothing of what was saved since.
            while let job = library.logJob() {
                job.run()
                library.finish(job)
            }
            while unwritten > 0 {
                doneAt.append(0)
                unwritten -= 1
            }
        }
        if killedSteps > 0 {
            let killed = filesOnDisk()
            folder = TemporaryFolder()
            folder.write("nightstand.db", killed.database)
            folder.write("nightstand.db-wal", killed.log)
            library = Library(folder)
            library.root = "/m"
        }
        let start = filesOnDisk()
        let record = FaultyFile.record(library)
        while step < steps {
            save()
            unwritten += 1
            if step % foldEvery != 0, let job = library.logJob() {
                let covered = unwritten
                job.run()
                library.finish(job)
                for _ in 0..<covered { doneAt.append(record.written.count) }
                unwritten = 0
                continue
            }
            var jobs = 0
            while let job = library.logJob(isIdle: true) {
                // The first job is a sync that has to be repeated. Saves during the last job stay in memory until it is over.
                let saves = isBusy && jobs < 4 && (jobs == 0 || job.work == .settle)
                let covered = job.work == .settle ? 0 : unwritten
                let before = step
                if saves { save() }
                job.run()
                if saves { save() }
                library.finish(job)
                for _ in 0..<covered { doneAt.append(record.written.count) }
                unwritten += step - before - covered
                jobs += 1
            }
        }
        return Run(start: start, operations: record.written, doneAt: doneAt)
    }

    private static func subscribe(_ library: Library, _ step: Int) {
        guard let feed = library.addFeed(address: "https://h/\(step)", title: "Feed \(step)") else { return }
        let drafts = (1...3).map { number in
            var draft = EpisodeDraft(identity: "\(number)", address: "https://h/\(step)/\(number).mp3")
            draft.title = "Episode \(number)"
            return draft
        }
        for item in library.takeIn(drafts, of: feed).arrived { library.savePosition(item, milliseconds: step * 10) }
    }

    /// Those that are subscribed to after a step.
    private static func feeds(after step: Int) -> [String] {
        (0...max(0, step)).filter { $0 <= step && $0 % 13 == 5 && !($0 % 26 == 5 && $0 + 20 <= step) }
            .map { "https://h/\($0)" }
    }

    /// Opens the files and returns the step that the library is at; everything has to agree on it.
    private func step(_ files: Files, _ comment: Comment) throws -> Int {
        let folder = TemporaryFolder()
        folder.write("nightstand.db", files.database)
        folder.write("nightstand.db-wal", files.log)
        let warnings = Warnings()
        let library = Library(folder, warnings)
        #expect(warnings.all.isEmpty, comment)
        #expect(library.path != nil, comment)
        #expect(try library.database.prepare("PRAGMA integrity_check").firstText() == "ok", comment)
        let position = library.item(1)?.positionMilliseconds
        #expect(library.item(30)?.positionMilliseconds == position, comment)
        let step = library.restoredState?.currentSongID
        #expect(step == nil ? position == 0 : step == position, comment)
        let feeds = library.feeds()
        let episodes = feeds.flatMap { library.episodes(of: $0.id, limit: 9) }
        let expected = CrashTests.feeds(after: step ?? -1)
        #expect(feeds.map { $0.address }.sorted() == expected.sorted(), comment)
        #expect(episodes.count == 3 * feeds.count, comment)
        for episode in episodes {
            let subscribed = feeds.first { $0.id == episode.feed }?.address.split(separator: "/").last.flatMap {
                Int($0)
            }
            #expect(library.item(episode.item)?.positionMilliseconds == subscribed.map { $0 * 10 }, comment)
        }
        let items = library.counts().items
        #expect(items == 30 + (step.map { $0 / 7 + 1 } ?? 0) + episodes.count, comment)
        return step ?? -1
    }

    /// A process that is killed leaves exactly what it had written: every moment between two writes, and within some.
    @Test func aKillLosesNothingThatWasSaved() throws {
        let run = run(steps: 40, foldEvery: 9)
        var files = run.start
        var random = SeededGenerator(seed: 1)
        for (index, entry) in run.operations.enumerated() {
            if case .write(let offset, let bytes) = entry.operation, bytes.count > 1, index % 5 == 0 {
                var torn = files
                let part = Array(bytes[..<Int.random(in: 1..<bytes.count, using: &random)])
                torn.apply(entry.kind, .write(offset: offset, bytes: part))
                let step = try step(torn, "within operation \(index)")
                let done = run.doneAt.lastIndex { $0 <= index } ?? -1
                #expect((done...done + 1).contains(step), "within operation \(index)")
            }
            files.apply(entry.kind, entry.operation)
            let done = run.doneAt.lastIndex { $0 <= index + 1 } ?? -1
            #expect((done...done + 1).contains(try step(files, "after operation \(index)")), "after operation \(index)")
        }
    }

    /// When the power goes, of what was not synced any part may have reached the card, in any order. The library must come up
    /// whole, at a step not before the last that a job has synced.
    @Test(arguments: 0..<4, [false, true])
    func aPowerCutNeverDamagesTheDatabase(seed: Int, isBusy: Bool) throws {
        try cut(run(steps: 60, foldEvery: 13, isBusy: isBusy), seed: seed)
    }

    /// A process finds the log of one that was killed, folds it in, and the power goes while it begins a log of its own.
    @Test(arguments: 0..<8)
    func aPowerCutSoonAfterAKillNeverDamagesTheDatabase(seed: Int) throws {
        try cut(run(steps: 52, foldEvery: 13, killedSteps: 20 + seed), seed: seed)
    }

    private func cut(_ run: Run, seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        // The moments around the syncs are the dangerous ones.
        let syncs = run.operations.indices.filter {
            if case .sync = run.operations[$0].operation { true } else { false }
        }
        #expect(syncs.count >= 3)
        for round in 0..<60 {
            let end: Int
            if round % 2 == 0 {
                end = Int.random(in: 0...run.operations.count, using: &random)
            } else {
                end = min(
                    run.operations.count,
                    max(0, syncs.randomElement(using: &random)! + Int.random(in: -4...6, using: &random)))
            }
            // The index behind the last sync of a file: everything before it is on the card for sure.
            func lastSync(_ kind: FaultyFile.Kind) -> Int {
                run.operations[..<end].lastIndex { entry in
                    if case .sync = entry.operation { entry.kind == kind } else { false }
                } ?? 0
            }
            let durable = [lastSync(.database), lastSync(.log)]
            let chance = Double.random(in: 0...1, using: &random)
            var files = run.start
            for (index, entry) in run.operations[..<end].enumerated() {
                if index < durable[entry.kind == .database ? 0 : 1] {
                    files.apply(entry.kind, entry.operation)
                } else if case .write(let offset, let bytes) = entry.operation {
                    // A card writes sectors, each or not.
                    for at in stride(from: 0, to: bytes.count, by: 512)
                    where Double.random(in: 0...1, using: &random) < chance {
                        let part = Array(bytes[at..<min(at + 512, bytes.count)])
                        files.apply(entry.kind, .write(offset: offset + at, bytes: part))
                    }
                } else if Double.random(in: 0...1, using: &random) < chance {
                    files.apply(entry.kind, entry.operation)
                }
            }
            let atLeast = (run.doneAt.lastIndex { $0 <= max(durable[0], durable[1]) + 1 } ?? -1)
            #expect(try step(files, "seed \(seed) round \(round) end \(end)") >= atLeast, "seed \(seed) round \(round)")
        }
    }
}

/// A process that is killed before the worker has written anything.
@Suite struct JournalTests {
    private let folder = TemporaryFolder()
    private let memory = TemporaryFolder()

    private func library(_ warnings: Warnings = Warnings()) -> Library {
        Library(stateFolder: folder.path, memoryFolder: memory.path) { warnings.all.append($0) }
    }

    @Test func whatNoJobHasWrittenIsThereAfterAKill() throws {
        let first = library()
        for number in 1...3 { first.upsert(probe(number)) }
        first.writeLog()
        first.savePosition(1, milliseconds: 11_000)
        first.writeLog()
        first.savePosition(2, milliseconds: 22_000)
        _ = first.addFavourite(3)
        // As it is when the process is killed; a copy, since this one lives on.
        let (database, log) = (
            FileManager.default.bytes(folder.database), FileManager.default.bytes(folder.database + "-wal")
        )
        let journal = FileManager.default.bytes(memory.path + "/unsaved")
        first.close()
        folder.write("nightstand.db", database)
        folder.write("nightstand.db-wal", log)
        var bytes = journal
        // It is for the log that had this file's number.
        let node = try #require(
            try FileManager.default.attributesOfItem(atPath: folder.database + "-wal")[.systemFileNumber] as? UInt64)
        withUnsafeBytes(of: node) { for at in 0..<8 { bytes[16 + at] = $0[at] } }
        for cut in [bytes.count, bytes.count - 100, 24, 10, 0] {
            folder.write("nightstand.db", database)
            // In place: the file stays the one that it is.
            let handle = try #require(FileHandle(forWritingAtPath: folder.database + "-wal"))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: log)
            try handle.close()
            memory.write("unsaved", Array(bytes[..<cut]))
            let warnings = Warnings()
            let again = library(warnings)
            #expect(again.item(1)?.positionMilliseconds == 11_000 && warnings.all.isEmpty)
            #expect(try again.database.prepare("PRAGMA integrity_check").firstText() == "ok")
            if cut == bytes.count {
                #expect(again.item(2)?.positionMilliseconds == 22_000 && again.isFavourite(3))
            } else {
                #expect(!again.isFavourite(3))
            }
            // Left as a kill leaves it: the files are written anew above.
            again.log?.abandon()
            again.store.database.keepsLogWhenClosed = true
        }
        // Records for another log are left out.
        bytes[16] ^= 0xFF
        memory.write("unsaved", bytes)
        folder.write("nightstand.db", database)
        folder.write("nightstand.db-wal", log)
        #expect(library().item(2)?.positionMilliseconds == 0)
    }
}
