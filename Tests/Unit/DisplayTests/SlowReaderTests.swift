// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Model
import Posix
import Testing

@testable import Display

/// A pipe of which a test decides when it is read.
private final class Pipe {
    private var ends: [Int32] = [-1, -1]
    var output: Int32 { ends[1] }

    init() {
        // As the program does.
        signal(SIGPIPE, ns_ignore_signal())
        #expect(pipe(&ends) == 0)
        _ = ns_set_nonblocking(ends[0])
    }

    deinit {
        closeReading()
        close(ends[1])
    }

    func closeReading() {
        if ends[0] >= 0 { close(ends[0]) }
        ends[0] = -1
    }

    /// All that is in it.
    func read() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = CPosix.read(ends[0], &buffer, buffer.count)
            if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}

/// A reader of the display may be slow, or stand still: nothing waits for it.
@Suite(.timeLimit(.minutes(1))) struct SlowReaderTests {
    private func line(_ number: Int) -> SpeakerStatus {
        SpeakerStatus(
            title: "T", state: .playing,
            segment: .init(
                text: "line \(number) " + String(repeating: "x", count: 200), startMilliseconds: number,
                endMilliseconds: number + 1))
    }

    @Test func linesThatNobodyReadsAreCounted() {
        let pipe = Pipe()
        let log = LineLog(descriptor: pipe.output)
        var now = MonotonicTime.milliseconds(0)
        for number in 0..<3000 {
            log.show(line(number), at: now)
            now = now.adding(milliseconds: 1)
        }
        #expect(!log.isClosed)
        let next = log.nextChange
        #expect(next.map { $0 > now } == true)
        var text = ""
        for _ in 0..<10 {
            text += pipe.read()
            log.show(line(2999), at: now)
        }
        #expect(log.nextChange == nil)
        let lines = text.split(separator: "\n")
        #expect(lines.last?.hasSuffix("lines left out, since nobody read them)") == true)
        let omitted = lines.last.flatMap { Int($0.dropFirst().prefix { $0.isNumber }) } ?? 0
        // Each line is whole, and none is missing without being counted.
        #expect(lines.count - 2 + omitted == 3000)
        #expect(
            lines.dropFirst().dropLast().enumerated().allSatisfy { $1.contains("line \($0) x") && $1.hasSuffix("x") })
        pipe.closeReading()
        log.show(line(1), at: now)
        log.show(line(2), at: now)
    }

    @Test func theNewestPictureIsDrawnOnceTheTerminalTakesIt() {
        let pipe = Pipe()
        let lcd = TerminalLCD(
            descriptor: pipe.output, columns: 16, rows: 2, rom: .a00, help: ["q quit"], colours: LCDColours.none)
        let display = CharacterDisplay(columns: 16, rows: 2, rom: .a00, surface: lcd)
        let terminal = TerminalSimulator()
        lcd.redraw()
        var now = MonotonicTime.milliseconds(0)
        for number in 0..<2000 {
            display.show(
                SpeakerStatus(
                    title: "Title \(number)", state: .paused,
                    segment: .init(text: "text \(number)", startMilliseconds: 0, endMilliseconds: 9)), at: now)
            if number % 50 == 0 { lcd.log("message \(number)") }
            now = now.adding(milliseconds: 10)
        }
        let last = SpeakerStatus(
            title: "Title 1999", state: .paused,
            segment: .init(text: "text 1999", startMilliseconds: 0, endMilliseconds: 9))
        for _ in 0..<10 {
            terminal.write(pipe.read())
            now = now.adding(milliseconds: 6000)
            display.show(last, at: now)
        }
        terminal.write(pipe.read())
        let rows = terminal.lines(1..<12)
        #expect(rows[1].contains("Title 1999"), "\(rows)")
        #expect(rows[2].contains("text 1999"), "\(rows)")
        #expect(rows.contains { $0.contains("message 1950") }, "\(rows)")
        #expect(terminal.mistakes == [])
    }
}

private typealias LCDColours = TerminalLCD.Colours

@Suite struct WrappingTests {
    @Test func rowsAreOfWholeWords() {
        #expect(wrapped("", columns: 10, rows: 3) == [])
        #expect(wrapped("one two three", columns: 10, rows: 3) == ["one two", "three"])
        #expect(wrapped("one two three", columns: 7, rows: 3) == ["one two", "three"])
        #expect(wrapped("one two three four", columns: 7, rows: 2) == ["one two", "three …"])
        #expect(wrapped("one two three four", columns: 13, rows: 1) == ["one two …"])
        #expect(wrapped("one abcdefghijkl two", columns: 8, rows: 5) == ["one", "abcdefgh", "ijkl two"])
        #expect(wrapped("abcdefghijklmnopqrstuvwxyz", columns: 8, rows: 2) == ["abcdefgh", "ijklmn …"])
        #expect(wrapped("a b", columns: 20, rows: 0) == [])
    }
}
