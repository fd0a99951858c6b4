import CPosix
import Foundation
import Posix
import Testing

@testable import Console

/// The client program against a server that runs on a thread of its own.
@Suite struct ConsoleClientTests {
    /// Runs a server beside the test until it is told to stop.
    private final class Beside: @unchecked Sendable {
        let folder = TemporaryFolder()
        let path: String
        private let stop: Int32
        private let thread: Posix.Thread
        private(set) var actions: [String] = []

        private final class Result: @unchecked Sendable {
            var actions: [String] = []
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
                    let speaker = FakeSpeaker.playing()
                    let server = try ConsoleServer(path: path, speaker: speaker, loop: loop)
                    try loop.add(stop, .readable) { _ in loop.stop() }
                    _ = ns_eventfd_signal(ready)
                    try loop.run()
                    server.close()
                    loop.remove(stop)
                    result.actions = speaker.actions
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

        /// Stops the server and gives what the speaker was asked.
        func end() -> [String] {
            _ = ns_eventfd_signal(stop)
            thread.join()
            close(stop)
            return result.actions
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
        #expect(beside.end() == ["next"])
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
        #expect(output.utf8.count { $0 == 0x0A } == 20_000 * 21 + 2)
        _ = beside.end()
    }

    @Test func withoutASpeakerThereIsAMessage() throws {
        let folder = TemporaryFolder()
        #expect(try run(folder.path + "/nothing", "ping\n") == ("", 1))
        // A socket left by a speaker that was killed.
        do { _ = try UnixSocket.listen(folder.path + "/stale") }
        #expect(try run(folder.path + "/stale", "ping\n") == ("", 1))
    }

    @Test func atATerminalThereIsAPrompt() throws {
        let beside = try Beside()
        let loop = try EventLoop()
        var name = ""
        let master = try openPseudoterminal(&name)
        let slave = ns_open(name, O_RDWR | O_NOCTTY, 0)
        let person = try Peer(descriptor: master, isSocket: false, loop)
        let path = beside.path
        nonisolated(unsafe) var code: Int32 = -1
        let client = try Posix.Thread(name: "client", stackBytes: 1 << 20) {
            code = ConsoleClient.run(socketPath: path, input: slave, output: slave)
        }
        func type(_ keys: String) throws -> String {
            person.forget()
            person.send(keys)
            #expect(try loop.run { person.text.hasSuffix("nightstand> ") }, "\(person.text)")
            return person.text
        }
        #expect(try loop.run { person.text == "nightstand> " })
        #expect(try type("getvol\n") == "getvol\r\nvolume: 50\r\nOK\r\nnightstand> ")
        #expect(try type("play 9\n").hasPrefix("play 9\r\nACK [2@0] {play} "))
        #expect(try type("\n") == "\r\nnightstand> ")
        person.send("quit\n")
        client.join()
        #expect(code == 0)
        close(slave)
        _ = beside.end()
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
