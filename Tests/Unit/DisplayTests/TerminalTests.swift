// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Model
import Posix
import TestSupport
import Testing

@testable import Display

// The C library hides these from programs that ask for POSIX only, as Swift's own modules do.
@_silgen_name("posix_openpt") private func openMaster(_ flags: Int32) -> Int32
@_silgen_name("grantpt") private func grantpt(_ master: Int32) -> Int32
@_silgen_name("unlockpt") private func unlockpt(_ master: Int32) -> Int32
@_silgen_name("ptsname") private func ptsname(_ master: Int32) -> UnsafePointer<CChar>?

/// As much of a terminal as we ask of one: places, colours, clearing, the alternate screen, the cursor.
final class TerminalSimulator {
    private(set) var rows: [[Unicode.Scalar]]
    private(set) var isAlternate = false
    private(set) var cursorIsHidden = false
    private(set) var hasColours = false
    private(set) var charactersDrawn = 0
    private(set) var row = 0
    private(set) var mistakes: [String] = []
    private var column = 0

    init(columns: Int = 100, rows: Int = 30) {
        self.rows = [[Unicode.Scalar]](repeating: [Unicode.Scalar](repeating: " ", count: columns), count: rows)
    }

    func lines(_ range: Range<Int>) -> [String] {
        rows[range].map { row in
            var text = String.UnicodeScalarView()
            text.append(contentsOf: row)
            return String(text).replacing(/\s+$/, with: "")
        }
    }

    func write(_ text: String) {
        var scalars = text.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            if scalar != "\u{1B}" {
                if scalar.value < 0x20 { mistakes.append("control \(scalar.value)") }
                if row < rows.count, column < rows[row].count { rows[row][column] = scalar }
                column += 1
                charactersDrawn += 1
                continue
            }
            guard scalars.popFirst() == "[" else {
                mistakes.append("unknown escape")
                continue
            }
            var parameters = String.UnicodeScalarView()
            var final: Unicode.Scalar = " "
            while let next = scalars.popFirst() {
                if (0x40...0x7E).contains(next.value) {
                    final = next
                    break
                }
                parameters.append(next)
            }
            let numbers = String(parameters).split(separator: ";").map { Int($0) ?? 0 }
            switch (String(parameters), final) {
            case (_, "H"):
                row = numbers[0] - 1
                column = numbers[1] - 1
            case ("2", "J"):
                for i in rows.indices { for j in rows[i].indices { rows[i][j] = " " } }
            case ("2", "K"):
                for j in rows[row].indices { rows[row][j] = " " }
            case (_, "m"): if numbers.contains(where: { $0 >= 2 }) { hasColours = true }
            case ("?1049", "h"): isAlternate = true
            case ("?1049", "l"): isAlternate = false
            case ("?25", "l"): cursorIsHidden = true
            case ("?25", "h"): cursorIsHidden = false
            default: mistakes.append("unknown sequence \(String(parameters))\(final)")
            }
        }
    }
}

/// A file that can be read while it is written.
private final class Paper {
    private let path = NSTemporaryDirectory() + "nightstand-paper-" + UUID().uuidString
    let descriptor: Int32
    private var done = 0

    init() { descriptor = ns_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Returns the bytes written since the last call.
    func read() -> String {
        let bytes = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
        defer { done = bytes.count }
        return String(decoding: bytes[done...], as: UTF8.self)
    }
}

@Suite struct TerminalGlass {
    @Test func aNeatBoxWithKeysAndMessages() {
        let paper = Paper()
        let lcd = TerminalLCD(
            descriptor: paper.descriptor, columns: 16, rows: 2, rom: .a00, help: ["space play/pause   q quit"],
            colours: .many)
        let display = CharacterDisplay(columns: 16, rows: 2, rom: .a00, surface: lcd)
        let terminal = TerminalSimulator()
        lcd.redraw()
        let showing = SpeakerStatus(
            title: "Alice", state: .playing, durationMilliseconds: 60_000, isFavourite: true,
            segment: .init(text: "“Oh dear! ä~”", startMilliseconds: 0, endMilliseconds: 1000))
        display.show(showing, at: .milliseconds(0))
        lcd.log("no sound card:\n playing \u{1B}[31m silently")
        terminal.write(paper.read())
        #expect(
            terminal.lines(1..<9) == [
                "  ╭──────────────────╮",
                "  │ ▶ Alice        ♥ │",
                "  │ \"Oh dear! ä-\"    │",
                "  ╰──────────────────╯",
                "",
                "  space play/pause   q quit",
                "",
                "  no sound card: playing [31m silently",
            ])
        #expect(terminal.isAlternate && terminal.cursorIsHidden && terminal.hasColours)
        #expect(terminal.row > 6)
        #expect(terminal.mistakes == [])

        // Only what changes is drawn.
        let before = terminal.charactersDrawn
        var paused = showing
        paused.state = .paused
        display.show(paused, at: .milliseconds(10))
        terminal.write(paper.read())
        #expect(terminal.charactersDrawn - before == 1)
        #expect(terminal.lines(2..<3) == ["  │ ⏸ Alice        ♥ │"])

        for i in 1...5 { lcd.log("message \(i)") }
        terminal.write(paper.read())
        #expect(terminal.lines(7..<11) == ["", "  message 3", "  message 4", "  message 5"])
        // The window was resized: all of it comes again.
        let fresh = TerminalSimulator()
        lcd.redraw()
        fresh.write(paper.read())
        #expect(fresh.lines(0..<30) == terminal.lines(0..<30))
    }

    @Test func withoutColoursOnRequest() {
        let paper = Paper()
        let lcd = TerminalLCD(
            descriptor: paper.descriptor, columns: 20, rows: 4, rom: .a02, help: ["q quit"],
            colours: TerminalLCD.Colours.none)
        let display = CharacterDisplay(columns: 20, rows: 4, rom: .a02, surface: lcd)
        lcd.redraw()
        display.show(SpeakerStatus(title: "Жук", durationMilliseconds: 100_000), at: .milliseconds(0))
        let terminal = TerminalSimulator()
        terminal.write(paper.read())
        #expect(!terminal.hasColours)
        #expect(
            terminal.lines(2..<6) == [
                "  │ █ ЖУK                │", "  │                      │", "  │                      │",
                "  │ 0:00           -1:40 │",
            ])
    }

    @Test(arguments: 0..<20) func showsTheSameAsARealOne(seed: Int) {
        var dice = SeededGenerator(seed: UInt64(seed))
        let columns = dice.roll(8...40)
        let rows = dice.roll(1...4)
        let rom: CharacterROM = dice.pick([.a00, .a02])
        let paper = Paper()
        let lcd = TerminalLCD(
            descriptor: paper.descriptor, columns: columns, rows: rows, rom: rom, help: [], colours: .basic)
        let display = CharacterDisplay(columns: columns, rows: rows, rom: rom, surface: lcd)
        let terminal = TerminalSimulator()
        lcd.redraw()
        var now = MonotonicTime.milliseconds(1)
        for _ in 0..<100 {
            let showing = SpeakerStatus(
                title: dice.text(words: 0...5), state: dice.pick([.playing, .paused]),
                positionMilliseconds: dice.roll(0...900_000), durationMilliseconds: 900_000,
                isFavourite: dice.once(in: 2),
                segment: .init(text: dice.text(words: 0...15), startMilliseconds: 0, endMilliseconds: 900_000))
            display.show(showing, at: now)
            terminal.write(paper.read())
            let expected = picture(display.intendedCells(at: now), columns: columns, rom: rom)
            for row in 0..<rows {
                var drawn = String.UnicodeScalarView()
                drawn.append(contentsOf: terminal.rows[2 + row][4..<4 + columns])
                #expect(String(drawn) == expected[row])
            }
            now = now.adding(milliseconds: dice.roll(1...2000))
        }
        #expect(terminal.mistakes == [])
    }

    @Test func aClosedTerminalIsAFailureNotATrap() {
        let lcd = TerminalLCD(descriptor: -1, columns: 16, rows: 2, rom: .a00, help: [])
        lcd.redraw()
        lcd.log("x")
        #expect(!lcd.prepare(columns: 16, rows: 2))
        #expect(lcd.draw([CellRun(row: 0, column: 0, codes: [0x41])]) == nil)
        let paper = Paper()
        let other = TerminalLCD(descriptor: paper.descriptor, columns: 16, rows: 2, rom: .a00, help: [])
        #expect(!other.prepare(columns: 20, rows: 4))
    }

    /// One test, since a process has one terminal to borrow.
    @Test func theTerminalIsGivenBackAsItWas() throws {
        let master = openMaster(O_RDWR | O_NOCTTY)
        try #require(master >= 0)
        defer { close(master) }
        #expect(grantpt(master) == 0 && unlockpt(master) == 0)
        let slave = ns_open(ptsname(master).map { String(cString: $0) } ?? "", O_RDWR | O_NOCTTY, 0)
        try #require(slave >= 0)
        defer { close(slave) }
        let paper = Paper()
        let terminal = TerminalSimulator()

        func settings() -> termios {
            var settings = termios()
            tcgetattr(slave, &settings)
            return settings
        }
        let before = settings()
        let lcd = TerminalLCD(descriptor: paper.descriptor, columns: 16, rows: 2, rom: .a00, help: [])
        for _ in 0..<2 {
            lcd.enter(input: slave)
            let raw = settings()
            #expect(raw.c_lflag & tcflag_t(ICANON | ECHO) == 0)
            #expect(raw.c_lflag & tcflag_t(ISIG) != 0)
            #expect(raw.c_iflag & tcflag_t(IXON) == 0)
            terminal.write(paper.read())
            #expect(terminal.isAlternate && terminal.cursorIsHidden)
            TerminalMode.leave()
            lcd.leave()
            terminal.write(paper.read())
            #expect(!terminal.isAlternate && !terminal.cursorIsHidden)
            let after = settings()
            #expect(after.c_lflag == before.c_lflag && after.c_iflag == before.c_iflag)
            #expect(after.c_oflag == before.c_oflag && after.c_cflag == before.c_cflag)
        }
        #expect(!TerminalMode.canDraw(on: paper.descriptor))
    }
}

@Suite struct Keyboard {
    private func keys(_ text: String) -> [TerminalKeyboard.Key] {
        var keyboard = TerminalKeyboard()
        return keyboard.keys(in: text.utf8)
    }

    private func character(_ text: Unicode.Scalar) -> TerminalKeyboard.Key { .character(UInt8(ascii: text)) }

    @Test func keysOfEveryTerminal() {
        #expect(keys(" fnp+-=q") == [.space] + "fnp+-=q".unicodeScalars.map(character))
        #expect(keys("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D") == [.up, .down, .right, .left])
        #expect(keys("\u{1B}OC\u{1B}OD") == [.right, .left])
        #expect(keys("\u{1B}[1;5C\u{1B}[1;2D\u{1B}O5C") == [.right, .left, .right])
        #expect(keys("\r\n\u{3}\u{4}") == [.enter, .enter, .interrupt, .endOfInput])
        // Home, delete, F5, Linux console's F1, paste brackets: no keys of ours.
        #expect(keys("\u{1B}[H\u{1B}[3~\u{1B}[15~\u{1B}[[A\u{1B}[200~q\u{1B}[201~") == [character("q")])
        #expect(keys("\u{1B}q") == [character("q")])
        #expect(keys("\u{1B}\u{1B}[C") == [.right])
        #expect(keys("é中🙂f\u{0}\u{7F}") == [character("f")])
    }

    @Test func portionsMakeNoDifferenceAndRubbishNoHarm() {
        for seed in 0..<300 {
            var dice = SeededGenerator(seed: UInt64(seed))
            let pieces: [[UInt8]] = [
                Array("\u{1B}[C".utf8), Array("\u{1B}OD".utf8), Array("\u{1B}[1;5C".utf8), Array("é".utf8), [0x1B],
                [0x20],
                Array("f".utf8), [UInt8(dice.roll(0...255))], [UInt8(dice.roll(0...255))],
            ]
            let bytes = (0..<dice.roll(0...60)).flatMap { _ in dice.pick(pieces) }
            var whole = TerminalKeyboard()
            let expected = whole.keys(in: bytes)
            var parted = TerminalKeyboard()
            var got: [TerminalKeyboard.Key] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = dice.roll(1...4)
                got += parted.keys(in: rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(got == expected)
            #expect(got.count <= bytes.count)
            for case .character(let byte) in got { #expect((0x21...0x7E).contains(byte)) }
            // After any bytes, the next sequence is understood, and at most one key is lost.
            _ = parted.keys(in: [0x20, 0x20])
            #expect(parted.keys(in: Array("\u{1B}[C ".utf8)) == [.right, .space])
        }
    }
}

@Suite struct LineByLine {
    @Test func whatPlaysIsPrintedOnce() {
        let paper = Paper()
        let log = LineLog(descriptor: paper.descriptor)
        let now = MonotonicTime.milliseconds(0)
        var showing = SpeakerStatus(
            title: "The Lamp", artist: "A. Writer", state: .playing, durationMilliseconds: 61_000, volumePercent: 50)
        log.show(showing, at: now)
        showing.segment = .init(text: "It was\ndark.", startMilliseconds: 1500, endMilliseconds: 3000)
        log.show(showing, at: now)
        log.show(showing, at: now)
        showing.segment = nil
        log.show(showing, at: now)
        showing.segment = .init(text: "“Ж”\u{1B}[2J", startMilliseconds: 61_500, endMilliseconds: 63_000)
        showing.positionMilliseconds = 61_500
        log.show(showing, at: now)
        showing.state = .paused
        log.show(showing, at: now)
        log.announce(.addedToFavourites, at: now)
        showing.volumePercent = 60
        showing.state = .playing
        log.show(showing, at: now)
        showing.trouble = .noAudioFound
        log.show(showing, at: now)
        log.show(showing, at: now)
        log.show(SpeakerStatus(title: "Next", state: .playing), at: now)
        log.show(SpeakerStatus(state: .stopped), at: now)
        log.show(SpeakerStatus(state: .playing, wait: .device), at: now)
        #expect(
            paper.read() == """
                The Lamp - A. Writer (1:01)
                [0:01] It was dark.
                [1:01] “Ж” [2J
                paused at 1:01
                Added to Favorites
                playing from 1:01
                volume 60%
                No audio found
                Next
                stopped
                waiting for the sound device

                """)
        #expect(log.nextChange == nil)
        #expect(!log.isClosed)
    }

    @Test func aReaderThatIsGoneIsNoticed() {
        let log = LineLog(descriptor: -1)
        log.announce(.lastItem, at: .milliseconds(0))
        #expect(log.isClosed)
    }

    @Test func foreignTextStaysOnItsLine() {
        #expect(printable("  a\t\n b\u{85}\u{2028}c \u{1B}", columns: 100) == "a b c")
        #expect(printable("abcdef", columns: 3) == "abc")
        #expect(printable("", columns: 3) == "")
    }
}
