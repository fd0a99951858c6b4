import CPosix
import Curl
import Expat
import Posix
import Streams

/// One podcast's feed that is fetched, and read while it comes. Tried once: whoever asked asks again another time. The fetching process's
/// only thread.
final class FeedJob {
    /// Unpacked. The longest feeds there are have 15 MB.
    private static let mostBytes = 32 << 20

    let peer: FetchPeer
    private let server: FetchServer
    let address: String
    private let entityTag: String
    private let lastModified: String
    private var transfer: Transfer?
    private var head = ResponseHead()
    /// The body is read; nil until its first byte.
    private var reading: Reading?
    private var bytes = 0
    private var problem: String?
    /// It cannot be read from there on; what came before is taken.
    private var fault: String?
    /// Every redirection so far said that it is for good.
    private var hasMovedForGood = true
    /// What is asked: its address, or where it says that it has moved.
    private var target: String
    /// What it was where it said so, in case that nothing is there.
    private var kept: (reading: Reading, head: ResponseHead)?
    private var redirections = 0
    private(set) var isOver = false

    /// What a body is read with.
    private final class Reading {
        var file: FeedFile
        let reader: FeedReader
        let stream: XMLStream
        /// An episode at least.
        private(set) var hasSome = false

        init(folder: String, base: String) throws(XMLError) {
            do throws(PosixError) { file = try FeedFile(folder: folder) } catch {
                throw XMLError(message: "the cache cannot be used: " + error.message)
            }
            var add: (FeedRecord) -> Bool = { _ in false }
            reader = FeedReader(base: base) { add($0) }
            stream = try XMLStream(reader)
            add = { [unowned(unsafe) self] in
                hasSome = true
                return file.add($0)
            }
        }
    }

    /// - Parameter question: the address, and what the server said the last time, a line each.
    init?(_ question: String, _ peer: FetchPeer, _ server: FetchServer) {
        let lines = question.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count == 3 else { return nil }
        address = String(decoding: lines[0], as: UTF8.self)
        entityTag = String(decoding: lines[1].filter { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self)
        lastModified = String(decoding: lines[2].filter { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self)
        if StreamAddress.problem(address) != nil { return nil }
        target = address
        self.peer = peer
        self.server = server
    }

    func begin() {
        if Fuse.refuses(address) { return fail(FetchServer.hasEnded) }
        var headers = ["Accept: application/rss+xml, application/xml, text/xml;q=0.9, */*;q=0.5"]
        let hasMoved = kept != nil
        if !entityTag.isEmpty && !hasMoved { headers.append("If-None-Match: " + entityTag) }
        if !lastModified.isEmpty && !hasMoved { headers.append("If-Modified-Since: " + lastModified) }
        do throws(CurlError) {
            let curl = try server.loadedCurl()
            let transfer = try Transfer(
                curl, url: target, range: "", requestHeaders: headers, userAgent: server.userAgent,
                credentials: server.credentials(for: target), authorities: server.authorities)
            transfer.acceptPacked()
            server.guardLocal(transfer, target, named: address)
            transfer.takeHeader = { [unowned(unsafe) self] line in
                Fuse.setCurrent(address)
                takeHeader(line)
            }
            transfer.takeBody = { [unowned(unsafe) self] in
                Fuse.setCurrent(address)
                return take($0)
            }
            self.transfer = transfer
            curl.add(transfer)
        } catch { fail(error.message) }
    }

    func isYours(_ other: Transfer) -> Bool { transfer === other }

    /// Lets go of the connection.
    func stop() {
        if let transfer { server.loaded?.remove(transfer) }
        transfer = nil
        isOver = true
    }

    private func takeHeader(_ line: UnsafeRawBufferPointer) {
        let before = head.status
        head.take(line)
        if head.status == before && !line.starts(with: "HTTP/".utf8) { return }
        guard line.starts(with: "HTTP/".utf8), (300...399).contains(head.status), head.status != 304 else { return }
        redirections += 1
        if head.status != 301 && head.status != 308 { hasMovedForGood = false }
    }

    private func take(_ piece: UnsafeRawBufferPointer) -> Transfer.Verdict {
        if problem != nil { return .stop }
        guard head.status == 200 else { return .taken }
        bytes += piece.count
        if bytes > FeedJob.mostBytes {
            problem = "too large for a feed: more than \(FeedJob.mostBytes >> 20) MB"
            return .stop
        }
        // What comes behind a fault is left out.
        if fault != nil { return .taken }
        do throws(XMLError) {
            if reading == nil {
                reading = try Reading(folder: server.cache.path, base: transfer?.finalURL ?? target)
            }
            try reading?.stream.take(piece)
            return .taken
        } catch {
            if reading?.hasSome == true {
                fault = error.message
                return .taken
            }
            problem = words(error)
            return .stop
        }
    }

    private func words(_ error: XMLError) -> String {
        if head.contentType.utf8.elementsEqual("text/html".utf8) {
            return "the server has a page of the web there and no feed"
        }
        return "the feed cannot be read: " + error.message
    }

    func didEnd(_ end: TransferEnd) {
        let movedTo = redirections > 0 && hasMovedForGood ? transfer?.finalURL ?? "" : ""
        let hasStayedOutside = transfer?.hasStayedOutside ?? false
        transfer = nil
        if let problem { return fail(problem) }
        if hasStayedOutside {
            return fail("it leads into the local network, which [network] local = yes would allow")
        }
        if end.cause != .complete { return fail(end.trouble(at: StreamAddress.host(address)).message) }
        switch head.status {
        case 200: break
        case 304:
            peer.tell(StreamPacket.unchanged, movedTo)
            isOver = true
            return
        case 404, 410: return fail("the server has no such feed (\(head.status))")
        default:
            switch head.refusal {
            // Either way the next try is the timer's.
            case .never(let words), .notNow(let words, _): return fail(words)
            default: return fail("the server answers \(head.status)")
            }
        }
        finish(movedTo)
    }

    private func finish(_ movedTo: String) {
        guard let reading else { return fail("the server sent nothing") }
        if fault == nil {
            do throws(XMLError) {
                try reading.stream.take(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
            } catch {
                if !reading.hasSome { return fail(words(error)) }
                fault = error.message
            }
        }
        let new = reading.reader.newAddress
        if kept == nil, fault == nil, !new.isEmpty, !new.utf8.elementsEqual(address.utf8) {
            // Taken for true once a feed was read there, without a person's word for the local network.
            kept = (reading, head)
            target = new
            head = ResponseHead()
            self.reading = nil
            (bytes, redirections, hasMovedForGood) = (0, 0, true)
            return begin()
        }
        give(reading, head, movedTo: kept == nil || !movedTo.isEmpty ? movedTo : target)
    }

    private func give(_ reading: Reading, _ head: ResponseHead, movedTo: String) {
        var feed = reading.reader.feed
        if feed[.title] == nil { feed[.title] = StreamAddress.host(address) }
        if !movedTo.isEmpty && StreamAddress.problem(movedTo) == nil { feed[.address] = movedTo }
        if let fault {
            // Asked for whole the next time.
            feed[.notice] = "the feed is damaged, and was read as far as it can be: " + fault
            Log.notice(StreamAddress.shown(address) + ": damaged: " + fault)
        } else {
            feed[.entityTag] = head.entityTag
            feed[.lastModified] = head.lastModified
            if reading.stream.hasMended {
                Log.notice(StreamAddress.shown(address) + ": the feed is damaged, and was mended")
            }
        }
        do throws(PosixError) {
            let records = try reading.file.finish(feed)
            peer.tell(StreamPacket.records, descriptors: [records.number])
            isOver = true
        } catch {
            kept = nil
            fail("the cache cannot be used: " + error.message)
        }
    }

    private func fail(_ message: String) {
        if let transfer { server.loaded?.remove(transfer) }
        transfer = nil
        Log.notice(StreamAddress.shown(target) + ": " + message)
        if let kept {
            self.kept = nil
            fault = nil
            return give(kept.reading, kept.head, movedTo: "")
        }
        peer.tell(StreamPacket.failed, message)
        isOver = true
    }
}
