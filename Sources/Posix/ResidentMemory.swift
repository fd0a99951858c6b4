import CPosix

/// What of the program stays in memory. Control thread.
public enum ResidentMemory {
    /// Lets go of what only starting took: free heap, and the pages of code that ran once (opening the database, reading ALSA's
    /// configuration, linking). What is needed again comes back from the page cache at a touch.
    public static func giveBackStartup() {
        ns_trim_heap()
        giveBack(cleanMappings())
    }

    /// Lets go of the pages of these mappings, which must be clean and not locked.
    public static func giveBack(_ mappings: [UnsafeMutableRawBufferPointer]) {
        for mapping in mappings { madvise(mapping.baseAddress, mapping.count, MADV_DONTNEED) }
    }

    /// The code and constants of a library that runs now and then only, and never on the audio thread: exempt from the lock, so
    /// that `giveBack` can be called each time that it has run.
    public static func unlock(library name: String) -> [UnsafeMutableRawBufferPointer] {
        let mappings = cleanMappings(name)
        for mapping in mappings { munlock(mapping.baseAddress, mapping.count) }
        return mappings
    }

    /// Code and constants of the program and its libraries, or of those libraries whose file name begins with `name`. They are never
    /// written to, so every page of them is on the disk.
    private static func cleanMappings(_ name: String = "") -> [UnsafeMutableRawBufferPointer] {
        guard let maps = readMaps() else { return [] }
        // "559d…-559e… r-xp 00021000 fe:00 1234   /usr/lib/…"
        // Holes between the parts of a file (---p) may be listed too: what counts below is the part that follows.
        let lines = maps.split(separator: UInt8(ascii: "\n")).map {
            $0.split(separator: UInt8(ascii: " ")).map { Array($0) }
        }.filter { $0.count >= 2 && $0[1].first == UInt8(ascii: "r") }
        var found: [UnsafeMutableRawBufferPointer] = []
        for (index, fields) in lines.enumerated() {
            guard fields.count >= 6, fields[5].first == UInt8(ascii: "/"), fields[1][1] == UInt8(ascii: "-") else { continue }
            // Not so the last read-only part before a file's variables: the linker has filled in addresses there.
            if index + 1 == lines.count || lines[index + 1][1][1] == UInt8(ascii: "w") {
                continue
            }
            let nameStart = (fields[5].lastIndex(of: UInt8(ascii: "/")) ?? 0) + 1
            guard fields[5][nameStart...].starts(with: name.utf8) else { continue }
            let ends = fields[0].split(separator: UInt8(ascii: "-")).map { number($0) }
            guard ends.count == 2, ends[0] < ends[1] else { continue }
            found.append(
                UnsafeMutableRawBufferPointer(
                    start: UnsafeMutableRawPointer(bitPattern: ends[0]), count: Int(ends[1] - ends[0])))
        }
        return found
    }

    /// Keeps what is resident from being paged out, now and later, without making every page of every library resident
    /// (MCL_ONFAULT). Returns a warning where the limits refuse it.
    public static func lock() -> String? {
        var limit = rlimit()
        ns_memory_lock_limit(&limit)
        // With a finite limit a later allocation would fail, which is worse than a page read back.
        if limit.rlim_cur != rlim_t.max && geteuid() != 0 {
            return "memory is not locked: the limit is \(limit.rlim_cur / 1024) KiB (LimitMEMLOCK=infinity allows it)"
        }
        if mlockall(MCL_CURRENT | MCL_FUTURE | Int32(MCL_ONFAULT)) != 0 {
            return PosixError.last("lock memory").message
        }
        return nil
    }

    private static func readMaps() -> [UInt8]? {
        guard let file = try? FileDescriptor.open("/proc/self/maps", O_RDONLY) else { return nil }
        var bytes: [UInt8] = []
        let isWhole = withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 1) { buffer in
            while let count = try? file.read(into: buffer) {
                if count == 0 { return true }
                bytes.append(contentsOf: buffer[..<count])
            }
            return false
        }
        return isWhole ? bytes : nil
    }

    private static func number(_ hexadecimal: ArraySlice<UInt8>) -> UInt {
        hexadecimal.reduce(0) { $0 << 4 | UInt($1 < 0x3A ? $1 &- 0x30 : $1 &- 0x57) }
    }
}
