// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Model
import Posix
import TestSupport
import Testing

@testable import Display

/// A file in place of /dev/lcd. Its bytes go to a model of the kernel's driver.
private final class DeviceFile {
    let path = NSTemporaryDirectory() + "nightstand-lcd-" + UUID().uuidString
    let lcd: KernelLCD
    private var done = 0

    init(_ lcd: KernelLCD) {
        self.lcd = lcd
        _ = FileManager.default.createFile(atPath: path, contents: nil)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Lets the driver take what has been written since. Each opening writes from the file's start again.
    func deliver() {
        let bytes = [UInt8](FileManager.default.contents(atPath: path) ?? Data())
        lcd.write(bytes[min(done, bytes.count)...])
        done = bytes.count
    }
}

@Suite struct Charlcd {
    @Test(arguments: KernelLCD.Kernel.allCases, [(16, 2), (20, 4), (8, 1), (40, 2), (16, 4)])
    func theKernelsGlassShowsThePicture(kernel: KernelLCD.Kernel, size: (columns: Int, rows: Int)) {
        let lcd = KernelLCD(columns: size.columns, rows: size.rows, kernel: kernel)
        // The remains of another program: text, and half an escape sequence.
        lcd.write("left over text\n and more\u{1B}[Lx1".utf8)
        let file = DeviceFile(lcd)
        for rom in [CharacterROM.a00, .a02] {
            var dice = SeededGenerator(seed: UInt64(size.columns * size.rows))
            let device = CharlcdDevice(path: file.path)
            let display = CharacterDisplay(columns: size.columns, rows: size.rows, rom: rom, surface: device)
            var now = MonotonicTime.milliseconds(1)
            var showing = SpeakerStatus(state: .playing, durationMilliseconds: 10_000_000)
            for step in 0..<400 {
                if step % 20 == 0 { showing.title = dice.text(words: 0...5) }
                if dice.once(in: 4) { showing.state = dice.pick([.playing, .playing, .paused]) }
                if dice.once(in: 5) { showing.isFavourite.toggle() }
                if dice.once(in: 2) {
                    showing.positionMilliseconds = dice.roll(0...10_000_000)
                    showing.segment = .init(
                        text: dice.text(words: 0...20), startMilliseconds: showing.positionMilliseconds,
                        endMilliseconds: showing.positionMilliseconds + dice.roll(100...9000))
                }
                if dice.once(in: 20) { display.announce(dice.text(words: 1...4), at: now) }
                // As if it were a slow bus, sometimes: portions of a few cells.
                device.microsecondsPerOperation = dice.pick([0, 0, 1300, 5000])
                display.show(showing, at: now)
                var portions = 1
                while display.nextChange == now, portions < 1000 {
                    device.microsecondsPerOperation = 1300
                    display.refresh(at: now)
                    portions += 1
                }
                #expect(portions < size.columns * size.rows)
                file.deliver()
                #expect(lcd.cells == display.intendedCells(at: now))
                now = now.adding(milliseconds: dice.roll(1...1500))
            }
            try? Data().write(to: URL(fileURLWithPath: file.path))
            file.deliver()
        }
        #expect(lcd.mistakes == [])
        #expect(lcd.displayIsOn && !lcd.cursorIsOn && !lcd.blinkIsOn && lcd.backlightIsOn)
        for glyph in Glyph.all {
            #expect(lcd.glyphs[Int(glyph.code)] == (0..<8).map { glyph.rows[$0] })
            #expect((0..<8).allSatisfy { glyph.rows[$0] < 32 })
        }
    }

    @Test func onlyChangedCellsReachTheController() {
        let lcd = KernelLCD(columns: 20, rows: 4, kernel: .since511)
        var encoder = CharlcdEncoder()
        lcd.write(encoder.preparation(isLit: true))
        let before = lcd.charactersWritten
        var bytes: [UInt8] = []
        encoder.append(CellRun(row: 3, column: 17, codes: Array("123".utf8)), to: &bytes)
        encoder.append(CellRun(row: 0, column: 0, codes: [0, 1]), to: &bytes)
        encoder.append(CellRun(row: 0, column: 2, codes: [2, 7]), to: &bytes)
        lcd.write(bytes)
        #expect(lcd.charactersWritten - before == 7)
        #expect(lcd.cells[77...] == [0x31, 0x32, 0x33])
        #expect(lcd.cells[0..<5] == [0, 1, 2, 7, 0x20])
        // The second run of the row went on where the first had ended.
        #expect(bytes.filter { $0 == 0x1B }.count == 2)
    }

    @Test func failuresAreNotFatal() {
        let device = CharlcdDevice(path: "/nonexistent/lcd")
        #expect(!device.prepare(columns: 16, rows: 2))
        #expect(device.draw([CellRun(row: 0, column: 0, codes: [0x41])]) == nil)
        device.turnOff()
        // Every write to it fails with ENOSPC.
        let full = CharlcdDevice(path: "/dev/full")
        #expect(!full.prepare(columns: 16, rows: 2))
        #expect(full.draw([CellRun(row: 0, column: 0, codes: [0x41])]) == nil)
    }

    @Test func aDeviceThatComesLaterIsFound() {
        let lcd = KernelLCD(columns: 16, rows: 2, kernel: .since511)
        let file = DeviceFile(lcd)
        try? FileManager.default.removeItem(atPath: file.path)
        let display = CharacterDisplay(columns: 16, rows: 2, rom: .a00, surface: CharlcdDevice(path: file.path))
        let start = MonotonicTime.milliseconds(0)
        display.show(SpeakerStatus(title: "Alice"), at: start)
        #expect(display.nextChange == start.adding(milliseconds: 1000))
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        display.refresh(at: start.adding(milliseconds: 1000))
        file.deliver()
        #expect(picture(lcd.cells, columns: 16, rom: .a00)[0] == "█ Alice         ")
    }

    /// Slow wires take some cells at a time, and at the end the loop does not come round for the rest.
    @Test(arguments: [0, 1300, 100_000]) func saysGoodbyeAndGoesDark(microsecondsPerOperation: Int) {
        let lcd = KernelLCD(columns: 16, rows: 2, kernel: .since511)
        let file = DeviceFile(lcd)
        let device = CharlcdDevice(path: file.path)
        let display = CharacterDisplay(columns: 16, rows: 2, rom: .a00, surface: device)
        display.show(SpeakerStatus(title: "Alice"), at: .milliseconds(0))
        device.microsecondsPerOperation = microsecondsPerOperation
        display.announce(.goodbye, at: .milliseconds(10))
        file.deliver()
        #expect(picture(lcd.cells, columns: 16, rom: .a00)[1] == "Good night      ")
        #expect(lcd.backlightIsOn)
        display.turnOff()
        file.deliver()
        #expect(lcd.cells.allSatisfy { $0 == 0x20 })
        #expect(!lcd.backlightIsOn)
        #expect(lcd.mistakes == [])
    }

    @Test func slowWiresGetPortions() {
        let file = DeviceFile(KernelLCD(columns: 20, rows: 4, kernel: .since511))
        let device = CharlcdDevice(path: file.path, portionMicroseconds: 8000)
        #expect(device.prepare(columns: 20, rows: 4))
        let runs = (0..<4).map { CellRun(row: $0, column: 0, codes: [UInt8](repeating: 0x41, count: 20)) }
        device.microsecondsPerOperation = 1000
        #expect(device.draw(runs) == 7)
        device.microsecondsPerOperation = 100_000
        #expect(device.draw(runs) == 1)
        device.microsecondsPerOperation = 50
        #expect(device.draw(runs) == 80)
    }
}
