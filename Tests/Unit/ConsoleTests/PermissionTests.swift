// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Foundation
import Posix
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

@Suite struct PermissionTests {
    /// A server with a port of 127.0.0.1 and a Unix socket.
    private final class Bench {
        let folder = TemporaryFolder()
        let loop: EventLoop
        let server: ConsoleServer
        let desk = Desk.playing()
        let port: UInt16

        init(_ doorkeeper: Doorkeeper, limits: ConsoleServer.Limits = .init()) throws {
            loop = try EventLoop()
            server = ConsoleServer(host: desk.host, loop: loop, doorkeeper: doorkeeper, limits: limits)
            desk.host.didCome = { [unowned server] in server.goOn() }
            try server.listen(path: folder.path + "/socket")
            // A port that is free, handed over as a service manager does.
            let probe = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            let any = InternetAddress(bytes: [UInt8](repeating: 0, count: 16), port: 0)
            #expect(try any.with(family: AF_INET6) { bind(probe, $0, $1) } == 0)
            #expect(listen(probe, 8) == 0)
            var address = sockaddr_storage()
            #expect(ns_own_address(probe, &address) == 0)
            port = try #require(InternetAddress(address)).port
            try server.listen(inherited: probe)
        }

        deinit { server.close() }

        /// As `Peer.ask`, with a worker at work.
        func ask(_ peer: Peer, _ line: String) throws -> String {
            peer.forget()
            peer.send(line + "\n")
            let isWhole = try loop.run {
                desk.turn()
                return peer.hasWholeAnswer
            }
            #expect(isWhole, "\(line)")
            return peer.text
        }

        func local() throws -> Peer {
            let peer = try Peer(folder.path + "/socket", loop)
            #expect(try loop.run { peer.text == "OK MPD 0.23.5\n" })
            return peer
        }

        /// - Parameter host: one of this machine's.
        func remote(_ host: String = "127.0.0.1") throws -> Peer {
            let address = try #require(InternetAddress(parsing: "\(host):\(port)"))
            let number = socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
            let connected = try address.with(family: address.family) { connect(number, $0, $1) }
            try #require(connected == 0)
            _ = ns_set_nonblocking(number)
            let peer = try Peer(descriptor: FileDescriptor(owning: number), isSocket: true, loop)
            #expect(try loop.run { peer.text == "OK MPD 0.23.5\n" || peer.isEnded })
            return peer
        }
    }

    private static func doorkeeper() -> Doorkeeper {
        let doorkeeper = Doorkeeper(defaultPermissions: [])
        for (password, permissions) in [
            ("r", .read), ("a", .add), ("p", .player), ("c", .control), ("d", .admin), ("s3cret@home", .all),
        ] as [(String, Permissions)] { doorkeeper.add(password: Array(password.utf8), permissions) }
        return doorkeeper
    }

    private static func names(_ answer: String) -> Set<String> {
        Set(answer.split(separator: "\n").filter { $0.hasPrefix("command: ") }.map { String($0.dropFirst(9)) })
    }

    /// The answers of MPD 0.23.12 about itself: `commands` with one permission each, less those that need none.
    private static let ofMPD: [(password: String, commands: String)] = [
        ("", "binarylimit close commands notcommands password ping tagtypes"),
        (
            "r",
            """
            albumart channels count currentsong decoders find getfingerprint getvol idle list listall listallinfo listfiles \
            listmounts listpartitions listplaylist listplaylistinfo listplaylists lsinfo outputs partition playlist \
            playlistfind playlistid playlistinfo playlistsearch plchanges plchangesposid readcomments readmessages \
            readpicture replay_gain_status search stats status subscribe unsubscribe urlhandlers
            """
        ),
        ("a", "add addid addtagid cleartagid findadd load rangeid searchadd"),
        (
            "p",
            """
            clear clearerror consume crossfade delete deleteid mixrampdb mixrampdelay move moveid next pause play playid \
            previous prio prioid random repeat replay_gain_mode seek seekcur seekid setvol shuffle single stop swap swapid \
            volume
            """
        ),
        (
            "c",
            """
            clear clearerror consume crossfade delete deleteid mixrampdb mixrampdelay move moveid next pause play playid \
            playlistadd playlistclear playlistdelete playlistmove previous prio prioid random rename repeat \
            replay_gain_mode rescan rm save searchaddpl seek seekcur seekid sendmessage setvol shuffle single stop swap \
            swapid update volume
            """
        ),
        (
            "d",
            """
            config delpartition disableoutput enableoutput mount moveoutput newpartition outputset sticker toggleoutput \
            unmount
            """
        ),
    ]

    @Test func whatIsMPDsIsAllowedAsMPDAllowsIt() throws {
        let all = Set(Self.ofMPD.flatMap { $0.commands.split(separator: " ").map(String.init) })
        for (password, commands) in Self.ofMPD {
            let bench = try Bench(Self.doorkeeper())
            let peer = try bench.remote()
            if password != "" { #expect(try peer.ask("password " + password) == "OK\n") }
            let expected = Set((commands + " " + Self.ofMPD[0].commands).split(separator: " ").map(String.init))
            let allowed = Self.names(try peer.ask("commands"))
            let refused = Self.names(try peer.ask("notcommands"))
            #expect(allowed.intersection(all).subtracting(expected) == [])
            #expect(refused.intersection(expected) == [])
            #expect(allowed.union(refused).count == allowed.count + refused.count)
            // A command listed as refused is refused before the session looks at its arguments.
            for command in refused.sorted() {
                #expect(
                    try peer.ask(command)
                        == "ACK [4@0] {\(command)} you don't have permission for \"\(command)\"\n")
            }
            // MPD tells its folders to no client on the network, with any password.
            for command in allowed where !["close", "config", "idle"].contains(command) {
                #expect(try !bench.ask(peer, command).contains("you don't have permission"), "\(command)")
            }
        }
    }

    @Test func passwordsAsMPDTakesThem() throws {
        let bench = try Bench(Self.doorkeeper())
        let peer = try bench.remote()
        #expect(try peer.ask("idle") == "ACK [4@0] {idle} you don't have permission for \"idle\"\n")
        #expect(try peer.ask("password nobody") == "ACK [3@0] {password} incorrect password\n")
        #expect(try peer.ask("password s3cret@home") == "OK\n")
        #expect(try peer.ask("notcommands") == "command: kill\nOK\n")
        // Another one stands for what was before; a wrong one changes nothing.
        #expect(try peer.ask("password r") == "OK\n")
        #expect(try peer.ask("password nobody") == "ACK [3@0] {password} incorrect password\n")
        #expect(try peer.ask("status").hasSuffix("OK\n"))
        #expect(try peer.ask("stop") == "ACK [4@0] {stop} you don't have permission for \"stop\"\n")
        #expect(
            try peer.ask("command_list_begin\npassword s3cret@home\nstop\npassword r\nstop\ncommand_list_end")
                == "ACK [4@3] {stop} you don't have permission for \"stop\"\n")
    }

    @Test func theFileSystemDecidesForThisMachineAndTheDoorkeeperForTheNetwork() throws {
        let bench = try Bench(Self.doorkeeper())
        let local = try bench.local()
        #expect(try local.ask("notcommands") == "command: kill\nOK\n")
        #expect(try local.ask("password r") == "OK\n")
        #expect(try local.ask("stop").hasPrefix("ACK [4@0]"))
        for host in ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]"] {
            let remote = try bench.remote(host)
            #expect(try remote.ask("status").hasPrefix("ACK [4@0]"))
            #expect(try remote.ask("ping") == "OK\n")
        }
    }

    @Test func whereNothingIsWrittenTheNetworkMayWhatARemoteNeeds() throws {
        let bench = try Bench(Doorkeeper())
        let ofAdmin = Self.ofMPD[5].commands.split(separator: " ").map(String.init)
        let refused: Set = ["backup", "buttons", "forget", "household", "journal", "kill", "merge", "restore"]
        #expect(try Self.names(bench.remote().ask("notcommands")) == refused.union(ofAdmin))
        // Nor where the configuration allows everything.
        let open = try Bench(Doorkeeper(defaultPermissions: .all))
        #expect(try Self.names(open.remote().ask("notcommands")) == refused)
        #expect(try open.remote().ask("buttons take").hasPrefix("ACK [4@0] {buttons}"))
        #expect(try open.local().ask("buttons take") == "OK\n")
        #expect(try open.remote().ask("listmounts") == "mount: \nstorage: \nOK\n")
        #expect(try open.local().ask("listmounts") != "mount: \nstorage: \nOK\n")
        let readers = try Bench(Doorkeeper(defaultPermissions: .read))
        let peer = try readers.remote("[::1]")
        #expect(try peer.ask("status").hasSuffix("OK\n"))
        #expect(try peer.ask("play").hasPrefix("ACK [4@0]"))
    }

    /// Requests that a page in a browser can send. MPD ignores them, too.
    @Test(arguments: [
        "POST / HTTP/1.1\r\nHost: speaker:6600\r\n\r\n", "get / HTTP/1.1\r\n", "x HTTP/1.0\n", "Stop\n", "\n",
        " stop\n", "1\n", "\"stop\"\n",
        "command_list_begin\nping\nHost: a\nping\ncommand_list_end\n", "idle\nHost: a\n",
    ])
    func anotherProtocolIsNotObeyed(_ request: String) throws {
        let bench = try Bench(Doorkeeper())
        let peer = try bench.remote()
        peer.forget()
        peer.send(request + "setvol 77\nclear\n")
        #expect(try bench.loop.run { peer.isEnded })
        #expect(peer.text == "" && bench.desk.isUntouched)
        let long = try bench.remote()
        long.send("get " + String(repeating: "x", count: 20_000) + "\nsetvol 77\n")
        #expect(try bench.loop.run { long.isEnded })
        #expect(bench.desk.isUntouched)
        // A person at this machine sees a mistyped command's error.
        #expect(try bench.local().ask("Stop") == "ACK [5@0] {} unknown command \"Stop\"\n")
    }

    @Test func theNetworkIsToldOfNoFolder() throws {
        let bench = try Bench(Doorkeeper())
        bench.desk.shelve("night stand/My book/a b.mp3", title: "A")
        _ = answer(bench.desk, "play 3")
        bench.desk.bench.player.fail(EIO)
        let local = try bench.local().ask("status")
        #expect(local.contains("error: read /books/night stand/My book/a b.mp3: Input/output error\n"), "\(local)")
        #expect(try bench.remote().ask("status").contains("error: read a b.mp3: Input/output error\n"))
        #expect(try bench.remote().ask("add /srv/secret/x") == "ACK [50@0] {add} No such song: x\n")
    }

    // MARK: Guessing

    private static func origin(_ host: String) -> PeerOrigin { PeerOrigin(InternetAddress(parsing: host + ":1")!) }

    @Test func guessesFromOnePlaceBecomeSlow() {
        let doorkeeper = Self.doorkeeper()
        var now = MonotonicTime(nanoseconds: 1_000_000_000)
        let thief = Self.origin("192.168.1.66")
        var waits: [Int64] = []
        for _ in 0..<8 {
            #expect(doorkeeper.answer(to: Array("guess".utf8), from: thief, at: now) == .refused)
            guard case .later(let next) = doorkeeper.answer(to: Array("r".utf8), from: thief, at: now) else {
                Issue.record("nothing to wait for")
                return
            }
            waits.append(next.milliseconds(since: now))
            now = next
        }
        #expect(waits == [250, 500, 1000, 2000, 4000, 8000, 8000, 8000])
        // No other client waits, and the right password is accepted when its time has come.
        #expect(doorkeeper.answer(to: Array("r".utf8), from: Self.origin("192.168.1.67"), at: now) == .admitted(.read))
        #expect(doorkeeper.answer(to: Array("r".utf8), from: thief, at: now) == .admitted(.read))
        // A right password forgives nothing: its owner may still guess another.
        #expect(doorkeeper.answer(to: Array("guess".utf8), from: thief, at: now) == .refused)
        #expect(
            doorkeeper.answer(to: Array("r".utf8), from: thief, at: now) == .later(now.adding(milliseconds: 8000)))
        now = now.adding(milliseconds: 300_001)
        #expect(doorkeeper.answer(to: Array("guess".utf8), from: thief, at: now) == .refused)
        #expect(doorkeeper.answer(to: [], from: thief, at: now) == .later(now.adding(milliseconds: 250)))
    }

    @Test func manyPlacesAreOnePlace() {
        let doorkeeper = Self.doorkeeper()
        let now = MonotonicTime(nanoseconds: 1_000_000_000)
        var refused = 0
        for host in 0..<250 {
            // All clients of one network count as one place, under any address.
            let origin = Self.origin(host % 2 == 0 ? "10.0.0.\(host)" : "[2001:db8:1:2::\(host)]")
            if doorkeeper.answer(to: [0x78], from: origin, at: now) == .refused { refused += 1 }
        }
        #expect(refused == 65)
        #expect(doorkeeper.answer(to: Array("r".utf8), from: nil, at: now) == .admitted(.read))
    }

    @Test func whoMustWaitHoldsUpNobody() throws {
        let bench = try Bench(Self.doorkeeper())
        let thief = try bench.remote()
        let other = try bench.local()
        #expect(try thief.ask("password x").hasPrefix("ACK [3@0]"))
        thief.forget()
        thief.send("password r\nstatus\n")
        let began = MonotonicTime.now
        for _ in 0..<10 { #expect(try other.ask("ping") == "OK\n") }
        #expect(thief.text == "")
        #expect(
            try bench.loop.run { thief.text.hasPrefix("OK\n") && thief.text.hasSuffix("OK\n") && thief.text.count > 9 })
        #expect(MonotonicTime.now.milliseconds(since: began) >= 200)
        // Gone before its time: nothing is left of it.
        let second = try bench.remote()
        #expect(try second.ask("password x").hasPrefix("ACK [3@0]"))
        second.send("password r\n")
        second.endSending()
        #expect(try bench.loop.run { second.isEnded })
    }

    // MARK: Who goes first

    @Test func aFloodPushesOutNobodyWhoMayDoMore() throws {
        var limits = ConsoleServer.Limits()
        limits.clients = 6
        let bench = try Bench(Self.doorkeeper(), limits: limits)
        let local = [try bench.local(), try bench.local()]
        let phone = try bench.remote()
        #expect(try phone.ask("password r") == "OK\n")
        phone.forget()
        phone.send("idle\n")
        #expect(try bench.loop.run { bench.server.idleClientCount == 1 })
        let flood = try (0..<40).map { _ in try bench.remote() }
        #expect(flood.count { !$0.isEnded } == 3)
        #expect(!phone.isEnded && local.allSatisfy { !$0.isEnded })
        // While local clients fill all connections, a client from the network is refused.
        let more = try (0..<4).map { _ in try bench.local() }
        let late = try bench.remote()
        #expect(late.isEnded && late.text == "")
        #expect(phone.isEnded && (local + more).allSatisfy { !$0.isEnded })
    }

    @Test func silentOnesPushOutNobodyWhoHasSaidSomething() throws {
        var limits = ConsoleServer.Limits()
        limits.clients = 20
        limits.heldBytes = 200_000
        limits.strangersBytes = 50_000
        let bench = try Bench(Doorkeeper(), limits: limits)
        let phone = try bench.remote()
        #expect(try phone.ask("ping") == "OK\n")
        // Of its own it holds more than any of them.
        phone.forget()
        phone.send("command_list_begin\n" + String(repeating: "ping\n", count: 6000))
        let silent = try (0..<60).map { _ in
            let peer = try bench.remote()
            peer.send(String(repeating: "x", count: 6000))
            try bench.loop.runWhatIsReady()
            return peer
        }
        #expect(try bench.loop.run { silent.count { $0.isEnded } >= 50 })
        #expect(!phone.isEnded)
        #expect(try phone.ask("command_list_end") == "OK\n")
    }

    @Test func silentRemotesGoAndIdleOnesStay() throws {
        var limits = ConsoleServer.Limits()
        limits.silenceMilliseconds = 300
        let bench = try Bench(Doorkeeper(), limits: limits)
        let local = try bench.local()
        let idle = try bench.remote()
        idle.send("idle\n")
        let half = try bench.remote()
        half.send("pin")
        let silent = try bench.remote()
        #expect(try bench.loop.run { silent.isEnded && half.isEnded })
        #expect(!idle.isEnded && !local.isEnded)
        bench.server.notify(.all)
        #expect(try bench.loop.run { idle.isEnded })
    }

    @Test func whatAllHoldTogetherIsBounded() throws {
        var limits = ConsoleServer.Limits()
        limits.heldBytes = 100_000
        let bench = try Bench(Self.doorkeeper(), limits: limits)
        let phone = try bench.remote()
        #expect(try phone.ask("password r") == "OK\n")
        // Each of them holds what it may: half a line, or a list that never ends.
        let list = "command_list_begin\n" + String(repeating: "ping\n", count: 4000)
        let hogs = try (0..<24).map { index in
            let peer = index % 3 == 0 ? try bench.local() : try bench.remote()
            peer.send(index % 2 == 0 ? list : String(repeating: "x", count: 16_000))
            return peer
        }
        #expect(try bench.loop.run { hogs.count { $0.isEnded } >= 16 })
        for _ in 0..<50 { try bench.loop.runWhatIsReady() }
        #expect(bench.server.heldBytes <= 100_000)
        #expect(try phone.ask("status").hasSuffix("OK\n"))
        #expect(hogs.enumerated().count { $0.offset % 3 == 0 && !$0.element.isEnded } >= 4)
    }

    /// All of them are read before the first has its turn: those let go meanwhile hold nothing until theirs.
    @Test func whoeverIsLetGoWhileItWaitsHoldsNothing() throws {
        var limits = ConsoleServer.Limits()
        limits.heldBytes = 100_000
        let bench = try Bench(Self.doorkeeper(), limits: limits)
        let hogs = try (0..<40).map { _ in try bench.local() }
        try bench.loop.runWhatIsReady()
        for peer in hogs { peer.send(String(repeating: "ping\n", count: 3000)) }
        var most = 0
        #expect(
            try bench.loop.run {
                most = max(most, bench.server.heldBytes)
                return hogs.contains { $0.isEnded }
            })
        #expect(most <= 100_000)
    }
}
