// SPDX-License-Identifier: Apache-2.0
import CVorbis
import Posix

/// Decodes an Ogg Vorbis file, which may be a chain of streams, with libvorbisfile. One thread at a time; every call may read and allocate.
public final class VorbisDecoder {
    public static let library = MissingLibrary(name: "libvorbisfile", package: "libvorbisfile3")

    private let input: ByteInput
    private var functions = ns_vorbis()
    private let file: UnsafeMutableRawPointer
    private var isOpen = false
    /// True if a stream's codebooks could not be made. The library would continue, and divide by their zero sizes.
    private var isBroken = false
    private var setup = VorbisSetup()

    /// The known streams of the chain, at least one. `frames` is nil if unknown.
    public private(set) var links: [(rate: Int, channels: Int, frames: Int64?)] = []

    /// - Parameter input: the input, at its beginning.
    public init(_ input: ByteInput) throws(DecoderError) {
        self.input = input
        file = .allocate(byteCount: Int(NS_VORBIS_FILE_BYTES), alignment: 16)
        file.initializeMemory(as: UInt8.self, repeating: 0, count: Int(NS_VORBIS_FILE_BYTES))
        let library: UnsafeMutableRawPointer
        do throws(MissingLibrary) {
            library = try SharedLibrary.open(["libvorbisfile.so.3"], else: VorbisDecoder.library)
        } catch { throw .missing(error) }
        guard ns_vorbis_bind(library, &functions) else { throw .missing(VorbisDecoder.library) }
        let callbacks = ns_vorbis_callbacks(
            read: { buffer, size, count, client in
                VorbisDecoder.of(client).read(buffer, size * count) / max(1, size)
            },
            seek: { client, offset, whence in VorbisDecoder.of(client).input.seek(offset, whence) }, close: nil,
            tell: { client in Int(clamping: VorbisDecoder.of(client).input.position) })
        let client = Unmanaged.passUnretained(self).toOpaque()
        guard functions.open(client, file, nil, 0, callbacks) == 0 else {
            throw isBroken ? .damaged : input.error
        }
        isOpen = true
        if isBroken { throw .damaged }
        for link in 0..<max(1, functions.links(file)) {
            guard let info = functions.info(file, Int32(link)) else { throw .damaged }
            let total = functions.total(file, Int32(link))
            links.append(
                (
                    rate: Int(info.pointee.rate), channels: Int(info.pointee.channels),
                    frames: total < 0 ? nil : total
                ))
        }
        // After its search for further streams, the library would skip a first stream of one page.
        if links.count > 1 { try seek(to: 0) }
    }

    deinit {
        if isOpen { _ = functions.clear(file) }
        file.deallocate()
    }

    private static func of(_ client: UnsafeMutableRawPointer?) -> VorbisDecoder {
        Unmanaged<VorbisDecoder>.fromOpaque(client!).takeUnretainedValue()
    }

    /// Gives the library bytes of the input, but none of a stream with forbidden codebooks.
    private func read(_ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        let place = input.position
        let got = isBroken ? -1 : input.read(bytes, count)
        // Zero bytes mean the end, after which the library may search endlessly for a beginning. Only errno reports an error.
        if got < 0 { ns_vorbis_read_failed() }
        guard let bytes, got > 0 else { return 0 }
        let read: VorbisSetup.Read = { [input] place, count in
            guard input.seek(to: place) else { return [] }
            return [UInt8](unsafeUninitializedCapacity: count) { $1 = max(0, input.read($0.baseAddress, count)) }
        }
        let end = input.position
        let isAllowed = setup.allows(
            UnsafeRawBufferPointer(start: bytes, count: got), at: place, read: input.isSeekable ? read : nil)
        if input.position != end { _ = input.seek(to: end) }
        if isAllowed { return got }
        isBroken = true
        ns_vorbis_read_failed()
        return 0
    }

    /// - Parameter frame: the frame from the start of the chain, each stream counted at its own rate.
    public func seek(to frame: Int64) throws(DecoderError) {
        if isBroken { throw .damaged }
        let code = functions.seek(file, frame)
        if code == Int32(NS_VORBIS_BAD_LINK) { isBroken = true }
        if code != 0 { throw input.error }
    }

    /// Reads the next interleaved 16-bit samples, in Vorbis' channel order, rounded and clamped by the library. Returns the number of
    /// frames, 0 at the end, and the channels and rate of their stream.
    /// - Parameter bytes: the size of the buffer, at least one frame.
    public func read(
        _ samples: UnsafeMutablePointer<Int16>, bytes: Int
    ) throws(DecoderError) -> (frames: Int, channels: Int, rate: Int) {
        while !isBroken {
            var link: Int32 = 0
            let count = functions.read(
                file, UnsafeMutableRawPointer(samples).assumingMemoryBound(to: CChar.self), Int32(clamping: bytes), 0,
                2, 1, &link)
            if count > 0 {
                // An input that is read in order shows later streams only when they come.
                guard let info = functions.info(file, -1), info.pointee.channels > 0 else { throw .damaged }
                let channels = Int(info.pointee.channels)
                return (frames: Int(count) / (2 * channels), channels: channels, rate: Int(info.pointee.rate))
            }
            if isBroken { throw .damaged }
            if input.hasFailed { throw .unreadable }
            if count == 0 { return (frames: 0, channels: 1, rate: 0) }
            // A hole or an invalid packet: decoding continues after it, at the position of the page.
            isBroken = count == Int(NS_VORBIS_BAD_LINK)
            if count != Int(NS_VORBIS_HOLE) && count != Int(NS_VORBIS_BAD_PACKET) { throw .damaged }
        }
        throw .damaged
    }
}
