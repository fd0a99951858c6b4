import Expat
import Posix
import Streams
import Text

/// Lists of subscriptions, as programs for podcasts exchange them: OPML. In a process of its own, since expat is loaded.
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

    /// The feeds that a list names, each once. What is no address of http or https is left out.
    public static func read(_ bytes: [UInt8]) throws(Refusal) -> [Outline] {
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
        return reader.outlines
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
    private let most: Int
    private(set) var outlines: [OPML.Outline] = []
    private var seen: Set<String> = []
    private var isFirst = true
    private(set) var refusal: String?

    init(most: Int) { self.most = most }

    func begin(_ name: UnsafeBufferPointer<UInt8>, _ attribute: (StaticString) -> [UInt8]?) {
        if isFirst && !name.elementsEqual("opml".utf8) { refusal = "no list of subscriptions (OPML)" }
        isFirst = false
        guard name.elementsEqual("outline".utf8), let bytes = attribute("xmlUrl") else { return }
        let address = String(decoding: TextDecoding.tidied(bytes, most: StreamAddress.mostBytes + 1), as: UTF8.self)
        guard StreamAddress.problem(address) == nil, seen.insert(address).inserted else { return }
        if outlines.count >= most {
            refusal = "more than \(most) subscriptions"
            return
        }
        var title = attribute("title") ?? []
        if title.isEmpty { title = attribute("text") ?? [] }
        if title.isEmpty { title = Array(StreamAddress.host(address).utf8) }
        outlines.append(
            OPML.Outline(
                title: String(decoding: TextDecoding.tidied(title, most: 400), as: UTF8.self), address: address))
    }

    func end() {}

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
}
