import Posix

/// What to ask a server for, and what to make of its answer: one representation a cache file, gone on with at the byte. A value without a
/// network, a disk or a clock.
public struct FetchPlan: Equatable, Sendable {
    /// So much of what is there is asked for again, where nothing else tells whether the same bytes come.
    public static let overlapBytes: Int64 = 64 * 1024

    public struct Request: Equatable, Sendable {
        /// As in `Range: bytes=…`; "" for all.
        public var range = ""
        /// `If-Range`; "" for none.
        public var ifRange = ""
    }

    /// What to do with the body of an answer.
    public enum Body: Equatable, Sendable {
        /// Write it from here on.
        case write(from: Int64)
        /// Up to `front` it has to be what is there already; write what follows.
        case compare(from: Int64)
        /// Another recording: a new file is begun.
        case writeAnew
        /// It goes on for ever: no file.
        case live
        /// A list of addresses.
        case list
        /// What is there is all.
        case isWhole
        /// Nothing comes that can be played: never, or not now.
        case never(String)
        case notNow(String, afterSeconds: Int?)
    }

    /// The recording as far as it is known.
    public private(set) var map: CacheMap
    private var offset: Int64 = 0
    /// Most bytes that a recording may have.
    private let mostBytes: Int64

    /// Words or a picture are wanted, and no sound.
    private let isDocument: Bool

    public init(_ map: CacheMap, mostBytes: Int64, isDocument: Bool = false) {
        self.map = map
        self.mostBytes = mostBytes
        self.isDocument = isDocument
    }

    public mutating func request() -> Request {
        offset = 0
        if map.front == 0 { return Request() }
        if !map.strongTag.isEmpty {
            offset = map.front
            return Request(range: "\(offset)-", ifRange: map.strongTag)
        }
        // Of less there is nothing that could be told by.
        if map.front < FetchPlan.overlapBytes { return Request() }
        offset = map.front - FetchPlan.overlapBytes
        return Request(range: "\(offset)-")
    }

    /// Judges the head of an answer to the last request.
    public mutating func judge(_ head: ResponseHead, finalAddress: String) -> Body {
        switch head.status {
        case 200: return whole(head, finalAddress)
        case 206: return part(head, finalAddress)
        case 416:
            // A server that lied about its length says so now, or has another recording.
            if let total = head.rangeTotal, total == map.front, map.front > 0 {
                map.length = total
                map.isWhole = true
                return .isWhole
            }
            forget()
            return .notNow("the server has another recording there now", afterSeconds: 0)
        case 401, 403: return .never("the server refuses: \(head.status), an account may be needed")
        case 404, 410: return .never("the server has no such recording (\(head.status))")
        case 429:
            return .notNow("the server asks to be left alone for a while (429)", afterSeconds: head.retryAfterSeconds)
        case 500...599:
            return .notNow("the server is in trouble (\(head.status))", afterSeconds: head.retryAfterSeconds)
        default: return .never("the server answers \(head.status)")
        }
    }

    private mutating func forget() {
        map = CacheMap(address: map.address)
        offset = 0
    }

    private mutating func whole(_ head: ResponseHead, _ finalAddress: String) -> Body {
        if isDocument { return document(head, finalAddress) }
        if FetchPlan.isList(head.contentType) { return .list }
        if head.contentType.begins(with: "text/") || head.contentType.utf8.elementsEqual("application/json".utf8) {
            return .never("the server has \(head.contentType) there and no sound")
        }
        if head.isLive { return .live }
        return recording(head, finalAddress)
    }

    private mutating func document(_ head: ResponseHead, _ finalAddress: String) -> Body {
        if head.contentType.utf8.elementsEqual("text/html".utf8) || head.isLive {
            return .never("the server has something else there than what the feed names")
        }
        return recording(head, finalAddress)
    }

    private mutating func recording(_ head: ResponseHead, _ finalAddress: String) -> Body {
        if let length = head.contentLength, length > mostBytes {
            return .never(
                "too long for the cache: \(length >> 20) MB, and it takes \(mostBytes >> 20) ([network] cache_mb)")
        }
        let isSame =
            map.front > 0 && (map.length == nil || head.contentLength == nil || map.length == head.contentLength)
            && (map.strongTag.isEmpty || map.strongTag.utf8.elementsEqual(head.strongTag.utf8))
        let had = map.front
        if isSame {
            note(head, length: head.contentLength, finalAddress)
            return .compare(from: 0)
        }
        forget()
        note(head, length: head.contentLength, finalAddress)
        return had > 0 ? .writeAnew : .write(from: 0)
    }

    private mutating func part(_ head: ResponseHead, _ finalAddress: String) -> Body {
        guard let first = head.rangeFirst, first == offset, offset > 0 else {
            return .notNow("the server sends another part than was asked for", afterSeconds: nil)
        }
        let isOther =
            map.length != nil && head.rangeTotal != nil && map.length != head.rangeTotal
            || !map.strongTag.isEmpty && !head.strongTag.isEmpty
                && !map.strongTag.utf8.elementsEqual(head.strongTag.utf8)
        if isOther {
            forget()
            return .notNow("the server has another recording there now", afterSeconds: 0)
        }
        note(head, length: head.rangeTotal, finalAddress)
        return offset == map.front ? .write(from: offset) : .compare(from: offset)
    }

    private mutating func note(_ head: ResponseHead, length: Int64?, _ finalAddress: String) {
        map.finalAddress = finalAddress
        if !head.strongTag.isEmpty { map.strongTag = head.strongTag }
        if let length { map.length = length }
    }

    /// Bytes were written behind what is there.
    public mutating func didWrite(_ count: Int) { map.front += Int64(count) }

    /// More than a recording may have, where its length was not said or a lie.
    public var isTooLong: Bool { map.front > mostBytes }

    /// What came again is not what is there: a new file is begun.
    public mutating func didDiffer() { forget() }

    /// The connection ended as it should. Whether nothing is missing.
    public mutating func didEnd() -> Bool {
        if let length = map.length, map.front < length { return false }
        map.length = map.front
        map.isWhole = map.front > 0
        return map.isWhole
    }

    /// Sound is called "audio/x-mpegurl" by nobody.
    static func isList(_ type: String) -> Bool {
        for list: StaticString in [
            "audio/x-mpegurl", "audio/mpegurl", "application/x-mpegurl", "application/vnd.apple.mpegurl",
            "audio/x-scpls",
            "application/pls+xml",
        ] where list.withUTF8Buffer({ type.utf8.elementsEqual($0) }) { return true }
        return false
    }
}
