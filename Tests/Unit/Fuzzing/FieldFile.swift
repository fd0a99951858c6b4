// SPDX-License-Identifier: Apache-2.0
import CPosix

/// A small file, right in all its parts, of which it is known where its numbers stand: each can be set to what strangers choose, and the
/// checksums over it are made right again. So a parser is led further in than by bytes that are damaged anywhere.
public struct FieldFile {
    public enum Field {
        /// So many bytes, the highest first or last.
        case big(at: Int, bytes: Int)
        case little(at: Int, bytes: Int)
        /// Four bytes of seven bits, as in ID3v2.
        case synchsafe(at: Int)
        /// A number in decimal digits, of any length.
        case digits(Range<Int>)

        /// Behind its last byte.
        public var end: Int {
            switch self {
            case .big(let at, let bytes), .little(let at, let bytes): at + bytes
            case .synchsafe(let at): at + 4
            case .digits(let range): range.upperBound
            }
        }

        var place: Int {
            switch self {
            case .big(let at, _), .little(let at, _), .synchsafe(let at): at
            case .digits(let range): range.lowerBound
            }
        }
    }

    public var bytes: [UInt8]
    public var fields: [Field]
    /// Its pages have checksums, which are made right.
    public let isOgg: Bool

    public init(_ bytes: [UInt8], _ fields: [Field], isOgg: Bool = false) {
        self.bytes = bytes
        self.fields = fields
        self.isOgg = isOgg
        // A field that cannot be found is a mistake of the test.
        precondition(!fields.isEmpty && fields.allSatisfy { $0.place < bytes.count })
    }

    /// A text, with all numbers that stand in it.
    public init(text: String) {
        let bytes = Array(text.utf8)
        var fields: [Field] = []
        var at = 0
        while at < bytes.count {
            let end = bytes[at...].firstIndex { $0 < 0x30 || $0 > 0x39 } ?? bytes.count
            if end > at { fields.append(.digits(at..<end)) }
            at = end + 1
        }
        self.init(bytes, fields)
    }

    /// Numbers at which sums, products and shifts go over.
    private static func extreme(using chance: inout SeededGenerator) -> UInt64 {
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: return UInt64.random(in: 0...3, using: &chance)
        case 1: return UInt64.max - UInt64.random(in: 0...3, using: &chance)
        case 2: return UInt64.random(in: 0 ... .max, using: &chance)
        case 3:
            let edge: UInt64 = [31, 32, 62, 63, 16, 15, 24, 8].randomElement(using: &chance).map { 1 << $0 } ?? 0
            return edge &+ UInt64.random(in: 0...4, using: &chance) &- 2
        default:
            let edge: UInt64 = 1 << UInt64.random(in: 0...63, using: &chance)
            return edge &+ UInt64.random(in: 0...2, using: &chance) &- 1
        }
    }

    private static func digits(using chance: inout SeededGenerator) -> [UInt8] {
        switch Int.random(in: 0..<8, using: &chance) {
        case 0: return [UInt8](repeating: 0x39, count: Int.random(in: 1...40, using: &chance))
        case 1: return Array("-\(extreme(using: &chance))".utf8)
        case 2: return Array("1e\(Int.random(in: 0...400, using: &chance))".utf8)
        case 3: return Array("0.\(extreme(using: &chance))".utf8)
        default: return Array("\(extreme(using: &chance))".utf8)
        }
    }

    /// The file with one or two of its numbers changed, now and then with a byte damaged besides.
    public func changed(using chance: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        // From behind, since numbers in digits have any length.
        let chosen = (0..<Int.random(in: 1...2, using: &chance)).map { _ in fields.randomElement(using: &chance)! }
        for field in chosen.sorted(by: { $0.place > $1.place }) {
            let value = FieldFile.extreme(using: &chance)
            switch field {
            case .big(let at, let count):
                for i in 0..<count { bytes[at + i] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - i))) }
            case .little(let at, let count):
                for i in 0..<count { bytes[at + i] = UInt8(truncatingIfNeeded: value >> UInt64(8 * i)) }
            case .synchsafe(let at):
                for i in 0..<4 { bytes[at + i] = UInt8(truncatingIfNeeded: value >> UInt64(7 * (3 - i))) & 0x7F }
            case .digits(let range):
                if range.upperBound <= bytes.count {
                    bytes.replaceSubrange(range, with: FieldFile.digits(using: &chance))
                }
            }
        }
        if Int.random(in: 0..<16, using: &chance) == 0 {
            bytes.mutate(at: Int.random(in: 0..<bytes.count, using: &chance), using: &chance)
        }
        if isOgg { FieldFile.sealOgg(&bytes) }
        return bytes
    }

    /// Makes the checksums of an Ogg file's pages right (RFC 3533).
    public static func sealOgg(_ bytes: inout [UInt8]) {
        var at = 0
        while at + 27 <= bytes.count, bytes[at..<at + 4].elementsEqual("OggS".utf8) {
            let heads = at + 27 + Int(bytes[at + 26])
            guard heads <= bytes.count else { return }
            let end = heads + bytes[(at + 27)..<heads].reduce(0) { $0 + Int($1) }
            guard end <= bytes.count else { return }
            for i in 0..<4 { bytes[at + 22 + i] = 0 }
            var sum: UInt32 = 0
            for byte in bytes[at..<end] {
                sum ^= UInt32(byte) << 24
                for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
            }
            for i in 0..<4 { bytes[at + 22 + i] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * i)) }
            at = end
        }
    }

    // MARK: Runs

    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    /// Does the work on changed files: as many as `NIGHTSTAND_FUZZ_CASES` says, from the seed `NIGHTSTAND_FUZZ_SEED` on. If
    /// `NIGHTSTAND_FUZZ_TRACE` is a folder, a file in it has the name and the seed in hand, so that they are known after a death; for a
    /// single case also its bytes. If `NIGHTSTAND_FUZZ_SEEDS` is a folder, the files are only written there, for the program that does the
    /// same in Embedded Swift.
    /// - Parameter kind: the kind of the file in that program; "" if the program does not know it.
    /// - Parameter cases: the number without a setting.
    public func fuzz(
        _ name: String, kind: String = "", cases: Int, _ work: ([UInt8], _ comment: String) -> Void
    ) {
        if let folder = getenv("NIGHTSTAND_FUZZ_SEEDS") {
            if !kind.isEmpty { FieldFile.write(stored(kind), to: String(cString: folder) + "/" + name) }
            return
        }
        let first = FieldFile.number("NIGHTSTAND_FUZZ_SEED") ?? 1
        let count = FieldFile.number("NIGHTSTAND_FUZZ_CASES") ?? UInt64(cases)
        let folder = getenv("NIGHTSTAND_FUZZ_TRACE").map { String(cString: $0) }
        let trace = folder.map { ns_open($0 + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o644) } ?? -1
        defer { if trace >= 0 { close(trace) } }
        for seed in first..<(first + count) {
            let comment = name + ", seed \(seed)"
            if trace >= 0 {
                let line = Array((comment + "\n").utf8)
                _ = line.withUnsafeBytes { pwrite(trace, $0.baseAddress, $0.count, 0) }
            }
            var chance = SeededGenerator(seed: seed)
            let bytes = changed(using: &chance)
            // The bytes that ended the process can be looked at.
            if let folder, count == 1 { FieldFile.write(bytes, to: folder + "/" + name + ".bytes") }
            work(bytes, comment)
        }
        // Only what was not gone through to its end is left to be read.
        if let folder { unlink(folder + "/" + name) }
    }

    private static func write(_ bytes: [UInt8], to path: String) {
        let file = ns_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        precondition(file >= 0)
        var done = 0
        bytes.withUnsafeBytes { buffer in
            while done < buffer.count {
                let count = CPosix.write(file, buffer.baseAddress! + done, buffer.count - done)
                precondition(count > 0)
                done += count
            }
        }
        close(file)
    }
}
