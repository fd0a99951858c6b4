// SPDX-License-Identifier: Apache-2.0
import Core
import Curl
import Posix
import Streams

/// Fetches a stream while a speaker wants it: requests it, and caches the bytes, or plays them as they come. The fetching process's only
/// thread.
final class FetchJob {
    /// The longest delay in which it notices a jump beyond the present bytes, without other events.
    private static let lookMilliseconds = 500
    private static let ringLookMilliseconds = 1000
    /// The number of attempts at a stream that has played, before the list's next address.
    private static let mostFailures = 3

    /// The answer under way.
    private struct Answer {
        /// The use of the body; nil until enough of it is there to decide.
        var body: FetchPlan.Body?
        /// The beginning of the body, until then.
        var opening: [UInt8] = []
        /// True if the connection ended in favor of another place.
        var isToAskAgain = false
    }

    let question: StreamQuestion
    let audience = FetchAudience()
    let recording: CachedRecording
    /// The ring of a stream outside the cache.
    private(set) var ring: SoundRing?
    private let server: FetchServer
    private var targets: FetchTargets
    private let download: Download
    private var answer = Answer()
    /// The segments of an HLS stream: they then make all requests.
    private var segments: SegmentFetch?
    private(set) var backoff = Backoff(firstMilliseconds: 500, longestMilliseconds: 30_000)
    private var retryAt: MonotonicTime?
    private var failure = ""

    init(_ question: StreamQuestion, _ server: FetchServer) {
        self.question = question
        self.server = server
        recording = CachedRecording(question, server.cache) { [unowned(unsafe) server] in server.makeRoom($0) }
        targets = FetchTargets(question.address)
        download = server.download(for: question)
        download.take = { [unowned(unsafe) self] in take($0) }
        download.didEnd = { [unowned(unsafe) self] in didEnd($0) }
    }

    var shown: String { StreamAddress.shown(question.address) }

    // MARK: Who wants it

    func add(_ peer: FetchPeer) {
        audience.add(peer)
        if !recording.isOpen && ring == nil && failure.isEmpty { begin() }
        if !failure.isEmpty { return peer.tell(StreamPacket.failed, failure) }
        give(peer)
        audience.repeatWords(to: peer)
    }

    private func give(_ peer: FetchPeer) {
        publish(peer)
        if peer.hasFile { return }
        if let ring {
            peer.give(StreamPacket.ring, ring.memory)
        } else if map.spans.end > 0 || download.isRunning && answer.body != nil, let file = recording.readOnlyFile() {
            peer.give(StreamPacket.file, file)
        }
        if map.isWhole { peer.tell(StreamPacket.progress) }
    }

    private func publish(_ peer: FetchPeer) {
        let map = map
        let state = !failure.isEmpty ? StreamState.failed : map.isWhole ? StreamState.whole : StreamState.flowing
        peer.publish(
            map, takesJumps: ring == nil && recording.plan.takesJumps, state: state, secondBytes: audience.secondBytes)
    }

    /// The present part for a speaker.
    private var map: CacheMap { ring?.map ?? recording.plan.map }

    /// Returns the number of bytes present from a place on.
    func ahead(of place: Int64) -> Int64 { map.spans.reach(from: place) - place }

    /// Reports the reason why no bytes come; "" once they come again.
    func say(_ message: String, _ reason: Trouble? = nil) {
        if !message.isEmpty { audience.say(StreamPacket.reason, reason?.text ?? "") }
        if audience.say(StreamPacket.waiting, message) && !message.isEmpty { note(message) }
    }

    // MARK: Asking

    private func begin() {
        if Fuse.refuses(question.name) { return fail(FetchServer.hasEnded) }
        do throws(PosixError) { try recording.open() } catch {
            return fail("the cache cannot be used: " + error.message)
        }
        if recording.plan.map.isWhole { return }
        if question.offers.offers.count > 1 {
            let chosen = RenditionChoice.offer(
                of: question.offers.offers, recording.plan.map, server.quality, server.pace)
            recording.didChoose(bits: chosen.bits)
            targets = FetchTargets(chosen.address)
        }
        ask()
    }

    private func ask() {
        retryAt = nil
        if let segments { return segments.goOn() }
        let part =
            ring?.recording?.request()
            ?? recording.request(wanted: audience.wanted, heard: audience.leastConsumed ?? 0)
        var headers = ["Accept: audio/*, application/ogg, */*;q=0.5"]
        if !part.ifRange.isEmpty { headers.append("If-Range: " + part.ifRange) }
        // Recordings contain no titles, so only ask for them if it may be a station.
        if part.range.isEmpty && ring?.recording == nil { headers.append("Icy-MetaData: 1") }
        answer = Answer()
        let request = Download.Request(
            address: targets.current, range: part.range, headers: headers, isAlone: backoff.failures > 0)
        if let problem = download.begin(request) { fail(problem) }
    }

    /// - Parameter now: the present time.
    /// - Returns: the time of the next work.
    func tick(_ now: MonotonicTime) -> MonotonicTime? {
        Fuse.setCurrent(question.name)
        if let retryAt, retryAt <= now { ask() }
        recording.saveIfDue(now)
        if let segments { return [segments.tick(now), retryAt].compactMap { $0 }.min() }
        if let ring {
            if ring.hasEmptied(consumed: audience.leastConsumed) {
                if download.isRunning { download.resume() } else { ask() }
            } else if ring.isLeft(now) {
                download.cancel()
            }
            return now.adding(milliseconds: FetchJob.ringLookMilliseconds)
        }
        guard download.isRunning else { return [retryAt, recording.saveDue].compactMap { $0 }.min() }
        jumpIfWanted()
        // Bytes that were too far ahead to be passed on.
        download.resume()
        return now.adding(milliseconds: FetchJob.lookMilliseconds)
    }

    /// Ends the running answer for a wanted place elsewhere. The skipped part is fetched later.
    private func jumpIfWanted() {
        guard let wanted = audience.wanted,
            recording.plan.isWorthJump(to: wanted, from: recording.place, near: download.throughput.nearBytes)
        else { return }
        download.cancel()
        audience.didGoToWanted()
        ask()
    }

    /// Closes the connection, and keeps the present bytes.
    func stop() {
        download.cancel()
        segments?.stop()
        recording.save()
    }

    // MARK: The answer

    private func take(_ bytes: UnsafeRawBufferPointer) -> Transfer.Verdict {
        if answer.body == nil {
            if answer.opening.count + bytes.count < BodyOpening.bytes {
                answer.opening += bytes
                return .taken
            }
            judge(answer.opening + bytes.prefix(BodyOpening.bytes), of: download.finalAddress)
        }
        let verdict = takeOpening()
        return verdict == .taken ? take(judged: bytes) : verdict
    }

    /// Takes the bytes from before the verdict.
    private func takeOpening() -> Transfer.Verdict {
        let opening = answer.opening
        if opening.isEmpty { return .taken }
        let verdict = opening.withUnsafeBytes { take(judged: $0) }
        if verdict == .taken { answer.opening = [] }
        return verdict
    }

    /// Decides about the body.
    /// - Parameter address: the address behind all redirections.
    private func judge(_ opening: [UInt8], of address: String) {
        let head = download.head
        let body =
            ring?.judge(head) ?? recording.judge(head, finalAddress: address, opening: opening)
        answer.body = body
        switch body {
        case .writeAnew: didBeginAnew()
        case .live: beginStation(head)
        case .write, .compare, .passing, .list, .isWhole, .never, .notNow: break
        }
    }

    private func beginStation(_ head: ResponseHead) {
        if head.icyKilobits > 0 { audience.learn(secondBytes: Int64(head.icyKilobits) * 125) }
        guard let ring = needRing() else {
            answer.body = .never("no memory for a station")
            return
        }
        ring.begin(head)
        audience.say(StreamPacket.station, ring.name)
        for peer in audience.peers { give(peer) }
    }

    private func take(judged bytes: UnsafeRawBufferPointer) -> Transfer.Verdict {
        switch answer.body {
        // A station that became a recording needs a new request.
        case .write?, .compare?, .writeAnew?: return ring == nil ? write(bytes) : .stop
        case .live?: return takeIntoRing(bytes)
        case .passing?: return ring?.recording == nil ? passOn(bytes, recording.tooLong) : takeIntoRing(bytes)
        case .list?: return download.collect(bytes, most: MediaPlaylist.mostBytes)
        // The body of an error is read and dropped, up to a limit.
        case .isWhole?, .never?, .notNow?, nil: return .stop
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Transfer.Verdict {
        switch recording.write(bytes) {
        case .taken:
            didBring()
            return .taken
        case .noRoom(let problem): return passOn(bytes, problem)
        case .failed(let problem): answer.body = .never(problem)
        case .differs:
            let problem = beginAnew()
            answer.body =
                problem.map { .never($0) } ?? .notNow("the server has another recording there now", afterSeconds: 0)
        }
        return .stop
    }

    private func takeIntoRing(_ bytes: UnsafeRawBufferPointer) -> Transfer.Verdict {
        guard let ring else { return .stop }
        if ring.isFull(for: bytes.count, consumed: audience.leastConsumed) { return .notNow }
        if ring.take(bytes) { audience.say(StreamPacket.title, ring.title) }
        didBring()
        return .taken
    }

    /// Notes that bytes have come.
    func didBring() {
        backoff.succeeded()
        say("")
        let second = Int64(audience.secondBytes)
        for peer in audience.peers {
            give(peer)
            if map.spans.end < second { continue }
            peer.tellProgress(isNeeded: ring == nil || ahead(of: peer.consumed) < 4 * second)
        }
    }

    // MARK: Other places for it

    /// Starts a new file, since the present bytes are of another recording. Players of the old one are informed.
    /// - Returns: the reason of a failure; nil for success.
    func beginAnew() -> String? {
        do throws(PosixError) { try recording.beginAnew() } catch {
            return "the cache cannot be used: " + error.message
        }
        didBeginAnew()
        return nil
    }

    private func didBeginAnew() {
        Log.notice(shown + ": another recording than before, begun anew")
        audience.dismiss()
    }

    /// Returns the ring for a stream outside the cache; nil without memory for it.
    func needRing() -> SoundRing? {
        if ring == nil { ring = SoundRing(server.stationBytes) }
        recording.close()
        return ring
    }

    /// Continues without the cache, which has no room: from the listener's place, once few enough present bytes lie ahead of it. Nothing is
    /// kept.
    /// - Parameter problem: the reason, for a stream that cannot do without the cache.
    private func passOn(_ bytes: UnsafeRawBufferPointer, _ problem: String) -> Transfer.Verdict {
        guard recording.isOpen, !question.isDocument else {
            answer.body = .never(problem)
            return .stop
        }
        let (map, place) = (recording.plan.map, recording.place)
        let heard = audience.peers.map { $0.ear.place }.min() ?? 0
        let end = max(heard, map.spans.reach(from: heard))
        if end - heard > server.stationBytes / 2 { return .notNow }
        guard let ring = SoundRing(server.stationBytes) else {
            answer.body = .never("no memory for what the cache cannot hold")
            return .stop
        }
        Log.notice(shown + ": " + problem + ": heard as it comes")
        let next = recording.discard(keeping: heard..<end) { _ = ring.write($0) }
        ring.begin(PassingRecording(from: next, tag: map.strongTag, length: map.length))
        self.ring = ring
        // Players of the file have to open the present source.
        audience.dismissThoseWithFile()
        for peer in audience.peers { give(peer) }
        if next != place {
            answer.isToAskAgain = true
            return .stop
        }
        answer.body = .passing
        return takeIntoRing(bytes)
    }

    // MARK: The end of an answer

    private func didEnd(_ end: Download.End) {
        // A live stream comes at its own pace.
        if ring == nil { download.throughput.tell(&server.pace) }
        if answer.isToAskAgain { return ask() }
        // An answer without a body, or with a short one.
        if answer.body == nil && end.trouble == nil {
            judge(answer.opening, of: end.address)
            _ = takeOpening()
        }
        switch answer.body {
        // A station without a source answers 404 for a while, so one that has played is tried again.
        case .never(let reason)? where ring != nil && download.head.status == 404: return retry(reason)
        case .never(let reason)?: return giveUp(reason)
        case .notNow(let reason, let seconds)?:
            return retry(reason, download.head.status >= 400 ? .serverRefuses : nil, afterSeconds: seconds)
        case .isWhole?: return finish()
        case .list? where end.trouble == nil || download.isTooLong: return follow(end.address)
        default: break
        }
        if let trouble = end.trouble {
            return trouble.isForGood ? giveUp(trouble.message) : retry(trouble.message, trouble.reason)
        }
        if let ring {
            guard let recording = ring.recording else { return retry("the station has hung up") }
            return recording.isWhole ? finish() : retry("the server stopped before the end")
        }
        switch recording.didEnd() {
        case .whole: finish()
        case .more: ask()
        case .short: retry("the server stopped before the end")
        }
    }

    /// Follows a list: continues with the first of its addresses, or with its segments.
    private func follow(_ address: String) {
        if download.isTooLong { return fail("a list of more than \(MediaPlaylist.mostBytes >> 20) MB") }
        let list = download.takeCollected()
        if MasterPlaylist.isHLS(list) {
            let segments = SegmentFetch(self, server)
            self.segments = segments
            return segments.begin(list, base: address)
        }
        if let problem = targets.follow(list, base: address) { return giveUp(problem) }
        ask()
    }

    /// Ends the stream: no more bytes follow.
    func finish() {
        ring?.finish()
        say("")
        recording.saveIfNew()
        for peer in audience.peers {
            give(peer)
            peer.tell(StreamPacket.progress)
        }
    }

    func fail(_ message: String) {
        download.cancel()
        segments?.stop()
        failure = message
        note(message)
        recording.forgetIfEmpty()
        for peer in audience.peers {
            peer.tell(StreamPacket.failed, message)
            publish(peer)
        }
    }

    /// Logs a failure, except for optional words.
    private func note(_ message: String) { if question.kind != .beside { Log.notice(shown + ": " + message) } }

    /// - Parameter reason: the short reason for the speakers; nil if there is none.
    func retry(_ message: String, _ reason: Trouble? = nil, afterSeconds: Int? = nil) {
        if afterSeconds != 0 && goOnInList(message) { return }
        let milliseconds = max(backoff.failed(), (afterSeconds ?? 0) * 1000)
        retryAt = MonotonicTime.now.adding(milliseconds: afterSeconds == 0 ? 0 : milliseconds)
        // The first failure may be short and inaudible. A speaker that waits may have more than a second: after earlier interruptions it
        // waits for longer pieces.
        let isHeard = audience.peers.contains {
            $0.wanted != nil || ahead(of: $0.consumed) < Int64(audience.secondBytes)
        }
        if backoff.failures > 1 || isHeard { say(message + ", trying again", reason) }
    }

    /// Gives up the requested address: continues with the list's next one, or fails.
    private func giveUp(_ message: String) { if !goOnInList(message) { fail(message) } }

    /// Continues with the list's next address, since the present one gives nothing.
    /// - Returns: false at the end of the list, or if the stream has played and should be tried again.
    private func goOnInList(_ message: String) -> Bool {
        if ring?.recording != nil { return false }
        if map.spans.end > 0 && (ring == nil || backoff.failures < FetchJob.mostFailures) { return false }
        let left = targets.current
        guard targets.goOn() else { return false }
        Log.notice(StreamAddress.shown(left) + ": " + message + "; on with what the list names next")
        ask()
        return true
    }
}
