// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Posix
import TestSupport
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

@Suite struct ConsoleServerTests {
    /// A server on a loop of the test's own.
    private final class Bench {
        let folder = TemporaryFolder()
        let loop: EventLoop
        let desk: Desk
        let server: ConsoleServer
        var path: String { folder.path + "/run/nightstand/socket" }

        init(_ limits: ConsoleServer.Limits = .init()) throws {
            loop = try EventLoop()
            desk = .playing(loop: loop)
            // The client that caused the change does not hear of it.
            try loop.runWhatIsReady()
            server = ConsoleServer(host: desk.host, loop: loop, limits: limits)
            try server.listen(path: path)
            desk.host.changes.tell = { [unowned self] in server.notify($0) }
        }

        deinit { server.close() }

        /// A peer that has read the greeting.
        func connect() throws -> Peer {
            let peer = try Peer(path, loop)
            #expect(try loop.run { peer.text == "OK MPD 0.23.5\n" })
            return peer
        }
    }

    @Test func aDialogue() throws {
        let bench = try Bench()
        let peer = try bench.connect()
        #expect(try peer.ask("ping") == "OK\n")
        #expect(try peer.ask("status").contains("\nstate: play\n"))
        #expect(try peer.ask("stop").hasSuffix("OK\n"))
        #expect(try peer.ask("rubbish") == "ACK [5@0] {} unknown command \"rubbish\"\n")
        #expect(bench.desk.host.status.state == .stopped)
        #expect(bench.server.clients.count == 1)
    }

    @Test func closeEndsTheConnectionWithoutAnswer() throws {
        let bench = try Bench()
        let peer = try bench.connect()
        let answer = try peer.ask("close")
        #expect(answer == "")
        #expect(peer.isEnded)
        #expect(bench.server.clients.count == 0)
    }

    @Test func theSocketIsForOwnerAndGroup() throws {
        let bench = try Bench()
        var status = stat()
        #expect(lstat(bench.path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o660)
        bench.server.close()
        #expect(!Files.exists(bench.path))
    }

    // MARK: The place of the socket

    @Test func anotherSpeakersSocketIsLeftAlone() throws {
        let bench = try Bench()
        let error = #expect(throws: PosixError.self) {
            try ConsoleServer(path: bench.path, host: bench.desk.host, loop: bench.loop)
        }
        #expect(error?.code == EADDRINUSE)
        #expect(error?.message == "make socket \(bench.path): another process answers there: Address already in use")
        let peer = try bench.connect()
        #expect(try peer.ask("ping") == "OK\n")
    }

    @Test func aStaleSocketIsReplaced() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/socket"
        do {
            let abandoned = try UnixSocket.listen(path)
            _ = abandoned.number
        }
        #expect(Files.exists(path))
        let loop = try EventLoop()
        let server = try ConsoleServer(path: path, host: Desk().host, loop: loop)
        defer { server.close() }
        let peer = try Peer(path, loop)
        #expect(try loop.run { !peer.received.isEmpty })
    }

    @Test func whatIsNoSocketIsLeftAlone() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/diary"
        try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
        let loop = try EventLoop()
        let error = #expect(throws: PosixError.self) {
            try ConsoleServer(path: path, host: Desk().host, loop: loop)
        }
        #expect(error?.message.contains("not a socket, and not removed") == true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    }

    @Test func impossiblePlacesAreRefused() throws {
        let folder = TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
        let loop = try EventLoop()
        let long = folder.path + "/" + String(repeating: "x", count: 100)
        for (path, code) in [("", ENOENT), (long, ENAMETOOLONG), (folder.path + "/file/socket", ENOTDIR)] {
            let error = #expect(throws: PosixError.self) {
                try ConsoleServer(path: path, host: Desk().host, loop: loop)
            }
            #expect(error?.code == code, "\(error?.message ?? "")")
        }
    }

    // MARK: Idle

    @Test func anotherClientsActionWakesTheIdle() throws {
        let bench = try Bench()
        let waiting = try bench.connect()
        let deaf = try bench.connect()
        let acting = try bench.connect()
        waiting.send("idle mixer\n")
        deaf.send("idle database\n")
        #expect(try acting.ask("setvol 30") == "OK\n")
        #expect(try bench.loop.run { waiting.text.hasSuffix("changed: mixer\nOK\n") })
        #expect(try waiting.ask("status").hasPrefix("volume: 30\n"))
        #expect(deaf.text == "OK MPD 0.23.5\n")
        #expect(try deaf.ask("noidle") == "OK\n")
        // Its own action counts too.
        #expect(try acting.ask("idle") == "changed: mixer\nOK\n")
    }

    @Test func commandsDuringIdleDropTheClient() throws {
        let bench = try Bench()
        let peer = try bench.connect()
        peer.send("idle\nstop\n")
        #expect(try bench.loop.run { peer.isEnded })
        #expect(bench.desk.isUntouched)
    }

    @Test func manyIdleClientsDoNoHarm() throws {
        let bench = try Bench()
        var idlers: [Peer] = []
        for _ in 0..<150 { idlers.append(try bench.connect()) }
        for idler in idlers { idler.send("idle\n") }
        let peer = try bench.connect()
        #expect(try peer.ask("ping") == "OK\n")
        #expect(bench.server.clients.count == 151)
        #expect(try bench.loop.run { bench.server.idleClientCount == 150 })
        #expect(bench.server.heldBytes == 0)
        let wakeUps = bench.loop.wakeUps
        #expect(try peer.ask("next") == "OK\n")
        #expect(try bench.loop.run { idlers.allSatisfy { $0.text.hasSuffix("changed: player\nOK\n") } })
        #expect(bench.loop.wakeUps - wakeUps < 400)
        idlers.removeAll()
        #expect(try bench.loop.run { bench.server.clients.count == 1 })
        #expect(try peer.ask("ping") == "OK\n")
    }

    @Test func oneTooManyCostsTheMostSilent() throws {
        var limits = ConsoleServer.Limits()
        limits.clients = 3
        let bench = try Bench(limits)
        let first = try bench.connect()
        let second = try bench.connect()
        let third = try bench.connect()
        #expect(try first.ask("ping") == "OK\n")
        let fourth = try bench.connect()
        #expect(try bench.loop.run { second.isEnded })
        #expect(bench.server.clients.count == 3)
        for peer in [first, third, fourth] { #expect(try peer.ask("ping") == "OK\n") }
    }

    // MARK: Rough peers

    /// Lists may be as long as MPD allows. The server holds their bytes once, not twice.
    @Test func listsMayBeLong() throws {
        let bench = try Bench()
        let peer = try bench.connect()
        let line = "ping " + String(repeating: " ", count: 1000) + "\n"
        peer.send("command_list_begin\n" + String(repeating: line, count: 2000))
        #expect(try bench.loop.run { bench.server.heldBytes > 1_900_000 })
        #expect(bench.server.heldBytes < 2_100_000)
        #expect(try peer.ask("command_list_end") == "OK\n")
    }

    @Test func overlongLinesAreRefusedAndSkipped() throws {
        let bench = try Bench()
        let peer = try bench.connect()
        #expect(try peer.ask("add " + String(repeating: "x", count: 16_380)).hasPrefix("ACK [50@0] {add}"))
        for count in [16_385, 100_000, 1_000_000] {
            #expect(try peer.ask(String(repeating: "x", count: count)) == "ACK [2@0] {} The command line is too long\n")
            #expect(try peer.ask("ping") == "OK\n")
        }
        #expect(bench.desk.isUntouched)
    }

    @Test func binaryRubbishIsRefused() throws {
        let bench = try Bench()
        let peer = try bench.connect()
        peer.send([0, 0xFF, 0xFE, 0x0A, 0x70, 0x6C, 0x61, 0x79, 0, 0x0A, 0xC3, 0x28, 0x0A])
        #expect(try bench.loop.run { peer.text.components("ACK [5@0] {} ") == 3 })
        #expect(try peer.ask("ping") == "OK\n")
        #expect(bench.desk.isUntouched)
    }

    @Test func aHalfCommandAtTheEndIsNotCarriedOut() throws {
        let bench = try Bench()
        let peer = try bench.connect()
        peer.send("next\nsto")
        peer.endSending()
        #expect(try bench.loop.run { peer.isEnded })
        #expect(peer.text == "OK MPD 0.23.5\nOK\n")
        #expect(bench.desk.host.status.current?.position == 1)
    }

    @Test func whatWasAskedBeforeTheEndIsAnswered() throws {
        let bench = try Bench()
        let peer = try bench.connect()
        peer.send(String(repeating: "status\n", count: 5000) + "getvol\n")
        peer.endSending()
        #expect(try bench.loop.run { peer.isEnded })
        #expect(peer.text.hasSuffix("OK\nvolume: 50\nOK\n"))
        #expect(peer.text.components("playlistlength") == 5000)
    }

    @Test func anAbruptEndDoesNoHarm() throws {
        let bench = try Bench()
        for _ in 0..<20 {
            var peer: Peer? = try bench.connect()
            peer?.send(String(repeating: "status\n", count: 3000))
            try bench.loop.runWhatIsReady()
            peer = nil
        }
        #expect(try bench.loop.run { bench.server.clients.count == 0 })
        #expect(try bench.connect().ask("ping") == "OK\n")
    }

    /// A client asks and never reads: its commands wait, other clients are served, and memory stays bounded.
    @Test func aPeerThatDoesNotReadIsHeldBack() throws {
        let bench = try Bench()
        let deaf = try bench.connect()
        deaf.setReading(false)
        deaf.send(String(repeating: "setvol 30\nsetvol 31\nstatus\n", count: 10_000))
        let peer = try bench.connect()
        for _ in 0..<200 { #expect(try peer.ask("ping") == "OK\n") }
        let mixer = try #require(bench.desk.bench.mixer)
        let carriedOut = mixer.timesSet
        #expect(carriedOut > 10 && carriedOut < 10_000)
        // Its answers up to the bound and one more, what one read brought, and nothing else.
        #expect(bench.server.heldBytes < 16 * 1024 + 1000 + 2 * 16 * 1024)
        for _ in 0..<200 { #expect(try peer.ask("ping") == "OK\n") }
        #expect(mixer.timesSet == carriedOut)
        // When it reads again it gets everything.
        deaf.setReading(true)
        deaf.send("close\n")
        #expect(try bench.loop.run { deaf.isEnded })
        #expect(mixer.timesSet > 20_000)
        #expect(deaf.text.components("playlistlength") == 10_000)
    }

    /// Several peers at once sending mutated commands in random pieces; the server stays up and answers an honest one.
    @Test func noiseFromManySides() throws {
        let bench = try Bench()
        var random = SeededGenerator(seed: 8)
        var peers: [Peer] = []
        let samples = [
            "status\n", "idle\n", "noidle\n", "command_list_begin\n", "command_list_end\n", "add \"x\"\n", "\n", "\0\n",
        ]
        for round in 0..<3000 {
            if peers.count < 10 { peers.append(try Peer(bench.path, bench.loop)) }
            let index = Int.random(in: 0..<peers.count, using: &random)
            var bytes = Array(samples.randomElement(using: &random)!.utf8)
            if round % 3 == 0 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            peers[index].send(bytes)
            try bench.loop.runWhatIsReady()
            if peers[index].isEnded || round % 97 == 0 { peers.remove(at: index) }
        }
        #expect(try bench.connect().ask("ping") == "OK\n")
    }
}
