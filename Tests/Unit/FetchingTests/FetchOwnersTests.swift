// SPDX-License-Identifier: Apache-2.0
import CPosix
import Curl
import Foundation
import Posix
import Streams
import Synchronization
import Testing

@testable import Fetching

private func folder() throws -> CacheFolder {
    let path = FileManager.default.temporaryDirectory.path + "/fetching-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    return try CacheFolder(path: path, mostBytes: 4 << 20)
}

/// A recording is kept as it arrives, by each owner that has room for it.
@Suite final class CachedRecordingTests {
    private let cache: CacheFolder
    private var room: [Int64] = []
    private var problem: String?

    init() throws { cache = try folder() }

    deinit { try? FileManager.default.removeItem(atPath: cache.path) }

    private func recording(_ isDocument: Bool = false) throws -> CachedRecording {
        let question = StreamQuestion(
            address: "http://h/a", name: isDocument ? "words" : nil, kind: isDocument ? .document : .sound)
        let recording = CachedRecording(question, cache) { [unowned self] in
            room.append($0)
            return problem
        }
        try recording.open()
        return recording
    }

    private func ask(_ recording: CachedRecording, _ answer: ResponseHead, wanted: Int64? = nil) -> FetchPlan.Body {
        _ = recording.request(wanted: wanted, heard: 0)
        return recording.judge(answer, finalAddress: "http://h/a", opening: Array("ID3\u{4}".utf8))
    }

    private func write(_ recording: CachedRecording, _ count: Int, of byte: UInt8) -> CachedRecording.Written {
        [UInt8](repeating: byte, count: count).withUnsafeBytes { recording.write($0) }
    }

    private func read(_ recording: CachedRecording, _ count: Int, at place: Int64) throws -> [UInt8] {
        guard let file = recording.readOnlyFile() else { return [] }
        return try file.read(count, at: place)
    }

    private let whole = head("HTTP/1.1 200 OK", "Content-Length: 3000000", "ETag: \"one\"", "Accept-Ranges: bytes")

    @Test func goesOnWhereItEnded() throws {
        let first = try recording()
        #expect(ask(first, whole) == .write(from: 0))
        #expect(write(first, 100_000, of: 1) == .taken && first.place == 100_000)
        // All of it has to have room before it is begun; then a step at a time is looked for.
        #expect(room == [3_000_000])
        for _ in 0..<10 { #expect(write(first, 100_000, of: 1) == .taken) }
        #expect(room == [3_000_000, 1 << 20])
        first.save()
        let second = try recording()
        #expect(second.plan.map.front == 1_100_000)
        let part = head("HTTP/1.1 206 P", "Content-Range: bytes 1100000-2999999/3000000", "ETag: \"one\"")
        #expect(ask(second, part) == .write(from: 1_100_000))
        #expect(write(second, 1_900_000, of: 2) == .taken && second.didEnd() == .whole && second.plan.map.isWhole)
        #expect(try read(second, 4, at: 1_099_998) == [1, 1, 2, 2])
    }

    /// Also after the last byte: the owner of the timer gets the time of the next write.
    @Test func whatHasComeIsDueToBeWrittenDown() throws {
        let recording = try recording()
        #expect(recording.saveDue == nil)
        #expect(ask(recording, whole) == .write(from: 0) && write(recording, 1_000_000, of: 1) == .taken)
        let due = try #require(recording.saveDue)
        #expect((0...30_000).contains(due.milliseconds(since: .now)))
        recording.saveIfDue(due)
        #expect(recording.saveDue == nil)
        #expect(try self.recording().plan.map.front == 1_000_000)
    }

    @Test func whatNeverCameLeavesNoFile() throws {
        let recording = try recording()
        #expect(ask(recording, whole) == .write(from: 0))
        recording.forgetIfEmpty()
        #expect(!recording.isOpen)
        #expect(try FileManager.default.contentsOfDirectory(atPath: cache.path).isEmpty)
    }

    @Test func whatComesAgainIsCompared() throws {
        let recording = try recording()
        #expect(ask(recording, whole) == .write(from: 0) && write(recording, 100_000, of: 1) == .taken)
        #expect(ask(recording, whole) == .compare(from: 0))
        #expect(write(recording, 100_000, of: 1) == .taken && recording.plan.map.front == 100_000)
        #expect(ask(recording, whole) == .compare(from: 0) && write(recording, 5000, of: 2) == .differs)
        // A reader of the old file still has it.
        guard let old = recording.readOnlyFile() else {
            Issue.record("it has a file")
            return
        }
        try recording.beginAnew()
        #expect(recording.plan.map.front == 0 && recording.place == 0)
        #expect(ask(recording, whole) == .write(from: 0) && write(recording, 5000, of: 2) == .taken)
        let kept = try old.read(1, at: 0)
        #expect(try kept == [1] && read(recording, 1, at: 0) == [2])
    }

    /// Only the missing bytes between two known places are written.
    @Test func aHoleIsFilled() throws {
        let recording = try recording()
        #expect(ask(recording, whole) == .write(from: 0) && write(recording, 1000, of: 1) == .taken)
        let tail = head("HTTP/1.1 206 P", "Content-Range: bytes 5000-2999999/3000000", "ETag: \"one\"")
        #expect(ask(recording, tail, wanted: 5000) == .write(from: 5000) && recording.place == 5000)
        #expect(write(recording, 1000, of: 3) == .taken)
        let hole = head("HTTP/1.1 206 P", "Content-Range: bytes 1000-4999/3000000", "ETag: \"one\"")
        #expect(ask(recording, hole) == .write(from: 1000) && write(recording, 4000, of: 2) == .taken)
        #expect(recording.plan.map.front == 6000 && recording.plan.map.spans.spans.count == 1)
    }

    @Test func withoutRoomItIsHandedOut() throws {
        let recording = try recording()
        #expect(ask(recording, whole) == .write(from: 0) && write(recording, 40_000, of: 7) == .taken)
        problem = "full"
        #expect(ask(recording, whole) == .compare(from: 0) && write(recording, 10, of: 7) == .noRoom("full"))
        var handed = 0
        let end = recording.discard(keeping: 1000..<40_000) { handed += $0.count }
        #expect(end == 40_000 && handed == 39_000 && !recording.isOpen)
        #expect(write(recording, 10, of: 7) == .failed("the cache cannot be used"))
        #expect(try cache.open("http://h/a").map.front == 0)
    }

    @Test func moreThanTheCacheHolds() throws {
        let recording = try recording()
        #expect(ask(recording, head("HTTP/1.1 200 OK")) == .write(from: 0))
        #expect(write(recording, 4 << 20, of: 1) == .taken && write(recording, 1, of: 1) == .noRoom(recording.tooLong))
    }

    @Test func segmentsBehindAGapAreNotKept() throws {
        let recording = try recording()
        func parts(_ done: Int64) -> CacheMap.Parts {
            CacheMap.Parts(done: done, all: 3, milliseconds: 9, kind: 2, rendition: 0)
        }
        #expect(recording.append([1, 2, 3], parts(1)) == nil)
        recording.keepNoMore()
        #expect(recording.append([4], parts(3)) == nil && recording.plan.map.front == 4)
        recording.didJoinAll()
        recording.save()
        let kept = try self.recording().plan.map
        #expect(kept.front == 3 && kept.parts == parts(1) && !kept.isWhole)
    }
}

@Suite struct FetchTargetsTests {
    private func list(_ addresses: String...) -> [UInt8] { Array(addresses.joined(separator: "\n").utf8) }

    @Test func oneAfterTheOther() {
        var targets = FetchTargets("http://h/l")
        #expect(targets.follow(list("http://h/1", "http://h/2"), base: "http://h/l") == nil)
        #expect(targets.current == "http://h/1")
        // The answer is a list again: its addresses come before the others.
        #expect(targets.follow(list("http://h/1a", "http://h/1b"), base: "http://h/1") == nil)
        var tried = [targets.current]
        while targets.goOn() { tried.append(targets.current) }
        #expect(tried == ["http://h/1a", "http://h/1b", "http://h/2"] && targets.current == "http://h/l")
    }

    @Test func listsThatLeadNowhere() {
        var targets = FetchTargets("http://h/l")
        #expect(targets.follow(list("words"), base: "file:///")?.contains("without an address") == true)
        targets = FetchTargets("http://h/l")
        for _ in 0..<3 { #expect(targets.follow(list("http://h/l"), base: "http://h/l") == nil) }
        #expect(targets.follow(list("http://h/l"), base: "http://h/l")?.contains("only name other lists") == true)
    }
}

@Suite struct SoundRingTests {
    private let ring = SoundRing(128 << 10)!

    private func take(_ count: Int) { _ = [UInt8](repeating: 1, count: count).withUnsafeBytes { ring.take($0) } }

    @Test func aStationWaitsForWhoListens() {
        take(100 << 10)
        #expect(!ring.isFull(for: 20 << 10, consumed: 0) && !ring.hasEmptied(consumed: 100 << 10))
        #expect(ring.isFull(for: 40 << 10, consumed: 0) && !ring.hasEmptied(consumed: 0))
        #expect(!ring.isLeft(.now) && ring.isLeft(.now.adding(milliseconds: 21_000)))
        #expect(ring.hasEmptied(consumed: 90 << 10) && !ring.isLeft(.now.adding(milliseconds: 21_000)))
        // Without a reader the fetch continues.
        #expect(!ring.isFull(for: 128 << 10, consumed: nil))
    }

    /// A recording has no byte that may be missed.
    @Test func aRecordingWaitsForEverybody() {
        ring.begin(PassingRecording(from: 0, tag: "", length: 200_000))
        take(100 << 10)
        #expect(ring.isFull(for: 40 << 10, consumed: nil) && !ring.isLeft(.now.adding(milliseconds: 60_000)))
        #expect(ring.recording?.place == 100 << 10 && ring.front == 100 << 10)
        // A server without ranges: the fetch leaves out the bytes that it has.
        #expect(ring.judge(head("HTTP/1.1 200 OK", "Content-Length: 200000")) == .passing)
        take(50 << 10)
        #expect(ring.front == 100 << 10)
        ring.finish()
        #expect(ring.map.isWhole && ring.map.front == 100 << 10 && !ring.hasEmptied(consumed: 100 << 10))
    }
}

/// A speaker's end of a connection, and the peer that the fetching process has of it.
private final class FakeSpeaker {
    let socket: FileDescriptor
    let page: SharedPage
    let peer: FetchPeer

    init() throws {
        var sockets: [Int32] = [-1, -1]
        // Without waiting.
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | 0o4000, 0, &sockets) == 0)
        let wake = try WakeSignal()
        socket = FileDescriptor(owning: sockets[0])
        page = try SharedPage()
        peer = FetchPeer(FileDescriptor(owning: sockets[1]))
        StreamPacket.send(
            StreamPacket.get, "http://h/a", descriptors: [page.descriptor, wake.number], to: socket.number)
        guard case .stream? = peer.receive() else { throw POSIXError(.EINVAL) }
    }

    func heard() -> [String] {
        var heard: [String] = []
        while case .packet(let kind, let text, let descriptors) = StreamPacket.receive(from: socket.number) {
            for descriptor in descriptors { close(descriptor) }
            heard.append(String(decoding: [kind], as: UTF8.self) + text)
        }
        return heard
    }
}

@Suite struct FetchAudienceTests {
    private let audience = FetchAudience()

    @Test func whoComesLaterHearsWhatWasSaid() throws {
        let speaker = try FakeSpeaker()
        audience.add(speaker.peer)
        #expect(!audience.say(StreamPacket.waiting, "") && audience.say(StreamPacket.waiting, "no network"))
        #expect(!audience.say(StreamPacket.waiting, "no network") && audience.say(StreamPacket.title, "Owls"))
        #expect(audience.say(StreamPacket.waiting, ""))
        #expect(speaker.heard() == ["Wno network", "TOwls", "W"])
        let later = try FakeSpeaker()
        audience.repeatWords(to: later.peer)
        #expect(later.heard() == ["TOwls"])
    }

    /// A reader that waits after a jump comes before one that plays elsewhere, and for a while after.
    @Test func aJumpComesFirst() throws {
        let (first, second) = (try FakeSpeaker(), try FakeSpeaker())
        for speaker in [first, second] { audience.add(speaker.peer) }
        let (one, two) = (first.page.page, second.page.page)
        #expect(audience.wanted == nil && audience.leastConsumed == 0 && audience.secondBytes == 16 * 1024)
        one.pointee.wanted.store(1000, ordering: .relaxed)
        #expect(audience.wanted == 1000)
        two.pointee.jump.store(500_000, ordering: .relaxed)
        #expect(audience.wanted == 500_000)
        audience.didGoToWanted()
        two.pointee.jump.store(.max, ordering: .relaxed)
        #expect(audience.wanted == nil)
        audience.learn(secondBytes: 5)
        #expect(audience.secondBytes == 1024)
        two.pointee.pace.store(4000, ordering: .relaxed)
        #expect(audience.secondBytes == 4000)
    }

    @Test func whoHasTheFileAsksAnew() throws {
        let (first, second) = (try FakeSpeaker(), try FakeSpeaker())
        for speaker in [first, second] { audience.add(speaker.peer) }
        first.peer.give(StreamPacket.file, second.socket)
        audience.dismissThoseWithFile()
        #expect(
            first.heard() == ["F", "C"] && first.page.page.pointee.state.load(ordering: .relaxed) == StreamState.changed
        )
        #expect(audience.peers.count == 1 && audience.isWanted())
        audience.dismiss()
        // A reader is expected to come back.
        #expect(audience.peers.isEmpty && audience.isWanted())
        #expect(!FetchAudience().isWanted())
    }
}

@Suite struct DownloadTests {
    private func download() throws -> Download {
        Download(
            try Downloads(FetchServer.Settings(cachePath: "", cacheBytes: 0)), name: "http://h/a", .nothing)
    }

    @Test func whereItHasMoved() throws {
        for (lines, isForGood) in [
            (["HTTP/1.1 301 M", "HTTP/1.1 200 OK"], true), (["HTTP/1.1 200 OK"], false),
            (["HTTP/1.1 308 P", "HTTP/1.1 302 F", "HTTP/1.1 301 M", "HTTP/1.1 200 OK"], false),
            (["HTTP/1.1 304 N"], false),
        ] {
            let download = try download()
            for line in lines { Array(line.utf8).withUnsafeBytes { download.take(header: $0) } }
            #expect(download.hasMovedForGood == isForGood, "\(lines)")
        }
    }

    @Test func noMoreIsCollectedThanMayBe() throws {
        let download = try download()
        let bytes: [UInt8] = [1, 2, 3]
        func collect() -> Transfer.Verdict { bytes.withUnsafeBytes { download.collect($0, most: 7) } }
        #expect(collect() == .taken && collect() == .taken && !download.isTooLong)
        #expect(collect() == .stop && download.isTooLong)
        #expect(download.takeCollected() == [1, 2, 3, 1, 2, 3] && download.takeCollected().isEmpty)
    }
}

@Suite struct FeedBodyTests {
    private func read(_ text: String) throws -> (body: FeedBody?, cache: CacheFolder) {
        let cache = try folder()
        defer { try? FileManager.default.removeItem(atPath: cache.path) }
        let body = try FeedBody(folder: cache.path, base: "http://h/f")
        do {
            try Array(text.utf8).withUnsafeBytes { try body.take($0) }
            try body.take(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
            return (body, cache)
        } catch { return (nil, cache) }
    }

    private let start = "<rss><channel><itunes:new-feed-url>http://h/new</itunes:new-feed-url>"
    private let item = "<item><guid>1</guid><enclosure url=\"http://h/1.mp3\" type=\"audio/mpeg\"/></item>"

    /// A feed's pages are one feed: the first says what it is, and one that is missing is said.
    @Test func pagesOfOneFeed() throws {
        let cache = try folder()
        defer { try? FileManager.default.removeItem(atPath: cache.path) }
        func page(_ number: Int, next: String = "") -> String {
            let link = next.isEmpty ? "" : "<atom:link rel='next' href='\(next)'/>"
            let item = "<item><guid>\(number)</guid><enclosure url='http://h/\(number).mp3'/></item>"
            return "<rss><channel><title>Page \(number)</title>\(link)\(item)</channel></rss>"
        }
        func take(_ text: String, _ body: FeedBody) throws {
            try Array(text.utf8).withUnsafeBytes { try body.take($0) }
            try body.take(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
        }
        let answer = head("HTTP/1.1 200 OK", "ETag: \"one\"")
        for missing in [nil, "the server answers 500"] {
            let body = try FeedBody(folder: cache.path, base: "http://h/f")
            try take(page(1, next: "/f?page=2"), body)
            #expect(body.nextAddress == "http://h/f?page=2")
            try body.turnPage(base: body.nextAddress)
            if missing == nil { try take(page(2), body) }
            #expect(body.nextAddress == "")
            body.missing = missing
            let records = FeedPages(try body.records(answer, address: "http://h/f", movedTo: "")).next(most: 10)
            #expect(records[0][.title] == "Page 1")
            #expect(records.dropFirst().map { $0[.identity] } == (missing == nil ? ["1", "2"] : ["1"]))
            #expect(records[0][.entityTag] == (missing == nil ? "\"one\"" : nil))
            #expect(records[0][.notice]?.contains("500") == (missing == nil ? nil : true))
        }
        // A page that is none ends them.
        let body = try FeedBody(folder: cache.path, base: "http://h/f")
        try take(page(1, next: "http://h/2"), body)
        try body.turnPage(base: "http://h/2")
        try take("<html>gone</html>", body)
        #expect(body.nextAddress == "")
        let records = FeedPages(try body.records(answer, address: "http://h/f", movedTo: "")).next(most: 10)
        #expect(records.count == 2 && records[0][.notice]?.contains("damaged") == true)
    }

    @Test func whatIsDamagedIsReadAsFarAsItCanBe() throws {
        #expect(try read(start + item + "</channel></rss>").body?.newAddress == "http://h/new")
        let damaged = try #require(try read(start + item + "</rss>").body)
        // It is not followed on a damaged feed's word.
        #expect(damaged.newAddress.isEmpty)
        #expect(try read(start + "</rss>").body == nil)
    }
}

@Suite struct OfferChoices {
    private let offers = [96_000, 32_000, 192_000].map { StreamOffers.Offer(address: "http://h/\($0)", bits: $0) }

    private func bits(_ quality: RenditionQuality, _ front: Int64 = 0, measured: Int64? = nil, unknown: Bool = false)
        -> Int
    {
        var map = CacheMap(address: "a")
        map.spans.insert(0..<front)
        map.offeredBits = 192_000
        var pace = NetworkPace()
        if let measured { pace.add(bytes: measured / 8, milliseconds: 1000) }
        let all = unknown ? offers + [StreamOffers.Offer(address: "http://h/x", bits: 0)] : offers
        return RenditionChoice.offer(of: all, map, quality, pace).bits
    }

    @Test func byWhatIsThereAndWhatIsWanted() {
        #expect(bits(.low, 1000) == 192_000 && bits(.auto) == 96_000)
        #expect(bits(.low) == 32_000 && bits(.high) == 192_000 && bits(.kilobits(100)) == 96_000)
        #expect(bits(.auto, measured: 10_000_000) == 192_000 && bits(.auto, measured: 100_000) == 32_000)
        #expect(bits(.auto, measured: 10_000_000, unknown: true) == 96_000)
    }
}
