// SPDX-License-Identifier: Apache-2.0
import Media
import Posix
import Workers

/// Decodes the beginning of a recording, in steps of some milliseconds. Made on the control thread; everything else on the worker.
public final class Excerpt: @unchecked Sendable {
    /// The length to decode in one step.
    private static let stepMilliseconds = 2000

    /// The most samples, 8 MB: more than half a minute of 96 kHz in stereo.
    private static let mostSamples = 4 << 20

    private let source: MediaSource
    private let milliseconds: Int
    private var decoding: SpareDecoding?
    private var samples: [Int16] = []

    /// The sound, after the last step; nil if there is none.
    public private(set) var wave: SpokenWave?
    /// The reason for a missing sound.
    public private(set) var problem = "holds no sound"

    /// - Parameter milliseconds: the greatest length.
    public init(_ source: MediaSource, milliseconds: Int) {
        self.source = source
        self.milliseconds = milliseconds
    }

    public func step() -> Job.Step {
        let mark = Fuse.begin(source.name)
        defer { Fuse.end(mark) }
        guard let decoding else { return begin() }
        // Divide first, to stay within 32 bits.
        let perMillisecond = max(1, decoding.rate / 1000) * decoding.channels
        let most = min(Excerpt.mostSamples, perMillisecond * milliseconds)
        let goal = min(most, samples.count + perMillisecond * Excerpt.stepMilliseconds)
        while samples.count < goal {
            let goesOn = decoding.pull { pulled, frames in
                samples.append(
                    contentsOf: UnsafeBufferPointer(
                        start: pulled, count: min(frames * decoding.channels, most - samples.count)))
            }
            if !goesOn { return end(decoding) }
        }
        return samples.count < most ? .again : end(decoding)
    }

    private func begin() -> Job.Step {
        do throws(PlaybackError) {
            let made = try SpareDecoding()
            let track = Track(id: 0, source: source, durationMilliseconds: nil, seekTable: nil)
            let prepared = try made.prepare(track, milliseconds: 0)
            if prepared.endMilliseconds != nil { return .done }
            decoding = made
            return .again
        } catch {
            problem = error.message
            return .done
        }
    }

    private func end(_ decoding: SpareDecoding) -> Job.Step {
        wave = SpokenWave(samples, rate: decoding.rate, channels: decoding.channels)
        samples = []
        return .done
    }
}
