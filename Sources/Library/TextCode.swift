/// A way of writing a text with fewer bits for its frequent bytes (canonical Huffman codes): some 0.55 of a book's size, whatever
/// its language, and any piece of it can be read without the others.
struct TextCode {
    /// No code is longer: the decoder's table has an entry for each so many bits.
    static let mostBits = 12

    /// Of each byte; 0 for one that does not occur.
    private let lengths: [UInt8]
    /// Of each byte: its code, in the lowest bits.
    private let codes: [UInt16]

    /// The best code for bytes that occur so often.
    init(counts: [Int]) {
        var lengths = TextCode.huffmanLengths(counts)
        TextCode.limit(&lengths)
        self.init(lengths: lengths)
    }

    private init(lengths: [UInt8]) {
        self.lengths = lengths
        // The next code of each length.
        var next = [UInt16](repeating: 0, count: TextCode.mostBits + 2)
        for length in lengths where length > 0 { next[Int(length) + 1] &+= 1 }
        for length in 1...TextCode.mostBits { next[length + 1] = (next[length + 1] &+ next[length]) &<< 1 }
        var codes = [UInt16](repeating: 0, count: 256)
        for byte in 0..<256 where lengths[byte] > 0 {
            codes[byte] = next[Int(lengths[byte])]
            next[Int(lengths[byte])] &+= 1
        }
        self.codes = codes
    }

    /// What `bytes` wrote. Nil where it is no code.
    init?(stored: [UInt8]) {
        guard stored.count == 128 else { return nil }
        var lengths = [UInt8](repeating: 0, count: 256)
        var space = 0
        for byte in 0..<256 {
            let length = stored[byte / 2] >> (byte % 2 == 0 ? 0 : 4) & 0xF
            if length > TextCode.mostBits { return nil }
            if length > 0 { space += 1 << (TextCode.mostBits - Int(length)) }
            lengths[byte] = length
        }
        if space > 1 << TextCode.mostBits { return nil }
        self.init(lengths: lengths)
    }

    /// 128 bytes that tell the code.
    var bytes: [UInt8] {
        (0..<128).map { lengths[2 * $0] | lengths[2 * $0 + 1] << 4 }
    }

    /// How many bits a text takes.
    func bits(_ text: [UInt8]) -> Int {
        var sum = 0
        for byte in text { sum += Int(lengths[Int(byte)]) }
        return sum
    }

    /// Appends texts one after the other, filled up to whole bytes. All their bytes must have been counted.
    func encode(_ text: [UInt8], into bytes: inout [UInt8]) {
        var held: UInt64 = 0
        var count: UInt64 = 0
        for byte in text {
            let length = UInt64(lengths[Int(byte)])
            held = held << length | UInt64(codes[Int(byte)])
            count += length
            while count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: held >> count))
            }
        }
        if count > 0 { bytes.append(UInt8(truncatingIfNeeded: held << (8 - count))) }
    }

    // MARK: Making

    /// The lengths of Huffman's codes, which may be too long.
    private static func huffmanLengths(_ counts: [Int]) -> [UInt8] {
        var lengths = [UInt8](repeating: 0, count: 256)
        let used = (0..<256).filter { counts[$0] > 0 }
        guard used.count > 1 else {
            if let only = used.first { lengths[only] = 1 }
            return lengths
        }
        // Leaves first, then what joins two; by their weight, and of equal ones the older.
        var weights = used.map { counts[$0] }
        var parents = [Int](repeating: -1, count: 2 * used.count - 1)
        var free = Array(weights.indices)
        while free.count > 1 {
            free.sort { (weights[$0], $0) > (weights[$1], $1) }
            let (a, b) = (free.removeLast(), free.removeLast())
            parents[a] = weights.count
            parents[b] = weights.count
            free.append(weights.count)
            weights.append(weights[a] + weights[b])
        }
        for (leaf, byte) in used.enumerated() {
            var depth = 0
            var node = leaf
            while parents[node] >= 0 {
                depth += 1
                node = parents[node]
            }
            lengths[byte] = UInt8(clamping: depth)
        }
        return lengths
    }

    /// Cuts codes that are too long, and lengthens the longest others until all have room.
    private static func limit(_ lengths: inout [UInt8]) {
        var space = 0
        for byte in 0..<256 where lengths[byte] > 0 {
            lengths[byte] = min(lengths[byte], UInt8(mostBits))
            space += 1 << (mostBits - Int(lengths[byte]))
        }
        while space > 1 << mostBits {
            var longest = -1
            for byte in 0..<256 where lengths[byte] > 0 && lengths[byte] < mostBits {
                if longest < 0 || lengths[byte] > lengths[longest] { longest = byte }
            }
            guard longest >= 0 else { return }
            space -= 1 << (mostBits - Int(lengths[longest]) - 1)
            lengths[longest] += 1
        }
    }

    // MARK: Reading

    /// Reads what `encode` wrote, by a table.
    final class Decoder {
        /// Whoever reads so many pieces will read more of them: from then on two bytes are read at a time.
        private static let fewPieces = 6

        /// For the next `mostBits` bits: from the lowest on, the byte that they begin with; the byte behind it where they tell both;
        /// how many bits are those of the first (8 bits); of all (4 bits); how many bytes that is. 0 where no code begins so.
        private let table: UnsafeMutablePointer<UInt32>
        private var pieces = 0

        private let code: TextCode

        init(_ code: TextCode) {
            self.code = code
            table = .allocate(capacity: 1 << TextCode.mostBits)
            table.initialize(repeating: 0, count: 1 << TextCode.mostBits)
            for byte in 0..<256 where code.lengths[byte] > 0 {
                let length = UInt32(code.lengths[byte])
                enter(UInt32(code.codes[byte]), bits: length, UInt32(byte) | length << 16 | length << 24 | 1 << 28)
            }
        }

        /// For all that begins with these bits.
        private func enter(_ code: UInt32, bits: UInt32, _ entry: UInt32) {
            let rest = UInt32(TextCode.mostBits) &- bits
            let first = table + Int(code &<< rest)
            for index in 0..<(1 &<< Int(rest)) { first[index] = entry }
        }

        deinit { table.deallocate() }

        /// Puts the second bytes into the table.
        private func pair() {
            let used = (0..<256).filter { code.lengths[$0] > 0 }.map {
                (byte: UInt32($0), bits: UInt32(code.lengths[$0]), code: UInt32(code.codes[$0]))
            }
            for first in used {
                for second in used where first.bits &+ second.bits <= TextCode.mostBits {
                    let both = first.bits &+ second.bits
                    enter(
                        first.code &<< second.bits | second.code, bits: both,
                        first.byte | second.byte &<< 8 | first.bits &<< 16 | both &<< 24 | 2 &<< 28)
                }
            }
        }

        /// Fills `text` with so many bytes as it takes. False where there are not so many.
        func decode(_ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer) -> Bool {
            guard let from = bytes.baseAddress, let to = text.baseAddress else { return text.isEmpty }
            pieces &+= 1
            if pieces == Decoder.fewPieces { pair() }
            // The next bits, from the highest on, and how many.
            var held: UInt64 = 0
            var count = 0
            var next = 0
            var place = 0
            while place < text.count {
                if count < TextCode.mostBits {
                    // Four at a time as long as there are four.
                    if next &+ 4 <= bytes.count {
                        let four = UInt32(bigEndian: from.loadUnaligned(fromByteOffset: next, as: UInt32.self))
                        held |= UInt64(four) &<< UInt64(truncatingIfNeeded: 32 &- count)
                        next &+= 4
                        count &+= 32
                    } else {
                        while count < TextCode.mostBits {
                            if next < bytes.count {
                                held |= UInt64(bytes[next]) &<< UInt64(truncatingIfNeeded: 56 &- count)
                            }
                            next &+= 1
                            count &+= 8
                        }
                    }
                }
                let entry = table[Int(truncatingIfNeeded: held &>> UInt64(64 - TextCode.mostBits))]
                if entry == 0 { return false }
                var bits = entry &>> 24 & 0xF
                if place &+ 1 < text.count {
                    to.storeBytes(
                        of: UInt16(truncatingIfNeeded: entry).littleEndian, toByteOffset: place, as: UInt16.self)
                } else {
                    // Nothing is behind the last.
                    to.storeBytes(of: UInt8(truncatingIfNeeded: entry), toByteOffset: place, as: UInt8.self)
                    bits = entry &>> 16 & 0xF
                }
                held &<<= UInt64(bits)
                count &-= Int(bits)
                place &+= Int(entry &>> 28)
            }
            // What was held beyond the end are zeros that nobody wrote.
            return next - count / 8 <= bytes.count
        }
    }
}
