// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Posix
import Testing

@testable import Console
@testable import Wire

/// The program that people have: does what it asks work?
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/mpc"), "mpc is not installed"))
struct MpcTests {
    private final class Bench {
        let folder = TemporaryFolder()
        let loop: EventLoop
        let desk: Desk
        let server: ConsoleServer

        init() throws {
            loop = try EventLoop()
            desk = .playing(loop: loop)
            // The client that caused the change does not hear of it.
            try loop.runWhatIsReady()
            server = try ConsoleServer(path: folder.path + "/socket", host: desk.host, loop: loop)
            desk.host.changes.tell = { [unowned self] in server.notify($0) }
        }

        deinit { server.close() }

        /// Starts mpc; its output comes in while the loop runs.
        func start(_ arguments: [String]) throws -> Running {
            try Running(["--host=" + folder.path + "/socket"] + arguments, loop)
        }

        /// Returns mpc's text on both outputs, and its exit code.
        func mpc(_ arguments: String...) throws -> (output: String, code: Int32) {
            let running = try start(arguments)
            #expect(try loop.run { running.peer.isEnded })
            running.process.waitUntilExit()
            return (running.peer.text, running.process.terminationStatus)
        }
    }

    private final class Running {
        let process = Process()
        let pipe = Pipe()
        let peer: Peer

        init(_ arguments: [String], _ loop: EventLoop) throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/mpc")
            process.arguments = arguments
            process.environment = ["LC_ALL": "C.UTF-8"]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = pipe
            process.standardError = pipe
            let number = dup(pipe.fileHandleForReading.fileDescriptor)
            let descriptor = FileDescriptor(owning: number)
            try descriptor.setNonBlocking()
            peer = try Peer(descriptor: descriptor, isSocket: false, loop)
            try process.run()
            try pipe.fileHandleForWriting.close()
        }
    }

    private static let statusText = """
        Ada Reader - Under the Lamp
        [playing] #1/3   0:05/1:41 (4%)
        volume: 50%   repeat: off   random: off   single: off   consume: off

        """

    @Test func looking() throws {
        let bench = try Bench()
        #expect(try bench.mpc() == (Self.statusText, 0))
        #expect(try bench.mpc("status") == (Self.statusText, 0))
        #expect(try bench.mpc("current") == ("Ada Reader - Under the Lamp\n", 0))
        #expect(try bench.mpc("queued") == ("Ada Reader - The Moth\n", 0))
        #expect(try bench.mpc("version").output.contains("mpd version: 0.23.5"))
        #expect(try bench.mpc("volume") == ("volume: 50%\n", 0))
        #expect(
            try bench.mpc("playlist").output
                == "Ada Reader - Under the Lamp\nAda Reader - The Moth\nÉmile - Leçon 1\n")
        #expect(
            try bench.mpc("-f", "%position% %file% %time%", "playlist").output.hasPrefix("1 stories/lamp.mp3 1:41\n"))
        #expect(try bench.mpc("outputs") == ("Output 1 (hw:CARD=DAC) is enabled\n", 0))
        let stats = try bench.mpc("stats").output
        #expect(stats.contains("Artists:      2\n") && stats.contains("Songs:        3\n"), "\(stats)")
        #expect(bench.desk.isUntouched)
    }

    /// A command of mpc, and its effect.
    @Test(arguments: [
        (["play", "2"], "playing 1 at 0"), (["pause"], "paused 0 at 5123"), (["toggle"], "paused 0 at 5123"),
        (["pause-if-playing"], "paused 0 at 5123"), (["stop"], "stopped 0 at 0"), (["next"], "playing 1 at 0"),
        (["prev"], "playing 0 at 0"), (["seek", "+10"], "playing 0 at 15123"),
        (["seek", "-00:00:10"], "playing 0 at 0"), (["seek", "20%"], "playing 0 at 20000"),
        (["seek", "1:00"], "playing 0 at 60000"), (["volume", "+5"], "volume 55"), (["volume", "-5"], "volume 45"),
        (["volume", "30"], "volume 30"), (["cdprev"], "playing 0 at 0"), (["searchplay", "moth"], "playing 1 at 0"),
        (["del", "2"], "queue LF"), (["update"], "scans all"), (["update", "stories"], "scans /books/stories"),
        (["add", "stories"], "queue LMFLM"), (["add", "stories/moth \"grey\".mp3"], "queue LMFM"),
        (["findadd", "artist", "Émile"], "queue LMFF"),
    ])
    func acting(arguments: [String], expected: String) throws {
        let bench = try Bench()
        let running = try bench.start(arguments)
        #expect(try bench.loop.run { running.peer.isEnded })
        running.process.waitUntilExit()
        #expect(running.process.terminationStatus == 0, "\(running.peer.text)")
        #expect(bench.desk.differences == [expected])
    }

    @Test func pausedAndBack() throws {
        let bench = try Bench()
        #expect(try bench.mpc("pause").output.contains("[paused]"))
        #expect(try bench.mpc("toggle").output.contains("[playing]"))
        let stopped = try bench.mpc("stop").output
        #expect(stopped == "volume: 50%   repeat: off   random: off   single: off   consume: off\n")
        #expect(try bench.mpc("toggle").output.contains("[playing]"))
    }

    @Test func library() throws {
        let bench = try Bench()
        let top = try bench.mpc("ls")
        #expect(
            top.output == "stories\nfranzösisch.mp3\nNewest\nUnfinished\nFavourites\nMost played\nFinished\n"
                && top.code == 0)
        #expect(try bench.mpc("ls", "stories") == ("stories/lamp.mp3\nstories/moth \"grey\".mp3\n", 0))
        #expect(
            try bench.mpc("listall") == ("stories/lamp.mp3\nstories/moth \"grey\".mp3\nfranzösisch.mp3\n", 0))
        #expect(try bench.mpc("search", "title", "LEÇON") == ("französisch.mp3\n", 0))
        #expect(try bench.mpc("search", "(title contains 'LAMP')") == ("stories/lamp.mp3\n", 0))
        #expect(try bench.mpc("find", "artist", "Ada Reader").output.components("\n") == 2)
        #expect(try bench.mpc("list", "artist") == ("Ada Reader\nÉmile\n", 0))
        #expect(try bench.mpc("list", "album", "artist", "Ada Reader") == ("Nights\n", 0))
    }

    @Test func whatIsRefusedIsTold() throws {
        let bench = try Bench()
        #expect(try bench.mpc("play", "9").code == 1)
        #expect(try bench.mpc("ls", "nowhere") == ("MPD error: No such directory: nowhere\n", 1))
        #expect(try bench.mpc("add", "nowhere.mp3").code == 1)
        #expect(try bench.mpc("crossfade", "5").code == 1)
        #expect(bench.desk.isUntouched)
    }

    @Test func idle() throws {
        let bench = try Bench()
        let waiting = try bench.start(["idle"])
        let looping = try bench.start(["idleloop", "mixer", "player"])
        #expect(try bench.loop.run { bench.server.idleClientCount == 2 })
        bench.server.notify(.player)
        #expect(try bench.loop.run { waiting.peer.isEnded })
        #expect(waiting.peer.text == "player\n")
        #expect(try bench.loop.run { bench.server.idleClientCount == 1 })
        bench.server.notify(.playlist)
        bench.server.notify(.mixer)
        #expect(try bench.loop.run { looping.peer.text == "player\nmixer\n" }, "\(looping.peer.text)")
        kill(looping.process.processIdentifier, SIGKILL)
        looping.process.waitUntilExit()
        waiting.process.waitUntilExit()
        #expect(try bench.loop.run { bench.server.clients.count == 0 })
    }
}
