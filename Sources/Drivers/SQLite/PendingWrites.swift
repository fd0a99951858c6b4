// SPDX-License-Identifier: Apache-2.0
/// Writes that a file does not have yet: pieces of bytes, and the new end of the file.
///
/// It is a value, so that it can be passed to another thread.
public struct PendingWrites: Sendable {
    /// The pieces, ordered by offset. They neither overlap nor touch.
    public private(set) var stretches: [(offset: Int64, bytes: [UInt8])] = []
    /// The new end of the file; nil if it does not change. Nothing is pending after it.
    public private(set) var end: Int64?

    public init() {}

    public var isEmpty: Bool { stretches.isEmpty && end == nil }

    /// The number of pending bytes.
    public private(set) var count = 0

    /// Returns the end of the file after these writes.
    /// - Parameter size: the present end.
    public func size(_ size: Int64) -> Int64 {
        let written = stretches.last.map { $0.offset + Int64($0.bytes.count) } ?? 0
        return max(end.map { min($0, size) } ?? size, written)
    }

    /// Adds bytes, which replace earlier ones.
    public mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        if bytes.isEmpty { return }
        let upper = offset + Int64(bytes.count)
        // Usually a log grows, or a piece of it is written again.
        let first = place(of: offset)
        if first < stretches.count, stretches[first].offset <= offset {
            let at = Int(offset - stretches[first].offset)
            let inside = stretches[first].bytes.count - at
            if inside >= bytes.count {
                stretches[first].bytes.withUnsafeMutableBytes {
                    UnsafeMutableRawBufferPointer(rebasing: $0[at..<at + bytes.count]).copyMemory(from: bytes)
                }
                return
            }
            if first + 1 == stretches.count {
                stretches[first].bytes.removeLast(inside)
                makeRoom(for: bytes.count, in: first)
                stretches[first].bytes.append(contentsOf: bytes)
                count += bytes.count - inside
                return
            }
        }
        // Merge all pieces that it overlaps or touches.
        var last = first
        var whole: [UInt8] = []
        var begin = offset
        if first < stretches.count, stretches[first].offset < offset {
            begin = stretches[first].offset
            whole.append(contentsOf: stretches[first].bytes.prefix(Int(offset - begin)))
        }
        whole.append(contentsOf: bytes)
        while last < stretches.count, stretches[last].offset <= upper {
            let stretch = stretches[last]
            count -= stretch.bytes.count
            let behind = stretch.offset + Int64(stretch.bytes.count) - upper
            if behind > 0 { whole.append(contentsOf: stretch.bytes.suffix(Int(behind))) }
            last += 1
        }
        count += whole.count
        stretches.replaceSubrange(first..<last, with: [(begin, whole)])
    }

    /// Grows a piece. An array that grows by itself moves byte by byte in Embedded Swift.
    private mutating func makeRoom(for count: Int, in stretch: Int) {
        let old = stretches[stretch].bytes
        if old.capacity - old.count >= count { return }
        stretches[stretch].bytes = [UInt8](unsafeUninitializedCapacity: max(old.count + count, 2 * old.capacity)) {
            new, kept in
            old.withUnsafeBytes { UnsafeMutableRawBufferPointer(new).copyMemory(from: $0) }
            kept = old.count
        }
    }

    /// Ends the file at a size.
    public mutating func truncate(at size: Int64) {
        while let last = stretches.last, last.offset + Int64(last.bytes.count) > size {
            let kept = max(0, Int(size - last.offset))
            count -= last.bytes.count - kept
            if kept == 0 {
                stretches.removeLast()
            } else {
                stretches[stretches.count - 1].bytes.removeLast(last.bytes.count - kept)
            }
        }
        end = min(end ?? size, size)
    }

    /// Applies the pending writes to bytes that were read at an offset.
    /// - Returns: true if the pending writes cover all bytes.
    @discardableResult
    public func overlay(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int64) -> Bool {
        var next = place(of: offset)
        let upper = offset + Int64(bytes.count)
        var covered = 0
        while next < stretches.count, stretches[next].offset < upper {
            let stretch = stretches[next]
            let from = max(offset, stretch.offset)
            let to = min(upper, stretch.offset + Int64(stretch.bytes.count))
            if from < to {
                let (at, length) = (Int(from - stretch.offset), Int(to - from))
                stretch.bytes.withUnsafeBytes { source in
                    UnsafeMutableRawBufferPointer(rebasing: bytes[Int(from - offset)..<Int(to - offset)])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[at..<at + length]))
                }
                covered += length
            }
            next += 1
        }
        return covered == bytes.count
    }

    /// Applies later writes on top of these.
    public mutating func take(_ later: PendingWrites) {
        if let end = later.end { truncate(at: end) }
        for stretch in later.stretches { stretch.bytes.withUnsafeBytes { write($0, at: stretch.offset) } }
    }

    /// Returns the index of the first piece that ends at the offset or later.
    private func place(of offset: Int64) -> Int {
        var (low, high) = (0, stretches.count)
        while low < high {
            let middle = (low + high) / 2
            if stretches[middle].offset + Int64(stretches[middle].bytes.count) < offset {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
