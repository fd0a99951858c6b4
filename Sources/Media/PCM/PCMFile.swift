// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// The chunks of a WAV or AIFF file.
struct PCMFile {
    enum Encoding: Equatable {
        case pcm(SampleEncoding)
        case mpeg
        /// An unplayable format, by its common name.
        case other(String)
    }

    private(set) var encoding: Encoding?
    private var rate = 0
    private var channels = 0
    /// The limit of the frame count.
    private var frameCount = Int64.max
    private var sound: (start: Int64, byteCount: Int64)?
    private var texts: [(tag: Tag, chunk: RIFFChunks.Chunk)] = []
    /// The chunk with WAV's texts.
    private var list: RIFFChunks.Chunk?
    private(set) var id3: RIFFChunks.Chunk?

    private static let mostTexts = 32
    private static let mostTextBytes: Int64 = 4096

    /// Returns true for the beginning of a WAV file.
    static func isWave(_ head: [UInt8]) -> Bool {
        (head.has("RIFF", at: 0) || head.has("RF64", at: 0) || head.has("BW64", at: 0)) && head.has("WAVE", at: 8)
    }
    static func isAIFF(_ head: [UInt8]) -> Bool {
        head.has("FORM", at: 0) && (head.has("AIFF", at: 8) || head.has("AIFC", at: 8))
    }

    init(_ head: MediaHead) throws(MediaError) {
        let source = head.source
        let isWave = PCMFile.isWave(head.bytes)
        var chunks = RIFFChunks(source, from: head.start + 12, isBigEndian: !isWave)
        while let chunk = try chunks.next() {
            func first(_ most: Int64) throws(MediaError) -> [UInt8] {
                try readBytes(source, at: chunk.start, count: Int(min(chunk.byteCount, most)))
            }
            switch chunk.id {
            case 0x6473_3634:  // ds64
                let bytes = try first(24)
                if bytes.count >= 16 { chunks.longDataBytes = Int64(clamping: bytes.littleEndian64(at: 8)) }
            case 0x666D_7420 where encoding == nil: take(format: try first(40))  // "fmt "
            case RIFFChunks.data where sound == nil: sound = (chunk.start, chunk.byteCount)
            case 0x4C49_5354 where list == nil: if try first(4).has("INFO", at: 0) { list = chunk }  // LIST
            case 0x434F_4D4D where channels == 0:  // COMM
                take(common: try first(22), isCompressed: head.bytes.has("AIFC", at: 8))
            case 0x5353_4E44 where sound == nil:  // SSND
                let bytes = try first(8)
                guard bytes.count == 8 else { break }
                let before = min(chunk.byteCount, 8 + Int64(bytes.bigEndian32(at: 0)))
                sound = (chunk.start + before, chunk.byteCount - before)
            case 0x4944_3320, 0x6964_3320: if id3 == nil { id3 = chunk }  // "ID3 "
            default: if !isWave, let tag = PCMFile.tag(chunk.id) { texts.append((tag, chunk)) }
            }
        }
    }

    /// Reads WAV's format.
    private mutating func take(format bytes: [UInt8]) {
        guard bytes.count >= 16 else { return }
        var tag = bytes.littleEndian16(at: 0)
        channels = bytes.littleEndian16(at: 2)
        rate = Int(clamping: bytes.littleEndian32(at: 4))
        let blockBytes = bytes.littleEndian16(at: 12)
        var bits = bytes.littleEndian16(at: 14)
        // In the extensible format, the true number begins the identifier at its end.
        if tag == 0xFFFE, bytes.count >= 26 { tag = bytes.littleEndian16(at: 24) }
        // Samples with fewer bits use the upper bits.
        if channels > 0, blockBytes % channels == 0, blockBytes / channels * 8 > bits, blockBytes / channels <= 8 {
            bits = blockBytes / channels * 8
        }
        let samples: SampleEncoding?
        switch tag {
        case 1: samples = SampleEncoding(bits <= 8 ? .unsigned : .signed, bits: bits)
        case 3: samples = SampleEncoding(.float, bits: bits)
        case 0x50, 0x55:
            encoding = .mpeg
            return
        default: samples = nil
        }
        encoding = samples.map { .pcm($0) } ?? .other(PCMFile.name(tag))
    }

    /// Returns the name of a number in Microsoft's list.
    private static func name(_ tag: Int) -> String {
        switch tag {
        case 2, 0x11: "a WAV file with ADPCM"
        case 6, 7: "a WAV file with G.711"
        case 0x160...0x163: "Windows Media audio"
        default: "a WAV file with encoding \(tag)"
        }
    }

    /// Reads AIFF's format.
    private mutating func take(common bytes: [UInt8], isCompressed: Bool) {
        guard bytes.count >= 18 else { return }
        channels = bytes.bigEndian16(at: 0)
        frameCount = Int64(bytes.bigEndian32(at: 2))
        let bits = bytes.bigEndian16(at: 6)
        rate = PCMFile.extended(bytes, at: 8)
        let samples: SampleEncoding?
        switch isCompressed && bytes.count >= 22 ? bytes.bigEndian32(at: 18) : 0x4E4F_4E45 {
        case 0x4E4F_4E45, 0x7477_6F73: samples = SampleEncoding(.signed, bits: bits, isBigEndian: true)  // NONE, twos
        case 0x736F_7774: samples = SampleEncoding(.signed, bits: bits)  // sowt
        case 0x696E_3234: samples = SampleEncoding(.signed, bits: 24, isBigEndian: true)  // in24
        case 0x696E_3332: samples = SampleEncoding(.signed, bits: 32, isBigEndian: true)  // in32
        case 0x666C_3332, 0x464C_3332: samples = SampleEncoding(.float, bits: 32, isBigEndian: true)  // fl32, FL32
        case 0x666C_3634, 0x464C_3634: samples = SampleEncoding(.float, bits: 64, isBigEndian: true)  // fl64, FL64
        case 0x7261_7720: samples = SampleEncoding(.unsigned, bits: 8)  // "raw "
        case let kind:
            encoding = .other("an AIFF-C file with encoding \(Box.spelled(kind))")
            return
        }
        encoding = samples.map { .pcm($0) }
    }

    /// Returns an 80-bit number, as AIFF stores rates; 0 for an impossible rate.
    private static func extended(_ bytes: [UInt8], at offset: Int) -> Int {
        let exponent = bytes.bigEndian16(at: offset) - 16383
        guard exponent >= 0, exponent < 32 else { return 0 }
        let mantissa = UInt64(bytes.bigEndian32(at: offset + 2)) << 32 | UInt64(bytes.bigEndian32(at: offset + 6))
        // Round to the nearest.
        return Int(clamping: (mantissa >> UInt64(62 - exponent) + 1) >> 1)
    }

    func layout() throws(MediaError) -> PCMLayout {
        if case .other(let name)? = encoding { throw .unsupported(name) }
        guard case .pcm(let samples)? = encoding, let sound, channels > 0, PCMLayout.rates.contains(rate) else {
            throw .noAudio
        }
        guard channels <= PCMLayout.mostChannels else { throw .unsupported("sound of \(channels) channels") }
        let frameBytes = Int64(channels * samples.bytes)
        let frames = min(frameCount, sound.byteCount / frameBytes)
        guard frames > 0 else { throw .noAudio }
        return PCMLayout(
            start: sound.start, byteCount: frames * frameBytes, rate: rate, channels: channels, encoding: samples)
    }

    // MARK: Tags

    /// ID3 precedes the file's own texts, which add only missing tags.
    func tags(_ head: MediaHead) throws(MediaError) -> Tags {
        var found = TagTexts()
        for start in [head.tag, id3?.start] {
            guard let start, var frames = ID3v2Frames(head.source, at: start) else { continue }
            found.take(&frames)
        }
        found.beginFurther()
        var texts = texts
        if let list {
            var chunks = RIFFChunks(
                head.source, from: list.start + 4, to: list.start + list.byteCount, isBigEndian: false)
            while let chunk = try chunks.next() {
                if let tag = PCMFile.tag(chunk.id) { texts.append((tag, chunk)) }
            }
        }
        for (tag, chunk) in texts.prefix(PCMFile.mostTexts) {
            let bytes = try readBytes(
                head.source, at: chunk.start, count: Int(min(chunk.byteCount, PCMFile.mostTextBytes)))
            found.add(tag, TextDecoding.utf8(fromSingleBytes: bytes, 0..<(bytes.firstIndex(of: 0) ?? bytes.count)))
        }
        return Tags(found)
    }

    private static func tag(_ id: UInt32) -> Tag? {
        switch id {
        case 0x494E_414D, 0x4E41_4D45: .title  // INAM; NAME
        case 0x4941_5254, 0x4155_5448: .artist  // IART; AUTH
        case 0x4950_5244: .album  // IPRD
        case 0x4943_5244: .date  // ICRD
        case 0x4947_4E52: .genre  // IGNR
        case 0x4943_4D54, 0x414E_4E4F: .comment  // ICMT; ANNO
        case 0x4954_524B, 0x4950_5254: .track  // ITRK, IPRT
        case 0x494D_5553: .composer  // IMUS
        case 0x494C_4E47: .language  // ILNG
        default: nil
        }
    }
}
