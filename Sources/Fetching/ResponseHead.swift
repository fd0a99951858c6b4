// SPDX-License-Identifier: Apache-2.0
import Core
import Posix
import Text

/// The relevant facts of an answer's head, built line by line; its size is bounded for any lines.
public struct ResponseHead: Equatable, Sendable {
    private static let mostValueBytes = 1024

    public private(set) var status = 0
    /// The length of the body; nil if the head lacks it, or it is nonsense.
    public var contentLength: Int64? { isPacked ? nil : saidLength }
    private var saidLength: Int64?
    /// True if the body is packed, and unpacked on arrival: the length and the parts in the head do not fit it.
    public private(set) var isPacked = false
    /// The range of `Content-Range: bytes FIRST-LAST/TOTAL`; a total of nil for "*". Without a first byte for an unsatisfiable range.
    public private(set) var rangeFirst: Int64?
    public private(set) var rangeTotal: Int64?
    /// The entity tag in its sent form, including `W/`; "" for none.
    public private(set) var entityTag = ""
    public private(set) var lastModified = ""
    /// True if the server offers parts.
    public var acceptsRanges: Bool { saysRanges && !isPacked }
    private var saysRanges = false
    /// The type without parameters, in small letters.
    public private(set) var contentType = ""
    /// The seconds to wait before another request; nil if the head lacks them, or has a date.
    public private(set) var retryAfterSeconds: Int?
    /// The number of audio bytes between two titles of ICY; 0 without titles.
    public private(set) var icyInterval = 0
    public private(set) var icyName = ""
    public private(set) var icyKilobits = 0
    /// True if one of the headers is ICY's own.
    public private(set) var isICY = false

    public init() {}

    /// Takes one line without its end. A status line begins another answer: that of a redirection is forgotten.
    public mutating func take(_ line: UnsafeRawBufferPointer) {
        if line.starts(with: "HTTP/".utf8) || line.starts(with: "ICY ".utf8) {
            self = ResponseHead()
            isICY = line[0] == UInt8(ascii: "I")
            let words = line.split(separator: 0x20, maxSplits: 2)
            status = words.count > 1 ? Int(clamping: ResponseHead.number(words[1]) ?? 0) : 0
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0, colon < 64 else { return }
        let name = line[..<colon].map { $0.lowerCase }
        var rest = line[(colon + 1)...]
        while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
        let value = rest.prefix(ResponseHead.mostValueBytes)
        func isNamed(_ other: StaticString) -> Bool { other.withUTF8Buffer { name.elementsEqual($0) } }
        if isNamed("content-length") { saidLength = ResponseHead.number(value) }
        if isNamed("etag") { entityTag = ResponseHead.text(value) }
        if isNamed("accept-ranges") { saysRanges = value.elementsEqual("bytes".utf8) }
        if isNamed("last-modified") { lastModified = ResponseHead.text(value) }
        if isNamed("retry-after") { retryAfterSeconds = ResponseHead.number(value).map { Int(min($0, 3600)) } }
        if isNamed("content-type") {
            contentType = ResponseHead.text(
                value.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }.map { $0.lowerCase })
        }
        if isNamed("content-range") { takeRange(value) }
        if isNamed("content-encoding") { isPacked = !value.isEmpty && !value.elementsEqual("identity".utf8) }
        if name.starts(with: "icy-".utf8) {
            isICY = true
            // A title is at most 4 KB, and servers send them at most a few seconds apart.
            if isNamed("icy-metaint"), let number = ResponseHead.number(value), number > 0, number <= 1 << 20 {
                icyInterval = Int(number)
            }
            if isNamed("icy-name") { icyName = ResponseHead.readable(value) }
            if isNamed("icy-br"), let number = ResponseHead.number(value.prefix { $0 >= 0x30 && $0 <= 0x39 }) {
                icyKilobits = Int(min(number, 2000))
            }
        }
    }

    private mutating func takeRange(_ value: Slice<UnsafeRawBufferPointer>) {
        guard value.starts(with: "bytes ".utf8), let slash = value.firstIndex(of: UInt8(ascii: "/")) else { return }
        rangeTotal = ResponseHead.number(value[(slash + 1)...])
        rangeFirst = ResponseHead.number(value[..<slash].dropFirst(6).prefix { $0 != UInt8(ascii: "-") })
    }

    /// The entity tag that proves that the same bytes come again: one that is not weak.
    public var strongTag: String { entityTag.utf8.first == UInt8(ascii: "\"") && !isPacked ? entityTag : "" }

    /// True for a station, which has no end, unlike a recording.
    public var isLive: Bool { contentLength == nil && rangeTotal == nil && isICY }

    /// The reason why no recording comes, if the answer is neither a whole one nor a part.
    var noRecording: FetchPlan.Body {
        if status == 404 || status == 410 { return .never("the server has no such recording (\(status))") }
        return refusal ?? .never("the server answers \(status)")
    }

    /// The reason of a refusal, independent of the request; nil if the request decides.
    var refusal: FetchPlan.Body? {
        switch status {
        case 401, 403: .never("the server refuses: \(status), an account may be needed")
        case 429: .notNow("the server asks to be left alone for a while (429)", afterSeconds: retryAfterSeconds)
        case 500...599: .notNow("the server is in trouble (\(status))", afterSeconds: retryAfterSeconds)
        default: nil
        }
    }

    static func number(_ bytes: some Sequence<UInt8>) -> Int64? { Int64(digits: bytes, most: 18) }

    private static func text<Bytes: Sequence>(_ bytes: Bytes) -> String where Bytes.Element == UInt8 {
        String(decoding: bytes.filter { $0 >= 0x20 && $0 < 0x7F }, as: UTF8.self)
    }

    /// Returns a text in UTF-8, or in the letters of Western Europe, as stations have it.
    private static func readable(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let all = Array(bytes)
        return String(decoding: TextDecoding.utf8(fromSingleBytes: all, 0..<all.count), as: UTF8.self)
    }
}
