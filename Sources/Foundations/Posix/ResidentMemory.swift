// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Decides which pages of the program stay in memory. Control thread.
public enum ResidentMemory {
    /// Releases what only the start needed: free heap, and pages of code that ran once (opening the database, reading ALSA's configuration,
    /// linking). Later uses read it back from the page cache.
    public static func giveBackStartup() {
        ns_trim_heap()
        giveBack(cleanMappings())
    }

    /// The code and constants of the program and its libraries. They are listed again only after a library was loaded or unloaded.
    public struct Code {
        private var mappings: [UnsafeMutableRawBufferPointer] = []
        /// The count of libraries loaded and unloaded.
        private var changes: UInt64 = 0

        public init() {}

        /// Releases them. None of them may be locked.
        public mutating func giveBack() {
            var now: UInt64 = 0
            withUnsafeMutablePointer(to: &now) {
                _ = ns_iterate_programs(
                    { program, _, now in
                        guard let program = program?.pointee else { return 1 }
                        now?.assumingMemoryBound(to: UInt64.self).pointee = program.added &+ program.removed
                        return 1
                    }, $0)
            }
            if now != changes || now == 0 { mappings = cleanMappings() }
            changes = now
            ResidentMemory.giveBack(mappings)
        }
    }

    /// Releases free heap.
    public static func giveBackHeap() { ns_trim_heap() }

    /// Releases the pages of these mappings, which must be clean and not locked.
    public static func giveBack(_ mappings: [UnsafeMutableRawBufferPointer]) {
        for mapping in mappings { madvise(mapping.baseAddress, mapping.count, MADV_DONTNEED) }
    }

    /// Unlocks the program's code for starting, scanning and clients, which the audio thread never runs. Then `giveBack` can release it
    /// each time it may have run. Returns nothing if the linker did not sort the code (board/build.d/layout.ld).
    public static func unlockSeldomCode() -> [UnsafeMutableRawBufferPointer] {
        let page = UInt(getpagesize())
        var mappings: [UnsafeMutableRawBufferPointer] = []
        for isSecond in [false, true] {
            let first = (ns_seldom_code_first(isSecond) + page - 1) / page * page
            let end = ns_seldom_code_past(isSecond) / page * page
            guard first < end, let start = UnsafeMutableRawPointer(bitPattern: first) else { continue }
            let mapping = UnsafeMutableRawBufferPointer(start: start, count: Int(end - first))
            munlock(mapping.baseAddress, mapping.count)
            mappings.append(mapping)
        }
        return mappings
    }

    /// Unlocks the code and constants of a library that runs rarely, and never on the audio thread. Then `giveBack` can release them each
    /// time it has run.
    public static func unlock(library name: String) -> [UnsafeMutableRawBufferPointer] {
        let mappings = cleanMappings(name)
        for mapping in mappings { munlock(mapping.baseAddress, mapping.count) }
        return mappings
    }

    /// Returns the code and constants of the program and its libraries, or of libraries with this file name prefix. They are never written
    /// to, so every page is on the disk.
    private static func cleanMappings(_ name: String = "") -> [UnsafeMutableRawBufferPointer] {
        var search = Search(name: name)
        withUnsafeMutablePointer(to: &search) {
            _ = ns_iterate_programs(
                { program, _, search in
                    if let program { search?.assumingMemoryBound(to: Search.self).pointee.visit(program.pointee) }
                    return 0
                }, $0)
        }
        return search.found
    }

    private struct Search {
        let name: String
        var found: [UnsafeMutableRawBufferPointer] = []

        mutating func visit(_ program: ns_program) {
            let path = String(cString: program.path).utf8
            let slash = path.lastIndex(of: UInt8(ascii: "/"))
            // The kernel's own library, the vDSO, has a name without a folder.
            guard path.isEmpty || slash != nil else { return }
            guard path[(slash.map(path.index(after:)) ?? path.startIndex)...].starts(with: name.utf8) else { return }
            let page = UInt(getpagesize())
            for header in UnsafeBufferPointer(start: program.headers, count: Int(program.header_count)) {
                // Pages that are read-only in /proc/self/maps may have been written before: the linker fills in addresses.
                guard header.p_type == PT_LOAD, header.p_flags & UInt32(PF_W) == 0 else { continue }
                let start = program.base &+ UInt(header.p_vaddr)
                let first = start / page * page
                let end = (start &+ UInt(header.p_memsz) &+ page &- 1) / page * page
                found.append(
                    UnsafeMutableRawBufferPointer(
                        start: UnsafeMutableRawPointer(bitPattern: first), count: Int(end &- first)))
            }
        }
    }

    /// Locks resident pages in memory, now and later, without loading every page of every library (MCL_ONFAULT). Returns a warning if the
    /// limits refuse it.
    public static func lock() -> String? {
        var limit = rlimit()
        ns_memory_lock_limit(&limit)
        // With a finite limit a later allocation would fail, which is worse than reading a page back.
        if limit.rlim_cur != rlim_t.max && geteuid() != 0 {
            return "memory is not locked: the limit is \(limit.rlim_cur / 1024) KiB (LimitMEMLOCK=infinity allows it)"
        }
        if mlockall(MCL_CURRENT | MCL_FUTURE | Int32(MCL_ONFAULT)) != 0 {
            return PosixError.last("lock memory").message
        }
        return nil
    }
}
