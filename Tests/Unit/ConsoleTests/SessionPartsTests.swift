// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Model
import Posix
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

/// The owners of a session's and a server's state, each alone.
@Suite struct SessionPartsTests {
    @Test func aCommandListGivesItsLinesInOrder() {
        var list = CommandList(answersEach: true)
        for line in ["play", "", "stop"] { list.append(Array(line.utf8)[...]) }
        #expect(!list.isUnderWay && list.count == 3 && list.heldBytes == 11)
        list.begin()
        var lines: [String] = []
        while !list.isAtEnd { lines.append(String(decoding: list.next(), as: UTF8.self)) }
        #expect(lines == ["play", "", "stop"] && list.nextLine == 3 && list.isUnderWay)
    }

    @Test func aCommandListIsBounded() {
        var list = CommandList(answersEach: false)
        let line = [UInt8](repeating: 0x61, count: CommandList.maximumBytes / 4)
        for _ in 0..<4 { list.append(line[...]) }
        #expect(list.failure != nil && list.heldBytes == 0 && list.count == 3)
        list.append([0x61])
        #expect(list.heldBytes == 0)
    }

    @Test func changesAreKeptUntilTheyAreAskedFor() {
        var watch = ChangeWatch()
        watch.note([.player, .mixer])
        #expect(watch.take() == [])
        watch.wait(for: [.mixer, .output])
        #expect(watch.isWaiting && watch.take() == .mixer && !watch.isWaiting)
        watch.wait(for: .mixer)
        #expect(watch.take() == [] && watch.isWaiting)
        watch.stop()
        watch.wait(for: .all)
        #expect(watch.take() == .player)
    }

    @Test func aPasswordChangesWhatAPeerMay() throws {
        let doorkeeper = Doorkeeper(defaultPermissions: .read)
        doorkeeper.add(password: Array("open".utf8), .all)
        var access = PeerAccess(doorkeeper, origin: .elsewhere)
        #expect(!access.isLocal && access.permissions == .read)
        #expect(throws: ConsoleError.self) { try access.check(.player, for: "clear") }
        access.knock(Array("shut".utf8))
        #expect(access.isKnocking)
        #expect(throws: ConsoleError.self) { _ = try access.answerKnock() }
        #expect(!access.isKnocking && access.permissions == .read)
        access.knock(Array("open".utf8))
        #expect(try !access.answerKnock())
        #expect(access.isKnocking && access.waitsUntil != nil)
        access.interrupt()
        #expect(!access.isKnocking && access.waitsUntil == nil)
        #expect(PeerAccess(doorkeeper, origin: nil).permissions == .all)
    }

    /// A process of ours that strangers may have taken over has no more of the speaker than it needs.
    @Test func usersOfThisMachineMayHaveFewRights() {
        let doorkeeper = Doorkeeper()
        doorkeeper.add(user: 991, .carrier)
        doorkeeper.add(user: 992, .panel)
        func may(_ user: UInt32?, _ command: String) -> Bool {
            PeerAccess(doorkeeper, origin: nil, user: user).permissions
                .isSuperset(of: ProtocolCommand.named(command)!.permission)
        }
        for command in ["household", "journal", "merge", "idle", "ping"] { #expect(may(991, command)) }
        for command in ["backup", "restore", "forget", "play", "setvol", "status", "buttons", "add"] {
            #expect(!may(991, command))
        }
        for command in ["play", "setvol", "screenstate", "buttons", "household", "alarm", "setting", "clear"] {
            #expect(may(992, command))
        }
        for command in ["backup", "restore", "forget", "sticker", "disableoutput"] {
            #expect(!may(992, command))
        }
        for user in [0, 1000, nil] as [UInt32?] { #expect(may(user, "restore") && may(user, "play")) }
    }

    @Test func aGuestShowsNoScreenAndChangesNoAlarm() {
        let desk = Desk.playing()
        var guest = Session(host: desk.host, manner: .plain, access: PeerAccess(permissions: .read))
        #expect(answer(&guest, ["screen show settings"]).hasPrefix("ACK [4@0] {screen}"))
        var player = Session(host: desk.host, manner: .plain, access: PeerAccess(permissions: [.read, .player]))
        for command in ["alarm remove 1", "alarm add 06:40", "setting loudest 30", "menu open"] {
            #expect(answer(&player, [command]).hasPrefix("ACK [4@0]"))
        }
    }

    /// On 32 bits these were a sum too large, which ends the process; here the largest Int stands for it.
    @Test func numbersAtTheEdge() {
        let desk = Desk.playing()
        #expect(answer(desk, "add stories/lamp.mp3 +\(Int.max)").hasPrefix("ACK [2@0]"))
        #expect(answer(desk, "add stories/lamp.mp3 -\(Int.max)").hasPrefix("ACK [2@0]"))
        #expect(answer(desk, "say fox 0:").hasSuffix("OK\n"))
        #expect(answer(desk, "say fox 0:\(Int32.max)").hasSuffix("OK\n"))
    }

    /// Commands that change something wait for a disk that is behind; questions do not.
    @Test func writingWaitsForTheDisk() {
        let folder = TemporaryFolder()
        let desk = Desk(state: folder.path)
        let song = desk.shelve("a.mp3", title: "A")
        let library = desk.bench.library
        let long = String(repeating: "x", count: 10_000)
        for number in 0..<1000 where !library.isLogFilling { _ = library.setSticker("\(number)", of: song, to: long) }
        #expect(library.isLogFilling)
        var session = Session(host: desk.host, manner: .plain)
        #expect(answer(&session, ["status"]).hasSuffix("OK\n"))
        #expect(!session.isBusy)
        var response = ResponseBuffer()
        var budget = WorkBudget()
        session.receive(.complete(Array("favourite add a.mp3".utf8)[...]), &budget, &response)
        #expect(session.isBusy && session.isWaiting && session.onlyTells && response.isEmpty)
        // Interrupted, it is never done.
        session.interrupt()
        #expect(!session.isBusy && !library.isFavourite(song))
        session.receive(.complete(Array("favourite add a.mp3".utf8)[...]), &budget, &response)
        desk.bench.speaker.places.didWrite()
        for _ in 0..<10 { desk.turn() }
        #expect(session.isBusy && !session.isWaiting && !library.isFavourite(song))
        session.goOn(&budget, &response)
        #expect(!session.isBusy && !response.isEmpty && library.isFavourite(song))
    }

    @Test func controlsOfTerminalsAreNotPassedOn() {
        var response = ResponseBuffer()
        response.textWithoutControls("a\u{9B}2J\u{80}\u{9F}\u{1B}b\u{A0}é\u{7F}")
        #expect(String(decoding: response.bytes, as: UTF8.self) == "a 2J   b\u{A0}é ")
    }

    @Test func whoIsMissedLeastGoesFirst() {
        var limits = ConsoleServer.Limits()
        (limits.clients, limits.heldBytes, limits.strangersBytes) = (3, 4000, 2000)
        var table = PeerTable(limits)
        func peer(_ permissions: Permissions, isLocal: Bool = false) -> ConsolePeer {
            let access =
                isLocal
                ? PeerAccess() : PeerAccess(Doorkeeper(defaultPermissions: permissions), origin: .elsewhere)
            return ConsolePeer(
                socket: FileDescriptor(owning: eventfd(0, Int32(EFD_CLOEXEC))),
                session: Session(host: Desk().host, manner: .plain, access: access), maximumLineBytes: 100)
        }
        let (local, early, late) = (peer(.all, isLocal: true), peer([]), peer([]))
        for one in [local, early, late] { table.add(one) }
        #expect(table.isFull && table.all.count == 3)
        #expect(table.leastMissed(upTo: .local) === early)
        table.markActive(early)
        #expect(table.leastMissed(upTo: .local) === late)
        table.count(late)
        #expect(table.greediest == nil)
        late.output.text(String(repeating: "x", count: 3000))
        table.count(late)
        #expect(table.greediest === late)
        table.remove(late)
        #expect(table.greediest == nil && !table.contains(late) && table.contains(early))
        table.remove(early)
        #expect(table.leastMissed(upTo: .remote) == nil)
    }

    @Test func pagesAreToldWithinTheirWindow() throws {
        let portions = Portions.pages(pages(of: Array(0..<100)), window: 3..<7, most: 2) { $1.field("n", $0) }
        var response = ResponseBuffer()
        var turns = 0
        repeat {
            var budget = WorkBudget()
            turns += 1
            if try portions.give(&budget, &response) { break }
        } while turns < 100
        #expect(String(decoding: response.bytes, as: UTF8.self) == "n: 3\nn: 4\nn: 5\nn: 6\n" && turns == 4)
    }

    @Test func pagesOfPlacesEndWhereThereIsNoMore() {
        let listing = pages(2..<1000) { $0.filter { $0 < 7 } }
        #expect(listing(3) == [2, 3, 4])
        #expect(listing(3) == [5, 6])
        #expect(listing(3) == nil)
    }

    @Test func aWorkersFailureMayHaveASubstitute() throws {
        let awaited = Awaited<Int>()
        let (strict, lenient) = (
            Portions.awaited(awaited) { _, _ in nil },
            Portions.awaited(awaited, otherwise: 5) {
                $1.field("n", $0)
                return nil
            }
        )
        var (budget, response) = (WorkBudget(), ResponseBuffer())
        #expect(try strict.isWaiting && !strict.give(&budget, &response))
        awaited.settle(.failure(ConsoleError(.system, "gone")))
        #expect(throws: ConsoleError.self) { try strict.give(&budget, &response) }
        #expect(try lenient.give(&budget, &response) && response.bytes == Array("n: 5\n".utf8))
    }
}
