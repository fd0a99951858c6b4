// SPDX-License-Identifier: Apache-2.0
import Posix

/// The input of a decoding library. It keeps the error of a failed read, of which libraries learn no details.
final class MediaInput: ByteInput {
    private let source: any ByteSource
    private let start: Int64
    private var last: SourceError?
    /// True during a search of the library. The first missing byte then ends the search, since the library would mistake it for the end.
    private var isLooking = false
    private var isOver: Bool { isLooking && last?.isNotThereYet == true }
    /// The number of bytes that libraries read at the end at once.
    private static let endBytes: Int64 = 64 * 1024

    /// - Parameters:
    ///   - start: the offset of the library's first byte in the source.
    ///   - needsEnd: true if a library that can seek reads the end first; a source without its end is then read in order.
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

    /// Begins a search of the library across the source.
    func beginLook() {
        last = nil
        isLooking = true
    }

    /// Ends the search. Throws if bytes were missing, since its result cannot be trusted then.
    func endLook() throws(MediaError) {
        let hasMissed = isOver
        isLooking = false
        if hasMissed { throw failure }
    }

    /// Requests the end of the source if it can be fetched out of order. Returns the error to throw.
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

    /// The error of a failed read.
    private var failure: MediaError { last.map { .source($0) } ?? .damaged }

    func error(_ error: DecoderError) -> MediaError {
        switch error {
        case .missing(let library): .noLibrary(library)
        case .unreadable: failure
        case .damaged: .damaged
        }
    }
}
