// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Remembers beyond a crash which recording each thread worked at. A recording that ended the speaker once must not end it again.
///
/// The memory is a mapped page of a file, in a folder that outlives the process. It survives a crash, and nothing waits for a disk. Marks
/// are plain stores, each thread into a slot of its own; a signal handler adds the thread's number. Before `install` there is no page, and
/// marking costs nothing.
public enum Fuse {
    /// The end of the last process that used the page.
    public struct Death: Equatable, Sendable {
        /// The signal of a crash; 0 if the process was killed without a trace.
        public var signal: Int
        /// The recording at which the crashed thread worked; nil for none.
        public var name: String?
        /// The hash of the recording in work when the process was asked or forced to end; 0 for none.
        fileprivate var suspect: Int32 = 0
        /// The number of times in a row that it was the same one.
        fileprivate var count: Int32 = 0
    }

    private static let slotCount = 16
    private static let slotBytes = 512
    private static let pageBytes = slotBytes * (slotCount + 1)
    /// The slot of the playing recording, which the control thread sets.
    private static let currentSlot = 0
    /// A recording counts as hanging if the process was asked to end twice in a row at the same recording, each time soon after its start.
    /// After five such kills it counts as exhausting the memory. A kill may find a recording in work by chance: on a busy board 3 of 200
    /// did.
    private static let againSeconds: Int32 = 600
    private static let mostTold: Int32 = 2
    private static let mostKilled: Int32 = 5
    private static let mark: Int32 = 0x4E46_5531
    nonisolated(unsafe) private static var page: UnsafeMutableRawPointer? = nil
    /// The recordings that have ended the speaker; nil without a list. Set before the threads begin.
    nonisolated(unsafe) public static var passedOver: PassedOver? = nil

    /// The offsets in the head, which follows the slots.
    private enum Head {
        static let mark = 0
        static let isRunning = 4
        static let signal = 8
        static let thread = 12
        static let suspect = 16
        static let startedSeconds = 20
        static let count = 24
    }

    /// Starts the record, and makes crashes record their thread.
    /// - Parameter path: the file of the page, in a folder that outlives the process, best in memory.
    /// - Returns: the death of the last process; nil if it ended properly, or there was none.
    public static func install(path: String) -> Death? {
        let descriptor = path.withPath { ns_open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        if descriptor < 0 { return nil }
        defer { close(descriptor) }
        if ftruncate(descriptor, off_t(pageBytes)) < 0 { return nil }
        guard let mapped = mmap(nil, pageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            UInt(bitPattern: mapped) != UInt.max
        else { return nil }
        let death = lastDeath(mapped)
        memset(mapped, 0, pageBytes)
        page = mapped
        head(mapped, Head.mark, mark)
        head(mapped, Head.isRunning, 1)
        head(mapped, Head.suspect, death?.suspect ?? 0)
        head(mapped, Head.count, death?.count ?? 0)
        head(mapped, Head.startedSeconds, seconds)
        catchCrashes()
        return death
    }

    /// Records that the process ends properly.
    public static func end() { if let page { head(page, Head.isRunning, 0) } }

    private static func lastDeath(_ page: UnsafeMutableRawPointer) -> Death? {
        guard head(page, Head.mark) == mark, head(page, Head.isRunning) == 1 else { return nil }
        let signal = head(page, Head.signal)
        let thread = head(page, Head.thread)
        // A signal from outside, such as a service manager's for a hung process, reaches any thread. SIGKILL leaves no trace. Neither alone
        // proves a recording guilty.
        let isFault = signal != 0 && thread != 0
        var name: String?
        for slot in 1..<slotCount where isFault ? number(page, slot, 0) == thread : signal == 0 {
            name = name ?? self.name(page, slot)
        }
        // The threads of playback and commands work at the playing recording. Playback itself does not exhaust the memory.
        if signal != 0 { name = name ?? self.name(page, currentSlot) }
        if isFault { return Death(signal: Int(signal), name: name) }
        let suspect = name.map { hash($0) } ?? 0
        let isAgain = suspect != 0 && suspect == head(page, Head.suspect)
        let isSoon = seconds &- head(page, Head.startedSeconds) < againSeconds
        let count = suspect == 0 ? 0 : isAgain && isSoon ? head(page, Head.count) &+ 1 : 1
        let isGuilty = count >= (signal == 0 ? mostKilled : mostTold)
        return Death(signal: Int(signal), name: isGuilty ? name : nil, suspect: suspect, count: count)
    }

    private static var seconds: Int32 { Int32(truncatingIfNeeded: MonotonicTime.now.nanoseconds / 1_000_000_000) }

    /// Returns the FNV-1a hash.
    private static func hash(_ name: String) -> Int32 {
        Int32(bitPattern: name.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 })
    }

    // MARK: Marking

    /// Returns true if a recording has ended the speaker and must not be touched. May wait for its disk.
    public static func refuses(_ name: String) -> Bool { passedOver?.contains(name) ?? false }

    /// Sets the playing recording; "" for none. Control thread.
    public static func setCurrent(_ name: String) {
        guard let page else { return }
        write(name, page, currentSlot)
    }

    /// Marks a recording until `end`, while it is read or decoded. Any thread. If the thread has a mark already, that one stays.
    /// - Returns: the slot to give back; -1 for none.
    public static func begin(_ name: String) -> Int {
        guard let page else { return -1 }
        let thread = ns_gettid()
        for slot in 1..<slotCount where number(page, slot, 0) == thread { return -1 }
        for slot in 1..<slotCount {
            let place = (page + slot * slotBytes).assumingMemoryBound(to: Int32.self)
            if ns_claim_place(place, thread) {
                write(name, page, slot)
                return slot
            }
        }
        return -1
    }

    public static func end(_ slot: Int) {
        guard slot > 0, let page else { return }
        number(page, slot, 4, 0)
        number(page, slot, 0, 0)
    }

    /// Suspends this thread's mark while it works at something else.
    /// - Returns: the slot for `takeUp`; -1 for none.
    public static func setAside() -> Int {
        guard let page else { return -1 }
        let thread = ns_gettid()
        for slot in 1..<slotCount where number(page, slot, 0) == thread {
            // No thread has such a number, and no other thread may claim the slot.
            number(page, slot, 0, -thread)
            return slot
        }
        return -1
    }

    public static func takeUp(_ slot: Int) {
        guard slot > 0, let page else { return }
        number(page, slot, 0, ns_gettid())
    }

    /// Writes a slot: the thread, the number of bytes of the name, and the name.
    private static func write(_ name: String, _ page: UnsafeMutableRawPointer, _ slot: Int) {
        let place = page + slot * slotBytes
        number(page, slot, 4, 0)
        var name = name
        name.withUTF8 { bytes in
            // The end of a long name identifies it.
            let kept = min(bytes.count, slotBytes - 8)
            if let source = bytes.baseAddress { memcpy(place + 8, source + (bytes.count - kept), kept) }
            number(page, slot, 4, Int32(truncatingIfNeeded: kept))
        }
    }

    private static func name(_ page: UnsafeMutableRawPointer, _ slot: Int) -> String? {
        let count = Int(number(page, slot, 4))
        guard count > 0, count <= slotBytes - 8 else { return nil }
        return String(
            decoding: UnsafeRawBufferPointer(start: page + slot * slotBytes + 8, count: count), as: UTF8.self)
    }

    private static func number(_ page: UnsafeMutableRawPointer, _ slot: Int, _ offset: Int) -> Int32 {
        page.load(fromByteOffset: slot * slotBytes + offset, as: Int32.self)
    }

    private static func number(_ page: UnsafeMutableRawPointer, _ slot: Int, _ offset: Int, _ value: Int32) {
        page.storeBytes(of: value, toByteOffset: slot * slotBytes + offset, as: Int32.self)
    }

    private static func head(_ page: UnsafeMutableRawPointer, _ offset: Int) -> Int32 {
        number(page, slotCount, offset)
    }

    private static func head(_ page: UnsafeMutableRawPointer, _ offset: Int, _ value: Int32) {
        number(page, slotCount, offset, value)
    }

    // MARK: Crashing

    private static func catchCrashes() {
        // The stack of the calling thread, which lasts as long as the process.
        ns_use_signal_stack(malloc(ns_signal_stack_bytes()))
        // Only stores: the crash may have interrupted anything.
        ns_before_dying { signal, info, _ in
            // The first crash counts. If the whole process failed, any thread may get its signal.
            if let page = Fuse.page, Fuse.head(page, Head.signal) == 0 {
                let isTold = (signal == SIGABRT || signal == SIGQUIT) && ns_came_from_outside(info)
                Fuse.head(page, Head.signal, signal)
                Fuse.head(page, Head.thread, isTold ? 0 : ns_gettid())
            }
            raise(signal)
        }
    }
}
