// SPDX-License-Identifier: Apache-2.0
import Core
import Foundation
import Fuzzing
import Model
import Posix
import Testing

@testable import Library
@testable import Speaker
@testable import SpeakerBench

/// Evenings of a household: two to five speakers, books of several files, clocks years off, partitions, kills, joins and leaves. Beside them
/// runs a model that knows of acts of listening alone.
@Suite("Evenings") struct EveningsTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// More of them, or others, take an hour of their own.
    private static let evenings = Int(environment["NIGHTSTAND_EVENINGS"] ?? "") ?? 160
    private static let first = Int(environment["NIGHTSTAND_FIRST_EVENING"] ?? "") ?? 0

    @Test(arguments: 0..<4) func everySpeakerResumesAtTheLastActOfListening(part: Int) throws {
        for number in EveningsTests.first..<EveningsTests.first + max(1, EveningsTests.evenings / 4) {
            let evening = Evening(seed: UInt64(part * 1_000_000 + number + 1))
            try evening.pass()
            #expect(
                evening.complaints.isEmpty, "part \(part), evening \(number): \(evening.log.joined(separator: "\n"))")
            if !evening.complaints.isEmpty { return }
        }
    }
}

/// A place where a person stopped listening.
private struct Act: Equatable {
    var work: Int
    var file: String
    var milliseconds: Int
    var second: Int64
    /// The acts of the same work that the speaker knew of.
    var known: Set<Int>
}

private final class Room {
    private(set) var bench: Bench
    let library: Library
    let aheadSeconds: Int64
    /// Of each work, the acts that this speaker has heard of.
    var known: [Set<Int>] = Array(repeating: [], count: Evening.works.count)
    var isMember = true

    init(_ time: @escaping () -> Int64, aheadSeconds: Int64) {
        self.aheadSeconds = aheadSeconds
        bench = Bench()
        library = bench.library
        library.wallSeconds = { max(5, time() + aheadSeconds) }
        for (work, files) in Evening.works.enumerated() {
            for file in files { bench.add(file, folder: "/\(work)") }
        }
        #expect(library.joinHousehold())
    }

    /// The process dies, and another begins with what it had saved.
    func die() {
        library.restoredState = library.memory.saved
        bench = Bench(library: library)
    }

    func item(_ file: String) -> ItemID {
        library.item(path: "/\(Evening.works.firstIndex { $0.contains(file) }!)/\(file).mp3")!.id
    }

    /// Returns the place where a person left a work on this speaker.
    func place(_ work: Int) -> (file: String, milliseconds: Int)? {
        let files = Evening.works[work]
        guard let left = library.book(of: item(files[0]))?.left, let item = library.item(left.item) else { return nil }
        return (item.title, left.milliseconds)
    }
}

private final class Evening {
    static let works = [["a1", "a2", "a3"], ["b1", "b2"], ["c1", "c2", "c3", "c4"]]
    private(set) var complaints: [String] = []
    private(set) var log: [String] = []
    private var chance: SeededGenerator
    private var time: Int64
    private var rooms: [Room] = []
    private var acts: [Act] = []
    private var clocksAreRight = true

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
        time = 1_900_000_000
        clocksAreRight = random(0..<2) == 0
        for _ in 0..<random(2..<6) {
            let ahead: Int64 = clocksAreRight ? 0 : [0, 0, -56, 5, 20].randomElement(using: &chance)! * 365 * 86_400
            rooms.append(Room({ [unowned self] in time }, aheadSeconds: ahead))
        }
    }

    private func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &chance) }

    private func complain(_ text: String) {
        complaints.append(text)
        log.append("COMPLAINT " + text)
    }

    func pass() throws {
        for _ in 0..<random(8..<30) {
            time += Int64(random(60..<4000))
            let at = random(0..<rooms.count)
            switch random(0..<10) {
            case 0:
                rooms[at].die()
                log.append("\(at) dies")
            // Leaving forgets the records of others, and keeps the places: only a right clock tells afterwards which place was later.
            case 1: if clocksAreRight { leaveOrJoin(at) }
            case 2...5: listen(at)
            default: try carry(at, random(0..<rooms.count))
            }
            if !complaints.isEmpty { return }
        }
        for at in rooms.indices where !rooms[at].isMember { leaveOrJoin(at) }
        for _ in 0..<3 {
            for one in rooms.indices { for other in rooms.indices { try carry(one, other, isWhole: true) } }
        }
        check()
    }

    private func leaveOrJoin(_ at: Int) {
        let room = rooms[at]
        if room.isMember { _ = room.library.leaveHousehold() } else { _ = room.library.joinHousehold() }
        room.isMember.toggle()
        log.append("\(at) \(room.isMember ? "joins" : "leaves")")
    }

    /// A person plays the current item or chooses one, jumps to and fro and over boundaries, and pauses.
    private func listen(_ at: Int) {
        let (room, bench) = (rooms[at], rooms[at].bench)
        if random(0..<3) == 0 || bench.player.track == nil {
            let work = random(0..<Evening.works.count)
            let file = Evening.works[work].randomElement(using: &chance)!
            if random(0..<2) == 0 {
                _ = bench.speaker.goOn(with: room.library.book(of: room.item(file))!.id, asked: bench.timers.now)
            } else {
                let place = random(0..<55_000)
                _ = bench.speaker.play(room.item(file), fromMilliseconds: place, asked: bench.timers.now)
            }
        } else {
            bench.press(.play)
        }
        guard bench.player.wantsToPlay else { return complain("\(at) does not play") }
        for _ in 0..<random(1..<4) {
            let seconds = random(16..<50)
            time += Int64(seconds)
            if bench.player.positionMilliseconds + seconds * 1000 < 60_000 {
                bench.player.positionMilliseconds += seconds * 1000
                bench.pass(milliseconds: seconds * 1000)
            } else {
                bench.player.positionMilliseconds = 59_990
                bench.pass(milliseconds: seconds * 1000)
                bench.player.reachEnd()
                if !bench.player.wantsToPlay { break }
            }
            if random(0..<4) == 0 { bench.press(.seek(milliseconds: random(0..<55_000))) }
        }
        bench.press(.pause)
        guard let file = bench.title, let work = Evening.works.firstIndex(where: { $0.contains(file) }) else { return }
        let place = room.place(work)
        acts.append(
            Act(
                work: work, file: place?.file ?? "", milliseconds: place?.milliseconds ?? 0, second: time,
                known: room.known[work]))
        room.known[work].insert(acts.count - 1)
        log.append(
            "\(at) listened at \(time) to \(file) \(bench.player.positionMilliseconds), saved \(String(describing: place))"
        )
        if place?.file != file { complain("\(at) is in \(file), and saved \(String(describing: place))") }
    }

    /// All that one has to tell reaches another.
    private func carry(_ from: Int, _ to: Int, isWhole: Bool = false) throws {
        if from == to || !rooms[from].isMember || !rooms[to].isMember { return }
        let (source, target) = (rooms[from], rooms[to])
        while source.library.takeChanges(limit: 50) {}
        let whole = isWhole || random(0..<4) > 0
        var records = source.library.journal(since: 0, limit: 500)
        // The border of what is carried lies anywhere.
        if !whole { records = Array(records.prefix(random(0..<max(1, records.count)))) }
        var outcomes: [String] = []
        for line in records {
            guard let record = target.library.record(line.record) else { return complain("no record: \(line.record)") }
            outcomes.append(
                "\(record.value ?? "") \(record.time.rawValue) \(target.bench.speaker.merge(record)) \(target.bench.title ?? "")"
            )
        }
        if whole { for work in Evening.works.indices { target.known[work].formUnion(source.known[work]) } }
        log.append("\(from) to \(to)\(whole ? "" : " in part"): \(outcomes)")
    }

    private func check() {
        for work in Evening.works.indices {
            let all = acts.indices.filter { acts[$0].work == work }
            // An act that a later one continued is not the last.
            let replaced = all.reduce(into: Set<Int>()) { $0.formUnion(acts[$1].known) }
            let last = all.filter { !replaced.contains($0) }
            let latest = last.max { acts[$0].second < acts[$1].second }
            for at in rooms.indices {
                let place = rooms[at].place(work)
                let isRight = { (act: Int) in
                    self.acts[act].file == place?.file && self.acts[act].milliseconds == place?.milliseconds
                }
                if all.isEmpty { continue }
                if clocksAreRight ? !isRight(latest!) : !last.contains(where: isRight) {
                    complain(
                        "\(at): \(work) is at \(String(describing: place)), and the last acts are \(last.map { acts[$0] })"
                    )
                }
                // A paused speaker keeps its place in the item, too.
                let bench = rooms[at].bench
                if let title = bench.title, Evening.works[work].contains(title), bench.player.track != nil,
                    title != place?.file
                {
                    complain("\(at) is in \(title), and its work at \(String(describing: place))")
                }
            }
        }
    }
}
