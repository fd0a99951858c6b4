// SPDX-License-Identifier: Apache-2.0
import CPosix

/// The kernel's figures of a process (proc(5)); nil if not available.
public enum ProcessFigures {
    /// Returns the proportional set size.
    public static func pssKiB(of process: String = "self") -> Int64? {
        first("\nPss:", in: "/proc/" + process + "/smaps_rollup")
    }

    /// Returns the voluntary context switches of all threads: each is a wait that a wake-up ends.
    public static func wakeUps(of process: String = "self") -> Int64? {
        guard let threads = try? Files.names(inFolder: "/proc/" + process + "/task") else { return nil }
        var total: Int64 = 0
        for thread in threads {
            total += first("\nvoluntary_ctxt_switches:", in: "/proc/" + process + "/task/" + thread + "/status") ?? 0
        }
        return total
    }

    /// Returns the first process that runs a subcommand of a program with the same configuration as another process; nil if there is none,
    /// or /proc hides it.
    public static func process(running subcommand: String, beside other: String) -> String? {
        let own = words(of: other)
        guard let program = own.first, let processes = try? Files.names(inFolder: "/proc") else { return nil }
        return processes.first { process in
            guard process.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return false }
            let words = words(of: process)
            guard let first = words.first, words.dropFirst().contains(subcommand) else { return false }
            return first.pathName == program.pathName && configuration(words) == configuration(own)
        }
    }

    private static func words(of process: String) -> [String] {
        text("/proc/" + process + "/cmdline").split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the configuration file in a command line; nil for the usual one.
    private static func configuration(_ words: [String]) -> String? {
        guard let place = words.firstIndex(where: { $0 == "--config" || $0 == "-c" }), place + 1 < words.count else {
            return nil
        }
        return words[place + 1]
    }

    /// Returns the locked memory.
    public static func lockedKiB() -> Int64? { first("\nVmLck:", in: "/proc/self/status") }

    /// Returns true if a thread of this process runs under SCHED_FIFO.
    public static func hasRealTimeThread() -> Bool {
        guard let threads = try? Files.names(inFolder: "/proc/self/task") else { return false }
        // proc(5) calls the policy the 41st field; the state behind the name is a letter, and the first number the fourth.
        return threads.contains {
            guard let fields = numbers(after: ") ", in: text("/proc/self/task/" + $0 + "/stat")), fields.count > 41 - 4
            else { return false }
            return fields[41 - 4] == Int64(SCHED_FIFO)
        }
    }

    /// Returns the bytes that the process has written to disks.
    public static func writtenBytes(of process: String) -> Int64? {
        first("\nwrite_bytes:", in: "/proc/" + process + "/io")
    }

    /// The contents of /proc/PID/stat.
    public struct Status: Sendable {
        public let majorFaults: Int64
        /// The processor time of all threads, in nanoseconds.
        public let processorTime: Int64
        /// The start on CLOCK_MONOTONIC.
        public let startNanoseconds: Int64

        public init(majorFaults: Int64, processorTime: Int64, startNanoseconds: Int64) {
            self.majorFaults = majorFaults
            self.processorTime = processorTime
            self.startNanoseconds = startNanoseconds
        }

        public init?(of process: String) {
            // The numbers start after the name and the state letter; proc(5) calls the first of them the fourth field.
            guard let fields = numbers(after: ") ", in: text("/proc/" + process + "/stat")), fields.count > 22 - 4
            else {
                return nil
            }
            // The kernel reports clock ticks of 10 ms on every architecture.
            majorFaults = fields[12 - 4]
            processorTime = (fields[14 - 4] &+ fields[15 - 4]) &* 10_000_000
            let asleep = ns_since_boot_nanoseconds() - MonotonicTime.now.nanoseconds
            startNanoseconds = fields[22 - 4] &* 10_000_000 &- asleep
        }
    }

    private static func first(_ name: StaticString, in path: String) -> Int64? {
        numbers(after: name, in: text(path))?.first
    }

    /// Returns the beginning of a kernel file; empty if it cannot be read.
    private static func text(_ path: String) -> [UInt8] {
        guard let file = try? FileDescriptor.open(path, O_RDONLY) else { return [] }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
