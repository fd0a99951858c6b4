// SPDX-License-Identifier: Apache-2.0
/// The configuration of an AAC stream: AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1).
struct AudioConfig: Equatable {
    /// The bytes in the file, for the decoder.
    let bytes: [UInt8]
    /// The audio object type of the core: 2 is AAC-LC.
    private(set) var objectType = 0
    /// The core's sample rate, in Hz; the output may have twice as many (SBR).
    private(set) var coreRate = 0
    /// The number of channels; 0 if the stream itself tells it.
    private(set) var channels = 0
    /// The number of output samples for each of the core's: 2 if SBR is announced. Unannounced SBR is possible, too.
    private(set) var heardPerCore = 1
    /// True if parametric stereo is announced: two channels from one.
    private(set) var hasParametricStereo = false
    /// The number of the core's samples in a unit.
    private(set) var unitSamples = 1024

    static let rates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]
    /// The longest plausible configuration.
    static let mostBytes = 64

    /// Returns nil if it is truncated or invalid.
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
        // An extension that older decoders ignore may follow. Only for the plain types: others have more fields in between.
        if objectType == 2 && channels > 0 && heardPerCore == 1, bits.next(11) == 0x2B7,
            AudioConfig.objectType(&bits) == 5, bits.next(1) == 1, let extended = AudioConfig.rate(&bits)
        {
            if extended == coreRate * 2 { heardPerCore = 2 }
            hasParametricStereo = bits.next(11) == 0x548 && bits.next(1) == 1
        }
    }

    /// Makes the configuration of a stream with self-describing frames (ADTS): AAC's first four types at the standard rates.
    init(objectType: Int, rateIndex: Int, channels: Int) {
        let word = objectType << 11 | rateIndex << 7 | channels << 3
        self.init([UInt8(truncatingIfNeeded: word >> 8), UInt8(truncatingIfNeeded: word)])!
    }

    /// The format's name if it cannot be played; nil if it can.
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

    /// The announced rate and channels of the output; at most two channels.
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

/// Reads bits from bytes, the highest bit first.
private struct Bits {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns nil if there are no more bits.
    mutating func next(_ count: Int) -> Int? {
        guard at + count <= bytes.count * 8 else { return nil }
        var value = 0
        for _ in 0..<count {
            // No overflow: callers request at most 24 bits.
            value = value << 1 | Int(bytes[at / 8] >> UInt8(7 - at % 8) & 1)
            at += 1
        }
        return value
    }
}
