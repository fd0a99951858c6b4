import CPosix
import Core

/// Some neighbouring sentences of a transcript as they lie in the database: when each begins, and what is said.
public struct SpokenBlock: Sendable {
    /// A sentence's number in the index is its block's, times this, and its place in the block.
    static let mostSentences = 16
    /// Two of them fill a page.
    private static let fullBytes = 490

    /// As it is stored: how many sentences; of each the milliseconds since the one before began and the bytes of its text; the texts.
    let bytes: [UInt8]
    /// What is said in each: for the index.
    let texts: [[UInt8]]

    /// Puts the sentences of one transcript into blocks, in order. Worker.
    public struct Packer {
        /// What all blocks of a transcript are written with.
        public let code: [UInt8]
        private let textCode: TextCode
        private var texts: [[UInt8]] = []
        private var times: [UInt8] = []
        private var textBits = 0
        private var last = 0

        /// - Parameter counts: how often each byte occurs in all sentences.
        public init(counts: [Int]) {
            textCode = TextCode(counts: counts)
            code = textCode.bytes
        }

        /// Takes the next sentence. Gives a block once one is full.
        public mutating func add(startMilliseconds: Int, text: [UInt8]) -> SpokenBlock? {
            let bits = textCode.bits(text)
            var full: SpokenBlock?
            let isFull = (textBits + bits) / 8 + times.count + 6 > SpokenBlock.fullBytes
            if !texts.isEmpty && (isFull || texts.count == SpokenBlock.mostSentences) { full = finish() }
            // They are in order; one that is not counts as at the same time.
            let start = max(texts.isEmpty ? 0 : last, startMilliseconds)
            Packer.append(texts.isEmpty ? start : start - last, to: &times)
            Packer.append(text.count, to: &times)
            last = start
            textBits += bits
            texts.append(text)
            return full
        }

        /// What is left; nil for nothing.
        public mutating func finish() -> SpokenBlock? {
            if texts.isEmpty { return nil }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(times.count + textBits / 8 + 4)
            Packer.append(texts.count, to: &bytes)
            bytes += times
            var all: [UInt8] = []
            for text in texts { all += text }
            textCode.encode(all, into: &bytes)
            defer {
                texts = []
                times = []
                textBits = 0
            }
            return SpokenBlock(bytes: bytes, texts: texts)
        }

        private static func append(_ number: Int, to bytes: inout [UInt8]) {
            var rest = number
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(truncatingIfNeeded: rest))
        }
    }
}

/// A block that was read: its sentences.
struct SpokenSentences {
    private(set) var starts: [Int] = []
    /// Where in `text` each ends.
    private var ends: [Int] = []
    private var text: [UInt8] = []

    /// Nil where the bytes are no block that this code has written.
    init?(_ bytes: [UInt8], _ decoder: TextCode.Decoder) {
        var place = 0
        guard let count = SpokenSentences.number(bytes, &place), count <= SpokenBlock.mostSentences else { return nil }
        var start = 0
        var end = 0
        starts.reserveCapacity(count)
        ends.reserveCapacity(count)
        for _ in 0..<count {
            guard let step = SpokenSentences.number(bytes, &place), let length = SpokenSentences.number(bytes, &place)
            else { return nil }
            // Past what 32 bits hold there is no block.
            guard let nextStart = start.addingExactly(step), let nextEnd = end.addingExactly(length) else { return nil }
            (start, end) = (nextStart, nextEnd)
            starts.append(start)
            ends.append(end)
        }
        // No byte of text has less than a bit.
        guard end <= 8 * (bytes.count - place) else { return nil }
        text = [UInt8](repeating: 0, count: end)
        let isWhole = bytes.withUnsafeBytes { bytes in
            text.withUnsafeMutableBytes {
                decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[place...]), into: $0)
            }
        }
        guard isWhole else { return nil }
    }

    var count: Int { starts.count }

    func withText<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let range = (index == 0 ? 0 : ends[index - 1])..<ends[index]
        return text.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    func text(_ index: Int) -> String { withText(index) { String(decoding: $0, as: UTF8.self) } }

    /// Below 2^31, whatever damaged bytes say.
    private static func number(_ bytes: [UInt8], _ place: inout Int) -> Int? {
        var value: UInt64 = 0
        for shift in 0..<5 {
            guard place < bytes.count else { return nil }
            let byte = bytes[place]
            place += 1
            value |= UInt64(byte & 0x7F) << (7 * UInt64(shift))
            if byte < 0x80 { return Int32(exactly: value).map(Int.init) }
        }
        return nil
    }
}
