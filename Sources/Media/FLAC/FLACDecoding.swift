// SPDX-License-Identifier: Apache-2.0
import Core
import Flac
import Posix

/// Decodes a FLAC stream. Damage becomes silence of the missing length, so that everything after it keeps its position.
final class FLACDecoding: AudioDecoding {
    /// The longest gap to fill, in seconds; a longer one means another stream.
    private static let mostSilentSeconds = 60

    private let input: MediaInput
    private let decoder: FlacDecoder
    private let info: FLACStreamInfo
    private let mix: ChannelMix?
    let channels: Int
    /// The number of frames of the present block that were returned.
    private var given = 0
    /// The expected start of the next block; nil at the start, since some streams are cut out of longer ones.
    private var expected: Int64?
    /// The number of silent frames to return before the present block.
    private var silence: Int64 = 0
    private var isOver = false

    var rate: Int { info.rate }
    var frameCount: Int64? { info.frameCount }

    init(_ head: MediaHead, _ info: FLACStreamInfo, isOgg: Bool) throws(MediaError) {
        guard PCMLayout.rates.contains(info.rate) else { throw .unsupported("FLAC of \(info.rate) Hz") }
        self.info = info
        mix = info.channels > 2 ? ChannelMix(channels: info.channels, order: .wave) : nil
        channels = min(2, info.channels)
        input = MediaInput(head.source, from: head.start)
        do throws(DecoderError) {
            decoder = try FlacDecoder(input, isOgg: isOgg, channels: info.channels)
        } catch { throw input.error(error) }
    }

    func seek(toFrame frame: Int64, goOn: () -> Bool) throws(MediaError) {
        given = 0
        silence = 0
        expected = frame
        if let count = info.frameCount, frame >= count {
            // Drop the present block: libFLAC would refuse to seek within it.
            expected = nil
            isOver = true
            return
        }
        do throws(DecoderError) { isOver = try !decoder.seek(to: frame) } catch {
            throw input.error(error)
        }
        if !isOver { noteBlock() }
    }

    private func noteBlock() {
        given = 0
        let missing = expected.map { decoder.start.subtractingSaturated($0) } ?? 0
        silence = missing > 0 && missing <= Int64(rate * FLACDecoding.mostSilentSeconds) ? missing : 0
        expected = decoder.start.addingSaturated(Int64(decoder.frames))
    }

    func decode(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(MediaError) -> Int {
        var done = 0
        while done < frames {
            let to = samples + done * channels
            if silence > 0 {
                let count = Int(min(silence, Int64(frames - done)))
                to.update(repeating: 0, count: count * channels)
                silence -= Int64(count)
                done += count
                continue
            }
            let left = decoder.frames - given
            if left > 0, !isOver, let block = decoder.samples {
                let count = min(left, frames - done)
                let from = block + given * info.channels
                if let mix {
                    mix.mix(from, to: to, frames: count)
                } else {
                    to.update(from: from, count: count * channels)
                }
                given += count
                done += count
                continue
            }
            if isOver { break }
            do throws(DecoderError) { isOver = try !decoder.next() } catch { throw input.error(error) }
            if !isOver { noteBlock() }
        }
        return done
    }
}
