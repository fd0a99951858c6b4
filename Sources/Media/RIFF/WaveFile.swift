import Core
import Text

/// What the chunks of a WAV file say.
struct WaveFile {
    enum Encoding: Equatable {
        case pcm(SampleEncoding)
        case mpeg
        /// By its number in Microsoft's list.
        case other(Int)
    }

    private(set) var encoding: Encoding?
    private(set) var rate = 0
    private(set) var channels = 0
    private(set) var data: RIFFChunks.Chunk?
    private(set) var list: RIFFChunks.Chunk?
    private(set) var id3: RIFFChunks.Chunk?

    private static var ds64: UInt32 { 0x6473_3634 }
    private static var fmt: UInt32 { 0x666D_7420 }
    private static var listID: UInt32 { 0x4C49_5354 }
    private static var id3Small: UInt32 { 0x6964_3320 }
    private static var id3Large: UInt32 { 0x4944_3320 }
    private static let mostListBytes: Int64 = 64 * 1024

    init(_ head: MediaHead) throws(MediaError) {
        var chunks = RIFFChunks(head.source, from: head.start + 12, isBigEndian: false)
        while let chunk = try chunks.next() {
            switch chunk.id {
            case WaveFile.ds64:
                let bytes = try readBytes(head.source, at: chunk.start, count: Int(min(chunk.byteCount, 24)))
                if bytes.count >= 16 { chunks.longDataBytes = Int64(clamping: bytes.littleEndian64(at: 8)) }
            case WaveFile.fmt where encoding == nil:
                take(format: try readBytes(head.source, at: chunk.start, count: Int(min(chunk.byteCount, 40))))
            case RIFFChunks.data where data == nil: data = chunk
            case WaveFile.listID where list == nil:
                let kind = try readBytes(head.source, at: chunk.start, count: 4)
                if kind.has("INFO", at: 0) { list = chunk }
            case WaveFile.id3Small, WaveFile.id3Large: if id3 == nil { id3 = chunk }
            default: break
            }
        }
    }

    private mutating func take(format bytes: [UInt8]) {
        guard bytes.count >= 16 else { return }
        var tag = bytes.littleEndian16(at: 0)
        channels = bytes.littleEndian16(at: 2)
        rate = Int(clamping: bytes.littleEndian32(at: 4))
        let blockBytes = bytes.littleEndian16(at: 12)
        var bits = bytes.littleEndian16(at: 14)
        // Extensible: the true number begins the identifier at its end.
        if tag == 0xFFFE, bytes.count >= 26 { tag = bytes.littleEndian16(at: 24) }
        // What fewer bits are used of stands in the upper ones of each sample.
        if channels > 0, blockBytes % channels == 0, blockBytes / channels * 8 > bits, blockBytes / channels <= 8 {
            bits = blockBytes / channels * 8
        }
        switch tag {
        case 1: encoding = SampleEncoding(bits <= 8 ? .unsigned : .signed, bits: bits).map { .pcm($0) } ?? .other(1)
        case 3: encoding = SampleEncoding(.float, bits: bits).map { .pcm($0) } ?? .other(3)
        case 0x50, 0x55: encoding = .mpeg
        default: encoding = .other(tag)
        }
    }

    func layout() throws(MediaError) -> PCMLayout {
        guard let encoding, let data else { throw .noAudio }
        guard case .pcm(let samples) = encoding else { throw .unsupported(WaveFile.name(encoding)) }
        guard channels > 0, PCMLayout.rates.contains(rate) else { throw .noAudio }
        guard channels <= PCMLayout.mostChannels else { throw .unsupported("sound of \(channels) channels") }
        let frameBytes = Int64(channels * samples.bytes)
        guard data.byteCount >= frameBytes else { throw .noAudio }
        return PCMLayout(
            start: data.start, byteCount: data.byteCount / frameBytes * frameBytes, rate: rate, channels: channels,
            encoding: samples)
    }

    private static func name(_ encoding: Encoding) -> String {
        guard case .other(let tag) = encoding else { return "a WAV file with MPEG audio" }
        switch tag {
        case 2, 0x11: return "a WAV file with ADPCM"
        case 6, 7: return "a WAV file with G.711"
        case 0x160...0x163: return "Windows Media audio"
        default: return "a WAV file with encoding \(tag)"
        }
    }

    /// An ID3 chunk goes before a list of INFO; of that the rest is taken.
    func tags(_ head: MediaHead) -> Tags {
        var texts = TagTexts()
        for start in [head.tag, id3?.start] {
            guard let start, var frames = ID3v2Frames(head.source, at: start) else { continue }
            texts.take(&frames)
        }
        if let list,
            let bytes = try? readBytes(
                head.source, at: list.start, count: Int(min(list.byteCount, WaveFile.mostListBytes)))
        {
            texts.beginFurther()
            var at = 4
            while at + 8 <= bytes.count {
                let count = min(Int(clamping: bytes.littleEndian32(at: at + 4)), bytes.count - at - 8)
                if let tag = WaveFile.tag(bytes.bigEndian32(at: at)) {
                    let end = bytes[(at + 8)..<(at + 8 + count)].firstIndex(of: 0) ?? at + 8 + count
                    texts.add(tag, TextDecoding.utf8(fromSingleBytes: bytes, (at + 8)..<end))
                }
                at += 8 + count + count % 2
            }
        }
        return Tags(texts)
    }

    private static func tag(_ id: UInt32) -> Tag? {
        switch id {
        case 0x494E_414D: .title  // INAM
        case 0x4941_5254: .artist  // IART
        case 0x4950_5244: .album  // IPRD
        case 0x4943_5244: .date  // ICRD
        case 0x4947_4E52: .genre  // IGNR
        case 0x4943_4D54: .comment  // ICMT
        case 0x4954_524B, 0x4950_5254: .track  // ITRK, IPRT
        case 0x494D_5553: .composer  // IMUS
        case 0x494C_4E47: .language  // ILNG
        default: nil
        }
    }
}
