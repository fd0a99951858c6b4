import Posix

/// A source as the libraries read it, which keeps why reading failed: they only know that it did.
final class MediaInput {
    let bytes: ByteInput
    private let failures: Failures

    private final class Failures {
        var last: SourceError?
    }

    /// - Parameters:
    ///   - start: where the library's first byte stands in the source.
    ///   - needsEnd: where it can go anywhere the library looks at the end first: what has none yet is read in order.
    init(_ source: any ByteSource, from start: Int64, needsEnd: Bool = false) {
        let hasEnd = source.byteCount.map { $0 <= 0 || source.available(at: $0 - 1, most: 1) > 0 } ?? false
        let failures = Failures()
        self.failures = failures
        bytes = ByteInput(
            byteCount: max(0, (source.byteCount ?? .max) - start),
            isSeekable: source.isSeekable && (!needsEnd || hasEnd),
            available: { offset, most in source.available(at: start + offset, most: most) },
            read: { offset, buffer in
                do throws(SourceError) { return try source.read(into: buffer, at: start + offset) } catch {
                    failures.last = error
                    return -1
                }
            })
    }

    /// What a library's failure to read is.
    var failure: MediaError { failures.last.map { .source($0) } ?? .damaged }
}
