// SPDX-License-Identifier: Apache-2.0
/// Reads the frames of one ID3v2.2, 2.3 or 2.4 tag one by one, so that a tag is never in memory as a whole. Unsynchronization is undone;
/// compressed and encrypted frames are skipped.
///
/// It replaces libmpg123's parser, which lacks some frames (SYLT, and in 2.2 pictures and lyrics), and would keep a whole tag with its
/// pictures.
public struct ID3v2Frames {
    public struct Frame {
        /// The identifier of four characters. Text and lyrics frames of 2.2 have their later name; other frames of 2.2 keep their three
        /// characters.
        public let id: String
        /// The length of the body; of the stored one if unsynchronization is still to be undone.
        public let bodyBytes: Int
        /// The file offset of the body; nil if it is not stored unchanged.
        public let bodyOffset: Int64?
    }

    /// The version, 2, 3 or 4.
    public let version: Int
    /// The length of the tag in the file, including header and footer.
    public let tagBytes: Int64

    private static let frameLimit = 10_000
    private let source: any ByteSource
    private let isUnsynchronised: Bool
    /// True if unsynchronization applies to the tag as a whole, from its first frame to its last.
    private var isTagCoded: Bool { version < 4 && isUnsynchronised }
    /// The file offset of the next byte, and the end of the tag.
    private var at: Int64
    private let end: Int64
    /// In an unsynchronized tag: true after an FF, so that a following zero is dropped.
    private var isAfterFF = false
    /// The rest of the present frame, in bytes as its header counts them.
    private var left: Int64 = 0
    private var isFrameUnsynchronised = false
    /// True if the last piece of it ended with FF.
    private var isPieceAfterFF = false
    private var frames = 0

    private var window: [UInt8] = []
    private var windowStart: Int64 = 0
    /// The usual window: names, lengths, and a few texts between pictures.
    private static let windowBytes = 2048
    /// The window for searches through all bytes.
    private static let longWindowBytes = 16 * 1024

    /// Returns nil if no tag of these versions begins at `offset`.
    /// - Parameters:
    ///   - end: the limit of a tag that claims more bytes; nil for the end of the source.
    public init?(_ source: any ByteSource, at offset: Int64, end: Int64? = nil) {
        guard let bytes = try? source.bytes(at: offset, count: 10), let header = ID3v2Header(bytes),
            header.version >= 2, header.version <= 4
        else { return nil }
        // In 2.2 this flag means a compression that was never specified.
        guard header.version > 2 || header.flags & 0x40 == 0 else { return nil }
        self.source = source
        version = Int(header.version)
        tagBytes = header.tagBytes
        isUnsynchronised = header.isUnsynchronised
        at = offset + 10
        self.end = min(end ?? source.byteCount ?? 0, offset + 10 + header.bodyBytes)
        if version > 2 && header.flags & 0x40 != 0 { skipExtendedHeader() }
    }

    private mutating func skipExtendedHeader() {
        let start = at
        guard let size = take(4) else { return }
        if ID3v2Frames.isName(size) {
            // Some taggers set the flag without writing the header: this is a frame already. No extended header is long enough to resemble
            // a name.
            at = start
            return
        }
        // In 2.4 the length includes itself.
        if version == 3 { skip(ID3v2Frames.plain(size)) } else { skip((ID3v2Frames.synchsafe(size) ?? 4) - 4) }
    }

    /// Returns the next frame; nil after the last.
    public mutating func next() -> Frame? {
        while frames < ID3v2Frames.frameLimit {
            frames += 1
            skip(left)
            left = 0
            let nameBytes = version == 2 ? 3 : 4
            guard let name = take(nameBytes), ID3v2Frames.isName(name), let sizeBytes = take(nameBytes) else {
                return nil
            }
            var flags: UInt8 = 0
            if version > 2 {
                guard let both = take(2) else { return nil }
                flags = both[1]
            }
            left = version == 4 ? sizeOfVersion4(sizeBytes) : ID3v2Frames.plain(sizeBytes)
            guard left <= end - at else { return nil }
            let isCoded = version == 3 ? flags & 0xC0 != 0 : version == 4 && flags & 0x0C != 0
            if isCoded { continue }
            isPieceAfterFF = false
            isFrameUnsynchronised = version == 4 && (isUnsynchronised || flags & 0x02 != 0)
            var extra = 0
            if version == 3 && flags & 0x20 != 0 { extra = 1 }
            if version == 4 { extra = (flags & 0x40 != 0 ? 1 : 0) + (flags & 0x01 != 0 ? 4 : 0) }
            guard left >= extra, take(extra) != nil else { continue }
            left -= Int64(extra)
            let isVerbatim = !isFrameUnsynchronised && !isTagCoded
            return Frame(
                id: ID3v2Frames.modern(name), bodyBytes: Int(left), bodyOffset: isVerbatim ? at : nil)
        }
        return nil
    }

    /// Returns the next bytes of the present frame's body, at most `limit` stored ones; empty at its end, and at a truncated tag.
    public mutating func body(limit: Int) -> [UInt8] {
        let count = min(Int64(limit), left)
        guard var body = take(Int(count)) else {
            left = 0
            return []
        }
        left -= count
        if isFrameUnsynchronised {
            let followsFF = isPieceAfterFF
            isPieceAfterFF = body.last == 0xFF
            var kept = 0
            for i in 0..<body.count where body[i] != 0 || !(i == 0 ? followsFF : body[i - 1] == 0xFF) {
                // `kept` is never ahead of `i`, so the bytes above are still unchanged.
                body[kept] = body[i]
                kept += 1
            }
            body.removeLast(body.count - kept)
        }
        return body
    }

    /// The rest of the body, in stored bytes.
    public var bodyLeft: Int { Int(left) }

    /// Skips stored bytes of the body.
    public mutating func skipBody(_ count: Int) {
        let count = min(Int64(max(0, count)), left)
        skip(count)
        left -= count
        isPieceAfterFF = false
    }

    // MARK: Bytes

    private mutating func fill(_ bytes: Int = ID3v2Frames.windowBytes) -> Bool {
        if at >= windowStart && at < windowStart + Int64(window.count) { return true }
        let wanted = min(Int64(bytes), end - at)
        guard wanted > 0 else { return false }
        window = (try? source.bytes(at: at, count: Int(wanted))) ?? []
        windowStart = at
        return !window.isEmpty
    }

    /// Returns the next bytes without the tag's unsynchronization; nil if there are fewer.
    private mutating func take(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        guard Int64(count) <= end - at else { return nil }
        bytes.reserveCapacity(count)
        while bytes.count < count {
            guard fill() else { return nil }
            let run = nextRun(limit: Int64(count - bytes.count))
            bytes.append(contentsOf: window[run])
        }
        return bytes
    }

    private mutating func skip(_ count: Int64) {
        if !isTagCoded {
            at += min(max(0, count), end - at)
            return
        }
        var rest = count
        while rest > 0 {
            let isLong = rest > Int64(ID3v2Frames.windowBytes)
            guard fill(isLong ? ID3v2Frames.longWindowBytes : ID3v2Frames.windowBytes) else {
                at = end
                return
            }
            rest -= Int64(nextRun(limit: rest).count)
        }
    }

    /// Consumes a run of bytes in the window without unsynchronization: to the window's end, to `limit`, or past an FF. Returns their
    /// indices; empty at an inserted zero.
    private mutating func nextRun(limit: Int64) -> Range<Int> {
        let from = Int(at - windowStart)
        let most = from + Int(min(limit, Int64(window.count - from)))
        var to = most
        if isTagCoded {
            if isAfterFF && window[from] == 0 {
                isAfterFF = false
                at += 1
                return from..<from
            }
            to = window.withUnsafeBufferPointer { bytes in
                var to = from
                while to < most && bytes[to] != 0xFF { to += 1 }
                return to
            }
            isAfterFF = to < most
            if isAfterFF { to += 1 }
        }
        at += Int64(to - from)
        return from..<to
    }

    // MARK: Numbers

    private static func plain(_ bytes: [UInt8]) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }

    /// Returns a number of seven bits a byte; nil if a byte has its eighth bit set.
    private static func synchsafe(_ bytes: [UInt8]) -> Int64? {
        bytes.contains { $0 >= 0x80 } ? nil : bytes.reduce(0) { $0 << 7 | Int64($1) }
    }

    /// Old iTunes wrote plain lengths into 2.4 tags. If both readings differ, the one followed by a valid frame is right.
    private mutating func sizeOfVersion4(_ bytes: [UInt8]) -> Int64 {
        let plain = ID3v2Frames.plain(bytes)
        guard let safe = ID3v2Frames.synchsafe(bytes) else { return plain }
        if safe == plain || isFrame(after: safe) || !isFrame(after: plain) { return safe }
        return plain
    }

    private func isFrame(after count: Int64) -> Bool {
        let offset = at + count
        if offset >= end { return offset == end }
        let wanted = Int(min(4, end - offset))
        guard let name = try? source.bytes(at: offset, count: wanted), name.count == wanted else { return false }
        return ID3v2Frames.isName(name) || !name.contains { $0 != 0 }
    }

    // MARK: Names

    private static func isName(_ name: [UInt8]) -> Bool {
        name.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || $0 >= 0x41 && $0 <= 0x5A }
    }

    private static func modern(_ name: [UInt8]) -> String {
        let id = String(decoding: name, as: UTF8.self)
        switch id {
        case "TT1": return "TIT1"
        case "TT2": return "TIT2"
        case "TP1": return "TPE1"
        case "TP2": return "TPE2"
        case "TP3": return "TPE3"
        case "TP4": return "TPE4"
        case "TAL": return "TALB"
        case "TCM": return "TCOM"
        case "TCO": return "TCON"
        case "TRK": return "TRCK"
        case "TPA": return "TPOS"
        case "TYE": return "TYER"
        case "TDA": return "TDAT"
        case "TIM": return "TIME"
        case "TOR": return "TORY"
        case "TPB": return "TPUB"
        case "TLA": return "TLAN"
        case "TS2": return "TSO2"
        case "TSA": return "TSOA"
        case "TSP": return "TSOP"
        case "MVN": return "MVNM"
        case "MVI": return "MVIN"
        case "GP1": return "GRP1"
        case "TXX": return "TXXX"
        case "UFI": return "UFID"
        case "COM": return "COMM"
        case "ULT": return "USLT"
        case "SLT": return "SYLT"
        default: return id
        }
    }
}
