import Posix

/// A source as the libraries read it, which keeps why reading failed: they only know that it did.
final class MediaInput {
    let bytes: ByteInput
    private let failures: Failures

    private let source: any ByteSource
    /// So much of the end the libraries read at once.
    private static let endBytes: Int64 = 64 * 1024

    private final class Failures {
        var last: SourceError?
        /// The first that was missed of what has yet to come ends what a library looks for: it would take it for an end, and look
        /// elsewhere.
        var isLooking = false
        var isOver: Bool { isLooking && last?.isNotThereYet == true }
    }

    /// - Parameters:
    ///   - start: where the library's first byte stands in the source.
    ///   - needsEnd: where it can go anywhere the library looks at the end first: what has none yet is read in order.
    init(_ source: any ByteSource, from start: Int64, needsEnd: Bool = false) {
        let hasEnd = source.byteCount.map { $0 <= 0 || source.available(at: $0 - 1, most: 1) > 0 } ?? false
        let failures = Failures()
        self.failures = failures
        self.source = source
        bytes = ByteInput(
            byteCount: source.byteCount.map { max(0, $0 - start) } ?? .max,
            isSeekable: source.isSeekable && (!needsEnd || hasEnd),
            available: { offset, most in
                failures.isOver ? 0 : source.available(at: start + offset, most: most)
            },
            read: { offset, buffer in
                if failures.isOver { return -1 }
                do throws(SourceError) { return try source.read(into: buffer, at: start + offset) } catch {
                    failures.last = error
                    return -1
                }
            })
    }

    /// A library is about to go to and fro in it.
    func beginLook() {
        failures.last = nil
        failures.isLooking = true
    }

    /// It has done so. Throws where something was missed on the way: what it found is not to be trusted.
    func endLook() throws(MediaError) {
        let hasMissed = failures.isOver
        failures.isLooking = false
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

    /// What a library's failure to read is.
    private var failure: MediaError { failures.last.map { .source($0) } ?? .damaged }

    func error(_ error: DecoderError) -> MediaError {
        switch error {
        case .missing(let library): .noLibrary(library)
        case .unreadable: failure
        case .damaged: .damaged
        }
    }
}
