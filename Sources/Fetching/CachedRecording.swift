// SPDX-License-Identifier: Apache-2.0
import CPosix
import Posix
import Streams

/// A recording in its file in the cache: the present bytes, the next request, and the place of the bytes that come. The fetching process's
/// only thread.
final class CachedRecording {
    enum Written: Equatable {
        case taken
        /// It is not what is there already.
        case differs
        case noRoom(String)
        case failed(String)
    }

    /// The map is written no more often than that, except at the end and when the last reader leaves.
    private static let saveMilliseconds: Int64 = 30_000
    /// It makes room in steps.
    private static let roomBytes: Int64 = 1 << 20
    private static let mostDocumentBytes: Int64 = 4 << 20

    private let cache: CacheFolder
    private let question: StreamQuestion
    private let makeRoom: (Int64) -> String?
    /// nil before it is opened, and for a recording outside the cache.
    private var entry: CacheFolder.Entry?
    private(set) var plan: FetchPlan
    /// The place in the file of the next byte.
    private(set) var place: Int64 = 0
    /// The cache has room for as many bytes more; nil where this answer has brought none yet.
    private var reservedBytes: Int64?
    private var savedAt = MonotonicTime.now
    private var hasSaved = false
    /// True if the coming bytes join the present ones. Not so behind a gap.
    private var isKept = true

    /// - Parameter makeRoom: has the cache hold so many bytes more. Why it cannot; nil where it can.
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

    /// The coming bytes are not kept in the cache.
    func close() { entry = nil }

    /// A new file for another recording. Readers of the old one keep it.
    func beginAnew() throws(PosixError) {
        try beginFile()
        plan.didBeginAnew()
    }

    private func beginFile() throws(PosixError) {
        entry = try cache.begin(question.name)
        place = 0
    }

    /// For a speaker, which can only read it. Nil where there is none.
    func readOnlyFile() -> FileDescriptor? {
        entry.flatMap { try? FileDescriptor.open("/proc/self/fd/\($0.file.number)", O_RDONLY) }
    }

    /// The cache cannot hold it: its file is removed.
    /// - Parameters:
    ///   - range: the part of it that is still wanted.
    ///   - take: receives that part, in pieces.
    /// - Returns: where that ended.
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

    /// Takes its file away where nothing of it has come.
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

    /// Saves what has come in so short a time that nothing of it was. Else `saveIfDue` does, once it is due.
    func saveIfNew() { if !hasSaved { save() } }

    func saveIfDue(_ now: MonotonicTime) {
        if now.milliseconds(since: savedAt) >= CachedRecording.saveMilliseconds { save() }
    }

    /// The time for writing the map; nil where it was.
    var saveDue: MonotonicTime? {
        guard let entry, isKept, plan.map != entry.map else { return nil }
        return savedAt.adding(milliseconds: Int(CachedRecording.saveMilliseconds))
    }

    /// The coming bytes do not follow the present ones: only the present ones stay.
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

    /// Why so many bytes, the last of them in front of `end`, have no room; nil where they have.
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

    /// Writes what is missing, and compares what is there, from `place` on.
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

    /// Writes a segment behind all that is there.
    /// - Returns: the reason of a failed write; nil where it was.
    func append(_ segment: [UInt8], _ parts: CacheMap.Parts) -> String? {
        place = plan.map.front
        switch segment.withUnsafeBytes({ write($0) }) {
        case .failed(let problem), .noRoom(let problem): return problem
        case .differs: return "the cache cannot be used"
        case .taken: plan.didJoin(parts)
        }
        return nil
    }

    /// The connection ended as it should.
    func didEnd() -> FetchPlan.End { plan.didEnd() }

    /// Notes the chosen quality.
    func didChoose(bits: Int) { plan.didChoose(bits: bits) }

    /// No segment is missing.
    func didJoinAll() { plan.didJoinAll() }
}
