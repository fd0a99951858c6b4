import CPosix
import Posix

/// What the kernel says of a process (proc(5)).
enum ProcessFigures {
    /// Proportional set size; nil where the kernel does not tell.
    static func pssKiB(of process: String = "self") -> Int? {
        number(after: "Pss:", in: text("/proc/\(process)/smaps_rollup"))
    }

    /// Voluntary context switches of all threads: each is a wait that a wake-up has ended, or will. Nil where the kernel does not
    /// tell.
    static func wakeUps(of process: String = "self") -> Int? {
        guard let threads = try? Files.names(inFolder: "/proc/\(process)/task") else { return nil }
        return threads.reduce(0) { total, thread in
            total
                + (number(after: "\nvoluntary_ctxt_switches:", in: text("/proc/\(process)/task/\(thread)/status")) ?? 0)
        }
    }

    /// Bytes that the process has had written to disks; nil where the kernel does not tell.
    static func writtenBytes(of process: String) -> Int? {
        number(after: "\nwrite_bytes:", in: text("/proc/\(process)/io"))
    }

    /// What /proc/PID/stat tells.
    struct Status {
        let majorFaults: Int
        /// Of all threads, in nanoseconds.
        let processorTime: Int
        /// By CLOCK_MONOTONIC.
        let startNanoseconds: Int

        init?(of process: String) {
            let bytes = text("/proc/\(process)/stat")
            // The program's name stands in parentheses, and may hold anything.
            guard let name = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
            let fields = bytes[name...].split(separator: UInt8(ascii: " ")).map {
                Int(String(decoding: $0, as: UTF8.self)) ?? 0
            }
            // proc(5) numbers them from 1, and ")" stands for the second.
            if fields.count < 21 { return nil }
            // The kernel's clock tick is told as 10 ms on every architecture.
            majorFaults = fields[12 - 2]
            processorTime = (fields[14 - 2] + fields[15 - 2]) * 10_000_000
            let asleep = ns_since_boot_nanoseconds() - MonotonicTime.now.nanoseconds
            startNanoseconds = fields[22 - 2] * 10_000_000 - Int(asleep)
        }
    }

    /// The beginning of a file of the kernel's; empty where it cannot be read.
    private static func text(_ path: String) -> [UInt8] {
        guard let file = try? FileDescriptor.open(path, O_RDONLY) else { return [] }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// The number that follows `name`.
    private static func number(after name: StaticString, in bytes: [UInt8]) -> Int? {
        let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        var start = 0
        while start + wanted.count <= bytes.count {
            if bytes[start..<start + wanted.count].elementsEqual(wanted) {
                var value = 0
                var seen = false
                for byte in bytes[(start + wanted.count)...] {
                    if byte >= 0x30 && byte <= 0x39 {
                        value = value &* 10 &+ Int(byte - 0x30)
                        seen = true
                    } else if seen {
                        break
                    }
                }
                return seen ? value : nil
            }
            start += 1
        }
        return nil
    }
}
