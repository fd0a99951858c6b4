// SPDX-License-Identifier: Apache-2.0
/// Finds the length of a recording that does not state it, from its decoder or by a walk over everything.
final class FrameCounting: SeekTableMaking {
    private static let pieceFrames = 16 * 1024

    private let decoder: any AudioDecoding
    private var frames: Int64 = 0
    private(set) var table: SeekTable?

    init(_ decoder: any AudioDecoding) { self.decoder = decoder }

    func step() throws(MediaError) -> Bool {
        if let count = decoder.frameCount {
            frames = count
        } else {
            let samples = UnsafeMutablePointer<Int16>.allocate(capacity: FrameCounting.pieceFrames * decoder.channels)
            defer { samples.deallocate() }
            let count = try decoder.decode(into: samples, frames: FrameCounting.pieceFrames)
            frames += Int64(count)
            if count > 0 { return false }
        }
        table = MediaProbe.milliseconds(frames: frames, rate: decoder.rate).map {
            SeekTable(durationMilliseconds: $0, own: [])
        }
        return true
    }
}
