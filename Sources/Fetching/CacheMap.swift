// SPDX-License-Identifier: Apache-2.0
import Posix
import Streams

/// The facts about one cache file: its recording, and its present part, which is the bytes from the start on, and stretches beyond a hole,
/// after a jump. As lines of text, readable for people.
public struct CacheMap: Equatable, Sendable {
    /// The requested address.
    public var address: String
    /// The address behind all redirections.
    public var finalAddress = ""
    /// The entity tag that never stands for other bytes; "" if the server gives none.
    public var strongTag = ""
    /// The length of the whole; nil if the server does not say.
    public var length: Int64?
    /// True if the server gives parts of it.
    public var takesRanges = false
    /// The present bytes.
    public var spans = ByteSpans()
    /// True if nothing is missing.
    public var isWhole = false
    /// The segments; nil for a file that came in one piece.
    public var parts: Parts?

    /// The bits per second of this quality; 0 if there is no choice.
    public var offeredBits: Int64 = 0

    /// The segments of one playlist, and the number present: the bytes from the start on.
    public struct Parts: Equatable, Sendable {
        public var done: Int64
        public var all: Int64
        /// The playing time of the whole playlist.
        public var milliseconds: Int64
        /// The kind that the next segment must have.
        public var kind: Int64
        /// The rendition of the last present segment; the bytes behind it continue without a joint.
        public var rendition: Int64

        public init(done: Int64, all: Int64, milliseconds: Int64, kind: Int64, rendition: Int64) {
            (self.done, self.all, self.milliseconds, self.kind) = (done, all, milliseconds, kind)
            self.rendition = rendition
        }
    }

    private static let firstLine = "nightstand stream 1"
    static let mostBytes = 8192

    public init(address: String) { self.address = address }

    /// The number of bytes present from the start on.
    public var front: Int64 { spans.front }

    public var bytes: [UInt8] {
        var text = CacheMap.firstLine + "\naddress " + address + "\nfinal " + finalAddress + "\ntag " + strongTag
        if let length { text += "\nlength \(length)" }
        if takesRanges { text += "\nranges 1" }
        for span in spans.spans where span.lowerBound > 0 { text += "\nspan \(span.lowerBound) \(span.upperBound)" }
        if offeredBits > 0 { text += "\noffer \(offeredBits)" }
        if let parts {
            text += "\nparts \(parts.done) \(parts.all) \(parts.milliseconds) \(parts.kind) \(parts.rendition)"
        }
        text += "\nfront \(front)\nwhole \(isWhole ? 1 : 0)\n"
        return Array(text.utf8)
    }

    /// nil if the text is damaged, or of another version.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= CacheMap.mostBytes, bytes.last == 0x0A else { return nil }
        let lines = bytes.split(separator: 0x0A)
        guard let first = lines.first, first.elementsEqual(CacheMap.firstLine.utf8) else { return nil }
        address = ""
        var hasEnd = false
        for line in lines.dropFirst() {
            let name = line.prefix { $0 != 0x20 }
            let value = line.dropFirst(name.count + 1)
            func isNamed(_ other: StaticString) -> Bool { other.withUTF8Buffer { name.elementsEqual($0) } }
            if isNamed("address") { address = String(decoding: value, as: UTF8.self) }
            if isNamed("final") { finalAddress = String(decoding: value, as: UTF8.self) }
            if isNamed("tag") { strongTag = String(decoding: value, as: UTF8.self) }
            if isNamed("length") {
                guard let number = ResponseHead.number(value) else { return nil }
                length = number
            }
            if isNamed("front") {
                guard let number = ResponseHead.number(value) else { return nil }
                spans.insert(0..<number)
            }
            if isNamed("ranges") { takesRanges = value.elementsEqual([UInt8(ascii: "1")]) }
            if isNamed("span") {
                let words = value.split(separator: 0x20)
                guard words.count == 2, let lower = ResponseHead.number(words[0]),
                    let upper = ResponseHead.number(words[1]), lower < upper
                else { return nil }
                spans.insert(lower..<upper)
            }
            if isNamed("offer") {
                guard let number = ResponseHead.number(value) else { return nil }
                offeredBits = number
            }
            if isNamed("parts") {
                let numbers = value.split(separator: 0x20).compactMap { ResponseHead.number($0) }
                guard numbers.count == 5 else { return nil }
                parts = Parts(
                    done: numbers[0], all: numbers[1], milliseconds: numbers[2], kind: numbers[3], rendition: numbers[4]
                )
            }
            if isNamed("whole") {
                isWhole = value.elementsEqual([UInt8(ascii: "1")])
                hasEnd = true
            }
        }
        guard hasEnd, !address.isEmpty else { return nil }
        if let length, spans.end > length { return nil }
        // Without a strong tag nothing can be joined to it.
        if strongTag.isEmpty && spans.end > front { return nil }
        if isWhole, let length, front != length { return nil }
    }
}
