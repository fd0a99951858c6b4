// SPDX-License-Identifier: Apache-2.0
import Posix
import Realtime

/// Another process of this program beside the speaker, at the beginning and the end of the measurement: the one that draws, or the one that
/// fetches.
public struct ProfileCompanion {
    /// The process's subcommand.
    public let name: String
    /// The process's name under /proc; nil if it is not running.
    public let process: String?
    public private(set) var before = ProfileSample(at: .now)
    public private(set) var after = ProfileSample(at: .now)

    /// Finds the process, and takes the first sample.
    /// - Parameter speaker: the speaker's process, beside which it runs.
    public init(_ name: String, beside speaker: String) {
        self.init(name, process: ProcessFigures.process(running: name, beside: speaker))
    }

    init(_ name: String, process: String?) {
        self.name = name
        self.process = process
        if let process { before.look(at: process) }
    }

    /// Takes the second sample.
    public mutating func end() { if let process { after.look(at: process) } }
}

/// One sample of a running speaker: its answer to `counters raw`, and the kernel's figures for its process.
public struct ProfileSample {
    public var time: MonotonicTime
    public var answer: [UInt8]
    /// The figures of the process; nil if the kernel hides them from others; likewise below.
    public var status: ProcessFigures.Status?
    public var wakeUps: Int64?
    public var writtenBytes: Int64?
    public var pssKiB: Int64?

    public init(at time: MonotonicTime, answer: [UInt8] = []) {
        self.time = time
        self.answer = answer
    }

    /// Reads the kernel's figures.
    public mutating func look(at process: String) {
        time = .now
        status = ProcessFigures.Status(of: process)
        wakeUps = ProcessFigures.wakeUps(of: process)
        writtenBytes = ProcessFigures.writtenBytes(of: process)
        pssKiB = ProcessFigures.pssKiB(of: process)
    }

    /// Returns a number of the answer; 0 without such a line.
    public func number(_ name: StaticString) -> Int64 { numbers(after: name, in: answer)?.first ?? 0 }

    func counts(_ name: StaticString) -> HistogramCounts {
        var numbers = numbers(after: name, in: answer) ?? []
        let maximum = numbers.isEmpty ? 0 : numbers.removeFirst()
        return HistogramCounts(numbers: numbers, maximum: maximum)
    }
}
