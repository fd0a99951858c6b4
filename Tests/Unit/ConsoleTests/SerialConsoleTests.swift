// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Posix
import TestSupport
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

@Suite struct SerialConsoleTests {
    /// A pseudo-terminal: the console has the slave, the test sits at the master as the person does.
    private final class Bench {
        let folder = TemporaryFolder()
        let loop: EventLoop
        let desk: Desk
        let path: String
        private(set) var person: Peer!
        private(set) var console: SerialConsole!
        /// Keeps the slave's settings readable.
        private(set) var slave: Int32 = -1

        /// - Parameter isThere: true if the line is there from the start.
        init(_ desk: Desk = .playing(), isThere: Bool = true) throws {
            self.desk = desk
            loop = try EventLoop()
            path = folder.path + "/ttyAMA0"
            if isThere { try plugIn() }
            console = SerialConsole(path: path, baud: 115_200, host: desk.host, loop: loop)
            desk.turn()
            desk.host.changes.tell = { [unowned self] in console.notify($0) }
        }

        deinit {
            console.close()
            if slave >= 0 { close(slave) }
        }

        /// A fresh line appears at the path, as when an adapter is plugged in.
        func plugIn() throws {
            var name = ""
            let master = try openPseudoterminal(&name)
            slave = ns_open(name, O_RDWR | O_NOCTTY, 0)
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: name)
            person = try Peer(descriptor: master, isSocket: false, loop)
        }

        func unplug() {
            try? FileManager.default.removeItem(atPath: path)
            close(slave)
            slave = -1
            person = nil
        }

        /// Types keys; gives what the screen shows from then up to and with the next prompt.
        func type(_ keys: String, until end: String = "\r\nnightstand> ") throws -> String {
            person.forget()
            person.send(keys)
            let isThere = try loop.run {
                desk.turn()
                return person.text.hasSuffix(end)
            }
            #expect(isThere, "\(person.text.debugDescription)")
            return String(decoding: person.received.dropLast(end.utf8.count), as: UTF8.self)
        }

        func start() throws {
            #expect(try loop.run { person.text.hasSuffix("nightstand> ") })
        }
    }

    @Test func aPersonsSession() throws {
        let bench = try Bench()
        try bench.start()
        #expect(bench.person.text == "\r\nNightstand. Type help and press Enter.\r\nnightstand> ")
        #expect(try bench.type("pause\r") == "pause\r\nOK")
        #expect(bench.desk.host.status.state == .paused)
        #expect(try bench.type("setvol 30\r") == "setvol 30\r\nOK")
        #expect(try bench.type("getvol\r") == "getvol\r\nvolume: 30\r\nOK")
        #expect(try bench.type("stutus\r") == "stutus\r\nerror: unknown command \"stutus\"")
        #expect(try bench.type("play 9\r") == "play 9\r\nerror: play: Bad song index: 9 (the queue holds 3, from 0)")
        #expect(try bench.type("stx\u{7F}op\r") == "stx\u{8} \u{8}op\r\nOK")
        #expect(try bench.type("rubbish\u{3}", until: "^C\r\nnightstand> ") == "rubbish")
        #expect(try bench.type("\r") == "")
        let help = try bench.type("help\r")
        #expect(help.contains("\r\nFavourites  favourite bookmark "))
        for line in help.components(separatedBy: "\r\n") { #expect(line.count < 80 && !line.contains("\n")) }
        #expect(try bench.type("close\r") == "close\r\nGoodbye.")
        #expect(try bench.type("ping\r") == "ping\r\nOK")
        #expect(bench.desk.host.status.state == .stopped && bench.desk.host.status.volumePercent == 30)
    }

    @Test func theLineIsSetUpAndGivenBack() throws {
        let bench = try Bench()
        try bench.start()
        var settings = termios()
        #expect(tcgetattr(bench.slave, &settings) == 0)
        #expect(cfgetospeed(&settings) == speed_t(B115200) && cfgetispeed(&settings) == speed_t(B115200))
        #expect(settings.c_lflag & tcflag_t(ECHO | ICANON | ISIG) == 0)
        #expect(settings.c_cflag & tcflag_t(CLOCAL | CREAD) == tcflag_t(CLOCAL | CREAD))
        bench.console.close()
        #expect(!bench.console.isOpen)
        #expect(tcgetattr(bench.slave, &settings) == 0)
        #expect(settings.c_lflag & tcflag_t(ECHO | ICANON | ISIG) == tcflag_t(ECHO | ICANON | ISIG))
    }

    @Test func idleEndsWithAChangeOrAKey() throws {
        let bench = try Bench()
        try bench.start()
        bench.person.forget()
        bench.person.send("idle\r")
        #expect(try bench.loop.run { bench.person.text == "idle\r\n" })
        try bench.loop.runWhatIsReady()
        #expect(bench.person.text == "idle\r\n")
        bench.console.notify(.player)
        #expect(try bench.loop.run { bench.person.text == "idle\r\nchanged: player\r\nOK\r\nnightstand> " })
        #expect(try bench.type("idle\r\r") == "idle\r\n\r\nOK")
        #expect(try bench.type("idle\r\u{3}", until: "^C\r\nnightstand> ") == "idle\r\n")
        #expect(try bench.type("ping\r") == "ping\r\nOK")
        // One's own command's change is told at the next idle.
        #expect(try bench.type("setvol 1\r") == "setvol 1\r\nOK")
        #expect(try bench.type("idle\r") == "idle\r\nchanged: mixer\r\nOK")
    }

    @Test func commandListsShowThatTheyAreOpen() throws {
        let bench = try Bench()
        try bench.start()
        #expect(try bench.type("command_list_begin\r", until: "\r\n> ") == "command_list_begin")
        #expect(try bench.type("ping\r", until: "\r\n> ") == "ping")
        #expect(try bench.type("command_list_end\r") == "command_list_end\r\nOK")
        _ = try bench.type("command_list_begin\r", until: "\r\n> ")
        #expect(try bench.type("\u{3}", until: "^C\r\nnightstand> ") == "")
    }

    @Test func aLongAnswerCanBeStopped() throws {
        let bench = try Bench(.playing(of: 2000))
        try bench.start()
        bench.person.forget()
        bench.person.setReading(false)
        bench.person.send("playlistinfo\r")
        // The line is full; input does not wait now.
        #expect(try bench.loop.run { bench.console.heldBytes >= SerialConsole.heldBackBytes })
        bench.person.send("stop\r\u{3}")
        #expect(try bench.loop.run { !bench.console.isAnswering })
        bench.person.setReading(true)
        #expect(try bench.loop.run { bench.person.text.hasSuffix("^C\r\nnightstand> ") })
        #expect(bench.person.received.count < 100_000)
        #expect(bench.desk.host.status.state == .playing)
        #expect(try bench.type("ping\r") == "ping\r\nOK")
    }

    /// Input may arrive late and all at once: Ctrl-C still stops the commands typed before it.
    @Test func anAnswerIsStoppedBeforeItHasBegun() throws {
        let bench = try Bench(.playing(of: 2000))
        try bench.start()
        bench.person.forget()
        bench.person.send("playlistinfo\rstop\r\u{3}")
        #expect(try bench.loop.run { bench.person.text.hasSuffix("^C\r\nnightstand> ") })
        #expect(bench.person.received.count < 100_000)
        #expect(bench.desk.host.status.state == .playing)
        #expect(try bench.type("ping\r") == "ping\r\nOK")
    }

    /// At the speed of the line: little is made before it is read, and the prompt stands behind all of it.
    @Test func aLongAnswerIsMadeAsTheLineTakesIt() throws {
        let bench = try Bench(.playing(of: 5000))
        try bench.start()
        bench.person.setReading(false)
        bench.person.forget()
        bench.person.send("listall\rgetvol\r")
        #expect(try bench.loop.run { bench.console.heldBytes >= SerialConsole.heldBackBytes })
        for _ in 0..<100 { try bench.loop.runWhatIsReady() }
        // All that was made, but for the 4 KB that the kernel keeps, of more than 100 KB.
        #expect(bench.console.heldBytes < SerialConsole.heldBackBytes + WorkBudget.turn * 32)
        bench.person.setReading(true)
        #expect(
            try bench.loop.run {
                bench.person.text.hasSuffix(
                    "file: shelf/4999.mp3\r\nOK\r\nnightstand> getvol\r\nvolume: 100\r\nOK\r\nnightstand> ")
            })
    }

    @Test func noiseOnTheLine() throws {
        let bench = try Bench()
        try bench.start()
        var random = SeededGenerator(seed: 9)
        for _ in 0..<500 {
            bench.person.send((0..<40).map { _ in UInt8.random(in: 0...255, using: &random) })
            try bench.loop.runWhatIsReady()
        }
        // Ctrl-U and Ctrl-C bring back a clean prompt after any noise.
        bench.person.send("\u{15}x\u{3}")
        #expect(try bench.loop.run { bench.person.text.hasSuffix("x^C\r\nnightstand> ") })
        #expect(try bench.type("ping\r") == "ping\r\nOK")
        #expect(!bench.person.received.contains(0x1B))
    }

    @Test func aLineThatComesLaterIsFound() throws {
        let bench = try Bench(isThere: false)
        #expect(!bench.console.isOpen)
        try bench.plugIn()
        try bench.start()
        #expect(try bench.type("ping\r") == "ping\r\nOK")
    }

    @Test func aLineThatGoesAwayIsFoundAgain() throws {
        let bench = try Bench()
        try bench.start()
        bench.unplug()
        #expect(try bench.loop.run { !bench.console.isOpen })
        bench.console.notify(.player)
        try bench.plugIn()
        try bench.start()
        #expect(bench.console.isOpen)
        #expect(try bench.type("ping\r") == "ping\r\nOK")
    }

    @Test func whatIsNoTerminalIsNotTouched() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/file"
        try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
        let loop = try EventLoop()
        let console = SerialConsole(path: path, baud: 9600, host: Desk().host, loop: loop)
        #expect(!console.isOpen)
        console.close()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    }
}
