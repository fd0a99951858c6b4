// SPDX-License-Identifier: Apache-2.0
import Core
import Curl
import Posix
import Streams

/// Fetches the segments of an HLS stream, one after the other, and joins their sound into one file or one station for the speaker. The
/// fetching process's only thread.
final class SegmentFetch {
    private enum Asked {
        case list(Int)
        case segment(Int)
    }

    private static let mostSegmentBytes = 4 << 20
    private static let lookMilliseconds = 300
    /// The playing time below which the decoder waits for more.
    private static let dryMilliseconds: Int64 = 500
    /// The number of consecutive missing segments before it gives up.
    private static let mostMissing = 8

    private unowned(unsafe) let job: FetchJob
    private let server: FetchServer
    private var renditions: [MasterPlaylist.Rendition] = []
    private var choice = RenditionChoice([0], quality: .auto)
    private var line = SegmentLine()
    private let download: Download
    private var asked = Asked.list(0)
    private var askedAt = MonotonicTime.now
    /// The bytes without room in the ring yet.
    private var pending: [UInt8] = []
    private var dueAt: MonotonicTime?
    private var isOver = false
    /// True if a request for the segment has failed once.
    private var isSecondTry = false
    private var missing = 0

    init(_ job: FetchJob, _ server: FetchServer) {
        self.job = job
        self.server = server
        download = server.download(for: job.question)
        download.take = { [unowned(unsafe) self] in take($0) }
        download.didEnd = { [unowned(unsafe) self] in didEnd($0) }
    }

    /// - Parameter list: the text at the address.
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
        download.cancel()
        isOver = true
    }

    // MARK: What is next

    /// Requests the next segment or list, if no request is under way.
    func goOn() {
        dueAt = nil
        guard !download.isRunning, !isOver, fillRing() else { return }
        let wanted = choice.current
        guard line.isOf(wanted) else { return ask(.list(wanted)) }
        while true {
            switch line.next() {
            case .segment(let index): return ask(.segment(index))
            case .gap: if !passOver("a segment is missing") { return }
            case .fellBehind(let count): Log.notice("\(job.shown): \(count) segments were not fetched in time")
            case .end: return finish()
            case .reload(let milliseconds):
                let due = line.loadedAt.adding(milliseconds: milliseconds)
                if due <= .now { return ask(.list(wanted)) }
                dueAt = due
                return
            }
        }
    }

    func tick(_ now: MonotonicTime) -> MonotonicTime? {
        if !pending.isEmpty || dueAt.map({ $0 <= now }) ?? false { goOn() }
        return pending.isEmpty ? dueAt : now.adding(milliseconds: SegmentFetch.lookMilliseconds)
    }

    /// True if every speaker has nothing to play, or soon will.
    private var isRunningDry: Bool {
        let perSecond = Int64(job.audience.secondBytes)
        func milliseconds(behind place: Int64) -> Int64 {
            max(0, job.ahead(of: place)).multipliedSaturated(by: 1000) / perSecond
        }
        let left = job.audience.peers.map { peer in
            let (ear, ago) = peer.ear
            return max(milliseconds(behind: peer.consumed), milliseconds(behind: ear) - Int64(ago))
        }
        return left.min() ?? 0 < SegmentFetch.dryMilliseconds
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
        askedAt = .now
        let request = Download.Request(
            address: address, range: range, headers: ["Accept: */*"], isAlone: job.backoff.failures > 0)
        if let problem = download.begin(request) { job.fail(problem) }
    }

    private func take(_ piece: UnsafeRawBufferPointer) -> Transfer.Verdict {
        var most = SegmentFetch.mostSegmentBytes
        if case .list = asked { most = MediaPlaylist.mostBytes }
        return download.collect(piece, most: most)
    }

    // MARK: The answer

    private func didEnd(_ end: Download.End) {
        let body = download.takeCollected()
        if download.isTooLong { return job.fail("a playlist or a segment that is too long") }
        if let trouble = end.trouble {
            return trouble.isForGood ? job.fail(trouble.message) : job.retry(trouble.message, trouble.reason)
        }
        switch download.head.refusal {
        case .never(let reason)?: return job.fail(reason)
        case .notNow(let reason, let seconds)?: return job.retry(reason, .serverRefuses, afterSeconds: seconds)
        default: if download.head.status != 200 && download.head.status != 206 { return isNotThere() }
        }
        switch asked {
        case .list(let rendition):
            do throws(SegmentError) {
                try take(body, rendition, base: end.address)
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
            } else if job.needRing() == nil {
                throw SegmentError(message: "no memory for a station")
            }
        }
        if line.isStandingStill { job.say("the station sends nothing new") }
    }

    /// Continues behind the present segments.
    private func resume(_ list: MediaPlaylist) {
        let plan = job.recording.plan
        if let parts = plan.map.parts, parts.all == Int64(list.segments.count), parts.milliseconds == list.milliseconds,
            parts.done <= parts.all
        {
            line.begin(behind: parts)
        } else if plan.map.front > 0 || plan.isReplaced, let problem = job.beginAnew() {
            return job.fail(problem)
        }
        // The size by the playlist, so that a lack of room shows before half of it is there.
        let bytes = list.bytes(bitsPerSecond: renditions[choice.current].bandwidth)
        if let problem = server.makeRoom(bytes) { job.fail(problem) }
    }

    private func isNotThere() {
        switch asked {
        case .list where line.isEmpty && renditions.count < 2:
            job.fail("the server has no such playlist (\(download.head.status))")
        case .list: isUnfit("the server has no such playlist (\(download.head.status))")
        default:
            if !isSecondTry {
                // It may not be there yet.
                isSecondTry = true
                dueAt = MonotonicTime.now.adding(milliseconds: 1000)
                return
            }
            if passOver("a segment is missing (\(download.head.status))") { goOn() }
        }
    }

    /// Skips a segment that cannot be fetched. Returns false if the job ends with that.
    private func passOver(_ reason: String) -> Bool {
        missing += 1
        isSecondTry = false
        if missing > SegmentFetch.mostMissing {
            job.fail("its segments are missing: " + reason)
            return false
        }
        Log.notice(job.shown + ": " + reason + ", passed over")
        job.recording.keepNoMore()
        line.passOver()
        return true
    }

    /// Continues with another rendition, since this one is unplayable, or cannot follow.
    private func isUnfit(_ reason: String) {
        guard choice.isUnfit(choice.current) else { return job.fail(reason) }
        Log.notice(job.shown + ": " + reason + "; on with another rendition")
        goOn()
    }

    private func take(_ segment: [UInt8], _ index: Int) {
        var segment = segment
        if let part = line.list.segments[index].bytes, download.head.status == 200 {
            // The server ignored the range and sent the whole file.
            guard segment.count >= part.upperBound else { return job.fail("the server gives no parts of its segments") }
            segment = Array(segment[Int(part.lowerBound)..<Int(part.upperBound)])
        }
        choice.didFetch(
            bytes: segment.count, milliseconds: MonotonicTime.now.milliseconds(since: askedAt),
            ranDry: line.hasJoined && isRunningDry)
        server.pace = choice.pace
        do throws(SegmentError) {
            let sound = try SegmentSound(segment)
            if line.takes(sound, at: index) { return deliver(sound) }
            if line.hasChanged { return isUnfit("its sound is of another kind") }
            if passOver("a segment of another kind of sound") { goOn() }
        } catch {
            // A bad segment among good ones is skipped.
            if line.hasBegun && !line.hasChanged {
                if passOver(error.message) { goOn() }
            } else {
                isUnfit(error.message)
            }
        }
    }

    private func deliver(_ sound: SegmentSound) {
        missing = 0
        isSecondTry = false
        if line.hasChanged { tellRendition() }
        line.didJoin(sound)
        if sound.milliseconds > 0 {
            job.audience.learn(secondBytes: Int64(sound.bytes.count) * 1000 / Int64(sound.milliseconds))
        }
        if job.ring != nil {
            pending = sound.bytes
        } else {
            if let problem = job.recording.append(sound.bytes, line.parts) { return job.fail(problem) }
            job.didBring()
        }
        goOn()
    }

    private func tellRendition() {
        guard renditions.count > 1 else { return }
        let bits = renditions[line.rendition].bandwidth
        let place = "\(line.rendition + 1) of \(renditions.count)"
        let words = bits > 0 ? "\((bits + 500) / 1000) kbit/s (\(place))" : place
        if job.audience.say(StreamPacket.rendition, words) { Log.notice(job.shown + ": " + words) }
    }

    /// Writes as much into the ring as there is room for. Returns true if nothing is left.
    private func fillRing() -> Bool {
        guard let ring = job.ring, !pending.isEmpty else { return true }
        var done = 0
        pending.withUnsafeBytes { bytes in
            while done < bytes.count {
                let part = min(16 * 1024, bytes.count - done)
                if ring.isFull(for: part, consumed: job.audience.leastConsumed) { return }
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
        job.recording.didJoinAll()
        job.finish()
    }
}
