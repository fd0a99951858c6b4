// SPDX-License-Identifier: Apache-2.0
import Configuration
import Controls
import Gpiod
import Posix

/// A rotary encoder on its two lines.
final class EncoderLines {
    /// The time without an edge after which the knob rests, and a count of its detents can begin anew.
    private static let quietMilliseconds = 50

    private let loop: EventLoop
    private let lines: [InputLine]
    private let turned: (Int, MonotonicTime) -> Void
    private let lost: (GpioError) -> Void
    private var decoder: RotaryDecoder
    /// The edges to process, each with its line's number.
    private var pending: [(line: Int, event: LineEvent)] = []
    private var events: [LineEvent] = []
    private var quiet: EventLoop.TimerToken?
    private var isOpen = true

    /// - Parameters:
    ///   - turned: called with a number of detents, positive to the right.
    ///   - lost: called after the loss of the chip, with the lines closed.
    init(
        _ encoder: Configuration.Encoder, of board: GpioBoard, loop: EventLoop,
        turned: @escaping (Int, MonotonicTime) -> Void, lost: @escaping (GpioError) -> Void
    ) throws(GpioError) {
        self.loop = loop
        self.turned = turned
        self.lost = lost
        var lines: [InputLine] = []
        for line in [encoder.lineA, encoder.lineB] {
            // Bounce adds up to nothing, and debouncing would lose fast turns. The queue lasts two seconds, as long as the SD card may
            // block this program.
            let settings = LineSettings(
                line: line, isActiveLow: encoder.isActiveLow, bias: ButtonLines.bias(encoder.bias),
                debounceMilliseconds: 0,
                queuedEvents: 512)
            lines.append(try board.input(settings, consumer: "nightstand"))
        }
        self.lines = lines
        decoder = RotaryDecoder(
            quartersEach: encoder.quartersEach, a: try lines[0].isActive(), b: try lines[1].isActive())
    }

    /// Starts reporting turns.
    func start() throws(PosixError) {
        for line in lines { try loop.add(line.descriptor, .readable) { [self] _ in receive() } }
    }

    func close() {
        isOpen = false
        for line in lines { loop.remove(line.descriptor) }
        if let quiet { loop.cancel(quiet) }
    }

    /// Takes the edges of both lines in order of time. It reads the clock first. All older edges were then readable, but a newer edge may
    /// follow an unread one on the other line.
    private func receive() {
        if !isOpen { return }
        let now = MonotonicTime.now
        for (number, line) in lines.enumerated() {
            do throws(GpioError) { try read(line, number) } catch {
                close()
                lost(error)
                return
            }
        }
        var count = 0
        for (number, event) in pending {
            if event.timestamp > now { break }
            count += 1
            tell(decoder.receive(number == 0 ? .a : .b, isActive: event.isActive), event.timestamp)
        }
        pending.removeFirst(count)
        if !pending.isEmpty { loop.schedule(at: .now) { [self] in receive() } }
        if let quiet { loop.cancel(quiet) }
        quiet = loop.schedule(at: now.adding(milliseconds: EncoderLines.quietMilliseconds)) { [self] in settle() }
    }

    private func settle() {
        quiet = nil
        // Later changes arrive as edges, not as levels.
        for (number, line) in lines.enumerated() { try? read(line, number) }
        if !pending.isEmpty { loop.schedule(at: .now) { [self] in receive() } }
        guard isOpen, pending.isEmpty, let a = try? lines[0].isActive(), let b = try? lines[1].isActive() else {
            return
        }
        tell(decoder.settle(a: a, b: b), .now)
    }

    /// Inserts a line's edges by time among those of the other line.
    private func read(_ line: InputLine, _ number: Int) throws(GpioError) {
        events.removeAll(keepingCapacity: true)
        try line.readEvents(into: &events)
        for event in events {
            let place = pending.lastIndex { $0.event.timestamp <= event.timestamp } ?? -1
            pending.insert((number, event), at: place + 1)
        }
    }

    private func tell(_ detents: Int, _ time: MonotonicTime) {
        if detents != 0 { turned(detents, time) }
    }
}
