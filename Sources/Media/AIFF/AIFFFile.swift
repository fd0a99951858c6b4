import Core
import Text

/// What the chunks of an AIFF file say.
struct AIFFFile {
    private var encoding: SampleEncoding?
    /// What it is compressed with, where that is not known here.
    private var compression: String?
    private var rate = 0
    private var channels = 0
    private var frameCount: Int64 = 0
    private var sound: RIFFChunks.Chunk?
    private var soundOffset: Int64 = 0
    private var texts: [(Tag, RIFFChunks.Chunk)] = []
    private(set) var id3: RIFFChunks.Chunk?

    private static let mostTexts = 32
    private static let mostTextBytes: Int64 = 4096

    init(_ head: MediaHead) throws(MediaError) {
        let isCompressed = head.bytes.has("AIFC", at: 8)
        var chunks = RIFFChunks(head.source, from: head.start + 12, isBigEndian: true)
        while let chunk = try chunks.next() {
            switch chunk.id {
            case 0x434F_4D4D where channels == 0:  // COMM
                let bytes = try readBytes(head.source, at: chunk.start, count: Int(min(chunk.byteCount, 22)))
                take(common: bytes, isCompressed: isCompressed)
            case 0x5353_4E44 where sound == nil:  // SSND
                let bytes = try readBytes(head.source, at: chunk.start, count: 8)
                if bytes.count == 8 {
                    sound = chunk
                    soundOffset = 8 + Int64(bytes.bigEndian32(at: 0))
                }
            case 0x4E41_4D45: take(.title, chunk)  // NAME
            case 0x4155_5448: take(.artist, chunk)  // AUTH
            case 0x414E_4E4F: take(.comment, chunk)  // ANNO
            case 0x4944_3320, 0x6964_3320: if id3 == nil { id3 = chunk }  // "ID3 "
            default: break
            }
        }
    }

    private mutating func take(_ tag: Tag, _ chunk: RIFFChunks.Chunk) {
        if texts.count < AIFFFile.mostTexts { texts.append((tag, chunk)) }
    }

    private mutating func take(common bytes: [UInt8], isCompressed: Bool) {
        guard bytes.count >= 18 else { return }
        channels = bytes.bigEndian16(at: 0)
        frameCount = Int64(bytes.bigEndian32(at: 2))
        let bits = bytes.bigEndian16(at: 6)
        rate = AIFFFile.extended(bytes, at: 8)
        if !isCompressed || bytes.count < 22 {
            encoding = SampleEncoding(.signed, bits: bits, isBigEndian: true)
            return
        }
        switch bytes.bigEndian32(at: 18) {
        case 0x4E4F_4E45, 0x7477_6F73: encoding = SampleEncoding(.signed, bits: bits, isBigEndian: true)  // NONE, twos
        case 0x736F_7774: encoding = SampleEncoding(.signed, bits: bits)  // sowt
        case 0x696E_3234: encoding = SampleEncoding(.signed, bits: 24, isBigEndian: true)  // in24
        case 0x696E_3332: encoding = SampleEncoding(.signed, bits: 32, isBigEndian: true)  // in32
        case 0x666C_3332, 0x464C_3332: encoding = SampleEncoding(.float, bits: 32, isBigEndian: true)  // fl32, FL32
        case 0x666C_3634, 0x464C_3634: encoding = SampleEncoding(.float, bits: 64, isBigEndian: true)  // fl64, FL64
        case 0x7261_7720: encoding = SampleEncoding(.unsigned, bits: 8)  // "raw "
        default:
            let name = bytes[18..<22].map { $0 >= 0x21 && $0 < 0x7F ? $0 : UInt8(ascii: "?") }
            compression = String(decoding: name, as: UTF8.self)
        }
    }

    /// A number of 80 bits, as rates stand there; 0 for one that is no rate.
    private static func extended(_ bytes: [UInt8], at offset: Int) -> Int {
        let exponent = bytes.bigEndian16(at: offset) - 16383
        guard exponent >= 0, exponent < 32 else { return 0 }
        let mantissa = UInt64(bytes.bigEndian32(at: offset + 2)) << 32 | UInt64(bytes.bigEndian32(at: offset + 6))
        // To the nearest.
        return Int(clamping: (mantissa >> UInt64(62 - exponent) + 1) >> 1)
    }

    func layout() throws(MediaError) -> PCMLayout {
        if let compression { throw .unsupported("an AIFF-C file with encoding \(compression)") }
        guard let encoding, let sound, channels > 0, PCMLayout.rates.contains(rate) else { throw .noAudio }
        guard channels <= PCMLayout.mostChannels else { throw .unsupported("sound of \(channels) channels") }
        let frameBytes = Int64(channels * encoding.bytes)
        let frames = min(frameCount, (sound.byteCount - soundOffset) / frameBytes)
        guard frames > 0 else { throw .noAudio }
        return PCMLayout(
            start: sound.start + soundOffset, byteCount: frames * frameBytes, rate: rate, channels: channels,
            encoding: encoding)
    }

    /// An ID3 chunk goes before the texts of AIFF's own.
    func tags(_ head: MediaHead) throws(MediaError) -> Tags {
        var found = TagTexts()
        let source = head.source
        if let id3, var frames = ID3v2Frames(source, at: id3.start, end: id3.start + id3.byteCount) {
            found.take(&frames)
        }
        found.beginFurther()
        for (tag, chunk) in texts {
            let count = Int(min(chunk.byteCount, AIFFFile.mostTextBytes))
            let bytes = try readBytes(source, at: chunk.start, count: count)
            let end = bytes.firstIndex(of: 0) ?? bytes.count
            found.add(tag, TextDecoding.utf8(fromSingleBytes: bytes, 0..<end))
        }
        return Tags(found)
    }
}
