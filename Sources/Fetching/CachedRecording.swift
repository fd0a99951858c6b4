// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Streams

/// A recording in its cache file: the present bytes, the next request, and the place of the coming bytes. The fetching process's only
/// thread.
final class CachedRecording {
    enum Written: Equatable {
        case taken
        /// The bytes differ from the present ones.
        case differs
        case noRoom(String)
        case failed(String)
    }

    /// The shortest interval of writing the map, except at the end and when the last reader leaves.
    private static let saveMilliseconds: Int64 = 30_000
    /// The size of the steps in which it makes room.
    private static let roomBytes: Int64 = 1 << 20
    private static let mostDocumentBytes: Int64 = 4 << 20

    private let cache: CacheFolder
    private let question: StreamQuestion
    private let makeRoom: (Int64) -> String?
    /// The cache entry; nil before it is opened, and for a recording outside the cache.
    private var entry: CacheFolder.Entry?
    private(set) var plan: FetchPlan
    /// The place of the next byte in the file.
    private(set) var place: Int64 = 0
    /// The remaining reserved bytes; nil before this answer has brought any.
    private var reservedBytes: Int64?
    private var savedAt = MonotonicTime.now
    private var hasSaved = false
    /// True if the coming bytes join the present ones; false behind a gap.
    private var isKept = true

    /// - Parameter makeRoom: makes room for a number of bytes. Returns the reason of a failure; nil for success.
    init(_ question: StreamQuestion, _ cache: CacheFolder, makeRoom: @escaping (Int64) -> String?) {
        self.question = question
        self.cache = cache
        self.makeRoom = makeRoom
        plan = CachedRecording.plan(CacheMap(address: question.name), question, cache)
    }

    private static func plan(_ map: CacheMap, _ question: StreamQuestion, _ cache: CacheFolder) -> FetchPlan {
        FetchPlan(
            map, mostBytes: question.isDocument ? min(mostDocumentBytes, cache.mostBytes) : cache.mostBytes,
            isDocument: question.isDocument)
    }

    // MARK: The file

    var isOpen: Bool { entry != nil }

    func open() throws(PosixError) {
        let entry = try cache.open(question.name)
        self.entry = entry
        plan = CachedRecording.plan(entry.map, question, cache)
    }

    /// Closes the file: the coming bytes are not cached.
    func close() { entry = nil }

    /// Starts a new file for another recording. Readers of the old one keep it.
    func beginAnew() throws(PosixError) {
        try beginFile()
        plan.didBeginAnew()
    }

    private func beginFile() throws(PosixError) {
        entry = try cache.begin(question.name)
        place = 0
    }

    /// Returns a read-only descriptor for a speaker; nil without a file.
    func readOnlyFile() -> FileDescriptor? {
        entry.flatMap { try? FileDescriptor.open("/proc/self/fd/\($0.file.number)", O_RDONLY) }
    }

    /// Removes the file, since the cache cannot hold it.
    /// - Parameters:
    ///   - range: the part that is still wanted.
    ///   - take: receives that part, in pieces.
    /// - Returns: the end of that part.
    func discard(keeping range: Range<Int64>, _ take: (UnsafeRawBufferPointer) -> Void) -> Int64 {
        guard let entry else { return range.lowerBound }
        var at = range.lowerBound
        var piece = [UInt8](repeating: 0, count: 16 * 1024)
        while at < range.upperBound {
            let got = piece.withUnsafeMutableBytes { buffer in
                let most = Int(min(Int64(buffer.count), range.upperBound - at))
                let got = (try? entry.file.read(into: .init(rebasing: buffer[..<most]), at: at)) ?? 0
                take(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
                return got
            }
            if got <= 0 { break }
            at += Int64(got)
        }
        cache.forget(entry)
        close()
        return at
    }

    /// Removes the file if none of the recording has come.
    func forgetIfEmpty() {
        guard let entry, plan.map.spans.end == 0 else { return }
        cache.forget(entry)
        close()
    }

    func save() {
        savedAt = .now
        guard let entry, isKept, plan.map != entry.map else { return }
        entry.map = plan.map
        cache.save(entry)
        hasSaved = true
    }

    /// Saves a recording that ended before its first save. Later saves are `saveIfDue`'s.
    func saveIfNew() { if !hasSaved { save() } }

    func saveIfDue(_ now: MonotonicTime) {
        if now.milliseconds(since: savedAt) >= CachedRecording.saveMilliseconds { save() }
    }

    /// The time of the next save of the map; nil if it is saved.
    var saveDue: MonotonicTime? {
        guard let entry, isKept, plan.map != entry.map else { return nil }
        return savedAt.adding(milliseconds: Int(CachedRecording.saveMilliseconds))
    }

    /// Stops caching, since the coming bytes do not follow the present ones, which stay.
    func keepNoMore() {
        if isKept { save() }
        isKept = false
    }

    // MARK: Requests and their bytes

    /// - Parameters: see `FetchPlan`.
    func request(wanted: Int64?, heard: Int64) -> FetchPlan.Request {
        defer { place = plan.offset }
        return plan.request(wanted: wanted, heard: heard)
    }

    /// - Parameter opening: the first bytes of the answer.
    func judge(_ head: ResponseHead, finalAddress: String, opening: [UInt8]) -> FetchPlan.Body {
        let body = plan.judge(head, finalAddress: finalAddress, opening: opening)
        place = 0
        reservedBytes = nil
        switch body {
        case .write(let from), .compare(let from): place = from
        case .writeAnew:
            do throws(PosixError) { try beginFile() } catch {
                return .never("the cache cannot be used: " + error.message)
            }
        case .live, .passing, .list, .isWhole, .never, .notNow: break
        }
        return body
    }

    var tooLong: String { "too long for the cache of \(cache.mostBytes >> 20) MB ([network] cache_mb)" }

    /// Reserves room for bytes that lie before `end`. Returns the reason of a failure; nil for success.
    private func reserve(_ count: Int64, upTo end: Int64) -> String? {
        if end > plan.mostBytes { return tooLong }
        if reservedBytes ?? -1 < count {
            let missing = max(count, plan.map.length.map { $0 - plan.map.front } ?? CachedRecording.roomBytes)
            let step = max(count, min(CachedRecording.roomBytes, missing))
            // The whole missing part must have room, or the download does not start.
            if let problem = makeRoom(reservedBytes == nil ? missing : step) { return problem }
            reservedBytes = step
        }
        reservedBytes = (reservedBytes ?? 0) - count
        return nil
    }

    /// Writes the missing bytes from `place` on, and compares the present ones.
    func write(_ bytes: UnsafeRawBufferPointer) -> Written {
        guard let entry else { return .failed("the cache cannot be used") }
        let known = plan.map.spans.reach(from: place) - place
        let new = max(0, Int64(bytes.count) - known)
        if let problem = reserve(new, upTo: place + known + new) { return .noRoom(problem) }
        var left = bytes
        while !left.isEmpty {
            let known = plan.map.spans.reach(from: place) - place
            var count = Int(min(Int64(left.count), known))
            if count > 0 {
                if !isThere(.init(rebasing: left[..<count]), entry) { return .differs }
            } else {
                let room = plan.map.spans.next(after: place).map { $0 - place } ?? .max
                count = pwrite(entry.file.number, left.baseAddress!, Int(min(Int64(left.count), room)), off_t(place))
                if count <= 0 { return .failed("the cache cannot be written: " + PosixError.last("write").reason) }
                plan.didWrite(count, at: place)
            }
            place += Int64(count)
            left = UnsafeRawBufferPointer(rebasing: left[count...])
        }
        return .taken
    }

    private func isThere(_ bytes: UnsafeRawBufferPointer, _ entry: CacheFolder.Entry) -> Bool {
        var there = [UInt8](repeating: 0, count: bytes.count)
        let got = there.withUnsafeMutableBytes { (try? entry.file.read(into: $0, at: place)) ?? -1 }
        return got == bytes.count && there.withUnsafeBytes { memcmp($0.baseAddress!, bytes.baseAddress!, got) == 0 }
    }

    /// Writes a segment behind the present bytes.
    /// - Returns: the reason of a failed write; nil for success.
    func append(_ segment: [UInt8], _ parts: CacheMap.Parts) -> String? {
        place = plan.map.front
        switch segment.withUnsafeBytes({ write($0) }) {
        case .failed(let problem), .noRoom(let problem): return problem
        case .differs: return "the cache cannot be used"
        case .taken: plan.didJoin(parts)
        }
        return nil
    }

    /// Notes the regular end of the connection.
    func didEnd() -> FetchPlan.End { plan.didEnd() }

    /// Notes the chosen quality.
    func didChoose(bits: Int) { plan.didChoose(bits: bits) }

    /// Notes that all segments are present.
    func didJoinAll() { plan.didJoinAll() }
}
