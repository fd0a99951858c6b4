// SPDX-License-Identifier: Apache-2.0
/// Computes features that depend on the spoken words, and little on the voice: mel-frequency cepstral coefficients, one frame every 20 ms.
/// A frame has `bytes` bytes: 13 coefficients as signed bytes, then the energy of its two halves, in quarters of a bit.
public struct SpeechFeatures {
    /// The internal sample rate in Hz. Consonants need 5 kHz; a higher rate costs time and adds nothing.
    static let rate = 12_000
    /// The samples from one frame to the next.
    static let hop = 240
    public static let milliseconds = 20
    /// Samples in a window, a power of two.
    private static let window = 512
    static let coefficients = 13
    private static let filters = 26
    /// The bytes of a frame.
    public static let bytes = 16
    /// The place of the energies in a frame.
    static let energy = 13
    private static let lowHertz: Float = 100
    private static let highHertz: Float = 5400
    /// The factor of each coefficient, so that it fits a byte with fine steps.
    private static let widths: [Float] = [6, 2.5, 3.5, 5, 6, 6, 8, 8, 10, 10, 14, 12, 16]
    /// The least power of each bin: noise of 8 steps, so that silence has no features.
    private static let floorPower: Float = 12_800

    /// The rate of the input in Hz.
    private let inputRate: Int
    private let channels: Int
    /// The sum of the parts of the next sample so far, and the part still missing, in units of 1 / (rate · inputRate) s.
    private var sum: Float = 0
    private var missing: Int
    private var samples: [Float] = []
    private var taper: [Float] = []
    private var turns: [SIMD2<Float>] = []
    /// The filters of a bin: the lower one, and its share of the upper one.
    private var filterOfBin: [(lower: Int, upperShare: Float)] = []
    private var cosines: [Float] = []
    private var room: [SIMD2<Float>] = []

    /// - Parameters:
    ///   - rate: the rate of the input in Hz, from 4,000 to 768,000.
    ///   - highest: the highest frequency in both recordings, in Hz.
    public init(rate: Int, channels: Int, highest: Int = 5400) {
        inputRate = max(4000, min(768_000, rate))
        self.channels = max(1, channels)
        missing = inputRate
        let count = SpeechFeatures.window
        for index in 0..<count {
            taper.append(0.54 - 0.46 * Trigonometry.cosine(Float(index) / Float(count - 1)))
            if index < count / 2 {
                let turn = Float(index) / Float(count)
                turns.append(SIMD2(Trigonometry.cosine(turn), -Trigonometry.cosine(turn - 0.25)))
            }
        }
        let top = min(SpeechFeatures.highHertz, max(1000, Float(highest)))
        let low = SpeechFeatures.mel(SpeechFeatures.lowHertz)
        let step = (SpeechFeatures.mel(top) - low) / Float(SpeechFeatures.filters + 1)
        for bin in 0...count / 2 {
            let hertz = Float(bin * SpeechFeatures.rate) / Float(count)
            let place = (SpeechFeatures.mel(hertz) - low) / step
            if place < 0 || place >= Float(SpeechFeatures.filters + 1) {
                filterOfBin.append((-2, 0))
            } else {
                let lower = Int(place)
                filterOfBin.append((lower - 1, place - Float(lower)))
            }
        }
        for row in 0..<SpeechFeatures.coefficients {
            for filter in 0..<SpeechFeatures.filters {
                cosines.append(
                    Trigonometry.cosine(Float(row) * (Float(filter) + 0.5) / Float(2 * SpeechFeatures.filters)))
            }
        }
        room = Array(repeating: SIMD2(), count: count)
    }

    private static func mel(_ hertz: Float) -> Float { Logarithm.base2(1 + hertz / 700) }

    /// Takes interleaved 16-bit samples, and appends the completed frames.
    public mutating func put(_ input: UnsafeBufferPointer<Int16>, into frames: inout [UInt8]) {
        var index = 0
        while index + channels <= input.count {
            var value: Float = 0
            for channel in 0..<channels { value += Float(input[index + channel]) }
            add(value / Float(channels))
            index += channels
        }
        makeFrames(&frames)
    }

    /// Appends the last frames, padded with silence.
    public mutating func finish(into frames: inout [UInt8]) {
        let spoken = samples.count
        if spoken == 0 { return }
        let frameCount = (spoken + SpeechFeatures.hop - 1) / SpeechFeatures.hop
        let before = frames.count
        samples += Array(repeating: 0, count: SpeechFeatures.window + 2 * SpeechFeatures.hop)
        makeFrames(&frames)
        let wanted = before + frameCount * SpeechFeatures.bytes
        if frames.count > wanted { frames.removeLast(frames.count - wanted) }
        samples.removeAll()
    }

    /// Adds an input sample. Each sample of the new rate is the mean over its time.
    private mutating func add(_ value: Float) {
        var length = SpeechFeatures.rate
        while length >= missing {
            sum += value * Float(missing)
            samples.append(sum / Float(inputRate))
            length -= missing
            sum = 0
            missing = inputRate
        }
        sum += value * Float(length)
        missing -= length
    }

    /// Makes two frames at a time: one as the transform's real part, the next as its imaginary part.
    private mutating func makeFrames(_ frames: inout [UInt8]) {
        let (hop, window) = (SpeechFeatures.hop, SpeechFeatures.window)
        var start = 0
        while start + window + hop <= samples.count {
            for index in 0..<window {
                room[index] = SIMD2(
                    samples[start + index] * taper[index], samples[start + hop + index] * taper[index])
            }
            transform()
            appendFrame(&frames, start, isSecond: false)
            appendFrame(&frames, start + hop, isSecond: true)
            start += 2 * hop
        }
        samples.removeFirst(start)
    }

    /// Computes the discrete Fourier transform of `room`, in place.
    private mutating func transform() {
        turns.withUnsafeBufferPointer { turns in
            room.withUnsafeMutableBufferPointer { room in
                SpeechFeatures.transform(room.baseAddress!, turns.baseAddress!, room.count)
            }
        }
    }

    private static func transform(
        _ room: UnsafeMutablePointer<SIMD2<Float>>, _ turns: UnsafePointer<SIMD2<Float>>, _ count: Int
    ) {
        var reversed = 0
        for index in 1..<count {
            var bit = count >> 1
            while reversed & bit != 0 {
                reversed ^= bit
                bit >>= 1
            }
            reversed |= bit
            if index < reversed { (room[index], room[reversed]) = (room[reversed], room[index]) }
        }
        var half = 1
        while half < count {
            let stride = count / (2 * half)
            var block = 0
            while block < count {
                for index in 0..<half {
                    let (turn, upper) = (turns[index * stride], room[block + half + index])
                    let turned = SIMD2(
                        upper.x * turn.x - upper.y * turn.y, upper.x * turn.y + upper.y * turn.x)
                    room[block + half + index] = room[block + index] - turned
                    room[block + index] += turned
                }
                block += 2 * half
            }
            half *= 2
        }
    }

    private func appendFrame(_ frames: inout [UInt8], _ start: Int, isSecond: Bool) {
        let count = SpeechFeatures.window
        var mels: [Float] = Array(repeating: 0, count: SpeechFeatures.filters)
        for bin in 1..<count / 2 {
            let (lower, share) = filterOfBin[bin]
            if lower < -1 { continue }
            let (a, b) = (room[bin], room[count - bin])
            // Symmetry separates the two frames.
            let one = isSecond ? SIMD2(a.y + b.y, b.x - a.x) : SIMD2(a.x + b.x, a.y - b.y)
            let power = (one.x * one.x + one.y * one.y) / 4 + SpeechFeatures.floorPower
            if lower >= 0 { mels[lower] += power * (1 - share) }
            if lower + 1 < SpeechFeatures.filters { mels[lower + 1] += power * share }
        }
        for filter in mels.indices { mels[filter] = Logarithm.base2(mels[filter] + SpeechFeatures.floorPower) }
        for row in 0..<SpeechFeatures.coefficients {
            var value: Float = 0
            for filter in 0..<SpeechFeatures.filters {
                value += mels[filter] * cosines[row * SpeechFeatures.filters + filter]
            }
            value *= 0.27735  // sqrt(2 / 26): orthonormal
            // The first coefficient is the loudness, in bits.
            let scaled = row == 0 ? (value / 7.21 - 20) * 6 : value * SpeechFeatures.widths[row]
            frames.append(UInt8(bitPattern: Int8(max(-127, min(127, scaled.rounded())))))
        }
        for half in 0..<2 {
            var power: Float = 1
            let (from, length) = (start + half * SpeechFeatures.hop / 2, SpeechFeatures.hop / 2)
            for index in from..<from + length { power += samples[index] * samples[index] / Float(length) }
            frames.append(UInt8(max(0, min(255, 4 * Logarithm.base2(power)))))
        }
        frames.append(0)
    }
}

/// Logarithms without a C library.
enum Logarithm {
    /// Returns the logarithm of a positive number, exact to 1/5,000.
    static func base2(_ value: Float) -> Float {
        let bits = value.bitPattern
        let exponent = Float(Int(bits >> 23 & 0xFF) - 127)
        let part = Float(bitPattern: bits & 0x7F_FFFF | 0x3F80_0000) - 1
        // Use a polynomial through both ends of [1, 2).
        let slope =
            1.442669 + part
            * (-0.720175 + part * (0.468024 + part * (-0.301039 + part * (0.144676 + part * -0.034173))))
        return exponent + part * slope
    }
}

/// Cosines without a C library.
enum Trigonometry {
    /// - Parameter turns: the angle in full turns.
    static func cosine(_ turns: Float) -> Float {
        var turn = Double(turns - turns.rounded(.down))
        if turn > 0.5 { turn = 1 - turn }
        // From 0 to half a turn, the cosine is odd about a quarter.
        let angle = (0.25 - turn) * 2 * Double.pi
        let square = angle * angle
        // The sine's series.
        return Float(
            angle * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110))))))
    }
}
