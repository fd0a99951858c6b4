import CPosix
import Curl
import Posix
import Streams

/// What is heard as it comes, and kept nowhere: stations, and recordings that the cache cannot hold.
extension FetchJob {
    /// A station that nobody listens to for so long is hung up on.
    private static let pausedMilliseconds: Int64 = 20_000
    /// Speakers that were told to ask anew have so long for it.
    private static let awaitedMilliseconds = 5000
    /// Room in the cache is looked for in steps.
    private static let roomBytes: Int64 = 1 << 20

    // MARK: Stations

    func beginLive() {
        if head.icyKilobits > 0 { saidSecondBytes = max(2048, min(64 * 1024, head.icyKilobits * 125)) }
        guard let ring = takeRing() else {
            body = .never("no memory for a station")
            return
        }
        if ring.begin(head) { audience.tell(StreamPacket.station, ring.name) }
        for peer in peers { give(peer) }
    }

    /// Nil where there is no memory for it.
    func takeRing() -> StationRing? {
        if ring == nil { ring = StationRing(server.stationBytes) }
        entry = nil
        return ring
    }

    func writeLive(_ bytes: UnsafeRawBufferPointer) -> Transfer.Verdict {
        guard let ring else { return .stop }
        if ring.isFull(for: bytes.count, heard: heard(ring)) { return .notNow }
        let new = passing?.new(bytes) ?? bytes
        if ring.write(new) { audience.tell(StreamPacket.title, ring.title) }
        passing?.didTake(new.count)
        didBring()
        return .taken
    }

    /// What may not be overwritten begins there.
    private func heard(_ ring: StationRing) -> Int64 { audience.leastConsumed ?? (passing == nil ? ring.front : 0) }

    /// Goes on once what is there was heard; hangs up where nobody listens to a station for long.
    func watchRing(_ now: MonotonicTime) {
        guard let ring, !isOver, let since = ring.fullSince else { return }
        if ring.hasEmptied(heard: heard(ring)) {
            if let transfer { transfer.resume() } else { ask() }
        } else if passing == nil, transfer != nil, now.milliseconds(since: since) > FetchJob.pausedMilliseconds {
            letGo()
        }
    }

    // MARK: Recordings that the cache cannot hold

    /// Before so many bytes are written, the last of them in front of `end`. Why there is no room; nil where there is.
    func problem(writing count: Int, upTo end: Int64) -> String? {
        if end > mostBytes { return tooLong }
        if reservedBytes < Int64(count) {
            let missing = plan.map.length.map { max(Int64(count), $0 - plan.map.front) } ?? .max
            let wanted = max(Int64(count), min(FetchJob.roomBytes, missing))
            if let problem = server.makeRoom(wanted) { return problem }
            reservedBytes = wanted
        }
        reservedBytes -= Int64(count)
        return nil
    }

    var tooLong: String { "too long for the cache of \(server.cache.mostBytes >> 20) MB ([network] cache_mb)" }

    /// It has no room in the cache: on from the ear without it, once little enough lies before the ear. Nothing of it is kept.
    /// - Parameter problem: why, where it can be done without by nobody.
    func passOn(_ bytes: UnsafeRawBufferPointer, _ problem: String) -> Transfer.Verdict {
        guard let old = entry, !question.isDocument else {
            body = .never(problem)
            return .stop
        }
        let heard = peers.map { $0.ear.place }.min() ?? 0
        let end = max(heard, plan.map.spans.reach(from: heard))
        isTooFar = end - heard > server.stationBytes / 2
        if isTooFar { return .notNow }
        Log.notice(StreamAddress.shown(address) + ": " + problem + ": heard as it comes")
        guard let ring = takeRing() else {
            body = .never("no memory for what the cache cannot hold")
            return .stop
        }
        var at = heard
        var piece = [UInt8](repeating: 0, count: 16 * 1024)
        while at < end {
            let count = piece.withUnsafeMutableBytes { buffer in
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(Int64(buffer.count), end - at))])
                let got = (try? old.file.read(into: part, at: at)) ?? 0
                if got > 0 { _ = ring.write(UnsafeRawBufferPointer(rebasing: part[..<got])) }
                return got
            }
            if count <= 0 { break }
            at += Int64(count)
        }
        server.cache.forget(old)
        passing = PassingRecording(from: at, tag: plan.map.strongTag, length: plan.map.length)
        // Who plays the file has to open what there is now.
        if audience.dismissThoseWithFile() {
            awaitedUntil = MonotonicTime.now.adding(milliseconds: FetchJob.awaitedMilliseconds)
        }
        for peer in peers { give(peer) }
        if at != place {
            isToAskAgain = true
            return .stop
        }
        body = .passing
        return writeLive(bytes)
    }

    /// Nobody is there, but somebody was told to come again.
    var isAwaited: Bool { awaitedUntil.map { $0 > .now } ?? false }
}
