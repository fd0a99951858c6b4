// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Posix

/// A playback log for a standard output that is no terminal: titles, transcript lines with their times, changes of state, messages. UTF-8.
/// Without a reader, lines are kept for a while, then dropped and counted: a button never waits for a pipe. Control thread only.
public final class LineLog: Screen {
    private let output: SharedOutput
    private var shown: SpeakerStatus?
    /// The line printed last, which is not printed again after a gap.
    private var line: Segment?
    private var omittedLines = 0
    private static let mostWaitingBytes = 64 * 1024
    /// The time of the next attempt to write kept lines.
    public private(set) var nextChange: MonotonicTime?

    /// True if the reader is gone: nothing is written any more.
    public var isClosed: Bool { output.isClosed }

    public init(descriptor: Int32 = 1) {
        output = SharedOutput(sharing: descriptor)
    }

    /// Gives the reader a moment to take the last lines, at the end.
    public func close() { output.finish(withinMilliseconds: Timing.lastWordsMilliseconds) }

    private func waitForReader(at now: MonotonicTime) {
        nextChange = output.waitingBytes > 0 ? now.adding(milliseconds: Timing.unreadMilliseconds) : nil
    }

    public func refresh(at now: MonotonicTime) {
        flush()
        waitForReader(at: now)
    }

    public func show(_ showing: SpeakerStatus, at now: MonotonicTime) {
        flush()
        defer { waitForReader(at: now) }
        let old = shown
        let isNewItem = showing.title != (old?.title ?? "") || showing.artist != (old?.artist ?? "")
        if isNewItem {
            line = nil
            if !showing.title.isEmpty {
                let artist = showing.artist.isEmpty ? "" : " - " + showing.artist
                let length = showing.durationMilliseconds.map { " (" + clock($0) + ")" } ?? ""
                print(showing.title, artist, length)
            }
        }
        if showing.wait != nil {
            // A trouble, printed below, gives the reason for the wait.
            if showing.wait != old?.wait, showing.trouble == nil {
                print("waiting for the ", showing.wait == .device ? "sound device" : showing.wait?.rawValue ?? "")
            }
        } else if showing.state != old?.state || old?.wait != nil {
            let position = clock(showing.positionMilliseconds)
            switch showing.state {
            case .playing: if old != nil && showing.positionMilliseconds > 0 { print("playing from ", position) }
            case .paused: print("paused at ", position)
            case .stopped: if old != nil { print("stopped") }
            }
        }
        if let trouble = showing.trouble, trouble != old?.trouble { print(trouble.words) }
        if let volume = showing.volumePercent, let before = old?.volumePercent, volume != before {
            print("volume ", String(volume), "%")
        }
        if showing.speed != old?.speed ?? .own {
            print("speed ", showing.speed.text)
        }
        if showing.sleep != old?.sleep ?? .off { print("sleep: ", showing.sleep.words) }
        if let words = showing.alarm?.words, showing.alarm != old?.alarm { print(words) }
        if let new = showing.segment, new != line {
            line = new
            print("[" + clock(new.startMilliseconds), "] ", new.text)
        }
        shown = showing
    }

    public func announce(_ notice: Notice, at now: MonotonicTime) {
        // The end of the program needs no line.
        if notice == .goodbye { return }
        flush()
        print(notice.words)
        waitForReader(at: now)
    }

    public func turnOff() {}

    private func clock(_ milliseconds: Int) -> String {
        String(decoding: ProgressRow.clock(max(0, milliseconds) / 1000), as: UTF8.self)
    }

    @inline(never)
    private func print(_ start: String, _ middle: String = "", _ end: String = "") {
        if isClosed { return }
        var line = TerminalText()
        line.add(printable(start + middle + end, columns: .max))
        line.add("\n")
        if omittedLines > 0 || output.waitingBytes + line.bytes.count > Self.mostWaitingBytes {
            omittedLines += 1
        } else {
            output.write(line.bytes)
        }
    }

    private func flush() {
        if output.flush(), omittedLines > 0 {
            output.write(Array("(\(omittedLines) lines left out, since nobody read them)\n".utf8))
            omittedLines = 0
        }
    }
}

/// Returns foreign text for one line of a terminal: control characters, including C1 and line separators, become spaces, and outer spaces
/// are removed.
func printable(_ text: String, columns: Int) -> String {
    var result = String.UnicodeScalarView()
    var spaces = 0
    var count = 0
    for scalar in text.unicodeScalars {
        if count + spaces >= columns { break }
        switch scalar.value {
        case 0...0x20, 0x7F...0x9F, 0x2028, 0x2029:
            if count > 0 { spaces = 1 }
        default:
            if spaces > 0 {
                result.append(" ")
                count += 1
            }
            spaces = 0
            result.append(scalar)
            count += 1
        }
    }
    return String(result)
}

/// Breaks a text of `printable` into rows of whole words; a word longer than a row is broken. A text that is too long ends with "…".
func wrapped(_ text: String, columns: Int, rows: Int) -> [String] {
    if rows < 1 { return [] }
    var lines: [[Unicode.Scalar]] = []
    var line: [Unicode.Scalar] = []
    for word in text.unicodeScalars.split(separator: " ") {
        var word = Array(word)
        if !line.isEmpty, line.count + 1 + word.count > columns {
            lines.append(line)
            line = []
        }
        if !line.isEmpty { line.append(" ") }
        while line.count + word.count > columns {
            let part = columns - line.count
            lines.append(line + word.prefix(part))
            word.removeFirst(part)
            line = []
        }
        line += word
    }
    if !line.isEmpty { lines.append(line) }
    if lines.count > rows {
        lines.removeLast(lines.count - rows)
        var last = lines.removeLast()
        while last.count + 2 > columns {
            let end = last.lastIndex(of: " ") ?? max(0, columns - 2)
            last.removeLast(last.count - end)
        }
        lines.append(last + [" ", "…"])
    }
    return lines.map { line in
        var view = String.UnicodeScalarView()
        view.append(contentsOf: line)
        return String(view)
    }
}
