// SPDX-License-Identifier: Apache-2.0
import Posix
import Streams

/// The requests to a server, and the use of its answers: one representation a cache file, continued at the byte. A value without a network,
/// a disk or a clock.
public struct FetchPlan: Equatable, Sendable {
    /// The overlap that is fetched again if nothing else proves that the same bytes come.
    public static let overlapBytes: Int64 = 64 * 1024

    public struct Request: Equatable, Sendable {
        /// The range, as in `Range: bytes=…`; "" for all.
        public var range = ""
        /// The value of `If-Range`; "" for none.
        public var ifRange = ""
    }

    /// The use of an answer's body.
    public enum Body: Equatable, Sendable {
        /// Write the body from here on.
        case write(from: Int64)
        /// Compare the body up to `front` with the present bytes; write the rest.
        case compare(from: Int64)
        /// Another recording: it starts a new file.
        case writeAnew
        /// The body never ends: no file.
        case live
        /// A recording that the cache cannot hold: no file either.
        case passing
        /// A list of addresses.
        case list
        /// The present bytes are complete.
        case isWhole
        /// Nothing playable comes: never, or not now.
        case never(String)
        case notNow(String, afterSeconds: Int?)
    }

    /// The known part of the recording.
    public private(set) var map: CacheMap
    /// The start of the last request.
    private(set) var offset: Int64 = 0
    /// The end of the request; nil for the recording's end.
    private var requestEnd: Int64?
    /// True if the file holds another recording: the coming bytes start a new one, even while the old one plays.
    private(set) var isReplaced = false
    /// True if the server packs its answer unasked: parts of that are of no use.
    private var isPacked = false
    /// The limit of a recording.
    let mostBytes: Int64

    /// True if the client wants words or a picture, and no audio.
    private let isDocument: Bool

    public init(_ map: CacheMap, mostBytes: Int64, isDocument: Bool = false) {
        self.map = map
        self.mostBytes = mostBytes
        self.isDocument = isDocument
    }

    /// - Parameters:
    ///   - wanted: the place that a speaker waits for; nil for none.
    ///   - heard: the listener's place.
    public mutating func request(wanted: Int64? = nil, heard: Int64 = 0) -> Request {
        offset = 0
        requestEnd = nil
        if isPacked || map.spans.end == 0 && !takesJumps { return Request() }
        // The request is for the list of segments, not for audio.
        if map.parts != nil { return Request() }
        if !map.strongTag.isEmpty {
            offset = nextPlace(wanted, heard)
            requestEnd = map.spans.next(after: offset)
            return Request(range: "\(offset)-" + (requestEnd.map { "\($0 - 1)" } ?? ""), ifRange: map.strongTag)
        }
        // Less is too short for a comparison.
        if map.front < FetchPlan.overlapBytes { return Request() }
        offset = map.front - FetchPlan.overlapBytes
        return Request(range: "\(offset)-")
    }

    /// Returns the next place to fetch: the awaited one; else the bytes behind the listener's place, and then the missing ones before it.
    private func nextPlace(_ wanted: Int64?, _ heard: Int64) -> Int64 {
        guard takesJumps, let length = map.length else { return map.front }
        if let wanted, wanted < length, map.spans.reach(from: wanted) == wanted { return wanted }
        let place = map.spans.reach(from: heard)
        return place > heard && place < length ? place : map.front
    }

    /// True if a place can be fetched before the bytes in front of it: the server gives parts, and a tag shows that they belong to one
    /// recording.
    public var takesJumps: Bool { map.takesRanges && !map.strongTag.isEmpty && map.length != nil }

    /// Returns whether the running answer would take too long to reach a place.
    /// - Parameters:
    ///   - place: the place of the next byte under way.
    ///   - near: the number of bytes that are soon there.
    func isWorthJump(to wanted: Int64, from place: Int64, near: Int64) -> Bool {
        guard takesJumps, let length = map.length, wanted < length, map.spans.reach(from: wanted) == wanted else {
            return false
        }
        return wanted < place || wanted - place > near
    }

    /// Judges the head of an answer to the last request.
    /// - Parameter opening: the first bytes of its body.
    public mutating func judge(_ head: ResponseHead, finalAddress: String, opening: [UInt8] = []) -> Body {
        switch head.status {
        case 200: return whole(head, finalAddress, BodyOpening(opening))
        case 206 where head.isPacked:
            isPacked = true
            return .notNow("the server packs what it sends", afterSeconds: 0)
        case 206: return part(head, finalAddress)
        case 416:
            // A server that gave a wrong length corrects it now, or has another recording.
            if let total = head.rangeTotal, total == map.front, map.front > 0 {
                map.length = total
                map.isWhole = map.spans.end == total
                return .isWhole
            }
            forget()
            return .notNow("the server has another recording there now", afterSeconds: 0)
        default: return head.noRecording
        }
    }

    private mutating func forget() {
        if map.spans.end > 0 { isReplaced = true }
        let bits = map.offeredBits
        map = CacheMap(address: map.address)
        map.offeredBits = bits
        offset = 0
    }

    private mutating func whole(_ head: ResponseHead, _ finalAddress: String, _ opening: BodyOpening) -> Body {
        if isDocument { return document(head, finalAddress) }
        let isText = head.contentType.begins(with: "text/")
        if !opening.isBinary {
            let isCalledList = FetchPlan.isList(head.contentType) || BodyOpening.isNamedAsList(finalAddress)
            if opening.isList || isCalledList || isText && opening.isAddress { return .list }
            if isText || head.contentType.utf8.elementsEqual("application/json".utf8) {
                return .never("the server has \(head.contentType) there and no sound")
            }
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
        if offset > 0 { map.takesRanges = false }
        if let length = head.contentLength, length > mostBytes {
            if isDocument { return .never("too long: \(length >> 10) KB, and at most \(mostBytes >> 10) are taken") }
            note(head, length: length, finalAddress)
            return .passing
        }
        let isSame =
            map.spans.end > 0 && (map.length == nil || head.contentLength == nil || map.length == head.contentLength)
            && (map.strongTag.isEmpty || map.strongTag.utf8.elementsEqual(head.strongTag.utf8))
        if isSame {
            requestEnd = nil
            note(head, length: head.contentLength, finalAddress)
            return .compare(from: 0)
        }
        forget()
        note(head, length: head.contentLength, finalAddress)
        if !isReplaced { return .write(from: 0) }
        isReplaced = false
        return .writeAnew
    }

    private mutating func part(_ head: ResponseHead, _ finalAddress: String) -> Body {
        guard let first = head.rangeFirst, first == offset, offset > 0 || requestEnd != nil else {
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
        map.takesRanges = true
        return offset >= map.front ? .write(from: offset) : .compare(from: offset)
    }

    private mutating func note(_ head: ResponseHead, length: Int64?, _ finalAddress: String) {
        map.finalAddress = finalAddress
        if !head.strongTag.isEmpty { map.strongTag = head.strongTag }
        if let length { map.length = length }
        if head.acceptsRanges { map.takesRanges = true }
    }

    /// Notes written bytes.
    public mutating func didWrite(_ count: Int, at place: Int64) { map.spans.insert(place..<place + Int64(count)) }

    /// Notes the chosen quality.
    public mutating func didChoose(bits: Int) { map.offeredBits = Int64(bits) }

    /// Notes the present segments.
    public mutating func didJoin(_ parts: CacheMap.Parts) { map.parts = parts }

    /// Notes that all segments are present.
    public mutating func didJoinAll() {
        map.length = map.front
        map.isWhole = map.front > 0
    }

    /// Notes that a new file was started, since the present bytes are of another recording.
    mutating func didBeginAnew() {
        forget()
        isReplaced = false
    }

    public enum End: Equatable, Sendable {
        /// Nothing is missing.
        case whole
        /// The request is complete, but another part is missing.
        case more
        /// Fewer bytes have come than announced.
        case short
    }

    /// Notes the regular end of the connection.
    public mutating func didEnd() -> End {
        if let length = map.length, map.front < length {
            let end = map.spans.reach(from: offset)
            return end > offset && end >= requestEnd ?? length ? .more : .short
        }
        map.length = map.front
        map.isWhole = map.front > 0
        return map.isWhole ? .whole : .short
    }

    /// Returns whether a type is that of a list. No server calls audio "audio/x-mpegurl".
    static func isList(_ type: String) -> Bool {
        for list: StaticString in [
            "audio/x-mpegurl", "audio/mpegurl", "application/x-mpegurl", "application/vnd.apple.mpegurl",
            "audio/x-scpls", "application/pls+xml", "application/xspf+xml",
        ] where list.withUTF8Buffer({ type.utf8.elementsEqual($0) }) { return true }
        return false
    }
}
