// SPDX-License-Identifier: Apache-2.0
import Posix

/// A source as the libraries read it, which keeps why reading failed: they only know that it did.
final class MediaInput: ByteInput {
    private let source: any ByteSource
    private let start: Int64
    private var last: SourceError?
    /// The first that was missed of what has yet to come ends what a library looks for: it would take it for an end, and look elsewhere.
    private var isLooking = false
    private var isOver: Bool { isLooking && last?.isNotThereYet == true }
    /// So much of the end the libraries read at once.
    private static let endBytes: Int64 = 64 * 1024

    /// - Parameters:
    ///   - start: the place of the library's first byte in the source.
    ///   - needsEnd: true if a library that can seek looks at the end first: a source without an end is then read in order.
    init(_ source: any ByteSource, from start: Int64, needsEnd: Bool = false) {
        self.source = source
        self.start = start
        let hasEnd = source.byteCount.map { $0 <= 0 || source.available(at: $0 - 1, most: 1) > 0 } ?? false
        super.init(
            byteCount: source.byteCount.map { max(0, $0 - start) } ?? .max,
            isSeekable: source.isSeekable && (!needsEnd || hasEnd))
    }

    override func available(at offset: Int64, most: Int) -> Int {
        isOver ? 0 : source.available(at: start + offset, most: most)
    }

    override func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        if isOver { return -1 }
        do throws(SourceError) { return try source.read(into: buffer, at: start + offset) } catch {
            last = error
            return -1
        }
    }

    /// A library is about to go to and fro in it.
    func beginLook() {
        last = nil
        isLooking = true
    }

    /// It has done so. Throws where something was missed on the way: its findings cannot be trusted.
    func endLook() throws(MediaError) {
        let hasMissed = isOver
        isLooking = false
        if hasMissed { throw failure }
    }

    /// Says that the end is missed, where it can be had before what comes before it.
    func missEnd() -> MediaError {
        if source.isSeekable, let count = source.byteCount {
            var place = max(0, count - MediaInput.endBytes)
            while place < count {
                let there = source.available(at: place, most: Int(count - place))
                if there <= 0 { break }
                place += Int64(there)
            }
            _ = source.readyBytes(at: place, most: 1)
        }
        return .source(.notThereYet(""))
    }

    /// The error behind a library's failure to read.
    private var failure: MediaError { last.map { .source($0) } ?? .damaged }

    func error(_ error: DecoderError) -> MediaError {
        switch error {
        case .missing(let library): .noLibrary(library)
        case .unreadable: failure
        case .damaged: .damaged
        }
    }
}
