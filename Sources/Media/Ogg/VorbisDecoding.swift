import Posix
import Vorbis

/// Gives the frames of an Ogg Vorbis file.
final class VorbisDecoding: AudioDecoding {
    /// Of a link with other channels than are given.
    private static let pieceFrames = 2048

    private let input: MediaInput
    private var isOver = false
    private var isAtStart = true
    private let decoder: VorbisDecoder
    let rate: Int
    let channels: Int
    let frameCount: Int64?
    var isRejoinable: Bool { false }
    var foundTable: SeekTable? { nil }
    /// Nil where what is decoded is given as it is.
    private let piece: UnsafeMutablePointer<Int16>?
    /// In the piece, of so many channels: frames, and how many of them were given.
    private var pieceChannels = 1
    private var heldFrames = 0
    private var givenFrames = 0
    private var mix: ChannelMix?

    init(_ head: MediaHead) throws(MediaError) {
        let input = MediaInput(head.source, from: head.start, needsEnd: true)
        self.input = input
        input.beginLook()
        do throws(VorbisError) { decoder = try VorbisDecoder(input.bytes) } catch {
            throw VorbisDecoding.error(error, input)
        }
        try input.endLook()
        rate = decoder.links[0].rate
        var most = 1
        for link in decoder.links {
            guard link.rate == rate, PCMLayout.rates.contains(link.rate) else {
                throw .unsupported("a chain of Vorbis streams of several sample rates")
            }
            guard link.channels > 0, link.channels <= PCMLayout.mostChannels else {
                throw .unsupported("sound of \(link.channels) channels")
            }
            most = max(most, link.channels)
        }
        channels = min(2, most)
        frameCount = decoder.frameCount
        // Of what is read in order the first stream alone is known.
        let isPlain = input.bytes.isSeekable && decoder.links.allSatisfy { $0.channels == min(2, most) }
        piece = isPlain ? nil : .allocate(capacity: VorbisDecoding.pieceFrames * PCMLayout.mostChannels)
    }

    deinit { piece?.deallocate() }

    private static func error(_ error: VorbisError, _ input: MediaInput) -> MediaError {
        switch error {
        case .missing(let library): .noLibrary(library)
        case .unreadable: input.failure
        case .damaged: .damaged
        }
    }

    func seek(toFrame frame: Int64, goOn: () -> Bool) throws(MediaError) {
        isOver = frameCount.map { frame >= $0 } ?? false
        if isOver || frame <= 0 && isAtStart { return }
        // Nobody knows where it stands before its end is there.
        if !input.bytes.isSeekable { throw input.missEnd() }
        (heldFrames, givenFrames) = (0, 0)
        input.beginLook()
        do throws(VorbisError) { try decoder.seek(to: max(0, frame)) } catch {
            throw VorbisDecoding.error(error, input)
        }
        try input.endLook()
    }

    func decode(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(MediaError) -> Int {
        isAtStart = false
        var done = 0
        while done < frames && !isOver {
            let count: Int
            do throws(VorbisError) { count = try take(samples + done * channels, frames: frames - done) } catch {
                let problem = VorbisDecoding.error(error, input)
                if done > 0 && problem.isNotThereYet { break }
                throw problem
            }
            done += count
            if count == 0 { isOver = true }
        }
        return done
    }

    private func take(_ samples: UnsafeMutablePointer<Int16>, frames: Int) throws(VorbisError) -> Int {
        guard let piece else { return try decoder.read(samples, bytes: frames * channels * 2).frames }
        if givenFrames == heldFrames {
            // Room for some frames, of whatever stream comes next.
            let got = try decoder.read(piece, bytes: VorbisDecoding.pieceFrames * PCMLayout.mostChannels * 2)
            guard got.channels <= PCMLayout.mostChannels else { throw .damaged }
            if got.channels != pieceChannels {
                mix = got.channels > 2 ? ChannelMix(channels: got.channels, order: .vorbis) : nil
            }
            (heldFrames, givenFrames, pieceChannels) = (got.frames, 0, got.channels)
        }
        let count = min(frames, heldFrames - givenFrames)
        let from = piece + givenFrames * pieceChannels
        givenFrames += count
        if pieceChannels == channels {
            samples.update(from: from, count: count * channels)
        } else if channels == 1 {
            // It began in one channel: of what has more since then the first is heard.
            for i in 0..<count { samples[i] = from[i * pieceChannels] }
        } else if pieceChannels == 1 {
            for i in 0..<count {
                samples[2 * i] = from[i]
                samples[2 * i + 1] = from[i]
            }
        } else {
            mix?.mix(from, to: samples, frames: count)
        }
        return count
    }
}
