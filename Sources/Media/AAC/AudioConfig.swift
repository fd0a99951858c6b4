// SPDX-License-Identifier: Apache-2.0
/// The facts of an AAC stream before its first unit: AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1).
struct AudioConfig: Equatable {
    /// As it stands in the file, for the decoder.
    let bytes: [UInt8]
    /// The audio object type of the core: 2 is AAC-LC.
    private(set) var objectType = 0
    /// Hz of the core; the output may have twice as many (SBR).
    private(set) var coreRate = 0
    /// 0 where the stream itself tells.
    private(set) var channels = 0
    /// SBR is announced: this many samples are heard for each of the core's. A stream may have it all the same where it is not.
    private(set) var heardPerCore = 1
    /// Parametric stereo is announced: two channels of one.
    private(set) var hasParametricStereo = false
    /// Samples of the core in a unit.
    private(set) var unitSamples = 1024

    static let rates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]
    /// The longest that is anything but hostile.
    static let mostBytes = 64

    /// Nil where it is cut short or makes no sense.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        var bits = Bits(bytes)
        guard let type = AudioConfig.objectType(&bits), let rate = AudioConfig.rate(&bits),
            let arrangement = bits.next(4)
        else { return nil }
        objectType = type
        coreRate = rate
        channels = arrangement == 7 ? 8 : arrangement
        if type == 5 || type == 29 {
            guard let extended = AudioConfig.rate(&bits), let core = AudioConfig.objectType(&bits) else { return nil }
            objectType = core
            heardPerCore = extended == rate * 2 ? 2 : 1
            hasParametricStereo = type == 29
        }
        guard objectType < 8 || (objectType >= 17 && objectType <= 23) else { return }
        guard let isShort = bits.next(1), let dependsOnCore = bits.next(1) else { return nil }
        unitSamples = isShort == 1 ? 960 : 1024
        if objectType == 23 { unitSamples /= 2 }
        if dependsOnCore == 1 { _ = bits.next(14) }
        _ = bits.next(1)
        // Behind that may stand what older decoders do not look for. Only the plain types: others have more in between.
        if objectType == 2 && channels > 0 && heardPerCore == 1, bits.next(11) == 0x2B7,
            AudioConfig.objectType(&bits) == 5, bits.next(1) == 1, let extended = AudioConfig.rate(&bits)
        {
            if extended == coreRate * 2 { heardPerCore = 2 }
            hasParametricStereo = bits.next(11) == 0x548 && bits.next(1) == 1
        }
    }

    /// For a stream with self-describing frames (ADTS): AAC's first four types, 44.1 kHz and the like.
    init(objectType: Int, rateIndex: Int, channels: Int) {
        let word = objectType << 11 | rateIndex << 7 | channels << 3
        self.init([UInt8(truncatingIfNeeded: word >> 8), UInt8(truncatingIfNeeded: word)])!
    }

    /// Its name if it cannot play; nil where it can.
    var refusal: String? {
        switch objectType {
        case 1, 2, 4: channels > 8 ? "AAC with \(channels) channels" : nil
        case 3: "AAC-SSR"
        case 17, 19, 20, 23, 39: "AAC for telephony (type \(objectType))"
        case 32...34: "MPEG audio in an MP4"
        case 36: "MPEG-4 ALS"
        case 42: "xHE-AAC"
        default: "MPEG-4 audio of type \(objectType)"
        }
    }

    /// Hz and channels of what is heard, as far as it is announced; never more than two.
    var heardRate: Int { coreRate * heardPerCore }
    var heardChannels: Int { channels == 1 && !hasParametricStereo ? 1 : 2 }

    private static func objectType(_ bits: inout Bits) -> Int? {
        guard let type = bits.next(5) else { return nil }
        if type != 31 { return type }
        return bits.next(6).map { $0 + 32 }
    }

    private static func rate(_ bits: inout Bits) -> Int? {
        guard let index = bits.next(4) else { return nil }
        if index < rates.count { return rates[index] }
        guard index == 15, let rate = bits.next(24), rate >= 1000, rate <= 192_000 else { return nil }
        return rate
    }
}

/// Bits of bytes, the highest first.
private struct Bits {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Nil where there are no more.
    mutating func next(_ count: Int) -> Int? {
        guard at + count <= bytes.count * 8 else { return nil }
        var value = 0
        for _ in 0..<count {
            // Fits: no more than 24 bits are asked for.
            value = value << 1 | Int(bytes[at / 8] >> UInt8(7 - at % 8) & 1)
            at += 1
        }
        return value
    }
}
