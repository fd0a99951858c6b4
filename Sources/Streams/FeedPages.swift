// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix

/// Reads the fetching process's records of a feed, some at a time. Any one thread; each page is one access to the disk.
public final class FeedPages: @unchecked Sendable {
    private let file: FileDescriptor
    private var place: Int64 = 0
    private var left = 1 + FeedRecord.mostEpisodes
    /// True if the rest of the file is unreadable: another program wrote it.
    public private(set) var isGarbled = false

    public init(_ file: consuming FileDescriptor) { self.file = file }

    /// Returns the next records; none at the end, or if the rest is unreadable.
    public func next(most: Int) -> [FeedRecord] {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let got = bytes.withUnsafeMutableBytes { (try? file.read(into: $0, at: place)) ?? 0 }
        bytes.removeLast(bytes.count - got)
        var records: [FeedRecord] = []
        var at = 0
        while records.count < min(most, left), bytes.count - at >= 4 {
            guard let count = FeedRecord.length(bytes[at...]) else {
                isGarbled = true
                break
            }
            if count > bytes.count - at - 4 { break }
            guard let record = FeedRecord(bytes[at + 4..<at + 4 + count]) else {
                isGarbled = true
                break
            }
            records.append(record)
            at += 4 + count
        }
        place += Int64(at)
        left -= records.count
        return isGarbled ? [] : records
    }
}
