// SPDX-License-Identifier: Apache-2.0
/// Bytes in, lines out. Holds no memory without an unfinished line, and never more than a line's limit and one read.
package struct LineBuffer {
    package enum Line: Equatable {
        /// A line without its newline.
        case complete(ArraySlice<UInt8>)
        /// A line beyond the limit. Reported once, as soon as that is known; its bytes are dropped up to its newline.
        case tooLong
    }

    /// The limit of a line, without its newline.
    package let maximumLineBytes: Int
    private var bytes: [UInt8] = []
    private var start = 0
    /// The start of the search for the next newline: the bytes before it were searched.
    private var searched = 0
    private var isSkipping = false

    package init(maximumLineBytes: Int) {
        self.maximumLineBytes = maximumLineBytes
    }

    /// The size of its memory.
    package var heldBytes: Int { bytes.capacity }

    /// The number of unread bytes.
    package var count: Int { bytes.count - start }

    package mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
    }

    /// Returns the next line; nil until more bytes come.
    package mutating func next() -> Line? {
        while true {
            guard let end = bytes[searched...].firstIndex(of: .newline) else {
                searched = bytes.count
                if isSkipping {
                    removeAll()
                } else if count > maximumLineBytes {
                    removeAll()
                    isSkipping = true
                    return .tooLong
                }
                compact()
                return nil
            }
            let line = bytes[start..<end]
            start = end + 1
            searched = start
            if isSkipping {
                isSkipping = false
            } else if line.count > maximumLineBytes {
                return .tooLong
            } else {
                return .complete(line)
            }
        }
    }

    private mutating func removeAll() {
        bytes = []
        start = 0
        searched = 0
    }

    private mutating func compact() {
        if count == 0 {
            removeAll()
        } else if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
    }
}
