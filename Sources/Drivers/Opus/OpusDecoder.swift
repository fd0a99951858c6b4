// SPDX-License-Identifier: Apache-2.0
import COpus
import Posix

/// An Ogg Opus file, which may be a chain of streams, decoded by libopusfile at 48 kHz. It clips loud samples softly, as the library does,
/// but without its dither, so that a position always gives the same samples. One thread at a time; every call may read and allocate.
public final class OpusDecoder {
    public static let library = MissingLibrary(name: "libopusfile", package: "libopusfile0")
    private static let rate = 48_000
    /// The frames to decode and drop before the target of a seek. A restarted decoder needs that long to become exact: the standard's 80 ms
    /// left errors of a third of full scale.
    private static let rollFrames: Int64 = 48_000

    private let input: ByteInput
    private var functions = ns_opus()
    private var file: UnsafeMutableRawPointer?
    /// The output channels: 1 if every known stream of the chain is mono; otherwise 2, with more channels mixed down by the library.
    private var channels = 2

    /// - Parameter input: the input, at its beginning.
    public init(_ input: ByteInput) throws(DecoderError) {
        self.input = input
        let library: UnsafeMutableRawPointer
        do throws(MissingLibrary) {
            library = try SharedLibrary.open(["libopusfile.so.0"], else: OpusDecoder.library)
        } catch { throw .missing(error) }
        guard ns_opus_bind(library, &functions) else { throw .missing(OpusDecoder.library) }
        var callbacks = ns_opus_callbacks(
            read: { client, buffer, bytes in Int32(OpusDecoder.of(client).input.read(buffer, Int(bytes))) },
            seek: { client, offset, whence in OpusDecoder.of(client).input.seek(offset, whence) },
            tell: { client in OpusDecoder.of(client).input.position }, close: nil)
        var code: Int32 = 0
        let client = Unmanaged.passUnretained(self).toOpaque()
        guard let file = functions.open(client, &callbacks, nil, 0, &code) else {
            throw input.error
        }
        self.file = file
        functions.dither(file, 0)
        channels = 1
        for link in 0..<max(1, functions.links(file)) where functions.channels(file, link) != 1 { channels = 2 }
    }

    deinit { if let file { functions.close(file) } }

    private static func of(_ client: UnsafeMutableRawPointer?) -> OpusDecoder {
        Unmanaged<OpusDecoder>.fromOpaque(client!).takeUnretainedValue()
    }

    /// The streams of the chain, without the encoder's padding at both ends. `frames` is nil if unknown.
    public var links: [(rate: Int, channels: Int, frames: Int64?)] {
        let total = functions.total(file, -1)
        return [(rate: OpusDecoder.rate, channels: channels, frames: total < 0 ? nil : total)]
    }

    public func seek(to frame: Int64) throws(DecoderError) {
        if functions.seek(file, max(0, frame - OpusDecoder.rollFrames)) != 0 {
            throw input.error
        }
        let piece = 5760
        let rest = UnsafeMutablePointer<Int16>.allocate(capacity: piece * channels)
        defer { rest.deallocate() }
        while true {
            let left = frame - functions.tell(file)
            if left <= 0 { return }
            if try read(rest, bytes: Int(min(Int64(piece), left)) * channels * 2).frames == 0 { return }
        }
    }

    /// Reads the next interleaved samples. Returns the number of frames, 0 at the end, and their channels and rate.
    /// - Parameter bytes: the size of the buffer, at least one frame.
    public func read(
        _ samples: UnsafeMutablePointer<Int16>, bytes: Int
    ) throws(DecoderError) -> (frames: Int, channels: Int, rate: Int) {
        while true {
            let room = Int32(clamping: bytes / 2)
            let count =
                channels == 1
                ? functions.read(file, samples, room, nil) : functions.read_stereo(file, samples, room)
            if count >= 0 {
                if count == 0 && input.hasFailed { throw .unreadable }
                // An input that is read in order shows later streams only when they come.
                let given = channels == 1 ? max(1, Int(functions.channels(file, -1))) : 2
                return (frames: Int(count), channels: given, rate: OpusDecoder.rate)
            }
            if input.hasFailed { throw .unreadable }
            if count != Int32(NS_OPUS_HOLE) { throw .damaged }
        }
    }
}
