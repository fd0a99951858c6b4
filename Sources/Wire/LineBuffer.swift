// SPDX-License-Identifier: Apache-2.0
/// Bytes in, lines out. Holds no memory while no line is half there, and never more than a line's bound and one read.
package struct LineBuffer {
    package enum Line: Equatable {
        /// Without its newline.
        case complete(ArraySlice<UInt8>)
        /// Reported once, as soon as a line is known to exceed the limit; its bytes are dropped up to its newline.
        case tooLong
    }

    /// Bytes that a line may have, its newline not counted.
    package let maximumLineBytes: Int
    private var bytes: [UInt8] = []
    private var start = 0
    /// The place to search the next newline from: bytes before it were searched.
    private var searched = 0
    private var isSkipping = false

    package init(maximumLineBytes: Int) {
        self.maximumLineBytes = maximumLineBytes
    }

    /// Memory that it takes.
    package var heldBytes: Int { bytes.capacity }

    /// The number of unread bytes.
    package var count: Int { bytes.count - start }

    package mutating func append(_ more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
    }

    /// The next line, or nil until more bytes come.
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
