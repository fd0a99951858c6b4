// SPDX-License-Identifier: Apache-2.0
import Controls
import Foundation
import Posix
import Testing

@testable import Gpiod

@Suite struct GpioBoardTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "nightstand-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test func aBoardWithoutChipsSaysSo() throws {
        try withFolder { folder in
            let error = #expect(throws: GpioError.self) { try GpioBoard(folder: folder) }
            #expect(error?.reason == .noChips)
            #expect(error?.message == "no GPIO chip: there is no \(folder)/gpiochip0")
        }
        #expect(throws: GpioError.self) { try GpioBoard(folder: "/nowhere") }
    }

    @Test func aFileThatIsNoChipIsNoChip() throws {
        try withFolder { folder in
            try Data().write(to: URL(fileURLWithPath: folder + "/gpiochip0"))
            let error = #expect(throws: GpioError.self) { try GpioBoard(folder: folder) }
            #expect(error?.reason == .system)
            #expect(error?.message.hasPrefix("open \(folder)/gpiochip0: ") == true)
        }
    }

    @Test func aRefusalNamesDeviceAndGroup() {
        let error = GpioBoard.notPermitted("/dev/gpiochip0", group: "gpio")
        #expect(error.reason == .notPermitted)
        #expect(
            error.message == "no permission for /dev/gpiochip0: its users are group gpio "
                + "(sudo usermod -aG gpio USER, then log in again)")
        let bare = GpioBoard.notPermitted("/dev/gpiochip0", group: "root")
        #expect(
            bare.message == "no permission for /dev/gpiochip0: give it to group gpio (a udev rule), and join that group"
        )
    }
}

/// On the kernel's own simulated chip: the real libgpiod, the real ioctls, real interrupts.
@Suite(.serialized, .enabled(if: SimulatedChip.isAvailable, "needs root and the kernel's gpio-sim in configfs"))
struct InputLineTests {
    private let chip: SimulatedChip
    private let board: GpioBoard

    init() throws {
        chip = try SimulatedChip()
        board = try GpioBoard()
    }

    private func button(_ line: String, debounce: Int = 0) throws(GpioError) -> InputLine {
        try board.input(
            LineSettings(line: line, isActiveLow: true, bias: .pullUp, debounceMilliseconds: debounce),
            consumer: "nightstand")
    }

    /// Waits up to a second for events, without sleeping longer than they take.
    private func events(of line: InputLine, atLeast count: Int) throws -> [LineEvent] {
        var events: [LineEvent] = []
        let end = MonotonicTime.now.adding(milliseconds: 1000)
        while events.count < count && MonotonicTime.now < end {
            var descriptor = pollfd(fd: line.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&descriptor, 1, 100)
            try line.readEvents(into: &events)
        }
        return events
    }

    /// The simulated chip raises its interrupt with the next tick on some architectures: lets it.
    private func tick() { _ = poll(nil, 0, 11) }

    @Test(arguments: ["GPIO17", "17", "CHIP:4", "/dev/CHIP:4"]) func linesAreFoundAndNamed(text: String) throws {
        let line = try button(text.replacingOccurrences(of: "CHIP", with: chip.name))
        #expect(line.name == "GPIO17 (\(chip.name):4)")
        #expect(try !line.isActive())
    }

    @Test func edgesComeWithTheKernelsTimeAndActiveLowTurnedRound() throws {
        let line = try button("SIM-A")
        var none: [LineEvent] = []
        try line.readEvents(into: &none)
        #expect(none.isEmpty)
        for isActive in [true, false, true] {
            let before = MonotonicTime.now
            try chip.pull(0, high: !isActive)
            let events = try events(of: line, atLeast: 1)
            #expect(events.map(\.isActive) == [isActive])
            #expect(events.allSatisfy { before <= $0.timestamp && $0.timestamp <= .now })
        }
    }

    @Test func aLineThatIsPressedAtTheStartIsSeenSo() throws {
        let line = try board.input(
            LineSettings(line: "SIM-B", isActiveLow: false, bias: .pullDown, debounceMilliseconds: 0),
            consumer: "nightstand")
        #expect(try !line.isActive())
        try chip.pull(1, high: true)
        #expect(try line.isActive())
    }

    @Test func aLineThatIsTakenNamesWhoHasIt() throws {
        let hog = #expect(throws: GpioError.self) { try button("TAKEN") }
        #expect(hog?.reason == .busy)
        #expect(
            hog?.message == "GPIO line TAKEN (\(chip.name):5) is in use by 'somebody else': stop what holds it, "
                + "or choose another line")
        let mine = try button("SIM-A")
        let again = #expect(throws: GpioError.self) { try button("SIM-A") }
        #expect(again?.message.contains("in use by 'nightstand'") == true)
        _ = mine.descriptor
    }

    @Test func aLineIsFreeAgainWhenItsOwnerLetsGo() throws {
        for _ in 0..<100 { _ = try button("SIM-A") }
    }

    @Test func aLineThatDoesNotExistIsAnErrorWithThoseThatDo() throws {
        let error = #expect(throws: GpioError.self) { try button("GPIO18") }
        #expect(error?.reason == .noSuchLine)
        #expect(
            error?.message.contains("\(chip.name): SIM-A, SIM-B, SIM-C, SIM-D, GPIO17, TAKEN, 2 without a name")
                == true,
            "\(error?.message ?? "")")
    }

    /// The kernel's queue holds 64 events: a process that was away for longer must still know whether the button is down.
    @Test(arguments: [15, 16, 17, 33, 63, 64, 65, 100, 201]) func anOverflowLeavesNoButtonStuck(edges: Int) throws {
        let line = try button("SIM-A")
        for i in 0..<edges {
            try chip.pull(0, high: i % 2 == 1)
            tick()
        }
        var events: [LineEvent] = []
        try line.readEvents(into: &events)
        #expect(events.count == min(edges, 64))
        #expect(events.last?.isActive == (edges % 2 == 1))
        #expect(try line.isActive() == (edges % 2 == 1))
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp })
        try chip.pull(0, high: edges % 2 == 1)
        #expect(try self.events(of: line, atLeast: 1).last?.isActive == (edges % 2 == 0))
    }

    @Test func theKernelDebouncesWhereLibgpiodCanAskItTo() throws {
        let line = try button("SIM-A", debounce: 30)
        if !line.kernelDebounces { return }
        // A glitch vanishes …
        try chip.pull(0, high: false)
        tick()
        try chip.pull(0, high: true)
        #expect(try events(of: line, atLeast: 1).isEmpty)
        // … and a burst is one edge.
        for i in 0..<9 {
            try chip.pull(0, high: i % 2 == 1)
            tick()
        }
        #expect(try events(of: line, atLeast: 2).map(\.isActive) == [true])
    }

    /// The whole way from the contact to the action: bounce on a real line, edges through the kernel, and the recognizer with
    /// the timers that the control thread would set.
    @Test func everyBouncingPressIsOneAction() throws {
        let line = try button("SIM-A", debounce: 25)
        let debounce = line.kernelDebounces ? 0 : 25
        var recognizer = GestureRecognizer(map: GestureMap()) { _ in debounce }
        var actions: [GestureEvent] = []
        func live(for milliseconds: Int) throws {
            let end = MonotonicTime.now.adding(milliseconds: milliseconds)
            while MonotonicTime.now < end {
                let wake = min(end, recognizer.nextDeadline ?? end)
                let wait = max(0, wake.nanoseconds - MonotonicTime.now.nanoseconds + 999_999) / 1_000_000
                var descriptor = pollfd(fd: line.descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&descriptor, 1, Int32(wait))
                let now = MonotonicTime.now
                var events: [LineEvent] = []
                try line.readEvents(into: &events)
                for event in events {
                    recognizer.receive(
                        Edge(button: .favourite, isPressed: event.isActive, timestamp: event.timestamp))
                }
                actions += recognizer.advance(to: now)
            }
        }
        for press in 1...60 {
            for isDown in [true, false] {
                for i in 0..<1 + 2 * (press % 7) {
                    try chip.pull(0, high: isDown == (i % 2 == 1))
                    try live(for: press % 3)
                }
                try live(for: 60)
            }
            #expect(actions.count == press)
        }
        #expect(actions.allSatisfy { $0.command == .toggleFavourite })
    }
}
