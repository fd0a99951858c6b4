// SPDX-License-Identifier: Apache-2.0
import Core
import Foundation
import Model
import TestSupport
import Testing

@testable import Library

/// The server's records: the later of those that it was sent, each with a revision of its own. A fake of `schema.sql`.
private final class FakeServer {
    private(set) var rows: [String: (record: SharedRecord, revision: Int64)] = [:]
    private var revision: Int64 = 0

    func take(_ record: SharedRecord) {
        let key = record.kind.rawValue + " " + record.key
        if let old = rows[key]?.record, SharedRecord.later(old, record) == old { return }
        revision += 1
        rows[key] = (record, revision)
    }

    func page(after cursor: Int64, limit: Int) -> [(record: SharedRecord, revision: Int64)] {
        Array(rows.values.filter { $0.revision > cursor }.sorted { $0.revision < $1.revision }.prefix(limit))
    }
}

/// A speaker with its card and with the kernel's memory, which a power cut empties and a death of the process does not.
private final class Device {
    static let items = 4
    private(set) var library: Library!
    private let card = TemporaryFolder()
    private let memory = TemporaryFolder()
    private(set) var ids: [Item.ID] = []
    let aheadSeconds: Int64

    init(aheadSeconds: Int64) {
        self.aheadSeconds = aheadSeconds
        library = Library(stateFolder: card.path, memoryFolder: memory.path) { Issue.record("\($0)") }
        for number in 1...Device.items { _ = library.upsert(probe(number, path: "/a/\(number)/\(number).mp3")) }
        #expect(library.joinHousehold())
        library.writeLog()
        findItems()
    }

    private func findItems() {
        let all = library.allItems()
        ids = (1...Device.items).map { number in all.first { $0.identity == probe(number).identity }!.id }
    }

    /// It ends here and now, and is started again from what its files have at this moment.
    func die(ofPowerCut isPowerCut: Bool) throws {
        library.log?.abandon()
        library.store.database.keepsLogWhenClosed = true
        library = nil
        if isPowerCut {
            for name in memory.names { try FileManager.default.removeItem(atPath: memory.path + "/" + name) }
        }
        library = Library(stateFolder: card.path, memoryFolder: memory.path) { Issue.record("\($0)") }
        findItems()
    }
}

/// Households with devices that die at any moment.
@Suite struct HouseholdKillTests {
    private static let now: Int64 = 1_795_000_000
    private static let environment = ProcessInfo.processInfo.environment
    /// Both can be more, for an hour of its own.
    private static let seeds = Int(environment["NIGHTSTAND_SEEDS"] ?? "") ?? 4
    private static let changes = Int(environment["NIGHTSTAND_CHANGES"] ?? "") ?? 60

    /// As the client goes about it, and ends after any step: takes what is new there, and notes how far; sends what is new here, and notes that.
    private func exchange(
        _ device: Device, _ server: FakeServer, steps: Int, dies: () throws -> Void, now: Int64
    ) throws {
        var left = steps
        func goesOn() throws -> Bool {
            left -= 1
            if left == 0 { try dies() }
            return left > 0
        }
        let state = try #require(device.library.household())
        var note = state.note
        while true {
            let page = server.page(after: Int64(note.cursor) ?? 0, limit: 5)
            if page.isEmpty { break }
            for row in page {
                _ = device.library.merge(row.record, nowMilliseconds: now * 1000)
                if !(try goesOn()) { return }
            }
            note = device.library.household()!.note
            note.cursor = "\(page.last!.revision)"
            #expect(device.library.note(note))
            if !(try goesOn()) { return }
        }
        while device.library.takeChanges(limit: 3, nowMilliseconds: now * 1000) {
            if !(try goesOn()) { return }
        }
        while true {
            let page = device.library.journal(since: note.sent, limit: 4)
            guard let last = page.last else { return }
            for line in page {
                server.take(try #require(device.library.record(line.record)))
                if !(try goesOn()) { return }
            }
            note = device.library.household()!.note
            note.sent = last.revision
            #expect(device.library.note(note))
            if !(try goesOn()) { return }
        }
    }

    @Test(arguments: 0..<5)
    func allAreEqualAtTheEndAndNothingIsLost(part: Int) throws {
        for seed in 0..<HouseholdKillTests.seeds {
            try household(UInt64(1 + part * HouseholdKillTests.seeds + seed))
        }
    }

    private func household(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
        let server = FakeServer()
        let devices = (0..<5).map { _ in Device(aheadSeconds: Int64([0, 0, -56, 5, 70][random(0..<5)]) * 365 * 86_400) }
        // The favorites and bookmarks that no device has removed; of a device that died of a power cut, only the written ones.
        var (kept, bookmarks): (Set<Int>, Set<Int>) = ([], [])
        var unwritten: [[() -> Void]] = devices.map { _ in [] }
        var (removed, heard): (Set<Int>, Set<Int>) = ([], [])
        var time = HouseholdKillTests.now
        func die(_ at: Int) throws {
            let isPowerCut = random(0..<2) == 0
            if isPowerCut { unwritten[at] = [] }
            try devices[at].die(ofPowerCut: isPowerCut)
        }
        func written(_ at: Int) {
            devices[at].library.writeLog()
            for fact in unwritten[at] { fact() }
            unwritten[at] = []
        }
        for _ in 0..<HouseholdKillTests.changes {
            time += Int64(random(1..<4000))
            let at = random(0..<5)
            let (device, item) = (devices[at], random(0..<Device.items))
            let now = max(5, time + device.aheadSeconds)
            let id = device.ids[item]
            switch random(0..<10) {
            case 0:
                _ = device.library.addFavourite(id, nowSeconds: now)
                unwritten[at].append { kept.insert(item) }
            case 1:
                // Some are never taken away, so that there is something that must not be lost.
                if item < 2 {
                    device.library.removeFavourite(id)
                    removed.insert(item)
                }
            case 2, 3:
                device.library.savePosition(id, milliseconds: random(1..<90_000), nowSeconds: now)
                unwritten[at].append { heard.insert(item) }
            case 4:
                _ = device.library.addBookmark(id, milliseconds: item * 1000, words: "w", nowSeconds: now)
                unwritten[at].append { bookmarks.insert(item) }
            case 5: written(at)
            case 6: try die(at)
            default:
                let steps = random(0..<2) == 0 ? Int.max : random(1..<20)
                try exchange(device, server, steps: steps, dies: { if random(0..<2) == 0 { try die(at) } }, now: now)
            }
        }
        for at in devices.indices { written(at) }
        for _ in 0..<3 {
            for device in devices { try exchange(device, server, steps: .max, dies: {}, now: time) }
        }
        // By some clocks the removal was long ago, and some devices have forgotten it.
        let contents = devices.map { device in
            Set(device.library.journal(since: 0, limit: 500).map(\.record).filter { !$0.contains(#""value":null"#) })
        }
        for at in devices.indices {
            let library = devices[at].library!
            let different = contents[at].symmetricDifference(contents[0])
            #expect(different.isEmpty, "seed \(seed), device \(at): \(different)")
            for item in kept.subtracting(removed) {
                #expect(library.isFavourite(devices[at].ids[item]), "seed \(seed), device \(at): favourite \(item)")
            }
            for item in heard {
                #expect(
                    library.item(devices[at].ids[item])?.positionMilliseconds ?? 0 > 0,
                    "seed \(seed), device \(at): place \(item)")
            }
            #expect(
                bookmarks.isSubset(of: library.bookmarks().map { $0.milliseconds / 1000 }),
                "seed \(seed), device \(at): bookmarks")
        }
    }
}
