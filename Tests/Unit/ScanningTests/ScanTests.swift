// SPDX-License-Identifier: Apache-2.0
import Foundation
import Model
import Posix
import Testing

@testable import Library
@testable import Scanning

/// The found files, their order, and the reports of them.
@Suite struct ScanTests {
    @Test func everythingIsFoundInTheLibrarysOrder() throws {
        let desk = try ScanDesk()
        let names = [
            "B/Chapter 10.mp3", "B/Chapter 2.mp3", "B/Chapter 9/1.mp3", "a.mp3", "Élan/1.mp3", "elan/2.mp3", "z.MPGA",
            ".hidden/1.mp3", ".h.mp3", "lost+found/1.mp3", "B/notes.txt", "B/cover.jpg",
        ]
        for (number, name) in names.enumerated() { try desk.write(name, ScanDesk.audio(number)) }
        try desk.scan()
        #expect(
            desk.names == [
                "a.mp3", "B/Chapter 2.mp3", "B/Chapter 9/1.mp3", "B/Chapter 10.mp3", "Élan/1.mp3", "elan/2.mp3",
                "z.MPGA",
            ])
        #expect(desk.library.item(path: desk.path("B/Chapter 2.mp3"))?.artwork == desk.path("B/cover.jpg"))
        #expect(desk.warnings == [])
        #expect(desk.keeper.hasScanned && desk.begun == 1 && desk.ended == 1)
    }

    @Test func whatIsNewComesToItsPlaceAndNothingElseIsTold() throws {
        let desk = try ScanDesk()
        for number in 0..<150 { try desk.write("f/\(number * 2).mp3", ScanDesk.audio(number)) }
        try desk.scan()
        #expect(desk.longestPortion <= 64)
        desk.forgetEvents()
        try desk.scan()
        #expect(desk.queue.count == 150 && desk.lost == [] && desk.changed == [])

        try desk.write("f/77.mp3", ScanDesk.audio(1000))
        try desk.write("0.mp3", ScanDesk.audio(1001))
        try desk.remove("f/8.mp3")
        try desk.scan()
        #expect(desk.names.count == 151 && desk.names.first == "0.mp3")
        #expect(desk.names.firstIndex(of: "f/77.mp3") == desk.names.firstIndex(of: "f/76.mp3").map { $0 + 1 })
        #expect(desk.lost.count == 1 && desk.changed == [])
    }

    @Test func aFileThatWasMovedKeepsItsItem() throws {
        let desk = try ScanDesk()
        try desk.write("a.mp3", ScanDesk.audio(1))
        try desk.write("b.mp3", ScanDesk.audio(2))
        try desk.scan()
        let moved = desk.queue[0]
        try desk.rename("a.mp3", to: "c.mp3")
        try desk.scan()
        #expect(desk.names == ["b.mp3", "c.mp3"] && desk.queue[1] == moved && desk.lost == [])
        // To the front of the order, too.
        try desk.rename("c.mp3", to: "0.mp3")
        try desk.scan()
        #expect(desk.names == ["0.mp3", "b.mp3"] && desk.queue[0] == moved && desk.lost == [])
    }

    @Test func namesThatAreNotUTF8AreFound() throws {
        let desk = try ScanDesk()
        let name = String(pathBytes: Array("latin".utf8) + [0xE9] + Array(".mp3".utf8))
        try desk.write(name, ScanDesk.audio(1))
        try desk.write("a\u{1B}]0;x\u{7}\n.mp3", ScanDesk.audio(2))
        try desk.scan()
        #expect(desk.names == ["a\u{1B}]0;x\u{7}\n.mp3", name])
        #expect(desk.library.item(desk.queue[1])?.title == "latiné")
    }

    @Test func loopsOfLinksAreGoneThroughOnce() throws {
        let desk = try ScanDesk()
        for number in 0..<20 { try desk.write("a/b/\(number).mp3", ScanDesk.audio(number)) }
        for name in ["s", "t", "a/s", "a/b/u"] { try desk.link(name, to: name.pathFolder == "." ? "." : "..") }
        try desk.link("a/b/root", to: desk.root)
        try desk.scan()
        #expect(desk.names == (0..<20).map { "a/b/\($0).mp3" })
        #expect(desk.warnings == [])
    }

    @Test func linksThatLeadOutAreFollowedOnce() throws {
        let outside = try ScanDesk()
        try outside.write("x/1.mp3", ScanDesk.audio(1))
        try outside.link("x/self", to: ".")
        try outside.link("x/other", to: "../y")
        try outside.write("y/4.mp3", ScanDesk.audio(4))
        let desk = try ScanDesk()
        try desk.link("out", to: outside.path("x"))
        try desk.link("out2", to: outside.path("x"))
        try desk.write(".store/2.mp3", ScanDesk.audio(2))
        try desk.link("shown", to: ".store")
        try desk.write("3.mp3", ScanDesk.audio(3))
        try desk.link("dangling.mp3", to: "nowhere.mp3")
        try desk.scan()
        #expect(desk.names == ["3.mp3", "out/1.mp3", "out/other/4.mp3", "shown/2.mp3"])
        #expect(desk.warnings == ["stat \(desk.path("dangling.mp3")): No such file or directory"])
    }

    @Test func deepFoldersAreFoundAndTooDeepOnesSaid() throws {
        let desk = try ScanDesk()
        let deep = Array(repeating: "d", count: 60).joined(separator: "/")
        try desk.write(deep + "/1.mp3", ScanDesk.audio(1))
        // Deeper than a path can say: made step by step.
        let long = String(repeating: "n", count: 250)
        var folder = open(desk.root, O_RDONLY | O_DIRECTORY)
        for _ in 0..<20 {
            mkdirat(folder, long, 0o755)
            let below = openat(folder, long, O_RDONLY | O_DIRECTORY)
            close(folder)
            folder = below
        }
        close(folder)
        try desk.scan()
        #expect(desk.names == [deep + "/1.mp3"])
        #expect(desk.warnings.count == 1 && desk.warnings.first?.hasSuffix("File name too long") == true)
        try desk.scan()
        #expect(desk.warnings.count == 1)
    }

    /// Counted in steps of the worker and in asking the library, and not in time.
    @Test func aFlatFolderCostsWhatIsInIt() throws {
        func steps(_ count: Int) throws -> (worker: Int, jobs: Int) {
            let desk = try ScanDesk()
            for number in 0..<count { try desk.write("\(number).txt", []) }
            try desk.write("cover.jpg", [])
            for number in 0..<8 { try desk.write("\(number).mp3", ScanDesk.audio(number)) }
            desk.keeper.scan()
            var steps = 0
            while desk.keeper.runningScan != nil {
                if desk.worker.jobs.isEmpty { try desk.turn() }
                while !desk.worker.jobs.isEmpty {
                    desk.worker.runStep()
                    steps += 1
                }
            }
            #expect(desk.queue.count == 8)
            return (steps, desk.worker.takenCount)
        }
        let few = try steps(1000)
        let many = try steps(4000)
        #expect(many.worker - few.worker <= 3000 / 256 + 2)
        #expect(many.jobs == few.jobs)
    }

    @Test func problemsAreSaidOnce() throws {
        let desk = try ScanDesk()
        try desk.write("ok.mp3", ScanDesk.audio(1))
        try desk.write("bad.mp3", Array("no audio".utf8))
        mkfifo(desk.path("fifo.mp3"), 0o644)
        try desk.makeFolder("folder.mp3")
        try desk.scan()
        #expect(
            desk.warnings.sorted() == [
                "\(desk.path("bad.mp3")): no audio found in it",
                "open \(desk.path("fifo.mp3")): is a FIFO, expected a file",
            ])
        desk.forgetEvents()
        let jobs = desk.worker.takenCount
        try desk.scan()
        #expect(desk.warnings == [])
        // Walked, and no file looked into.
        #expect(desk.worker.takenCount == jobs + 1)
        try desk.write("bad.mp3", ScanDesk.audio(2))
        try desk.scan()
        #expect(desk.names == ["bad.mp3", "ok.mp3"] && desk.warnings == [])
    }

    @Test func manyProblemsAreSummedUp() throws {
        let desk = try ScanDesk()
        for number in 0..<100 { try desk.write("\(number).mp3", [1, 2, 3]) }
        try desk.scan()
        #expect(desk.warnings.count == 21)
        #expect(desk.warnings.last == "80 more files or folders could not be taken in")
    }

    @Test func whatCannotBeReadIsNotCalledGone() throws {
        let desk = try ScanDesk()
        for (number, name) in ["a/1.mp3", "b/2.mp3", "c/3.mp3"].enumerated() {
            try desk.write(name, ScanDesk.audio(number))
        }
        try desk.scan()
        // A link to itself in the folder's place: its content is unknown.
        try desk.rename("a", to: ".away")
        try desk.link("a", to: "a")
        try desk.remove("b")
        try desk.scan()
        #expect(desk.names == ["a/1.mp3", "c/3.mp3"])
    }

    @Test func anEmptyFolderKeepsWhatIsKnown() throws {
        let desk = try ScanDesk()
        try desk.write("1.mp3", ScanDesk.audio(1))
        try desk.scan()
        try desk.rename("1.mp3", to: ".1.mp3")
        try desk.scan()
        #expect(desk.lost == [] && desk.queue.count == 1)
    }

    @Test func aWorkerThatTakesNothingIsTriedAgain() throws {
        let desk = try ScanDesk()
        try desk.write("1.mp3", ScanDesk.audio(1))
        desk.worker.refusal = .full
        desk.keeper.scan()
        try desk.run(milliseconds: 20)
        #expect(desk.keeper.runningScan == nil && desk.ended == 1)
        desk.worker.refusal = nil
        try desk.run(milliseconds: 500)
        #expect(desk.names == ["1.mp3"])
    }

    /// Measures processor time, with room: a walk through the whole library for each file takes twenty times as long.
    @Test func takingInCostsTheSameInALargeLibrary() throws {
        func seconds(among count: Int) throws -> Double {
            let library = Library(stateFolder: nil, warn: { _ in })
            func take(_ numbers: Range<Int>) {
                library.batch {
                    for number in numbers {
                        _ = library.takeIn(
                            Probe(
                                identity: ContentIdentity(hash: UInt64(number), audioBytes: 1000),
                                path: "/a/\(number).mp3",
                                fileBytes: 1000, fileModifiedSeconds: 1))
                    }
                }
            }
            take(0..<count)
            let began = clock()
            take(count..<count + 500)
            return Double(clock() - began)
        }
        #expect(try seconds(among: 20_000) < 6 * seconds(among: 500))
    }
}
