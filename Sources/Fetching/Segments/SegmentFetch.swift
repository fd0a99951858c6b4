import Curl
import Posix
import Streams

/// Fetches what comes in segments (HLS), one after the other, and joins their sound to what the speaker takes for one file or one station.
/// The fetching process's only thread.
final class SegmentFetch {
    private enum Asked {
        case list(Int)
        case segment(Int)
    }

    private static let mostSegmentBytes = 4 << 20
    private static let lookMilliseconds = 300
    /// Of less the decoder waits for what follows.
    private static let dryMilliseconds = 500
    /// In a row, before it is given up.
    private static let mostMissing = 8

    private unowned(unsafe) let job: FetchJob
    private let server: FetchServer
    private var renditions: [MasterPlaylist.Rendition] = []
    private var choice = RenditionChoice([0], quality: .auto)
    private var line = SegmentLine()

    private var transfer: Transfer?
    private var asked = Asked.list(0)
    private var askedAt = MonotonicTime.now
    private var head = ResponseHead()
    private var bytes: [UInt8] = []
    private var isTooLong = false
    /// What has no room in the ring yet.
    private var pending: [UInt8] = []
    private var dueAt: MonotonicTime?
    private var isOver = false
    /// A segment was asked for in vain once.
    private var isSecondTry = false
    private var missing = 0
    /// A segment was left out: what is there is not kept beyond it.
    private(set) var hasGap = false
    /// Which rendition is fetched, for a person; "" where there is one.
    private(set) var words = ""

    init(_ job: FetchJob, _ server: FetchServer) {
        self.job = job
        self.server = server
    }

    /// - Parameter list: what stands at the address.
    func begin(_ list: [UInt8], base: String) {
        do throws(SegmentError) {
            if let master = try MasterPlaylist(list, base: base) {
                renditions = master.renditions
                choice = RenditionChoice(renditions.map { $0.bandwidth }, quality: server.quality, pace: server.pace)
            } else {
                renditions = [MasterPlaylist.Rendition(address: base, bandwidth: 0, codecs: "")]
                try take(list, 0, base: base)
            }
        } catch { return job.fail(error.message) }
        goOn()
    }

    func stop() {
        if let transfer { server.loaded?.remove(transfer) }
        transfer = nil
        isOver = true
    }

    func isYours(_ other: Transfer) -> Bool { transfer === other }

    // MARK: What is next

    /// Asks for what is to come next, if nothing is on its way.
    func goOn() {
        dueAt = nil
        guard transfer == nil, !isOver, pump() else { return }
        let wanted = choice.current
        guard line.isOf(wanted) else { return ask(.list(wanted)) }
        while true {
            switch line.next() {
            case .segment(let index): return ask(.segment(index))
            case .gap: if !passOver("a segment is missing") { return }
            case .fellBehind(let count): Log.notice("\(shown): \(count) segments were not fetched in time")
            case .end: return finish()
            case .reload(let milliseconds):
                let due = line.loadedAt.adding(milliseconds: milliseconds)
                if due <= .now { return ask(.list(wanted)) }
                dueAt = due
                return
            }
        }
    }

    private var shown: String { StreamAddress.shown(job.address) }

    /// What plays before it runs dry.
    private var buffered: Int {
        job.peers.map { peer in
            let (place, ago) = peer.ear
            return line.buffered(read: peer.consumed, ear: place, ago: ago)
        }.min() ?? 0
    }

    func tick(_ now: MonotonicTime) -> MonotonicTime? {
        if !pending.isEmpty || dueAt.map({ $0 <= now }) ?? false { goOn() }
        return pending.isEmpty ? dueAt : now.adding(milliseconds: SegmentFetch.lookMilliseconds)
    }

    // MARK: Asking

    private func ask(_ what: Asked) {
        asked = what
        var part: Range<Int64>?
        let address: String?
        switch what {
        case .list(let rendition): address = renditions[rendition].address
        case .segment(let index):
            address = line.list.address(index)
            part = line.list.segments[index].bytes
        }
        guard let address else { return job.fail("a playlist with what is no address of http or https") }
        let range = part.map { "\($0.lowerBound)-\($0.upperBound - 1)" } ?? ""
        do throws(CurlError) {
            let curl = try server.loadedCurl()
            let transfer = try Transfer(
                curl, url: address, range: range, requestHeaders: ["Accept: */*"], userAgent: server.userAgent,
                credentials: server.credentials(for: address), authorities: server.authorities)
            server.guardLocal(transfer, address, named: job.question.isOfFeed ? nil : job.address)
            if job.backoff.failures > 0 { transfer.standAlone() }
            head = ResponseHead()
            bytes = []
            isTooLong = false
            askedAt = .now
            transfer.takeHeader = { [unowned(unsafe) self] in
                Fuse.setCurrent(job.name)
                head.take($0)
            }
            transfer.takeBody = { [unowned(unsafe) self] in
                Fuse.setCurrent(job.name)
                return take($0)
            }
            self.transfer = transfer
            curl.add(transfer)
        } catch { job.fail(error.message) }
    }

    private func take(_ piece: UnsafeRawBufferPointer) -> Transfer.Verdict {
        var most = SegmentFetch.mostSegmentBytes
        if case .list = asked { most = MediaPlaylist.mostBytes }
        if bytes.count + piece.count > most {
            isTooLong = true
            return .stop
        }
        bytes.append(contentsOf: piece)
        return .taken
    }

    // MARK: The answer

    func didEnd(_ end: TransferEnd) {
        let finalAddress = transfer?.finalURL ?? ""
        let hasStayedOutside = transfer?.hasStayedOutside ?? false
        transfer = nil
        var body: [UInt8] = []
        swap(&body, &bytes)
        if hasStayedOutside {
            return job.fail("it leads into the local network, which [network] local = yes would allow")
        }
        if isTooLong { return job.fail("a playlist or a segment that is too long") }
        if end.cause != .complete {
            let trouble = end.trouble(at: StreamAddress.host(finalAddress.isEmpty ? job.address : finalAddress))
            return trouble.isForGood ? job.fail(trouble.message) : job.retry(trouble.message)
        }
        switch head.refusal {
        case .never(let reason)?: return job.fail(reason)
        case .notNow(let reason, let seconds)?: return job.retry(reason, afterSeconds: seconds)
        default: if head.status != 200 && head.status != 206 { return isNotThere() }
        }
        switch asked {
        case .list(let rendition):
            do throws(SegmentError) {
                try take(body, rendition, base: finalAddress)
                goOn()
            } catch { isUnfit(error.message) }
        case .segment(let index): take(body, index)
        }
    }

    private func take(_ list: [UInt8], _ rendition: Int, base: String) throws(SegmentError) {
        let list = try MediaPlaylist(list, base: base)
        let isFirst = line.isEmpty
        line.take(list, rendition)
        if isFirst {
            if list.isEnded {
                resume(list)
            } else if job.takeRing() == nil {
                throw SegmentError(message: "no memory for a station")
            }
        }
        if line.isStandingStill { job.say("the station sends nothing new") }
    }

    /// Goes on behind the segments that are there already.
    private func resume(_ list: MediaPlaylist) {
        let parts = job.plan.map.parts
        if let parts, parts.all == Int64(list.segments.count), parts.milliseconds == list.milliseconds,
            parts.done <= parts.all
        {
            line.begin(behind: parts)
        } else if job.plan.map.front > 0 || job.plan.isReplaced {
            job.beginSegmentsAnew()
        }
        // As much as the playlist says, so that it is refused before half of it is there.
        let bytes = list.bytes(bitsPerSecond: renditions[choice.current].bandwidth)
        if let problem = server.makeRoom(bytes) { job.fail(problem) }
    }

    private func isNotThere() {
        switch asked {
        case .list where line.isEmpty && renditions.count < 2:
            job.fail("the server has no such playlist (\(head.status))")
        case .list: isUnfit("the server has no such playlist (\(head.status))")
        default:
            if !isSecondTry {
                // It may not be there yet.
                isSecondTry = true
                dueAt = MonotonicTime.now.adding(milliseconds: 1000)
                return
            }
            if passOver("a segment is missing (\(head.status))") { goOn() }
        }
    }

    /// Goes on behind a segment that cannot be had. False where it ends with that.
    private func passOver(_ reason: String) -> Bool {
        missing += 1
        isSecondTry = false
        if missing > SegmentFetch.mostMissing {
            job.fail("its segments are missing: " + reason)
            return false
        }
        Log.notice(shown + ": " + reason + ", passed over")
        if job.ring == nil && !hasGap {
            job.save()
            hasGap = true
        }
        line.passOver()
        return true
    }

    /// What came of the rendition cannot be played, or cannot follow: on with another.
    private func isUnfit(_ reason: String) {
        guard choice.isUnfit(choice.current) else { return job.fail(reason) }
        Log.notice(shown + ": " + reason + "; on with another rendition")
        goOn()
    }

    private func take(_ segment: [UInt8], _ index: Int) {
        var segment = segment
        if let part = line.list.segments[index].bytes, head.status == 200 {
            // All of the file, whatever was asked for.
            guard segment.count >= part.upperBound else { return job.fail("the server gives no parts of its segments") }
            segment = Array(segment[Int(part.lowerBound)..<Int(part.upperBound)])
        }
        choice.didFetch(
            bytes: segment.count, milliseconds: MonotonicTime.now.milliseconds(since: askedAt),
            ranDry: line.hasJoined && buffered < SegmentFetch.dryMilliseconds)
        server.pace = choice.pace
        do throws(SegmentError) {
            let sound = try SegmentSound(segment)
            if line.takes(sound, at: index) { return deliver(sound) }
            if line.hasChanged { return isUnfit("its sound is of another kind") }
            if passOver("a segment of another kind of sound") { goOn() }
        } catch {
            // One among good ones is left out.
            if line.hasBegun && !line.hasChanged {
                if passOver(error.message) { goOn() }
            } else {
                isUnfit(error.message)
            }
        }
    }

    private func deliver(_ sound: SegmentSound) {
        let out = sound.start == 0 ? sound.bytes : Array(sound.bytes[sound.start...])
        missing = 0
        isSecondTry = false
        let front = job.ring.map { $0.front } ?? job.plan.map.front
        if line.hasChanged { tell() }
        line.didJoin(sound, bytes: out.count, front: front)
        if sound.milliseconds > 0 {
            let bytes = Int64(sound.bytes.count) * 1000 / Int64(sound.milliseconds)
            job.saidSecondBytes = Int(max(1024, min(64 * 1024, bytes)))
        }
        if job.ring != nil {
            pending = out
        } else {
            if let problem = job.append(out, line.parts) { return job.fail(problem) }
        }
        goOn()
    }

    private func tell() {
        guard renditions.count > 1 else { return }
        let bits = renditions[line.rendition].bandwidth
        let place = "\(line.rendition + 1) of \(renditions.count)"
        words = bits > 0 ? "\((bits + 500) / 1000) kbit/s (\(place))" : place
        job.audience.tell(StreamPacket.rendition, words)
        Log.notice(shown + ": " + words)
    }

    /// Writes as much into the ring as there is room for. True where nothing is left.
    private func pump() -> Bool {
        guard let ring = job.ring, !pending.isEmpty else { return true }
        var done = 0
        pending.withUnsafeBytes { bytes in
            while done < bytes.count {
                let part = min(16 * 1024, bytes.count - done)
                if ring.isFull(for: part, heard: job.audience.leastConsumed ?? ring.front) { return }
                _ = ring.write(UnsafeRawBufferPointer(rebasing: bytes[done..<done + part]))
                done += part
            }
        }
        if done > 0 {
            pending.removeFirst(done)
            job.didBring()
        }
        return pending.isEmpty
    }

    private func finish() {
        isOver = true
        job.allHasCome()
    }
}
