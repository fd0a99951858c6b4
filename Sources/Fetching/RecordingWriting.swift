import CPosix
import Posix
import Streams

/// How what comes of a recording gets into its file.
extension CacheFolder.Entry {
    enum Written {
        case taken
        /// It is not what is there already.
        case differs
        case failed(String)
    }

    /// Writes what is missing, and compares what is there.
    /// - Parameter place: where the first of the bytes belongs; behind the last of them after.
    func write(_ bytes: UnsafeRawBufferPointer, at place: inout Int64, _ plan: inout FetchPlan) -> Written {
        var rest = bytes
        while !rest.isEmpty {
            let known = plan.map.spans.reach(from: place) - place
            if known > 0 {
                let part = UnsafeRawBufferPointer(rebasing: rest[..<Int(min(Int64(rest.count), known))])
                guard isSame(part, at: place) else { return .differs }
                place += Int64(part.count)
                rest = UnsafeRawBufferPointer(rebasing: rest[part.count...])
                continue
            }
            let room = plan.map.spans.next(after: place).map { $0 - place } ?? .max
            let count = pwrite(file.number, rest.baseAddress!, Int(min(Int64(rest.count), room)), off_t(place))
            if count <= 0 { return .failed("the cache cannot be written: " + PosixError.last("write").reason) }
            plan.didWrite(count, at: place)
            place += Int64(count)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return .taken
    }

    private func isSame(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        var there = [UInt8](repeating: 0, count: bytes.count)
        let got = there.withUnsafeMutableBytes { (try? file.read(into: $0, at: offset)) ?? -1 }
        return got == bytes.count && there.withUnsafeBytes { memcmp($0.baseAddress!, bytes.baseAddress!, got) == 0 }
    }
}
