import CPosix
import Curl
import Posix
import Streams

/// One stream that is fetched, for as long as somebody wants it. The fetching process's only thread.
final class FetchJob {
    /// The map is written no more often than that, but where nobody wants it any more.
    private static let saveMilliseconds: Int64 = 30_000
    private static let mostListBytes = 64 * 1024
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
    private let question: StreamQuestion
    private static let mostDocumentBytes: Int64 = 4 << 20
    private let mostBytes: Int64
    private let audience = FetchAudience()
    private let server: FetchServer
    private var entry: CacheFolder.Entry?
    private var plan: FetchPlan
    /// What is asked: the address, or what a list at it names.
    private var target: String
    private var listsFollowed = 0

    private var transfer: Transfer?
    private var head = ResponseHead()
    /// What to do with the body; nil until its first byte.
    private var body: FetchPlan.Body?
    /// Where in the file the next byte of the body belongs.
    private var place: Int64 = 0
    private var throughput = Throughput()
    private var jumpedAt: MonotonicTime?
    /// The body was found not to be what is there already.
    private var hasDiffered = false
    private var list: [UInt8] = []

    /// Of what goes on for ever; then there is no file.
    private var ring: StationRing?

    private var backoff = Backoff(firstMilliseconds: 500, longestMilliseconds: 30_000)
    private var retryAt: MonotonicTime?
    private var failure = ""
    private let begunAt = MonotonicTime.now
    private var savedAt: MonotonicTime?
    private var saidSecondBytes = 16 * 1024

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
        guard let ring else { return }
        if !ring.name.isEmpty { peer.tell(StreamPacket.station, ring.name) }
        if !ring.title.isEmpty { peer.tell(StreamPacket.title, ring.title) }
    }

    func hasPeers() -> Bool { audience.hasPeers() }

    private func give(_ peer: FetchPeer) {
        publish(peer)
        if peer.hasFile { return }
        if let ring {
            peer.hasFile = true
            peer.tell(StreamPacket.ring, descriptors: [ring.memory.number])
        } else if let entry, plan.map.spans.end > 0 || transfer != nil && body != nil {
            peer.hasFile = true
            // Read only, whatever the other makes of it.
            let path = "/proc/self/fd/\(entry.file.number)"
            guard let file = try? FileDescriptor.open(path, O_RDONLY) else { return }
            peer.tell(StreamPacket.file, descriptors: [file.number])
        }
        if plan.map.isWhole { peer.tell(StreamPacket.progress) }
    }

    private func publish(_ peer: FetchPeer) {
        let state =
            !failure.isEmpty ? StreamState.failed : plan.map.isWhole ? StreamState.whole : StreamState.flowing
        if let ring { return peer.publish(front: ring.front, state: state, secondBytes: secondBytes) }
        peer.publish(plan.map, takesJumps: plan.takesJumps, state: state, secondBytes: secondBytes)
    }

    /// Bytes that play for a second, as far as anybody knows.
    private var secondBytes: Int { audience.secondBytes ?? saidSecondBytes }

    /// Bytes that are there from a place on.
    private func ahead(of place: Int64) -> Int64 {
        (ring?.front ?? max(place, plan.map.spans.reach(from: place))) - place
    }

    private func say(_ message: String) {
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
        if !plan.map.isWhole { ask() }
    }

    private func ask() {
        retryAt = nil
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
        save()
    }

    private func save() {
        guard let entry, ring == nil, plan.map != entry.map else { return }
        savedAt = .now
        entry.map = plan.map
        server.cache.save(entry)
    }

    private func fail(_ message: String) {
        if let transfer { server.loaded?.remove(transfer) }
        transfer = nil
        failure = message
        Log.notice(StreamAddress.shown(address) + ": " + message)
        for peer in peers {
            peer.tell(StreamPacket.failed, message)
            publish(peer)
        }
    }

    private func retry(_ message: String, afterSeconds: Int? = nil) {
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
            list += bytes.prefix(FetchJob.mostListBytes - list.count)
            return list.count < FetchJob.mostListBytes ? .taken : .stop
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
            body = .never("too long for the cache of \(server.cache.mostBytes >> 20) MB ([network] cache_mb)")
            return .stop
        }
        didBring()
        return .taken
    }

    /// Some of it has come.
    private func didBring() {
        backoff.succeeded()
        say("")
        for peer in peers { if peer.hasFile { publish(peer) } else { give(peer) } }
        if ring?.front ?? plan.map.spans.end < Int64(secondBytes) { return }
        audience.tellProgress { ring == nil || ahead(of: $0) < Int64(4 * secondBytes) }
    }

    /// The recording is another one: a file of its own. Who plays the old one is told.
    private func beginAnew() -> Bool {
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
        guard let ring = ring ?? StationRing(server.stationBytes) else {
            body = .never("no memory for a station")
            return
        }
        self.ring = ring
        entry = nil
        if ring.begin(head) { audience.tell(StreamPacket.station, ring.name) }
        for peer in peers { give(peer) }
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

    func isYours(_ other: Transfer) -> Bool { transfer === other }

    func didEnd(_ end: TransferEnd) {
        let finalAddress = transfer?.finalURL ?? ""
        let hasStayedOutside = transfer?.hasStayedOutside ?? false
        transfer = nil
        if hasStayedOutside {
            return fail("it leads into the local network, which [network] local = yes would allow")
        }
        if hasDiffered {
            plan.didDiffer()
            if !beginAnew() { return fail("the cache cannot be used") }
            plan = FetchPlan(CacheMap(address: name), mostBytes: mostBytes, isDocument: question.isDocument)
            return retry("the server has another recording there now", afterSeconds: 0)
        }
        // An answer without a body.
        if body == nil && end.cause == .complete { body = plan.judge(head, finalAddress: finalAddress) }
        switch body {
        case .never(let reason)?: return fail(reason)
        case .notNow(let reason, let seconds)?: return retry(reason, afterSeconds: seconds)
        case .isWhole?: return complete()
        case .list? where end.cause == .complete || end.cause == .stopped: return follow()
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
        case .badAddress: fail("no address of http or https: " + end.words)
        case .redirectedTooOften: fail("the server sends us round in circles (more than 5 redirections)")
        case .noSuchHost: retry("the network has no \(StreamAddress.host(target)): is it connected?")
        case .refused: retry("\(StreamAddress.host(target)) does not answer")
        case .untrusted:
            // Before this program was made no certificate of today was.
            let isClockSet = FetchServer.wallClockIsSet
            retry(
                isClockSet
                    ? "\(StreamAddress.host(target)) cannot prove who it is: " + end.words
                    : "the clock is not set yet, and without it nobody can be trusted")
        case .stopped, .lost: retry("the connection was lost")
        }
    }

    private func complete() {
        say("")
        if savedAt == nil { save() }  // Else `tick` does, once it is due.
        for peer in peers {
            give(peer)
            peer.tell(StreamPacket.progress)
        }
    }

    /// A list of addresses: on with the first of them.
    private func follow() {
        listsFollowed += 1
        if listsFollowed > FetchJob.mostLists { return fail("lists that only name other lists") }
        guard let address = AddressList.first(in: list) else {
            return fail("a list without an address of http or https")
        }
        target = address
        ask()
    }
}
