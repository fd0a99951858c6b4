import CPosix
import Curl
import Posix
import Streams

/// One stream that is fetched, for as long as somebody wants it. The fetching process's only thread.
final class FetchJob {
    /// The map is written no more often than that, but where nobody wants it any more.
    private static let saveMilliseconds: Int64 = 30_000
    /// How soon a jump beyond what is there is seen while nothing comes.
    private static let lookMilliseconds = 500
    /// So long after a jump who still plays at another place has to do with what is there.
    private static let jumpMilliseconds: Int64 = 3000

    let address: String
    /// Of its file in the cache.
    let name: String
    let question: StreamQuestion
    private static let mostDocumentBytes: Int64 = 4 << 20
    let mostBytes: Int64
    let audience = FetchAudience()
    let server: FetchServer
    var entry: CacheFolder.Entry?
    var plan: FetchPlan
    /// What is asked: the address, or what a list at it names.
    var target: String
    var listsFollowed = 0
    /// What a list names behind that.
    var others: [String] = []

    private(set) var transfer: Transfer?
    private(set) var head = ResponseHead()
    /// What to do with the body; nil until its first byte.
    var body: FetchPlan.Body?
    /// Where in the file the next byte of the body belongs.
    private(set) var place: Int64 = 0
    private var throughput = Throughput()
    private var jumpedAt: MonotonicTime?
    /// The cache had room for all that is missing, when the connection began.
    private var hasRoom = false
    /// The body was found not to be what is there already.
    private var hasDiffered = false
    var list: [UInt8] = []
    /// Of the body, until there is enough to see what it is.
    private var opening: [UInt8] = []

    /// Of what goes on for ever; then there is no file.
    var ring: StationRing?
    /// What is in the ring is a recording that the cache cannot hold.
    var passing: PassingRecording?
    /// It is to be one, once the ear has come nearer to what there is.
    var isTooFar = false
    /// The connection was ended for another place.
    var isToAskAgain = false
    /// Speakers that were told to ask anew have until then.
    var awaitedUntil: MonotonicTime?
    /// The cache has room for as many bytes more.
    var reservedBytes: Int64 = 0
    /// What goes on for ever has ended all the same.
    var isOver = false
    /// What comes in segments (HLS): asks for them then, and nothing else is.
    var segments: SegmentFetch?

    private(set) var backoff = Backoff(firstMilliseconds: 500, longestMilliseconds: 30_000)
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
        if Fuse.refuses(name) { return fail(FetchServer.hasEnded) }
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

    func ask() {
        retryAt = nil
        if let segments { return segments.goOn() }
        let request = passing?.request() ?? plan.request(wanted: placeWanted, heard: audience.leastConsumed ?? 0)
        var headers = ["Accept: audio/*, application/ogg, */*;q=0.5"]
        if !request.ifRange.isEmpty { headers.append("If-Range: " + request.ifRange) }
        // A recording has no words in it; asked only where it may be a station.
        if request.range.isEmpty && passing == nil { headers.append("Icy-MetaData: 1") }
        do throws(CurlError) {
            let curl = try server.loadedCurl()
            let transfer = try Transfer(
                curl, url: target, range: request.range, requestHeaders: headers, userAgent: server.userAgent,
                credentials: server.credentials(for: target), authorities: server.authorities)
            server.guardLocal(transfer, target, named: question.isOfFeed ? nil : address)
            if backoff.failures > 0 { transfer.standAlone() }
            head = ResponseHead()
            body = nil
            throughput = Throughput()
            hasDiffered = false
            list = []
            opening = []
            hasRoom = false
            isTooFar = false
            transfer.takeHeader = { [unowned(unsafe) self] in
                Fuse.setCurrent(name)
                head.take($0)
            }
            transfer.takeBody = { [unowned(unsafe) self] in
                Fuse.setCurrent(name)
                return take($0)
            }
            self.transfer = transfer
            curl.add(transfer)
        } catch { fail(error.message) }
    }

    /// - Parameter now: the moment, for what is due.
    /// - Returns: when the next thing is.
    func tick(_ now: MonotonicTime) -> MonotonicTime? {
        Fuse.setCurrent(name)
        if let retryAt, retryAt <= now { ask() }
        if now.milliseconds(since: savedAt ?? begunAt) >= FetchJob.saveMilliseconds { save() }
        if let segments { return [segments.tick(now), retryAt].compactMap { $0 }.min() }
        watchRing(now)
        if ring != nil { return now.adding(milliseconds: 1000) }
        guard let transfer else { return retryAt }
        jumpIfWanted()
        // What was offered is offered again, and looked at anew.
        if isTooFar { transfer.resume() }
        return now.adding(milliseconds: FetchJob.lookMilliseconds)
    }

    /// Leaves what is on its way for a place that is waited for and lies elsewhere. What is missed so is fetched later.
    private func jumpIfWanted() {
        guard transfer != nil, let wanted = placeWanted,
            plan.isWorthJump(to: wanted, from: body == nil ? nil : place, near: throughput.nearBytes)
        else { return }
        letGo()
        if audience.jump != nil { jumpedAt = .now }
        ask()
    }

    /// A place that was gone to, before what is missed by who still plays elsewhere.
    private var placeWanted: Int64? {
        if let jump = audience.jump { return jump }
        let isNew = jumpedAt.map { MonotonicTime.now.milliseconds(since: $0) < FetchJob.jumpMilliseconds } ?? false
        return isNew ? nil : audience.wanted
    }

    /// Lets go of the connection.
    func letGo() {
        if let transfer { server.loaded?.remove(transfer) }
        transfer = nil
    }

    /// The same, and keeps what has come.
    func stop() {
        letGo()
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
        letGo()
        segments?.stop()
        failure = message
        Log.notice(StreamAddress.shown(address) + ": " + message)
        for peer in peers {
            peer.tell(StreamPacket.failed, message)
            publish(peer)
        }
    }

    func retry(_ message: String, afterSeconds: Int? = nil) {
        if afterSeconds != 0 && goOnInList(message) { return }
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
            if opening.count + bytes.count < BodyOpening.bytes {
                opening += bytes
                return .taken
            }
            judge(opening + bytes.prefix(BodyOpening.bytes))
        }
        if !opening.isEmpty {
            let verdict = opening.withUnsafeBytes { put($0) }
            if verdict != .taken { return verdict }
            opening = []
        }
        return put(bytes)
    }

    /// What to do with the body.
    private func judge(_ opening: [UInt8]) {
        let finalAddress = transfer?.finalURL ?? target
        let judged = passing?.judge(head) ?? plan.judge(head, finalAddress: finalAddress, opening: opening)
        body = judged
        place = 0
        reservedBytes = 0
        switch judged {
        case .write(let from), .compare(let from): place = from
        case .writeAnew: _ = beginAnew()
        case .live: beginLive()
        case .passing, .list, .isWhole, .never, .notNow: break
        }
    }

    private func put(_ bytes: UnsafeRawBufferPointer) -> Transfer.Verdict {
        switch body {
        case .write?, .compare?, .writeAnew?: return write(bytes)
        case .live?: return writeLive(bytes)
        case .passing?: return passing == nil ? passOn(bytes, tooLong) : writeLive(bytes)
        case .list?:
            list.append(contentsOf: bytes)
            return list.count < MediaPlaylist.mostBytes ? .taken : .stop
        // The body of an error is read and thrown away, but not much of it.
        default: return .stop
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Transfer.Verdict {
        guard let entry else { return .stop }
        let known = max(0, plan.map.spans.reach(from: place) - place)
        let new = max(0, Int64(bytes.count) - known)
        // All that is missing has to have room, or nothing of it is begun.
        var problem = problem(writing: Int(new), upTo: place + known + new)
        if problem == nil, !hasRoom, let length = plan.map.length { problem = server.makeRoom(length - plan.map.front) }
        if let problem { return passOn(bytes, problem) }
        hasRoom = true
        switch entry.write(bytes, at: &place, &plan) {
        case .taken: break
        case .differs:
            hasDiffered = true
            return .stop
        case .failed(let problem):
            body = .never(problem)
            return .stop
        }
        didBring()
        return .taken
    }

    func forgetPlan() {
        let bits = plan.map.offeredBits
        plan = FetchPlan(CacheMap(address: name), mostBytes: mostBytes, isDocument: question.isDocument)
        plan.didChoose(bits: Int(clamping: bits))
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

    // MARK: The end of an answer

    func isYours(_ other: Transfer) -> Bool { transfer === other || segments?.isYours(other) ?? false }

    func didEnd(_ end: TransferEnd) {
        if let segments { return segments.didEnd(end) }
        let finalAddress = transfer?.finalURL ?? ""
        let hasStayedOutside = transfer?.hasStayedOutside ?? false
        transfer = nil
        // What is live comes at its own pace.
        if ring == nil { throughput.tell(&server.pace) }
        // Of a host with several addresses one that could not be asked does no harm.
        if hasStayedOutside && body == nil && end.cause != .complete {
            return giveUp("it leads into the local network, which [network] local = yes would allow")
        }
        if hasDiffered {
            plan.didDiffer()
            if !beginAnew() { return fail("the cache cannot be used") }
            forgetPlan()
            return retry("the server has another recording there now", afterSeconds: 0)
        }
        if isToAskAgain {
            isToAskAgain = false
            return ask()
        }
        // An answer without a body, or with a short one.
        if body == nil && end.cause == .complete {
            judge(opening)
            if !opening.isEmpty { _ = opening.withUnsafeBytes { put($0) } }
        }
        switch body {
        // A station that nobody feeds for a while is not there; one that was heard is waited for.
        case .never(let reason)? where ring != nil && head.status == 404: return retry(reason)
        case .never(let reason)?: return giveUp(reason)
        case .notNow(let reason, let seconds)?: return retry(reason, afterSeconds: seconds)
        case .isWhole?: return passing == nil ? complete() : allHasCome()
        case .list? where end.cause == .complete || end.cause == .stopped: return follow(finalAddress)
        default: break
        }
        switch end.cause {
        case .complete:
            if let passing {
                return passing.isWhole ? allHasCome() : retry("the server stopped before the end")
            }
            if ring != nil { return retry("the station has hung up") }
            switch plan.didEnd() {
            case .whole: complete()
            case .more: ask()
            case .short: retry("the server stopped before the end")
            }
        default:
            let trouble = end.trouble(at: StreamAddress.host(target))
            if trouble.isForGood { giveUp(trouble.message) } else { retry(trouble.message) }
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
}
