import Opus
import Posix

/// Gives the frames of an Ogg Opus file.
final class OpusDecoding: AudioDecoding {
    private let input: MediaInput
    private var isOver = false
    private var isAtStart = true
    private let decoder: OpusDecoder
    let frameCount: Int64?
    var isRejoinable: Bool { false }
    var foundTable: SeekTable? { nil }

    var rate: Int { OpusDecoder.rate }
    var channels: Int { decoder.channels }

    init(_ head: MediaHead) throws(MediaError) {
        do throws(MediaError) { (decoder, input) = try OpusDecoding.open(head.source, head) } catch {
            guard case .damaged = error, let stream = OggStream(head), let cut = try OggFile(head, stream).belowZero
            else { throw error }
            (decoder, input) = try OpusDecoding.open(ShiftedOgg(head.source, from: cut.page, by: cut.frames), head)
        }
        frameCount = decoder.frameCount
    }

    private static func open(
        _ source: any ByteSource, _ head: MediaHead
    ) throws(MediaError) -> (OpusDecoder, MediaInput) {
        let input = MediaInput(source, from: head.start, needsEnd: true)
        input.beginLook()
        let decoder: OpusDecoder
        do throws(OpusError) { decoder = try OpusDecoder(input.bytes) } catch {
            throw OpusDecoding.error(error, input)
        }
        try input.endLook()
        return (decoder, input)
    }

    private static func error(_ error: OpusError, _ input: MediaInput) -> MediaError {
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
        input.beginLook()
        do throws(OpusError) { try decoder.seek(to: max(0, frame)) } catch { throw OpusDecoding.error(error, input) }
        try input.endLook()
    }

    func decode(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(MediaError) -> Int {
        if isOver { return 0 }
        isAtStart = false
        var done = 0
        while done < frames {
            let count: Int
            do throws(OpusError) {
                count = try decoder.read(samples + done * channels, frames: frames - done)
            } catch {
                let problem = OpusDecoding.error(error, input)
                if done > 0 && problem.isNotThereYet { break }
                throw problem
            }
            if count == 0 {
                isOver = true
                break
            }
            done += count
        }
        return done
    }
}
