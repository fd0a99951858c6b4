// SPDX-License-Identifier: Apache-2.0
import Curl
import Expat
import Posix
import Streams

/// The fetching of one podcast's feed. Tried once: the client asks again another time. The fetching process's only thread.
final class FeedJob {
    private static let mostPages = 100

    let peer: FetchPeer
    private let address: String
    private let entityTag: String
    private let lastModified: String
    /// The cache's folder.
    private let folder: String
    private let download: Download
    /// The body; nil until its first byte.
    private var body: FeedBody?
    /// The reason why none of it is usable.
    private var problem: String?
    /// The requested address: the feed's own, or its new one.
    private var target: String
    /// The body and head before a move, in case the new address fails.
    private var kept: (body: FeedBody, head: ResponseHead)?
    /// The first page's head and new address, while the other pages are fetched.
    private var first: (head: ResponseHead, movedTo: String)?
    /// The addresses of all pages.
    private var pages: Set<String> = []
    private(set) var isOver = false

    /// - Parameter question: the address, and the server's last validators, a line each.
    init?(_ question: String, _ peer: FetchPeer, _ downloads: Downloads, folder: String) {
        let lines = question.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count == 3 else { return nil }
        address = String(decoding: lines[0], as: UTF8.self)
        entityTag = String(decoding: lines[1].filter { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self)
        lastModified = String(decoding: lines[2].filter { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self)
        if StreamAddress.problem(address) != nil { return nil }
        target = address
        self.peer = peer
        self.folder = folder
        download = Download(downloads, name: address, .host(address))
        download.take = { [unowned(unsafe) self] in take($0) }
        download.didEnd = { [unowned(unsafe) self] in didEnd($0) }
    }

    func begin() {
        if Fuse.refuses(address) { return fail(FetchServer.hasEnded) }
        var headers = ["Accept: application/rss+xml, application/xml, text/xml;q=0.9, */*;q=0.5"]
        let isAnother = kept != nil || first != nil
        if !entityTag.isEmpty && !isAnother { headers.append("If-None-Match: " + entityTag) }
        if !lastModified.isEmpty && !isAnother { headers.append("If-Modified-Since: " + lastModified) }
        if first == nil { body = nil }
        let request = Download.Request(address: target, headers: headers, acceptsPacked: true)
        if let problem = download.begin(request) { fail(problem) }
    }

    /// Stops, since the client no longer wants it.
    func stop() {
        download.cancel()
        isOver = true
    }

    private func take(_ piece: UnsafeRawBufferPointer) -> Transfer.Verdict {
        guard download.head.status == 200 else { return .taken }
        do throws(XMLError) {
            if body == nil { body = try FeedBody(folder: folder, base: download.finalAddress) }
            try body?.take(piece)
            return .taken
        } catch {
            problem = words(error)
            return .stop
        }
    }

    private func words(_ error: XMLError) -> String {
        if download.head.contentType.utf8.elementsEqual("text/html".utf8) {
            return "the server has a page of the web there and no feed"
        }
        return "the feed cannot be read: " + error.message
    }

    private func didEnd(_ end: Download.End) {
        if let problem { return fail(problem) }
        if let trouble = end.trouble { return fail(trouble.message) }
        let head = download.head
        switch head.status {
        case 200: finish(head, movedTo: end.movedTo)
        case 304 where first == nil:
            peer.tell(StreamPacket.unchanged, end.movedTo)
            isOver = true
        case 404, 410: fail("the server has no such feed (\(head.status))")
        default:
            switch head.refusal {
            // Either way the timer makes the next attempt.
            case .never(let words), .notNow(let words, _): fail(words)
            default: fail("the server answers \(head.status)")
            }
        }
    }

    private func finish(_ head: ResponseHead, movedTo: String) {
        guard let body else { return fail("the server sent nothing") }
        do throws(XMLError) { try body.take(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true) } catch {
            return fail(words(error))
        }
        if let first {
            if turnPage(body) { return begin() }
            return give(body, first.head, movedTo: first.movedTo)
        }
        let new = body.newAddress
        if kept == nil, !new.isEmpty, !new.utf8.elementsEqual(address.utf8) {
            // A move counts once a feed was read at the new address, without trust for the local network.
            kept = (body, head)
            target = new
            return begin()
        }
        let movedTo = kept == nil || !movedTo.isEmpty ? movedTo : target
        // A client with validators has the older episodes.
        if entityTag.isEmpty, lastModified.isEmpty, turnPage(body) {
            first = (head, movedTo)
            return begin()
        }
        give(body, head, movedTo: movedTo)
    }

    /// Fetches the page with older episodes, if there is one. Its address leads into the local network only with the listener's trust.
    private func turnPage(_ body: FeedBody) -> Bool {
        let next = body.nextAddress
        if pages.isEmpty { pages = [address, target] }
        guard StreamAddress.problem(next) == nil, pages.count < FeedJob.mostPages, pages.insert(next).inserted else {
            return false
        }
        do throws(XMLError) { try body.turnPage(base: next) } catch { return false }
        target = next
        return true
    }

    private func give(_ body: FeedBody, _ head: ResponseHead, movedTo: String) {
        do throws(PosixError) {
            let records = try body.records(head, address: address, movedTo: movedTo)
            peer.tell(StreamPacket.records, descriptors: [records.number])
            isOver = true
        } catch {
            kept = nil
            fail("the cache cannot be used: " + error.message)
        }
    }

    private func fail(_ message: String) {
        download.cancel()
        Log.notice(StreamAddress.shown(target) + ": " + message)
        if let first, let body {
            self.first = nil
            body.missing = message
            return give(body, first.head, movedTo: first.movedTo)
        }
        if let kept {
            self.kept = nil
            return give(kept.body, kept.head, movedTo: "")
        }
        peer.tell(StreamPacket.failed, message)
        isOver = true
    }
}
