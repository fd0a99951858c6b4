// SPDX-License-Identifier: Apache-2.0
/// Reads the frames of an uncompressed recording.
final class PCMDecoding: AudioDecoding {
    private static let bufferBytes = 32 * 1024

    private let source: any ByteSource
    private let layout: PCMLayout
    private let mix: ChannelMix?
    let channels: Int
    private var next: Int64 = 0
    /// The buffer for samples that must be converted; nil if they are read to their destination.
    private let buffer: UnsafeMutableRawBufferPointer?
    private let wide: UnsafeMutablePointer<Int16>?

    var rate: Int { layout.rate }
    var frameCount: Int64? { layout.frameCount }

    init(_ source: any ByteSource, _ layout: PCMLayout) throws(MediaError) {
        self.source = source
        self.layout = layout
        if layout.channels > 2 {
            guard let mix = ChannelMix(channels: layout.channels, order: .wave) else {
                throw .unsupported("sound of \(layout.channels) channels")
            }
            self.mix = mix
        } else {
            mix = nil
        }
        channels = min(2, layout.channels)
        buffer =
            layout.encoding.isNative && mix == nil
            ? nil : .allocate(byteCount: PCMDecoding.bufferBytes, alignment: 16)
        wide = mix == nil ? nil : .allocate(capacity: PCMDecoding.bufferBytes / layout.encoding.bytes)
    }

    deinit {
        buffer?.deallocate()
        wide?.deallocate()
    }

    func seek(toFrame frame: Int64, goOn: () -> Bool) throws(MediaError) {
        next = min(layout.frameCount, max(0, frame))
    }

    func decode(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(MediaError) -> Int {
        let frameBytes = layout.frameBytes
        var count = Int(min(Int64(frames), layout.frameCount - next))
        if let buffer { count = min(count, buffer.count / frameBytes) }
        if count <= 0 { return 0 }
        let into = UnsafeMutableRawBufferPointer(
            start: buffer?.baseAddress ?? UnsafeMutableRawPointer(samples), count: count * frameBytes)
        let got: Int
        do throws(SourceError) {
            got = try source.read(into: into, at: layout.start + next * Int64(frameBytes)) / frameBytes
        } catch { throw .source(error) }
        if let buffer {
            let from = UnsafeRawPointer(buffer.baseAddress!)
            layout.encoding.convert(from, to: wide ?? samples, count: got * layout.channels)
            if let wide { mix?.mix(wide, to: samples, frames: got) }
        }
        next += Int64(got)
        return got
    }
}
