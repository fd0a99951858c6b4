// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Posix
import Zlib

/// A file in an archive. A stored one is a part of the archive; a compressed one is inflated as it is read. One thread.
final class ArchivedFile {
    /// The most saved zlib states, of about 40 KB each. They avoid inflating from the start after a jump back.
    private static let mostMarks = 8
    private static let leastBetweenMarks: Int64 = 1 << 20
    private static let pieceBytes = 1 << 14
    /// The size from which a high compression ratio is refused: deflate can reach a thousand, audio only a few.
    private static let mostOfLittle: Int64 = 64 << 20
    private static let mostTimes: Int64 = 8

    let bytes: Int64
    private let path: String
    private let start: Int64
    private let storedBytes: Int64
    private let isDeflated: Bool

    private struct Mark {
        let place: Int64
        let taken: Int64
        let inflater: Inflater
    }
    private var marks: [Mark] = []
    private var inflater: Inflater?
    /// The inflater's positions in its output and its input.
    private var place: Int64 = 0
    private var taken: Int64 = 0
    private var isOver = false
    private var piece: [UInt8] = []
    private var pieceStart: Int64 = 0

    /// Finds a file by its name.
    /// - Parameter descriptor: the archive.
    init(_ wanted: ArchivePath, in descriptor: borrowing FileDescriptor) throws(SourceError) {
        path = wanted.archive + "/" + wanted.entry
        let name = wanted.entry.pathBytes
        var found: ZIPDirectory.Entry?
        try ZIPDirectory(path: wanted.archive).goThrough {
            if $0.name == name { found = $0 }
            return found == nil
        }
        guard let found else { throw SourceError(PosixError(code: ENOENT, operation: "open \(path)")) }
        let head: [UInt8]
        let length: Int64
        do throws(PosixError) {
            length = try descriptor.status().bytes
            head = try descriptor.read(30, at: found.start)
        } catch { throw SourceError(PosixError(code: error.code, operation: "read \(path)")) }
        start = found.start.addingSaturated(30 + Int64(head.number(26, 2)) + Int64(head.number(28, 2)))
        storedBytes = found.storedBytes
        bytes = found.bytes
        isDeflated = found.method == 8
        var problem: String?
        if found.isEncrypted {
            problem = "is encrypted"
        } else if found.method != 0 && found.method != 8 {
            problem = "is compressed in a way that is not known here"
        } else if head.count < 30 || head.number(0, 4) != 0x0403_4B50
            || start.addingSaturated(storedBytes) > length
            || !isDeflated && storedBytes != bytes
            || bytes > ArchivedFile.mostOfLittle && bytes / ArchivedFile.mostTimes > storedBytes
        {
            problem = "is broken in its archive"
        }
        if let problem { throw SourceError(ZIPDirectory.refusal(path, problem), mayPass: false) }
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, _ descriptor: borrowing FileDescriptor
    ) throws(SourceError) -> Int {
        guard offset >= 0, offset < bytes else { return 0 }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(min(Int64(buffer.count), bytes - offset))))
        do throws(PosixError) {
            if !isDeflated { return try descriptor.read(into: room, at: start + offset) }
            try go(to: offset, descriptor)
            return try inflate(into: room, descriptor)
        } catch {
            throw SourceError(
                PosixError(code: error.code, operation: "read \(path)", explanation: error.reason),
                mayPass: error.code != EBADMSG)
        }
    }

    /// Moves the inflater to an offset, from its present position or the nearest saved state.
    private func go(to offset: Int64, _ descriptor: borrowing FileDescriptor) throws(PosixError) {
        let mark = marks.last { $0.place <= offset }
        if inflater == nil || place > offset || mark?.place ?? 0 > place {
            isOver = false
            (place, taken) = (mark?.place ?? 0, mark?.taken ?? 0)
            if let mark {
                inflater = mark.inflater.copy()
            } else {
                do throws(MissingLibrary) { inflater = try Inflater() } catch {
                    throw PosixError(code: ENOENT, operation: "read", explanation: error.message)
                }
            }
        }
        var passed = [UInt8](repeating: 0, count: place < offset ? ArchivedFile.pieceBytes : 0)
        while place < offset && !isOver {
            var failure: PosixError?
            let count = Int(min(Int64(passed.count), offset - place))
            passed.withUnsafeMutableBytes { raw in
                do throws(PosixError) {
                    _ = try inflate(into: UnsafeMutableRawBufferPointer(rebasing: raw.prefix(count)), descriptor)
                } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    /// Inflates the next bytes; fewer only at the end.
    private func inflate(
        into room: UnsafeMutableRawBufferPointer, _ descriptor: borrowing FileDescriptor
    ) throws(PosixError) -> Int {
        var made = 0
        while made < room.count && !isOver {
            keepMark()
            if taken < pieceStart || taken >= pieceStart + Int64(piece.count) {
                let count = min(Int64(ArchivedFile.pieceBytes), storedBytes - taken)
                piece = count > 0 ? try descriptor.read(Int(count), at: start + taken) : []
                pieceStart = taken
            }
            guard let inflater else { return made }
            let result = piece.withUnsafeBytes {
                inflater.inflate(
                    UnsafeRawBufferPointer(rebasing: $0.dropFirst(Int(taken - pieceStart))),
                    into: UnsafeMutableRawBufferPointer(rebasing: room.dropFirst(made)))
            }
            taken += Int64(result.taken)
            place += Int64(result.made)
            made += result.made
            switch result.outcome {
            case .goesOn:
                // The file is truncated: use what is there.
                if result.taken == 0 && result.made == 0 { isOver = true }
            case .isOver: isOver = true
            case .isBroken: throw ZIPDirectory.refusal(path, "is broken in its archive")
            }
        }
        return made
    }

    private func keepMark() {
        let distance = max(ArchivedFile.leastBetweenMarks, bytes / Int64(ArchivedFile.mostMarks))
        guard marks.count < ArchivedFile.mostMarks, place >= (marks.last?.place ?? 0) + distance,
            let copy = inflater?.copy()
        else { return }
        marks.append(Mark(place: place, taken: taken, inflater: copy))
    }
}
