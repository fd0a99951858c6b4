// SPDX-License-Identifier: Apache-2.0
import CPosix

/// Writes to a descriptor shared with other processes, mostly standard output, and never waits for its reader. Bytes that cannot be written
/// at once are kept for later. Control thread only.
public final class SharedOutput {
    /// The same pipe or terminal, reopened if possible: O_NONBLOCK belongs to the open file, which we share with the shell.
    private let own: FileDescriptor?
    private let isOwn: Bool
    /// The descriptor.
    public let number: Int32
    private var waiting: [UInt8] = []
    /// True if the reader is gone (EPIPE and the like): nothing is written any more.
    public private(set) var isClosed: Bool

    /// The number of bytes that the kernel always accepts when it reports room.
    private static let portionBytes = 512

    public init(sharing number: Int32) {
        var kind = stat()
        let isOpened = fstat(number, &kind) == 0
        isClosed = !isOpened
        let type = kind.st_mode & mode_t(S_IFMT)
        if isOpened, type == mode_t(S_IFIFO) || type == mode_t(S_IFCHR),
            let opened = try? FileDescriptor.open("/proc/self/fd/\(number)", O_WRONLY | O_NONBLOCK | O_NOCTTY)
        {
            self.number = opened.number
            own = consume opened
            isOwn = true
        } else {
            self.number = number
            own = nil
            isOwn = false
        }
    }

    /// The bytes still to write.
    public var waitingBytes: Int { waiting.count }

    /// Writes as much as possible, and keeps the rest.
    public func write(_ bytes: [UInt8]) {
        waiting += bytes
        flush()
    }

    /// Writes more of the rest. Returns true when everything is out.
    @discardableResult
    public func flush() -> Bool {
        var done = 0
        while done < waiting.count, !isClosed {
            let count = waiting.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[done...])) }
            if count == 0 { break }
            done += count
        }
        if isClosed { waiting.removeAll() } else { waiting.removeFirst(done) }
        return waiting.isEmpty
    }

    /// Waits for the reader at the end, but not longer than this.
    public func finish(withinMilliseconds milliseconds: Int) {
        let end = MonotonicTime.now.adding(milliseconds: milliseconds)
        while !flush() {
            let left = Int32(clamping: end.milliseconds(since: .now))
            var descriptor = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
            if left <= 0 || poll(&descriptor, 1, left) == 0 { return }
        }
    }

    /// Returns the number of bytes written; 0 if a write would block.
    private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        var most = bytes.count
        if !isOwn {
            // Poll before each portion, since a shared terminal, socket or file may be in blocking mode.
            var descriptor = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
            if poll(&descriptor, 1, 0) == 0 { return 0 }
            most = min(most, SharedOutput.portionBytes)
        }
        while true {
            let count = CPosix.write(number, bytes.baseAddress, most)
            if count > 0 { return count }
            let code = ns_errno()
            if count < 0, code == EINTR { continue }
            if count < 0, code == EAGAIN { return 0 }
            isClosed = true
            return 0
        }
    }
}
