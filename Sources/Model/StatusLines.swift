// SPDX-License-Identifier: Apache-2.0
import Core

/// A line of an answer on the console: a fact and its name.
public struct StatusLine: Sendable {
    public var name: String
    public var value: String
    /// True for a file's name, which may contain any character.
    public var isPath = false
}

extension StatusLine {
    public init(_ name: String, _ value: String) { self.init(name: name, value: value) }

    public init(_ name: String, _ value: Int) { self.init(name: name, value: "\(value)") }
}

/// The speaker's state for a screen, line by line. `SpeakerStatus.pass` names each line once, for the writer, the reader and the help.
struct StatusLines {
    enum Work {
        case writing
        /// Reads one line.
        case reading(name: String, value: String)
        /// Lists all lines in any state.
        case naming
    }

    private(set) var written: [StatusLine] = []
    /// The name of each line, with its note in brackets.
    private(set) var names: [String] = []
    private let work: Work

    init(_ work: Work) { self.work = work }

    var isWriting: Bool { if case .writing = work { true } else { false } }

    /// - Parameters:
    ///   - note: the help's words about its values.
    ///   - known: nil to leave the line out.
    ///   - take: called with the value of the line of this name.
    mutating func line(
        _ name: String, note: String = "", _ known: @autoclosure () -> String?, isPath: Bool = false,
        _ take: (String) -> Void
    ) {
        switch work {
        case .writing:
            if let value = known() { written.append(StatusLine(name: name, value: value, isPath: isPath)) }
        case .reading(name, let value): take(value)
        case .reading: break
        case .naming: names.append(note.isEmpty ? name : name + " (" + note + ")")
        }
    }

    /// - Parameter isTold: true sends an empty text, too.
    mutating func text(_ name: String, _ text: inout String, isPath: Bool = false, isTold: Bool = false) {
        line(name, text.isEmpty && !isTold ? nil : text, isPath: isPath) { text = $0 }
    }

    /// Passes a number. 0 is left out.
    mutating func number(_ name: String, _ number: inout Int) {
        line(name, number == 0 ? nil : "\(number)") { number = Int($0) ?? 0 }
    }

    mutating func flag(_ name: String, note: String = "0, 1", _ flag: inout Bool) {
        line(name, note: note, flag ? "1" : "0") { flag = $0 == "1" }
    }
}

extension Segment {
    /// Returns `INDEX START-END TEXT`, the times in seconds.
    public func told(index: Int) -> String {
        "\(index) " + Seconds.text(startMilliseconds) + "-" + Seconds.text(endMilliseconds) + " " + text
    }

    static func read(_ value: String) -> (index: Int, segment: Segment)? {
        let parts = value.utf8.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: true)
        guard parts.count == 3 else { return nil }
        let times = parts[1].split(separator: 0x2D)
        guard times.count == 2, let start = Seconds.milliseconds(String(Substring(times[0]))),
            let end = Seconds.milliseconds(String(Substring(times[1])))
        else { return nil }
        return (
            Int(Substring(parts[0])) ?? 0,
            Segment(text: String(Substring(parts[2])), startMilliseconds: start, endMilliseconds: end)
        )
    }
}
