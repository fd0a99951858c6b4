import CPosix
import Curl
import Posix
import Streams

/// One stream that is fetched, for as long as somebody wants it. The fetching process's only thread.
final class FetchJob {
    /// The map is written no more often than that, but where nobody wants it any more.
    private static let saveMilliseconds: Int64 = 30_000
    private static let mostLists = 3
    /// A station that nobody listens to for so long is hung up on.
    private static let pausedMilliseconds: Int64 = 20_000
    /// How soon a jump beyond what is there is seen while nothing comes.
    private static let lookMilliseconds = 500
    /// So long after a jump who still plays at another place has to do with what is there.
    private static let jumpMilliseconds: Int64 = 3000

    let address: String
    /// Of its file in the cache.
    let name: String
    let question: StreamQuestion
    private static let mostDocumentBytes: Int64 = 4 << 20
    private let mostBytes: Int64
    let audience = FetchAudience()
    let server: FetchServer
    private(set) var entry: CacheFolder.Entry?
    var plan: FetchPlan
    /// What is asked: the address, or what a list at it names.
    var target: String
    private var listsFollowed = 0

    private(set) var transfer: Transfer?
    private var head = ResponseHead()
    /// What to do with the body; nil until its first byte.
    private(set) var body: FetchPlan.Body?
    /// Where in the file the next byte of the body belongs.
    private var place: Int64 = 0
    private var throughput = Throughput()
    private var jumpedAt: MonotonicTime?
    /// The body was found not to be what is there already.
    private var hasDiffered = false
    private var list: [UInt8] = []

    /// Of what goes on for ever; then there is no file.
    private(set) var ring: StationRing?
    /// What goes on for ever has ended all the same.
    var isOver = false
    /// What comes in segments (HLS): asks for them then, and nothing else is.
    private var segments: SegmentFetch?

    private var backoff = Backoff(firstMilliseconds: 500, longestMilliseconds: 30_000)
    private var retryAt: MonotonicTime?
    private(set) var failure = ""
    private let begunAt = MonotonicTime.now
    private var savedAt: MonotonicTime?
    var saidSecondBytes = 16 * 1024

    init(_ question: StreamQuestion, _ server: FetchServer) {
        self.question = question
        address = question.address
        name = question.name
        self.server = server
        target = question.address
        mostBytes =
            question.isDocument ? min(FetchJob.mostDocumentBytes, server.cache.mostBytes) : server.cache.mostBytes
        plan = FetchPlan(CacheMap(address: question.name), mostBytes: mostBytes, isDocument: question.isDocument)
    }

    var key: String { CacheFolder.key(name) }

    // MARK: Who wants it

    var peers: [FetchPeer] { audience.peers }

    func add(_ peer: FetchPeer) {
        audience.add(peer)
        if entry == nil && ring == nil && failure.isEmpty { begin() }
        if !failure.isEmpty { return peer.tell(StreamPacket.failed, failure) }
        give(peer)
        if !audience.waiting.isEmpty { peer.tell(StreamPacket.waiting, audience.waiting) }
        if let segments, !segments.words.isEmpty { peer.tell(StreamPacket.rendition, segments.words) }
        guard let ring else { return }
        if !ring.name.isEmpty { peer.tell(StreamPacket.station, ring.name) }
        if !ring.title.isEmpty { peer.tell(StreamPacket.title, ring.title) }
    }

    func hasPeers() -> Bool { audience.hasPeers() }

    func say(_ message: String) {
        if audience.say(message) && !message.isEmpty { Log.notice(StreamAddress.shown(address) + ": " + message) }
    }

    // MARK: Asking

    private func begin() {
        do throws(PosixError) {
            let entry = try server.cache.open(name)
            self.entry = entry
            plan = FetchPlan(entry.map, mostBytes: mostBytes, isDocument: question.isDocument)
        } catch {
            return fail("the cache cannot be used: " + error.message)
        }
        if plan.map.isWhole { return }
        choose()
        ask()
    }

    private func ask() {
        retryAt = nil
        if let segments { return segments.goOn() }
        let request = plan.request(wanted: placeWanted, heard: audience.leastConsumed ?? 0)
        var headers = ["Accept: audio/*, application/ogg, */*;q=0.5"]
        if !request.ifRange.isEmpty { headers.append("If-Range: " + request.ifRange) }
        // A recording has no words in it; asked only where it may be a station.
        if request.range.isEmpty { headers.append("Icy-MetaData: 1") }
        do throws(CurlError) {
            let curl = try server.loadedCurl()
            let transfer = try Transfer(
                curl, url: target, range: request.range, requestHeaders: headers, userAgent: server.userAgent,
                credentials: server.credentials(for: target), authorities: server.authorities)
            if question.isOfFeed && !server.allowsLocal { transfer.stayOutside(trustsFirst: false) }
            head = ResponseHead()
            body = nil
            throughput = Throughput()
            hasDiffered = false
            list = []
            transfer.takeHeader = { [unowned(unsafe) self] in head.take($0) }
            transfer.takeBody = { [unowned(unsafe) self] in take($0) }
            self.transfer = transfer
            curl.add(transfer)
        } catch { fail(error.message) }
    }

    /// - Parameter now: the moment, for what is due.
    /// - Returns: when the next thing is.
    func tick(_ now: MonotonicTime) -> MonotonicTime? {
        if let retryAt, retryAt <= now { ask() }
        if now.milliseconds(since: savedAt ?? begunAt) >= FetchJob.saveMilliseconds { save() }
        if let segments { return [segments.tick(now), retryAt].compactMap { $0 }.min() }
        watchRing(now)
        if ring != nil { return now.adding(milliseconds: 1000) }
        guard transfer != nil else { return retryAt }
        jumpIfWanted()
        return now.adding(milliseconds: FetchJob.lookMilliseconds)
    }

    /// Leaves what is on its way for a place that is waited for and lies elsewhere. What is missed so is fetched later.
    private func jumpIfWanted() {
        guard let transfer, let wanted = placeWanted,
            plan.isWorthJump(to: wanted, from: body == nil ? nil : place, near: throughput.nearBytes)
        else { return }
        server.loaded?.remove(transfer)
        self.transfer = nil
        if audience.jump != nil { jumpedAt = .now }
        ask()
    }

    /// A place that was gone to, before what is missed by who still plays elsewhere.
    private var placeWanted: Int64? {
        if let jump = audience.jump { return jump }
        let isNew = jumpedAt.map { MonotonicTime.now.milliseconds(since: $0) < FetchJob.jumpMilliseconds } ?? false
        return isNew ? nil : audience.wanted
    }

    /// Lets go of the connection, and keeps what has come.
    func stop() {
        if let transfer { server.loaded?.remove(transfer) }
        transfer = nil
        segments?.stop()
        save()
    }

    func save() {
        guard let entry, ring == nil, plan.map != entry.map, segments?.hasGap != true else { return }
        savedAt = .now
        entry.map = plan.map
        server.cache.save(entry)
    }

    func fail(_ message: String) {
        if let transfer { server.loaded?.remove(transfer) }
        transfer = nil
        segments?.stop()
        failure = message
        Log.notice(StreamAddress.shown(address) + ": " + message)
        for peer in peers {
            peer.tell(StreamPacket.failed, message)
            publish(peer)
        }
    }

    func retry(_ message: String, afterSeconds: Int? = nil) {
        let milliseconds = max(backoff.failed(), (afterSeconds ?? 0) * 1000)
        retryAt = MonotonicTime.now.adding(milliseconds: afterSeconds == 0 ? 0 : milliseconds)
        // The first time it may be a moment's trouble, which nobody hears.
        let isHeard = peers.contains { ahead(of: $0.consumed) < Int64(secondBytes) }
        if backoff.failures > 1 || isHeard { say(message + ", trying again") }
    }

    // MARK: The answer

    private func take(_ bytes: UnsafeRawBufferPointer) -> Transfer.Verdict {
        throughput.add(bytes.count)
        if body == nil {
            let judged = plan.judge(head, finalAddress: transfer?.finalURL ?? "")
            body = judged
            switch judged {
            case .write(let from), .compare(let from): place = from
            case .writeAnew:
                if !beginAnew() { return .stop }
            case .live: beginLive()
            case .list, .isWhole, .never, .notNow: break
            }
            if let missing = plan.map.length.map({ $0 - plan.map.front }), ring == nil, missing > 0 {
                if let problem = server.makeRoom(missing) {
                    body = .never(problem)
                    return .stop
                }
            }
        }
        switch body {
        case .write?, .compare?, .writeAnew?: return write(bytes)
        case .live?: return writeLive(bytes)
        case .list?:
            list.append(contentsOf: bytes)
            return list.count < MediaPlaylist.mostBytes ? .taken : .stop
        // The body of an error is read and thrown away, but not much of it.
        default: return .stop
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Transfer.Verdict {
        guard let entry else { return .stop }
        switch entry.write(bytes, at: &place, &plan) {
        case .taken: break
        case .differs:
            hasDiffered = true
            return .stop
        case .failed(let problem):
            body = .never(problem)
            return .stop
        }
        if plan.isTooLong {
            body = .never(tooLong)
            return .stop
        }
        didBring()
        return .taken
    }

    var tooLong: String { "too long for the cache of \(server.cache.mostBytes >> 20) MB ([network] cache_mb)" }

    func forgetPlan() {
        let bits = plan.map.offeredBits
        plan = FetchPlan(CacheMap(address: name), mostBytes: mostBytes, isDocument: question.isDocument)
        plan.didChoose(bits: Int(bits))
    }

    /// Some of it has come.
    func didBring() {
        backoff.succeeded()
        say("")
        for peer in peers { if peer.hasFile { publish(peer) } else { give(peer) } }
        if ring?.front ?? plan.map.spans.end < Int64(secondBytes) { return }
        audience.tellProgress { ring == nil || ahead(of: $0) < Int64(4 * secondBytes) }
    }

    /// The recording is another one: a file of its own. Who plays the old one is told.
    func beginAnew() -> Bool {
        do throws(PosixError) {
            entry = try server.cache.begin(name)
            place = 0
            Log.notice(StreamAddress.shown(address) + ": another recording than before, begun anew")
            for peer in peers {
                peer.publish(state: StreamState.changed)
                peer.tell(StreamPacket.changed)
            }
            audience.dismiss()
            return true
        } catch {
            body = .never("the cache cannot be used: " + error.message)
            return false
        }
    }

    // MARK: Stations

    private func beginLive() {
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

    private func writeLive(_ bytes: UnsafeRawBufferPointer) -> Transfer.Verdict {
        guard let ring else { return .stop }
        if ring.isFull(for: bytes.count, heard: audience.leastConsumed ?? ring.front) { return .notNow }
        if ring.write(bytes) { audience.tell(StreamPacket.title, ring.title) }
        didBring()
        return .taken
    }

    /// Goes on once what is there was heard; hangs up where nobody listens for long.
    private func watchRing(_ now: MonotonicTime) {
        guard let ring, let since = ring.fullSince else { return }
        if ring.hasEmptied(heard: audience.leastConsumed ?? ring.front) {
            if let transfer { transfer.resume() } else { ask() }
        } else if let transfer, now.milliseconds(since: since) > FetchJob.pausedMilliseconds {
            server.loaded?.remove(transfer)
            self.transfer = nil
        }
    }

    // MARK: The end of an answer

    func isYours(_ other: Transfer) -> Bool { transfer === other || segments?.isYours(other) ?? false }

    func didEnd(_ end: TransferEnd) {
        if let segments { return segments.didEnd(end) }
        let finalAddress = transfer?.finalURL ?? ""
        let hasStayedOutside = transfer?.hasStayedOutside ?? false
        transfer = nil
        // What is live comes at its own pace.
        if ring == nil { throughput.tell(&server.pace) }
        if hasStayedOutside {
            return fail("it leads into the local network, which [network] local = yes would allow")
        }
        if hasDiffered {
            plan.didDiffer()
            if !beginAnew() { return fail("the cache cannot be used") }
            forgetPlan()
            return retry("the server has another recording there now", afterSeconds: 0)
        }
        // An answer without a body.
        if body == nil && end.cause == .complete { body = plan.judge(head, finalAddress: finalAddress) }
        switch body {
        // A station that nobody feeds for a while is not there; one that was heard is waited for.
        case .never(let reason)? where ring != nil && head.status == 404: return retry(reason)
        case .never(let reason)?: return fail(reason)
        case .notNow(let reason, let seconds)?: return retry(reason, afterSeconds: seconds)
        case .isWhole?: return complete()
        case .list? where end.cause == .complete || end.cause == .stopped: return follow(finalAddress)
        default: break
        }
        switch end.cause {
        case .complete:
            if ring != nil { return retry("the station has hung up") }
            switch plan.didEnd() {
            case .whole: complete()
            case .more: ask()
            case .short: retry("the server stopped before the end")
            }
        default:
            let trouble = end.trouble(at: StreamAddress.host(target))
            if trouble.isForGood { fail(trouble.message) } else { retry(trouble.message) }
        }
    }

    func complete() {
        say("")
        if savedAt == nil { save() }  // Else `tick` does, once it is due.
        for peer in peers {
            give(peer)
            peer.tell(StreamPacket.progress)
        }
    }

    /// A list of addresses: on with the first of them. One of segments is gone through.
    private func follow(_ finalAddress: String) {
        if list.count >= MediaPlaylist.mostBytes {
            return fail("a list of more than \(MediaPlaylist.mostBytes >> 20) MB")
        }
        if MasterPlaylist.isHLS(list) {
            let segments = SegmentFetch(self, server)
            self.segments = segments
            let bytes = list
            list = []
            return segments.begin(bytes, base: finalAddress.isEmpty ? target : finalAddress)
        }
        listsFollowed += 1
        if listsFollowed > FetchJob.mostLists { return fail("lists that only name other lists") }
        guard let address = AddressList.first(in: list) else {
            return fail("a list without an address of http or https")
        }
        target = address
        ask()
    }
}
