// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Posix
import Testing

@testable import Console
@testable import Wire

/// The client program against a server that runs on a thread of its own.
// The terminal is one a process.
@Suite(.serialized) struct ConsoleClientTests {
    /// Runs a server beside the test until it is told to stop.
    private final class Beside: @unchecked Sendable {
        let folder = TemporaryFolder()
        let path: String
        private let stop: Int32
        private let thread: Posix.Thread
        private(set) var facts: [String] = []

        private final class Result: @unchecked Sendable {
            var facts: [String] = []
        }
        private let result: Result

        init() throws {
            let path = folder.path + "/socket"
            let stop = eventfd(0, Int32(EFD_CLOEXEC))
            let ready = eventfd(0, Int32(EFD_CLOEXEC))
            let result = Result()
            thread = try Posix.Thread(name: "speaker", stackBytes: 1 << 20) {
                do {
                    let loop = try EventLoop()
                    let desk = Desk.playing(loop: loop)
                    let server = try ConsoleServer(path: path, host: desk.host, loop: loop)
                    try loop.add(stop, .readable) { _ in loop.stop() }
                    _ = ns_eventfd_signal(ready)
                    try loop.run()
                    server.close()
                    loop.remove(stop)
                    result.facts = desk.differences
                } catch {
                    Issue.record("\(error)")
                    _ = ns_eventfd_signal(ready)
                }
            }
            _ = ns_eventfd_clear(ready)
            close(ready)
            self.path = path
            self.stop = stop
            self.result = result
        }

        /// Stops the server and gives what is other than at the start.
        func end() -> [String] {
            _ = ns_eventfd_signal(stop)
            thread.join()
            close(stop)
            return result.facts
        }
    }

    /// Runs the client on piped input; gives its output and exit code.
    private func run(_ path: String, _ input: String) throws -> (output: String, code: Int32) {
        let folder = TemporaryFolder()
        let inputPath = folder.path + "/input"
        let outputPath = folder.path + "/output"
        try Data(input.utf8).write(to: URL(fileURLWithPath: inputPath))
        let code: Int32
        do {
            let input = try FileDescriptor.open(inputPath, O_RDONLY)
            let output = try FileDescriptor.open(outputPath, O_WRONLY | O_CREAT)
            code = ConsoleClient.run(socketPath: path, input: input.number, output: output.number)
        }
        return (try String(contentsOfFile: outputPath, encoding: .utf8), code)
    }

    @Test func pipedCommandsAreAnswered() throws {
        let beside = try Beside()
        #expect(try run(beside.path, "ping\ngetvol\n") == ("OK\nvolume: 50\nOK\n", 0))
        #expect(try run(beside.path, "getvol") == ("volume: 50\nOK\n", 0))
        #expect(try run(beside.path, "") == ("", 0))
        #expect(try run(beside.path, "next\nclose\nprevious\n") == ("OK\n", 0))
        #expect(beside.end() == ["playing 1 at 0"])
    }

    @Test func aRefusalShowsInTheExitCode() throws {
        let beside = try Beside()
        let (output, code) = try run(beside.path, "play 9\nping\n")
        #expect(output.hasPrefix("ACK [2@0] {play} ") && output.hasSuffix("\nOK\n"))
        #expect(code == 1)
        _ = beside.end()
    }

    @Test func muchInputAndOutputFlowAtOnce() throws {
        let beside = try Beside()
        let (output, code) = try run(beside.path, String(repeating: "status\n", count: 20_000) + "getvol\n")
        #expect(code == 0)
        #expect(output.hasSuffix("\nOK\nvolume: 50\nOK\n"))
        #expect(output.utf8.count { $0 == 0x0A } == 20_000 * 22 + 2)
        _ = beside.end()
    }

    @Test func withoutASpeakerThereIsAMessage() throws {
        let folder = TemporaryFolder()
        #expect(try run(folder.path + "/nothing", "ping\n") == ("", 1))
        // A socket left by a speaker that was killed.
        do { _ = try UnixSocket.listen(folder.path + "/stale") }
        #expect(try run(folder.path + "/stale", "ping\n") == ("", 1))
    }

    /// A client at a terminal, and the person at it.
    private final class Typist {
        let loop: EventLoop
        let person: Peer
        let slave: Int32
        private let before: termios
        private let client: Posix.Thread
        private final class Ending: @unchecked Sendable { var code: Int32 = -1 }
        private let ending = Ending()

        init(_ path: String) throws {
            loop = try EventLoop()
            var name = ""
            let master = try openPseudoterminal(&name)
            let slave = ns_open(name, O_RDWR | O_NOCTTY, 0)
            self.slave = slave
            var settings = termios()
            #expect(tcgetattr(slave, &settings) == 0)
            before = settings
            person = try Peer(descriptor: master, isSocket: false, loop)
            let ending = ending
            client = try Posix.Thread(name: "client", stackBytes: 1 << 20) {
                ending.code = ConsoleClient.run(socketPath: path, greeting: "hello", input: slave, output: slave)
            }
            let person = person
            #expect(try loop.run { person.text == "hello\r\nnightstand> " })
            #expect(!isAsBefore)
        }

        deinit { close(slave) }

        func type(_ keys: String, until end: String = "\r\nnightstand> ") throws -> String {
            let person = person
            person.forget()
            person.send(keys)
            #expect(try loop.run { person.text.hasSuffix(end) }, "\(person.text.debugDescription)")
            return String(decoding: person.received.dropLast(end.utf8.count), as: UTF8.self)
        }

        /// The client's exit code; the terminal is as it was.
        func end() -> Int32 {
            client.join()
            #expect(isAsBefore)
            return ending.code
        }

        private var isAsBefore: Bool {
            var now = termios()
            return tcgetattr(slave, &now) == 0 && now.c_lflag == before.c_lflag && now.c_iflag == before.c_iflag
                && now.c_oflag == before.c_oflag
        }
    }

    @Test func atATerminalThereIsAPrompt() throws {
        let beside = try Beside()
        let typist = try Typist(beside.path)
        #expect(try typist.type("getvol\n") == "getvol\r\nvolume: 50\r\nOK")
        #expect(try typist.type("play 9\n").hasPrefix("play 9\r\nACK [2@0] {play} "))
        #expect(try typist.type("\n") == "")
        typist.person.send("quit\n")
        #expect(typist.end() == 0)
        _ = beside.end()
    }

    @Test func linesAreEditedAtATerminal() throws {
        let beside = try Beside()
        let typist = try Typist(beside.path)
        #expect(try typist.type("ng\u{1B}[D\u{1B}[Di\u{1B}[Hp\u{5}\r").hasSuffix("\r\nOK"))
        #expect(try typist.type("next\u{3}", until: "^C\r\nnightstand> ") == "next")
        #expect(try typist.type("setv\t12\r") == "setvol 12\r\nOK")
        // The line before the last, and the last again.
        #expect(try typist.type("\u{1B}[A\u{1B}[A\r").hasSuffix("ping\r\nOK"))
        #expect(try typist.type("\u{1B}[A\u{1B}[A\u{1B}[B\u{1B}[A\u{7F}3\r").hasSuffix("3\r\nOK"))
        #expect(
            try typist.type("sayp\u{1B}[D\t", until: "\r\nnightstand> sayp\u{8}") == "sayp\u{8}\r\nsay sayplay")
        #expect(try typist.type("\u{15}prev\t\r").hasSuffix("previous \r\nOK"))
        typist.person.send("\u{4}")
        #expect(typist.end() == 0)
        #expect(beside.end() == ["playing 0 at 0", "volume 13"])
    }

    @Test func theTerminalIsGivenBackWhenTheSpeakerEnds() throws {
        let beside = try Beside()
        let typist = try Typist(beside.path)
        typist.person.send("half")
        _ = beside.end()
        #expect(typist.end() == 1)
    }

    @Test func aProgramAsksAndWaits() throws {
        let beside = try Beside()
        let speaker = try SpeakerConnection(socketPath: beside.path)
        #expect(try speaker.ask("getvol").lines == "volume: 50\n")
        #expect(speaker.process == Int(getpid()))
        try speaker.wait(milliseconds: 20)
        do {
            try speaker.ask("play 9")
            Issue.record("it was to be refused")
        } catch {
            guard case .refused(code: 2, let message) = error else { throw error }
            #expect(!message.isEmpty)
        }
        #expect(try speaker.ask("ping").fields.isEmpty)
        _ = beside.end()
        do {
            try speaker.ask("ping")
            Issue.record("it is gone")
        } catch {
            guard case .lost(let message) = error else { throw error }
            #expect(message.contains("has ended"))
        }
        #expect(throws: SpeakerConnection.Failure.self) { try SpeakerConnection(socketPath: "/nowhere") }
    }
}
