// SPDX-License-Identifier: Apache-2.0
/// The frames of one ID3v2.2, 2.3 or 2.4 tag, one after the other, read from the file as they are asked for, so that no tag is
/// ever held whole. Unsynchronisation is undone; compressed and encrypted frames are passed over.
///
/// Stands in for libmpg123's own parser where that knows no frame (SYLT, and in 2.2 pictures and lyrics) or would hold all
/// of a tag with its pictures.
public struct ID3v2Frames {
    public struct Frame {
        /// Four characters as in 2.3 and 2.4; frames of 2.2 go by the name that they got there where it is one for a text or lyrics,
        /// and by their own three characters otherwise.
        public let id: String
        /// Length of the body; of the stored one, where unsynchronisation is still to be undone.
        public let bodyBytes: Int
        /// The place of the body in the file; nil where it is not stored there byte by byte.
        public let bodyOffset: Int64?
    }

    /// 2, 3 or 4.
    public let version: Int
    /// Length of the tag in the file, header and footer included.
    public let tagBytes: Int64

    private static let frameLimit = 10_000
    private let source: any ByteSource
    private let isUnsynchronised: Bool
    /// Zeros were put into the tag as a whole, from its first frame to its last.
    private var isTagCoded: Bool { version < 4 && isUnsynchronised }
    /// Offset of the next byte to take, and past the tag's last.
    private var at: Int64
    private let end: Int64
    /// In an unsynchronised tag: the last byte was FF, and a zero after it is none.
    private var isAfterFF = false
    /// The rest of the current frame, in bytes as its header counts them.
    private var left: Int64 = 0
    private var isFrameUnsynchronised = false
    /// The piece of it that was taken last ended with FF.
    private var isPieceAfterFF = false
    private var frames = 0

    private var window: [UInt8] = []
    private var windowStart: Int64 = 0
    /// As a rule little is wanted of a tag: names, lengths and a few texts between pictures.
    private static let windowBytes = 2048
    /// For searches through all bytes.
    private static let longWindowBytes = 16 * 1024

    /// Nil where no tag of these versions begins at `offset`.
    /// - Parameters:
    ///   - end: a tag that promises more than lies before it ends there; nil for the end of the source.
    public init?(_ source: any ByteSource, at offset: Int64, end: Int64? = nil) {
        guard let bytes = try? source.bytes(at: offset, count: 10), let header = ID3v2Header(bytes),
            header.version >= 2, header.version <= 4
        else { return nil }
        // In 2.2 this flag means compression, of a kind that was never specified.
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
            // Some taggers set the flag and write none: this is a frame already. No extended header is so long that its length reads as a name.
            at = start
            return
        }
        // In 2.4 the length counts itself.
        if version == 3 { skip(ID3v2Frames.plain(size)) } else { skip((ID3v2Frames.synchsafe(size) ?? 4) - 4) }
    }

    /// The next frame, nil after the last.
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

    /// The next bytes of the body of the frame that `next` gave last, `limit` of them at most as they are stored; empty at its end, and
    /// where the tag is cut off.
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
                // Never ahead of i, so that the bytes looked at above are as they came.
                body[kept] = body[i]
                kept += 1
            }
            body.removeLast(body.count - kept)
        }
        return body
    }

    /// The rest of the body, in stored bytes.
    public var bodyLeft: Int { Int(left) }

    /// Passes over the next bytes of the body as they are stored.
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

    /// The next bytes, unsynchronisation of the whole tag undone; nil where there are fewer.
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

    /// Goes past the next bytes of the window that follow one another in the tag as it was before unsynchronisation: to the end of the
    /// window, past `limit` of them, or past an FF. Returns their indices; empty where a zero stands that is none of the tag's.
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

    /// Seven bits a byte; nil where one has its eighth set.
    private static func synchsafe(_ bytes: [UInt8]) -> Int64? {
        bytes.contains { $0 >= 0x80 } ? nil : bytes.reduce(0) { $0 << 7 | Int64($1) }
    }

    /// Old iTunes wrote plain lengths into 2.4 tags. If the two readings differ, the one with a sensible frame behind it is right.
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
