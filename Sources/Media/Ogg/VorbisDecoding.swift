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
    private let piece: UnsafeMutablePointer<Int16>?

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
        piece =
            decoder.links.allSatisfy { $0.channels == min(2, most) }
            ? nil : .allocate(capacity: VorbisDecoding.pieceFrames * PCMLayout.mostChannels)
    }

    deinit { piece?.deallocate() }

    private static func error(_ error: VorbisError, _ input: MediaInput) -> MediaError {
        switch error {
        case .missing(let library): .noLibrary(library)
        case .unreadable: input.failure
        case .damaged: .damaged
        }
    }

    func seek(toFrame frame: Int64) throws(MediaError) {
        isOver = frameCount.map { frame >= $0 } ?? false
        if isOver || frame <= 0 && isAtStart { return }
        // Nobody knows where it stands before its end is there.
        if !input.bytes.isSeekable { throw input.missEnd() }
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
        // Whatever link comes next, no more than there is room for.
        let most = min(frames, VorbisDecoding.pieceFrames)
        let got = try decoder.read(piece, bytes: most * 2)
        let from = decoder.links[got.link].channels
        if from == channels {
            samples.update(from: piece, count: got.frames * channels)
        } else if from == 1 {
            for i in 0..<got.frames {
                samples[2 * i] = piece[i]
                samples[2 * i + 1] = piece[i]
            }
        } else {
            ChannelMix(channels: from, order: .vorbis)?.mix(piece, to: samples, frames: got.frames)
        }
        return got.frames
    }
}
