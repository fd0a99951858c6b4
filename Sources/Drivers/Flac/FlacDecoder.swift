// SPDX-License-Identifier: Apache-2.0
import CFLAC
import Posix

/// A FLAC stream, decoded by libFLAC block by block. One thread at a time; every call may read and allocate.
public final class FlacDecoder {
    public static let library = MissingLibrary(name: "libFLAC", package: "libflac14, on Debian 12 libflac12")

    /// The interleaved 16-bit samples of the present block. Valid until the next call.
    public var samples: UnsafePointer<Int16>? { block.map { UnsafePointer($0) } }
    /// The number of frames in the block.
    public private(set) var frames = 0
    /// The position of the block in the stream.
    public private(set) var start: Int64 = 0

    private let input: ByteInput
    private var functions = ns_flac()
    private var handle: UnsafeMutableRawPointer?
    private let channels: Int
    private var block: UnsafeMutablePointer<Int16>?
    private var blockCapacity = 0

    /// - Parameters:
    ///   - input: the input, at its beginning.
    ///   - isOgg: true for a stream in Ogg.
    ///   - channels: the stream's channels; a block with another number ends it.
    public init(_ input: ByteInput, isOgg: Bool, channels: Int) throws(DecoderError) {
        self.input = input
        self.channels = channels
        let library: UnsafeMutableRawPointer
        do throws(MissingLibrary) {
            library = try SharedLibrary.open(["libFLAC.so.14", "libFLAC.so.12"], else: FlacDecoder.library)
        } catch { throw .missing(error) }
        guard ns_flac_bind(library, &functions), let handle = functions.create() else {
            throw .missing(FlacDecoder.library)
        }
        self.handle = handle
        let begin = isOgg ? functions.begin_ogg : functions.begin
        let client = Unmanaged.passUnretained(self).toOpaque()
        let status = begin!(
            handle, { _, buffer, bytes, client in FlacDecoder.of(client).read(buffer, bytes) },
            { _, offset, client in FlacDecoder.of(client).input.seek(to: Int64(clamping: offset)) ? 0 : 1 },
            { _, offset, client in
                offset?.pointee = UInt64(FlacDecoder.of(client).input.position)
                return 0
            },
            { _, length, client in
                length?.pointee = UInt64(FlacDecoder.of(client).input.byteCount)
                return 0
            },
            { _, client in
                let input = FlacDecoder.of(client).input
                return input.position >= input.byteCount ? 1 : 0
            }, { _, frame, planes, client in FlacDecoder.of(client).take(frame, planes) }, { _, _, _ in },
            // Ignore errors: damage is skipped, and the numbers of the blocks tell how much is missing.
            { _, _, _ in }, client)
        if status != 0 { throw .damaged }
    }

    deinit {
        if let handle { functions.destroy(handle) }
        block?.deallocate()
    }

    private static func of(_ client: UnsafeMutableRawPointer?) -> FlacDecoder {
        Unmanaged<FlacDecoder>.fromOpaque(client!).takeUnretainedValue()
    }

    /// Decodes the next block. Returns false at the end.
    public func next() throws(DecoderError) -> Bool {
        frames = 0
        while frames == 0 {
            let state = functions.state(handle)
            if state == Int32(NS_FLAC_END_OF_STREAM.rawValue) {
                if input.hasFailed { throw .unreadable }
                return false
            }
            if state >= Int32(NS_FLAC_ABORTED.rawValue) || functions.next(handle) == 0 {
                throw input.error
            }
        }
        return true
    }

    /// Seeks to a frame, with which the present block then begins. Returns false if there is no such frame.
    public func seek(to frame: Int64) throws(DecoderError) -> Bool {
        frames = 0
        if functions.seek(handle, UInt64(max(0, frame))) != 0 && frames > 0 { return true }
        if input.hasFailed { throw .unreadable }
        if functions.state(handle) == Int32(NS_FLAC_SEEK_ERROR.rawValue) { _ = functions.flush(handle) }
        frames = 0
        return false
    }

    private func read(_ buffer: UnsafeMutablePointer<UInt8>?, _ bytes: UnsafeMutablePointer<Int>?) -> Int32 {
        guard let bytes else { return Int32(NS_FLAC_READ_ABORT.rawValue) }
        let count = input.read(buffer, bytes.pointee)
        bytes.pointee = max(0, count)
        if count < 0 { return Int32(NS_FLAC_READ_ABORT.rawValue) }
        return Int32(count == 0 ? NS_FLAC_READ_END.rawValue : NS_FLAC_CONTINUE.rawValue)
    }

    private func take(
        _ frame: UnsafePointer<ns_flac_frame>?, _ planes: UnsafePointer<UnsafePointer<Int32>?>?
    ) -> Int32 {
        guard let frame = frame?.pointee, let planes, frame.channels == UInt32(channels), frame.bits >= 4,
            frame.bits <= 32
        else { return Int32(NS_FLAC_ABORT.rawValue) }
        frames = Int(frame.frames)
        start = Int64(clamping: frame.sample)
        if frames * channels > blockCapacity {
            block?.deallocate()
            blockCapacity = frames * channels
            block = .allocate(capacity: blockCapacity)
        }
        ns_flac_interleave(block, planes, frame.channels, frame.frames, frame.bits)
        return Int32(NS_FLAC_CONTINUE.rawValue)
    }
}
