// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Posix
import Testing

@testable import Streams

@Suite struct StreamOwnersTests {
    @Test func aValueIsWrittenOnce() {
        let once = OnceWritten<String>()
        #expect(once.value == nil)
        once.write("one")
        once.write("two")
        #expect(once.value == "one")
    }

    /// Repeated stalls make each wait longer, and each stall counts once.
    @Test func stallsGrow() {
        let stalls = StreamStalls()
        var seconds = [stalls.secondsToWaitFor]
        for _ in 0..<5 {
            for _ in 0..<3 { stalls.begin() }
            seconds.append(stalls.secondsToWaitFor)
            stalls.end()
            #expect(stalls.secondsToWaitFor == 1)
        }
        #expect(seconds == [1, 1, 4, 8, 16, 16])
    }

    @Test func aBeginningStaysUntilItPlays() {
        let beginning = LiveBeginning()
        #expect(beginning.place(consumed: 70) == 70 && beginning.place(consumed: 100) == 70)
        beginning.begin(isRejoinable: true)
        let (hasBegun, isSpent) = (beginning.hasBegun, beginning.isSpent)
        #expect(hasBegun && !isSpent && beginning.place(consumed: 100) == 100)
        beginning.begin(isRejoinable: false)
        let isSpentAtLast = beginning.isSpent
        #expect(isSpentAtLast)
    }
}

/// The fetching process as a test has it: a socket that listens.
private final class FakeFetcher {
    let loop: EventLoop
    let path: String
    private let listener: FileDescriptor
    private let wake: WakeSignal
    private(set) var socket: FileDescriptor?
    private(set) var launches = 0

    init() throws {
        loop = try EventLoop()
        wake = try WakeSignal()
        path =
            FileManager.default.temporaryDirectory.path + "/streams-\(getpid())-\(UInt32.random(in: 0...(.max))).socket"
        listener = try UnixSocket.listen(path, .packets)
    }

    deinit { unlink(path) }

    func process(_ path: String? = nil) -> FetchProcess {
        FetchProcess(loop: loop, socketPath: path ?? self.path, feedWake: wake.number) { [unowned self] in
            launches += 1
            return nil
        }
    }

    func question() -> String? {
        socket = FileDescriptor(owning: ns_accept(listener.number, nil))
        guard let number = socket?.number,
            case .packet(_, let text, let descriptors) = StreamPacket.receive(from: number)
        else { return nil }
        for descriptor in descriptors { close(descriptor) }
        return text
    }

    func say(_ kind: UInt8, _ text: String = "") {
        if let number = socket?.number { StreamPacket.send(kind, text, to: number) }
    }

    func hangUp() { socket = nil }

    /// Has the loop do what is due.
    func turn() throws {
        loop.schedule(at: loop.now, latest: loop.now) { [unowned self] in loop.stop() }
        try loop.run()
    }
}

@Suite struct StreamLinkTests {
    private let fetcher: FakeFetcher

    init() throws { fetcher = try FakeFetcher() }

    @Test func hearsWhatIsSaid() throws {
        let desk = StreamDesk(fetcher.process())
        var heard: [String] = []
        desk.didWait = { heard.append($0 + " waits: " + $1) }
        desk.didHearTitle = { heard.append($0 + " plays: " + $1) }
        let channel = try desk.stream("http://h/a")
        #expect(try desk.stream("http://h/a") === channel && fetcher.question() == "http://h/a")
        fetcher.say(StreamPacket.waiting, "no\nnetwork")
        fetcher.say(StreamPacket.title, "Owls")
        fetcher.say(StreamPacket.rendition, "64 kbit/s")
        try fetcher.turn()
        #expect(heard == ["http://h/a waits: no network", "http://h/a plays: Owls"])
        #expect(
            desk.known("http://h/a")?.waitMessage == "no network" && desk.known("http://h/a")?.rendition == "64 kbit/s")
        fetcher.say(StreamPacket.failed, "gone")
        try fetcher.turn()
        #expect(channel.failureWords == "gone" && desk.known("http://h/a")?.waitMessage == "")
        // A failed stream is requested anew.
        #expect(try desk.stream("http://h/a") !== channel)
        desk.close()
    }

    @Test func oneErrandAfterTheOther() throws {
        let errands = ErrandDesk(fetcher.process())
        var answers: [String] = []
        for address in ["http://h/a", "http://h/b"] {
            errands.fetch(StreamQuestion(address: address)) {
                if case .failed(let message) = $0 { answers.append(message) }
            }
        }
        for (address, message) in [("http://h/a", "no"), ("http://h/b", "neither")] {
            try fetcher.turn()
            #expect(fetcher.question() == address)
            fetcher.say(StreamPacket.failed, message)
            try fetcher.turn()
        }
        #expect(answers == ["no", "neither"])
        errands.close()
    }

    @Test func theProcessIsStartedWhereNobodyListens() throws {
        let process = fetcher.process(fetcher.path + "-none")
        // A stream and what belongs to it are asked for in the same moment: it is started once.
        for _ in 0..<3 {
            let connection = FetchConnection(process)
            let problem = connection.open(
                StreamPacket.heard, "a", descriptors: [], take: { _, _, _ in }, end: {})
            #expect(problem == "" && fetcher.launches == 1 && !connection.isOpen)
        }
    }
}
