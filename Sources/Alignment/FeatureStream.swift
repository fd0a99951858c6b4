// SPDX-License-Identifier: Apache-2.0
/// A source of feature frames, such as a file: a recording of ten hours has 29 MB of them.
public protocol FeatureReading: AnyObject {
    /// Returns the bytes of these frames; fewer at the end.
    func bytes(ofFrames range: Range<Int>) -> [UInt8]
}

/// Collects statistics over all frames of a stream: the means and deviations of the coefficients, and the level of silence.
public struct FeatureStatistics {
    public private(set) var frameCount = 0
    private var sums: [Int64] = Array(repeating: 0, count: SpeechFeatures.coefficients)
    private var squares: [Int64] = Array(repeating: 0, count: SpeechFeatures.coefficients)
    private var energies: [Int] = Array(repeating: 0, count: 256)

    public init() {}

    /// Adds whole frames.
    public mutating func add(_ frames: ArraySlice<UInt8>) {
        var at = frames.startIndex
        while at + SpeechFeatures.bytes <= frames.endIndex {
            for row in 0..<SpeechFeatures.coefficients {
                let value = Int64(Int8(bitPattern: frames[at + row]))
                sums[row] += value
                squares[row] += value * value
            }
            energies[Int(frames[at + SpeechFeatures.energy])] += 1
            frameCount += 1
            at += SpeechFeatures.bytes
        }
    }

    /// Returns the energy below which a part of all frames lies.
    /// - Parameter part: the part, in hundredths.
    private func energy(below part: Int) -> Int {
        var left = frameCount / 100 * part
        for (energy, count) in energies.enumerated() {
            left -= count
            if left < 0 { return energy }
        }
        return 255
    }

    /// The energy up to which a half frame counts as silent.
    var silence: UInt8 {
        let (quiet, loud) = (energy(below: 5), energy(below: 90))
        return UInt8(min(255, quiet + max(4, (loud - quiet) * 3 / 10)))
    }

    var mean: SIMD16<Float> {
        var mean = SIMD16<Float>()
        for row in sums.indices { mean[row] = Float(sums[row]) / Float(max(1, frameCount)) }
        return mean
    }

    /// The factor of each coefficient that gives all the same weight.
    var scale: SIMD16<Float> {
        var scale = SIMD16<Float>()
        let (mean, count) = (mean, Float(max(1, frameCount)))
        for row in squares.indices {
            let variance = Float(squares[row]) / count - mean[row] * mean[row]
            scale[row] = 1 / max(1, variance).squareRoot()
        }
        return scale
    }
}

/// A stream of features with its statistics.
public struct FeatureStream {
    public let frameCount: Int
    let silence: UInt8
    private let reading: any FeatureReading
    private let mean: SIMD16<Float>
    private let scale: SIMD16<Float>

    public init(_ reading: any FeatureReading, _ statistics: FeatureStatistics) {
        self.reading = reading
        frameCount = statistics.frameCount
        silence = statistics.silence
        mean = statistics.mean
        scale = statistics.scale
    }

    /// Returns normalized frames, each the mean of `step` frames, for the existing part of the range.
    func frames(_ range: Range<Int>, step: Int) -> [SIMD16<Float>] {
        let range = range.clamped(to: 0..<frameCount)
        var frames: [SIMD16<Float>] = []
        frames.reserveCapacity(range.count / step + 1)
        // Read pieces of a minute, so that the bytes are never all in memory beside the numbers.
        var from = range.lowerBound
        while from < range.upperBound {
            let end = min(range.upperBound, from + 3000 / step * step)
            let bytes = reading.bytes(ofFrames: from..<end)
            var at = 0
            while at + step * SpeechFeatures.bytes <= bytes.count {
                var sum = SIMD16<Float>()
                for row in 0..<SpeechFeatures.coefficients {
                    var total = 0
                    var index = at + row
                    for _ in 0..<step {
                        total += Int(Int8(bitPattern: bytes[index]))
                        index += SpeechFeatures.bytes
                    }
                    sum[row] = (Float(total) / Float(step) - mean[row]) * scale[row]
                }
                frames.append(sum)
                at += step * SpeechFeatures.bytes
            }
            from = end
        }
        return frames
    }

    /// Returns the energies of the half frames, of 10 ms each.
    func energies(_ range: Range<Int>) -> [UInt8] {
        let range = range.clamped(to: 0..<frameCount)
        var energies: [UInt8] = []
        energies.reserveCapacity(2 * range.count)
        let bytes = reading.bytes(ofFrames: range)
        var at = SpeechFeatures.energy
        while at + 1 < bytes.count {
            energies.append(bytes[at])
            energies.append(bytes[at + 1])
            at += SpeechFeatures.bytes
        }
        return energies
    }
}

/// Returns the distance of two frames. Written out, since in a program compiled for size loops over vectors become calls.
@inline(__always)
func distance(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>) -> Float {
    let (d0, d1, d2, d3) = (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3])
    let (d4, d5, d6, d7) = (a[4] - b[4], a[5] - b[5], a[6] - b[6], a[7] - b[7])
    let (d8, d9, d10, d11, d12) = (a[8] - b[8], a[9] - b[9], a[10] - b[10], a[11] - b[11], a[12] - b[12])
    let (one, two) = (d0 * d0 + d4 * d4 + d8 * d8, d1 * d1 + d5 * d5 + d9 * d9)
    let (three, four) = (d2 * d2 + d6 * d6 + d10 * d10, d3 * d3 + d7 * d7 + d11 * d11)
    return ((one + two) + (three + four) + d12 * d12).squareRoot()
}

extension [SIMD16<Float>] {
    /// Calls `body` with the numbers of all frames, 16 a frame.
    @inline(__always)
    func withNumbers<Result>(_ body: (UnsafePointer<Float>) -> Result) -> Result {
        withUnsafeBytes { bytes in
            // An empty array may have no address.
            body((bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 16)!).assumingMemoryBound(to: Float.self))
        }
    }
}
