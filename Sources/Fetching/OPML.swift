// SPDX-License-Identifier: Apache-2.0
import Expat
import Posix
import Streams
import Text

/// OPML: lists of subscriptions that podcast programs exchange. In a process of its own, since it loads expat.
public enum OPML {
    public struct Outline: Equatable, Sendable {
        public var title: String
        public var address: String

        public init(title: String, address: String) {
            self.title = title
            self.address = address
        }
    }

    public struct Refusal: Error {
        public let message: String
    }

    public static let mostBytes = 8 << 20
    private static let mostOutlines = 5000

    /// The content of a list.
    public struct Reading: Equatable, Sendable {
        /// The feeds, each once.
        public var outlines: [Outline] = []
        /// The number of entries without a feed's address, and the first ones, by title or address.
        public var leftOut = 0
        public var leftOutNames: [String] = []

        public init() {}
    }

    public static func read(_ bytes: [UInt8]) throws(Refusal) -> Reading {
        let reader = OutlineReader(most: mostOutlines)
        do throws(XMLError) {
            let stream = try XMLStream(reader)
            var at = 0
            while at < bytes.count {
                let piece = Array(bytes[at..<min(bytes.count, at + 16 * 1024)])
                try stream.take(piece)
                at += piece.count
            }
            try stream.take([], isLast: true)
        } catch { throw Refusal(message: error.message) }
        return reader.reading
    }

    public static func bytes(of outlines: [Outline]) -> [UInt8] {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n"
        text += "<head><title>Podcasts of Nightstand</title></head>\n<body>\n"
        for outline in outlines {
            let title = escaped(outline.title)
            text +=
                "<outline type=\"rss\" text=\"\(title)\" title=\"\(title)\" xmlUrl=\"\(escaped(outline.address))\"/>\n"
        }
        return Array((text + "</body>\n</opml>\n").utf8)
    }

    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            case 0..<0x20: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

private final class OutlineReader: XMLReader {
    private static let mostNames = 3

    private let most: Int
    private(set) var reading = OPML.Reading()
    private var seen: Set<String> = []
    private var isFirst = true
    private(set) var refusal: String?

    init(most: Int) { self.most = most }

    func begin(_ name: UnsafeBufferPointer<UInt8>, _ attribute: (StaticString) -> [UInt8]?) {
        if isFirst && !isSame(name, "opml") { refusal = "no list of subscriptions (OPML)" }
        isFirst = false
        guard isSame(name, "outline"), let bytes = address(attribute) else { return }
        let written = String(decoding: TextDecoding.tidied(bytes, most: StreamAddress.mostBytes + 1), as: UTF8.self)
        var title = attribute("title") ?? []
        if title.isEmpty { title = attribute("text") ?? [] }
        title = TextDecoding.tidied(title, most: 400)
        guard let address = FeedAddress.read(written), StreamAddress.problem(address) == nil else {
            reading.leftOut += 1
            if reading.leftOutNames.count < OutlineReader.mostNames {
                reading.leftOutNames.append(title.isEmpty ? written : String(decoding: title, as: UTF8.self))
            }
            return
        }
        guard seen.insert(address).inserted else { return }
        if reading.outlines.count >= most {
            refusal = "more than \(most) subscriptions"
            return
        }
        if title.isEmpty { title = Array(StreamAddress.host(address).utf8) }
        reading.outlines.append(OPML.Outline(title: String(decoding: title, as: UTF8.self), address: address))
    }

    /// Returns the feed's address of an entry. Some programs write `url`, which other lists have for stations and pages.
    private func address(_ attribute: (StaticString) -> [UInt8]?) -> [UInt8]? {
        if let address = attribute("xmlUrl") { return address }
        let type = attribute("type") ?? []
        let isFeed = type.isEmpty || isSame(type, "rss") || isSame(type, "atom") || isSame(type, "link")
        return isFeed ? attribute("url") : nil
    }

    private func isSame(_ text: some Collection<UInt8>, _ other: StaticString) -> Bool {
        other.withUTF8Buffer { text.elementsEqual($0) { $0.lowerCase == $1 } }
    }

    func end() {}

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
}
