/// Reads the units that a cursor finds, those beside each other by one read of the disk. One thread at a time.
struct UnitReader {
    /// Where a unit stands.
    typealias Found = (offset: Int64, bytes: Int64)

    /// One read of the disk at most; a unit is never so long.
    private static let windowBytes = 32 * 1024

    private let window: ByteWindow
    /// Found, and not read.
    private var missed: Found?

    init(_ source: any ByteSource) { window = ByteWindow(source, bytes: UnitReader.windowBytes) }

    /// As `UnitSource.next`. Where the unit has yet to come this throws, and the next call gives it.
    /// - Parameter find: goes on to the next unit; nil behind the last.
    mutating func next(_ find: () throws(SourceError) -> Found?) throws(SourceError) -> UnsafeRawBufferPointer? {
        let found = if let missed { missed } else { try find() }
        guard let unit = found else { return nil }
        guard unit.bytes <= Int64(UnitReader.windowBytes), unit.bytes > 0 else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        missed = unit
        let held = try window.bytes(at: unit.offset, count: Int(unit.bytes))
        missed = nil
        // Behind the end of the file: it is shorter than when it was opened.
        if Int64(held.count) < unit.bytes { return nil }
        return UnsafeRawBufferPointer(rebasing: held[..<Int(unit.bytes)])
    }

    /// The cursor goes elsewhere.
    mutating func forget() { missed = nil }
}
