// SPDX-License-Identifier: Apache-2.0
import Foundation
import Posix
import Testing

@testable import Library
@testable import Scanning

/// When it is looked, and where.
@Suite struct KeeperTests {
    @Test func updatesStayWithinTheLibrary() throws {
        let desk = try ScanDesk()
        try desk.write("a/1.mp3", ScanDesk.audio(1))
        let outside = ["/", "/proc", "", "a", desk.root.pathFolder, desk.root + "x"]
        let back = ["/..", "/../..", "/a/../..", "/a/../../b", "/./a", "/.hidden", "//../x"].map { desk.root + $0 }
        for path in outside + back { #expect(desk.keeper.scan(folder: path) == nil, "\(path)") }
        #expect(desk.keeper.runningScan == nil)
        #expect(desk.keeper.scan(folder: desk.path("a")) == 1)
        try desk.finish()
        #expect(desk.names == ["a/1.mp3"])
    }

    @Test func oneFolderIsLookedThrough() throws {
        let desk = try ScanDesk()
        for (number, name) in ["a/1.mp3", "a/2.mp3", "b/3.mp3"].enumerated() {
            try desk.write(name, ScanDesk.audio(number))
        }
        #expect(desk.keeper.scan(folder: desk.path("b")) == 1)
        try desk.finish()
        #expect(desk.names == ["b/3.mp3"])
        try desk.scan()
        #expect(desk.names == ["a/1.mp3", "a/2.mp3", "b/3.mp3"])
        try desk.remove("a/1.mp3")
        try desk.remove("b/3.mp3")
        #expect(desk.keeper.scan(folder: desk.path("b")) == 3)
        try desk.finish()
        #expect(desk.queue.count == 2 && desk.lost.count == 1)
    }

    @Test func whatIsAskedForMeanwhileIsDoneBehind() throws {
        let desk = try ScanDesk()
        try desk.write("a/1.mp3", ScanDesk.audio(1))
        #expect(desk.keeper.scan() == 1)
        #expect(desk.keeper.scan(folder: desk.path("a")) == 2)
        #expect(desk.keeper.scan() == 2)
        try desk.finish()
        #expect(desk.begun == 2 && desk.ended == 2 && desk.keeper.runningScan == nil)
    }

    @Test func whatIsReadAnewIsReadThoughItHasNotChanged() throws {
        let desk = try ScanDesk()
        for number in 1...3 { try desk.write("a/\(number).mp3", ScanDesk.audio(number)) }
        try desk.scan()
        desk.forgetEvents()
        try desk.scan()
        #expect(desk.changed.isEmpty)
        // Two requests meanwhile count as the more thorough one.
        #expect(desk.keeper.scan(folder: desk.path("a")) == 3)
        #expect(desk.keeper.scan(folder: desk.path("a")) == 4)
        #expect(desk.keeper.scan(folder: desk.path("a"), readsAnew: true) == 4)
        try desk.finish()
        #expect(Set(desk.changed).count == 3 && desk.lost.isEmpty && desk.queue.count == 3)
    }

    @Test func aBookComesInItsOwnOrder() throws {
        let desk = try ScanDesk()
        try desk.write("b/End.mp3", ScanDesk.audio(1, track: "3"))
        try desk.write("b/First.mp3", ScanDesk.audio(2, track: "1"))
        try desk.write("a/x.mp3", ScanDesk.audio(3))
        try desk.write("b/Then.mp3", ScanDesk.audio(4, track: "2"))
        try desk.write("c/y.mp3", ScanDesk.audio(5))
        try desk.scan()
        #expect(desk.names == ["a/x.mp3", "b/First.mp3", "b/Then.mp3", "b/End.mp3", "c/y.mp3"])
        try desk.scan()
        #expect(desk.names == ["a/x.mp3", "b/First.mp3", "b/Then.mp3", "b/End.mp3", "c/y.mp3"])
        try desk.remove("b/Then.mp3")
        try desk.scan()
        #expect(desk.names == ["a/x.mp3", "b/First.mp3", "b/End.mp3", "c/y.mp3"])
    }

    @Test func namedFilesComeInTheirOrder() throws {
        let desk = try ScanDesk(["z", "b.mp3", "a.mp3", "b.mp3"])
        for (number, name) in ["a.mp3", "b.mp3", "z/10.mp3", "z/9.mp3"].enumerated() {
            try desk.write(name, ScanDesk.audio(number))
        }
        try desk.scan()
        #expect(desk.names == ["z/9.mp3", "z/10.mp3", "b.mp3", "a.mp3", "b.mp3"])
    }

    /// The same audio is known at a path that still is there.
    @Test func aNamedCopyOfSomethingKnownIsFound() throws {
        let desk = try ScanDesk()
        try desk.write("known.mp3", ScanDesk.audio(1))
        try desk.scan()
        try desk.write("elsewhere/copy.mp3", ScanDesk.audio(1))
        desk.take(up: .named([desk.path("elsewhere/copy.mp3")]))
        try desk.scan()
        #expect(desk.queue.count == 2)
    }

    @Test func aNamedFileOfAnyNameIsTried() throws {
        let desk = try ScanDesk(["audio.bin", ".dot.mp3"])
        try desk.write("audio.bin", ScanDesk.audio(1))
        try desk.write(".dot.mp3", ScanDesk.audio(2))
        try desk.scan()
        #expect(desk.names == ["audio.bin", ".dot.mp3"])
    }

    /// The cost of a portion does not depend on the number of earlier ones: each is reported once.
    @Test func namedFoldersAreToldOnce() throws {
        let desk = try ScanDesk(["f"])
        for number in 0..<500 { try desk.write("f/\(number).mp3", ScanDesk.audio(number)) }
        desk.keeper.scan()
        try desk.turn()
        // The first comes at once.
        while desk.queue.isEmpty { desk.worker.runOne() }
        #expect(desk.queue.count <= 16 && desk.names.first == "f/0.mp3")
        try desk.finish()
        #expect(desk.names == (0..<500).map { "f/\($0).mp3" })
        #expect(desk.longestPortion <= 64)
    }

    @Test func aChangeIsFoundOnceItHasComeToRest() throws {
        let desk = try ScanDesk()
        try desk.write("a/1.mp3", ScanDesk.audio(1))
        desk.keeper.start()
        try desk.finish()
        try desk.write("a/2.mp3", ScanDesk.audio(2))
        try desk.run(milliseconds: 50)
        #expect(desk.begun == 1)
        try desk.write("a/3.mp3", ScanDesk.audio(3))
        try desk.run(milliseconds: 400)
        #expect(desk.begun == 2 && desk.names == ["a/1.mp3", "a/2.mp3", "a/3.mp3"])
    }

    private func run(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// Mounting needs root. A mount from the board's start is not a newly plugged stick.
    @Test(.enabled(if: geteuid() == 0), arguments: [false, true])
    func aDiskThatIsMountedIsToldOfBehindWhatIsOnIt(soon: Bool) throws {
        let desk = try ScanDesk()
        try desk.write("1.mp3", ScanDesk.audio(1))
        try desk.makeFolder("stick")
        desk.keeper.timing.bootMilliseconds = soon ? 60_000 : 0
        desk.keeper.timing.mountMilliseconds = 100
        desk.keeper.start()
        try desk.finish()
        try run("mount", "-t", "tmpfs", "tmpfs", desk.path("stick"))
        defer { try? run("umount", "-l", desk.path("stick")) }
        try desk.write("stick/2.mp3", ScanDesk.audio(2))
        try desk.run(milliseconds: 600)
        #expect(desk.names == ["1.mp3", "stick/2.mp3"])
        #expect(desk.mounted == (soon ? [] : [desk.path("stick")]))
    }

    @Test func theFirstScanMayHaveToWait() throws {
        let desk = try ScanDesk()
        try desk.write("1.mp3", ScanDesk.audio(1))
        let start = MonotonicTime.now
        desk.keeper.start(after: 300)
        #expect(desk.keeper.runningScan == 1 && desk.begun == 0)
        while desk.begun == 0 { try desk.loop.waitOnce() }
        #expect(MonotonicTime.now.milliseconds(since: start) >= 300)
        try desk.finish()
        #expect(desk.begun == 1 && desk.names == ["1.mp3"] && desk.keeper.runningScan == nil)
    }

    @Test func theLibrarysFolderIsLookedForWhileItIsAway() throws {
        let desk = try ScanDesk()
        desk.take(up: .library(folder: desk.path("away")))
        desk.keeper.start()
        try desk.finish()
        // However often it is looked through meanwhile, one timer waits.
        for _ in 0..<5 { try desk.scan() }
        let jobs = desk.worker.takenCount
        try desk.write("away/1.mp3", ScanDesk.audio(1))
        try desk.run(milliseconds: 500)
        #expect(desk.names == ["away/1.mp3"])
        #expect(desk.worker.takenCount - jobs < 8)
        #expect(desk.warnings.count == 1)
    }

    @Test func progressIsTold() throws {
        let desk = try ScanDesk()
        for number in 0..<200 { try desk.write("\(number).mp3", ScanDesk.audio(number)) }
        #expect(desk.keeper.progress == nil)
        desk.keeper.scan()
        #expect(desk.keeper.progress == ScanProgress(filesSeen: 0))
        try desk.turn()
        for _ in 0..<12 { desk.worker.runOne() }
        #expect((desk.keeper.progress?.filesSeen ?? 0) > 20)
        try desk.finish()
        #expect(desk.keeper.progress == nil)
    }
}
