// SPDX-License-Identifier: Apache-2.0
import Ebur128
import Media
import Posix
import Workers

/// Measures the loudness of excerpts of a recording, in steps of some milliseconds. Made on the control thread; everything else on the
/// worker.
public final class LoudnessMeasure: @unchecked Sendable {
    /// The length of an excerpt; excerpts are spread over the recording.
    private static let excerptMilliseconds = 4000
    /// The number of excerpts in a round; the next round takes those between.
    private static let roundExcerpts = 6
    public static let rounds = 4
    /// The greatest length for measuring the whole recording.
    private static let wholeMilliseconds = 96_000
    /// The range of excerpts in a recording with uncounted frames, since later parts take long to find.
    private static let nearMilliseconds = 600_000
    /// The length to decode in one step.
    private static let stepMilliseconds = 500

    private let track: Track
    private var places: [Int] = []
    private var length = 0
    private var left = 0
    private var decoding: SpareDecoding?
    private var meter: LoudnessMeter?
    private var measuredFrames = 0

    /// The loudness in hundredths of LUFS; nil if nothing was loud enough, or the decoder failed.
    public private(set) var loudness: Int?
    /// The measured length.
    public private(set) var milliseconds = 0
    /// The library that measures, if it is missing.
    public private(set) var missing: MissingLibrary?

    /// - Parameter round: from 0 to `rounds`.
    public init(_ track: Track, round: Int) {
        self.track = track
        let duration = track.durationMilliseconds ?? LoudnessMeasure.excerptMilliseconds * LoudnessMeasure.roundExcerpts
        if duration <= LoudnessMeasure.wholeMilliseconds {
            places = round == 0 ? [0] : []
            length = duration
            return
        }
        let reach = track.seekTable == nil ? min(duration, LoudnessMeasure.nearMilliseconds) : duration
        length = LoudnessMeasure.excerptMilliseconds
        let all = LoudnessMeasure.roundExcerpts * LoudnessMeasure.rounds
        for index in 0..<LoudnessMeasure.roundExcerpts {
            let part = index * LoudnessMeasure.rounds + round
            places.append((reach - length) / all * part)
        }
    }

    public func step() -> Job.Step {
        let mark = Fuse.begin(track.source.name)
        defer { Fuse.end(mark) }
        if left == 0 {
            if places.isEmpty { return end() }
            do throws(PlaybackError) { try begin(at: places.removeFirst()) } catch { places = [] }
            return .again
        }
        guard let decoding, let meter else { return end() }
        var frames = min(left, max(1, decoding.rate * LoudnessMeasure.stepMilliseconds / 1000))
        while frames > 0 && left > 0 {
            let goesOn = decoding.pull { samples, pulled in
                meter.add(samples, frames: min(pulled, left))
                measuredFrames += min(pulled, left)
                frames -= pulled
                left = max(0, left - pulled)
            }
            if !goesOn { left = 0 }
        }
        return .again
    }

    private func begin(at milliseconds: Int) throws(PlaybackError) {
        let decoding = if let known = self.decoding { known } else { try SpareDecoding() }
        self.decoding = decoding
        let prepared = try decoding.prepare(track, milliseconds: milliseconds)
        if prepared.endMilliseconds != nil { return }
        if meter == nil {
            do throws(MissingLibrary) {
                meter = try LoudnessMeter.open(rate: prepared.rate, channels: prepared.channels)
            } catch {
                missing = error
                places = []
                return
            }
        }
        left = meter == nil ? 0 : Int(clamping: Int64(length) * Int64(decoding.rate) / 1000)
    }

    private func end() -> Job.Step {
        loudness = meter?.loudness
        milliseconds = Int(clamping: Int64(measuredFrames) * 1000 / Int64(max(1, decoding?.rate ?? 1)))
        return .done
    }
}
