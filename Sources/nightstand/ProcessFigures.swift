import Posix

/// What the kernel says of this process (proc(5)).
enum ProcessFigures {
    /// Proportional set size; nil where the kernel does not tell.
    static func pssKiB() -> Int? {
        number(after: "Pss:", in: "/proc/self/smaps_rollup")
    }

    /// Context switches of all threads, voluntary and not.
    static func contextSwitches() -> Int {
        var total = 0
        for thread in (try? Files.names(inFolder: "/proc/self/task")) ?? [] {
            let path = "/proc/self/task/\(thread)/status"
            total += number(after: "\nvoluntary_ctxt_switches:", in: path) ?? 0
            total += number(after: "nonvoluntary_ctxt_switches:", in: path) ?? 0
        }
        return total
    }

    /// The number that follows `name`.
    private static func number(after name: StaticString, in path: String) -> Int? {
        guard let file = try? FileDescriptor.open(path, 0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = bytes.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
        let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        var start = 0
        while start + wanted.count <= count {
            if bytes[start..<start + wanted.count].elementsEqual(wanted) {
                var value = 0
                var seen = false
                for byte in bytes[(start + wanted.count)..<count] {
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
