import Core
import Posix

/// What plays, line by line, where standard output is no terminal: titles, each transcript line with its time as it is
/// spoken, changes of state, messages. UTF-8, one write(2) a line. Control thread only.
public final class LineLog: Screen {
    private let descriptor: Int32
    private var shown: NowShowing?
    /// The line printed last; the same one coming again after a gap is not printed twice.
    private var line: NowShowing.Line?
    /// Whoever read it is gone (EPIPE and the like): nothing is written any more.
    public private(set) var isClosed = false

    public var nextChange: MonotonicTime? { nil }

    public init(descriptor: Int32 = 1) {
        self.descriptor = descriptor
    }

    public func show(_ showing: NowShowing, at now: MonotonicTime) {
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
        if showing.state != old?.state {
            let position = clock(showing.positionMilliseconds)
            switch showing.state {
            case .playing: if old != nil && showing.positionMilliseconds > 0 { print("playing from ", position) }
            case .paused: print("paused at ", position)
            case .stopped: if old != nil { print("stopped") }
            // The trouble says for what and why.
            case .waitingForDevice: if showing.trouble == nil { print("waiting for the sound device") }
            case .waitingForLibrary: if showing.trouble == nil { print("waiting for the library") }
            }
        }
        if let trouble = showing.trouble, trouble != old?.trouble { print(trouble.words) }
        if let volume = showing.volumePercent, let before = old?.volumePercent, volume != before {
            print("volume ", String(volume), "%")
        }
        if let new = showing.transcript, new != line {
            line = new
            print("[" + clock(new.startMilliseconds), "] ", new.text)
        }
        shown = showing
    }

    public func announce(_ notice: Notice, at now: MonotonicTime) { print(notice.words) }

    private func clock(_ milliseconds: Int) -> String {
        String(decoding: ProgressRow.clock(max(0, milliseconds) / 1000), as: UTF8.self)
    }

    @inline(never)
    private func print(_ start: String, _ middle: String = "", _ end: String = "") {
        if isClosed { return }
        var line = TerminalText()
        line.add(printable(start + middle + end, columns: .max))
        line.add("\n")
        if !line.write(to: descriptor) { isClosed = true }
    }
}

/// Foreign text on one line of a terminal: every control character, C1 and line separators included, becomes a space, and
/// spaces at the ends go.
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
