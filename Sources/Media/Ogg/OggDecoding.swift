// SPDX-License-Identifier: Apache-2.0
import Core
import Opus
import Posix
import Vorbis

/// The common interface of the decoding libraries for Ogg. Frames count from the start of the chain, each stream's at its own rate.
protocol ChainDecoder: AnyObject {
    var links: [(rate: Int, channels: Int, frames: Int64?)] { get }
    func seek(to frame: Int64) throws(DecoderError)
    func read(
        _ samples: UnsafeMutablePointer<Int16>, bytes: Int
    ) throws(DecoderError) -> (frames: Int, channels: Int, rate: Int)
}

extension VorbisDecoder: ChainDecoder {}
extension OpusDecoder: ChainDecoder {}

/// Decodes an Ogg file of Vorbis or Opus. A chain has the rate of its first stream; later streams are resampled.
final class OggDecoding: AudioDecoding {
    /// The samples to decode at once if the stream's channels or rate differ from the output's.
    private static let pieceSamples = 8192

    private let input: MediaInput
    private var isOver = false
    private var isAtStart = true
    private let decoder: any ChainDecoder
    private let links: [(rate: Int, channels: Int, frames: Int64?)]
    let rate: Int
    let channels: Int
    let frameCount: Int64?
    /// A buffer for a piece, followed by the same piece in two channels; nil if the output needs no conversion.
    private let piece: UnsafeMutablePointer<Int16>?
    /// The decoded frames to return next.
    private var held: UnsafePointer<Int16>?
    private var heldFrames = 0
    private var mix: ChannelMix?
    /// The resampling of the present stream; nil if it has the output's rate.
    private var rateChange: RateChange?

    /// - Parameter start: the offset of the stream in the source.
    init(_ source: any ByteSource, from start: Int64, isOpus: Bool) throws(MediaError) {
        let input = MediaInput(source, from: start, needsEnd: true)
        self.input = input
        input.beginLook()
        do throws(DecoderError) {
            decoder = isOpus ? try OpusDecoder(input) : try VorbisDecoder(input)
        } catch { throw input.error(error) }
        try input.endLook()
        let links = decoder.links
        self.links = links
        let rate = links[0].rate
        self.rate = rate
        var most = 1
        for link in links {
            guard PCMLayout.rates.contains(link.rate) else { throw .unsupported("sound of \(link.rate) Hz") }
            guard link.channels > 0, link.channels <= PCMLayout.mostChannels else {
                throw .unsupported("sound of \(link.channels) channels")
            }
            most = max(most, link.channels)
        }
        channels = min(2, most)
        var frames: Int64? = 0
        for link in links {
            let given = link.frames.map { $0.scaledSaturated(by: Int64(rate), over: Int64(link.rate)) }
            frames = frames.flatMap { sum in given.map { sum.addingSaturated($0) } }
        }
        frameCount = frames
        // A source that is read in order shows only its first stream.
        let isPlain =
            input.isSeekable && links.allSatisfy { $0.channels == min(2, most) && $0.rate == rate }
        piece = isPlain ? nil : .allocate(capacity: OggDecoding.pieceSamples * 3)
    }

    deinit { piece?.deallocate() }

    /// Returns the library's frame for an output frame: the library counts each stream at its own rate.
    private func place(_ frame: Int64) -> Int64 {
        var (place, left): (Int64, Int64) = (0, frame)
        for link in links {
            let there = left.scaledSaturated(by: Int64(link.rate), over: Int64(rate))
            guard let frames = link.frames, there >= frames else { return place.addingSaturated(there) }
            place = place.addingSaturated(frames)
            left -= frames.scaledSaturated(by: Int64(rate), over: Int64(link.rate))
        }
        return place
    }

    func seek(toFrame frame: Int64, goOn: () -> Bool) throws(MediaError) {
        isOver = frameCount.map { frame >= $0 } ?? false
        if isOver || frame <= 0 && isAtStart { return }
        // The length is unknown until the end has arrived.
        if !input.isSeekable { throw input.missEnd() }
        heldFrames = 0
        rateChange = nil
        input.beginLook()
        do throws(DecoderError) { try decoder.seek(to: place(max(0, frame))) } catch {
            throw input.error(error)
        }
        try input.endLook()
    }

    func decode(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(MediaError) -> Int {
        isAtStart = false
        var done = 0
        while done < frames && !isOver {
            do throws(MediaError) {
                let count = try take(samples + done * channels, frames: frames - done)
                done += count
                if count == 0 { isOver = true }
            } catch {
                if done > 0 && error.isNotThereYet { break }
                throw error
            }
        }
        return done
    }

    private func take(_ samples: UnsafeMutablePointer<Int16>, frames: Int) throws(MediaError) -> Int {
        guard let piece else { return try read(samples, bytes: frames * channels * 2).frames }
        while heldFrames == 0 { if try !hold(piece) { return 0 } }
        guard let from = held else { return 0 }
        let count = min(frames, heldFrames)
        samples.update(from: from, count: count * channels)
        held = from + count * channels
        heldFrames -= count
        return count
    }

    private func read(
        _ samples: UnsafeMutablePointer<Int16>, bytes: Int
    ) throws(MediaError) -> (frames: Int, channels: Int, rate: Int) {
        do throws(DecoderError) { return try decoder.read(samples, bytes: bytes) } catch {
            throw input.error(error)
        }
    }

    /// Decodes some frames, possibly of the next stream, and converts them to the output's channels and rate. Returns false at the end.
    private func hold(_ piece: UnsafeMutablePointer<Int16>) throws(MediaError) -> Bool {
        let got = try read(piece, bytes: OggDecoding.pieceSamples * 2)
        if got.frames == 0 { return false }
        guard got.channels <= PCMLayout.mostChannels, PCMLayout.rates.contains(got.rate) else { throw .damaged }
        let given = channels == got.channels ? piece : piece + OggDecoding.pieceSamples
        if channels != got.channels { mix(piece, to: given, got.frames, channels: got.channels) }
        (held, heldFrames) = (UnsafePointer(given), got.frames)
        if got.rate == rate {
            rateChange = nil
            return true
        }
        let change: RateChange
        if let rateChange, rateChange.rate == got.rate {
            change = rateChange
        } else {
            change = try RateChange(
                from: got.rate, to: rate, channels: channels, mostFrames: OggDecoding.pieceSamples)
            rateChange = change
        }
        (held, heldFrames) = change.change(given, frames: got.frames)
        return true
    }

    private func mix(
        _ from: UnsafePointer<Int16>, to samples: UnsafeMutablePointer<Int16>, _ frames: Int, channels given: Int
    ) {
        if channels == 1 {
            // The chain began in mono: use the first channel of later streams.
            for i in 0..<frames { samples[i] = from[i * given] }
        } else if given == 1 {
            for i in 0..<frames {
                samples[2 * i] = from[i]
                samples[2 * i + 1] = from[i]
            }
        } else {
            if mix?.channels != given { mix = ChannelMix(channels: given, order: .vorbis) }
            mix?.mix(from, to: samples, frames: frames)
        }
    }
}
