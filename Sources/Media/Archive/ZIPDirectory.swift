// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Posix

/// The directory at the end of a ZIP file (APPNOTE.TXT 4.3), read in pieces of about 100 KB, regardless of its stated sizes. Multi-part
/// archives and ZIP64 are not supported. Worker and feed threads.
public final class ZIPDirectory {
    /// One file of the archive.
    struct Entry {
        /// The name as stored.
        let name: [UInt8]
        let isEncrypted: Bool
        /// The method: 0 stored, 8 deflate.
        let method: UInt32
        let storedBytes: Int64
        let bytes: Int64
        /// The offset of its local header.
        let start: Int64
    }

    /// The most entries; no talking book has more.
    private static let mostEntries = 8000
    private static let mostNameBytes = 1024
    private static let endBytes = 22
    private static let headBytes = 46
    private static let pieceBytes = 1 << 15

    private let path: String
    private let descriptor: FileDescriptor
    private let length: Int64
    private let range: Range<Int64>
    private var window: [UInt8] = []
    private var windowStart: Int64 = 0
    /// True if an encrypted file was found.
    private(set) var isEncrypted = false

    public init(path: String) throws(SourceError) {
        self.path = path
        do throws(PosixError) {
            descriptor = try FileDescriptor.openRegularFile(path)
            length = try descriptor.status().bytes
            // A record follows the directory, and then a comment.
            let tail = try descriptor.read(
                Int(min(length, Int64(UInt16.max) + Int64(ZIPDirectory.endBytes))), at: max(0, length - 65_557))
            let start = length - Int64(tail.count)
            var found: Range<Int64>?
            var at = tail.count - ZIPDirectory.endBytes
            while at >= 0 && found == nil {
                found = ZIPDirectory.directory(tail, at, endsBefore: start + Int64(at))
                at -= 1
            }
            guard let found else {
                throw ZIPDirectory.refusal(
                    path, "it is no ZIP file that can be read: damaged, incomplete, ZIP64, or in several parts"
                )
            }
            range = found
        } catch { throw SourceError(error, mayPass: error.code != EBADMSG) }
    }

    static func refusal(_ path: String, _ words: String) -> PosixError {
        PosixError(code: EBADMSG, operation: "read \(path)", explanation: words)
    }

    /// Returns the place of the directory, from the record that ends an archive; nil without such a record, or for ZIP64.
    private static func directory(_ tail: [UInt8], _ at: Int, endsBefore end: Int64) -> Range<Int64>? {
        guard tail[at] == 0x50, tail.number(at, 4) == 0x0605_4B50, tail.number(at + 4, 4) == 0 else { return nil }
        let (bytes, start) = (tail.number(at + 12, 4), tail.number(at + 16, 4))
        guard bytes != UInt32.max, start != UInt32.max else { return nil }
        // The sum of two 32-bit numbers.
        let last = Int64(start) + Int64(bytes)
        return last <= end ? Int64(start)..<last : nil
    }

    /// Visits the files in the order of the directory, without folders, until told to stop.
    /// - Parameter visit: returns true to continue.
    func goThrough(_ visit: (Entry) -> Bool) throws(SourceError) {
        var at = range.lowerBound
        var count = 0
        while at < range.upperBound {
            let head = try window(at: at, count: ZIPDirectory.headBytes)
            count += 1
            guard head.count == ZIPDirectory.headBytes, head.number(0, 4) == 0x0201_4B50 else {
                throw SourceError(ZIPDirectory.refusal(path, "its directory is broken"), mayPass: false)
            }
            if count > ZIPDirectory.mostEntries {
                throw SourceError(ZIPDirectory.refusal(path, "it holds too many files"), mayPass: false)
            }
            let (nameBytes, more) = (Int(head.number(28, 2)), Int64(head.number(30, 2)) + Int64(head.number(32, 2)))
            if nameBytes > 0 && nameBytes <= ZIPDirectory.mostNameBytes {
                let name = try window(at: at + Int64(ZIPDirectory.headBytes), count: nameBytes)
                let entry = Entry(
                    name: name, isEncrypted: head.number(8, 2) & 1 != 0, method: head.number(10, 2),
                    storedBytes: Int64(head.number(20, 4)), bytes: Int64(head.number(24, 4)),
                    start: Int64(head.number(42, 4)))
                isEncrypted = isEncrypted || entry.isEncrypted
                if name.count == nameBytes, ZIPDirectory.isFile(name), !visit(entry) { return }
            }
            at += Int64(ZIPDirectory.headBytes + nameBytes) + more
        }
    }

    /// Returns true for a file's path that does not lead out of the archive.
    private static func isFile(_ name: [UInt8]) -> Bool {
        if name.last == UInt8(ascii: "/") || name.contains(0) { return false }
        return name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
        }
    }

    /// Returns bytes of the directory, fewer at its end.
    private func window(at start: Int64, count: Int) throws(SourceError) -> [UInt8] {
        if start < windowStart || start + Int64(count) > windowStart + Int64(window.count) {
            let wanted = min(Int64(max(count, ZIPDirectory.pieceBytes)), max(0, range.upperBound - start))
            do throws(PosixError) { window = try descriptor.read(Int(wanted), at: start) } catch {
                throw SourceError(PosixError(code: error.code, operation: "read \(path)"))
            }
            windowStart = start
        }
        let from = Int(start - windowStart)
        return Array(window[min(from, window.count)..<min(from + count, window.count)])
    }

    /// Returns the names of the files, at most about 400 KB.
    public func names() throws(SourceError) -> [String] {
        var names: [String] = []
        var bytes = 0
        try goThrough {
            bytes += $0.name.count
            names.append(String(pathBytes: $0.name[...]))
            return bytes < 400 << 10
        }
        return names
    }
}

extension [UInt8] {
    /// Returns a little-endian number of some bytes; 0 outside the array.
    func number(_ at: Int, _ bytes: Int) -> UInt32 {
        guard at >= 0, at + bytes <= count else { return 0 }
        var value: UInt32 = 0
        for place in (0..<bytes).reversed() { value = value << 8 | UInt32(self[at + place]) }
        return value
    }
}
