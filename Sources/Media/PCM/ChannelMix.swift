// SPDX-License-Identifier: Apache-2.0
/// Mixes more than two channels down to two: the center to both sides, rear channels to their own side, each at -3 dB. The subwoofer is
/// dropped. The result is as loud as possible without clipping (ITU-R BS.775, scaled).
struct ChannelMix {
    /// The order of the channels.
    enum Order {
        /// The order of WAV and FLAC.
        case wave
        /// The order of Vorbis.
        case vorbis
    }

    private enum Side { case left, right, centre, backLeft, backRight, backCentre, low }

    private static let unity: Int32 = 32768
    let channels: Int
    /// The weight of each channel on each side, in 1/32768.
    private let weights: [(left: Int32, right: Int32)]

    /// Returns nil if a channel's position is unknown, and for one or two channels, which stay unchanged.
    init?(channels: Int, order: Order) {
        let sides: [Side]
        switch (channels, order) {
        case (3, .wave): sides = [.left, .right, .centre]
        case (3, .vorbis): sides = [.left, .centre, .right]
        case (4, _): sides = [.left, .right, .backLeft, .backRight]
        case (5, .wave): sides = [.left, .right, .centre, .backLeft, .backRight]
        case (5, .vorbis): sides = [.left, .centre, .right, .backLeft, .backRight]
        case (6, .wave): sides = [.left, .right, .centre, .low, .backLeft, .backRight]
        case (6, .vorbis): sides = [.left, .centre, .right, .backLeft, .backRight, .low]
        case (7, .wave): sides = [.left, .right, .centre, .low, .backCentre, .backLeft, .backRight]
        case (7, .vorbis): sides = [.left, .centre, .right, .backLeft, .backRight, .backCentre, .low]
        case (8, .wave): sides = [.left, .right, .centre, .low, .backLeft, .backRight, .backLeft, .backRight]
        case (8, .vorbis): sides = [.left, .centre, .right, .backLeft, .backRight, .backLeft, .backRight, .low]
        default: return nil
        }
        self.channels = channels
        let part: Int32 = 23170
        var raw: [(left: Int32, right: Int32)] = []
        var sum: Int32 = 0
        for side in sides {
            let weight: (left: Int32, right: Int32)
            switch side {
            case .left: weight = (ChannelMix.unity, 0)
            case .right: weight = (0, ChannelMix.unity)
            case .centre: weight = (part, part)
            case .backLeft: weight = (part, 0)
            case .backRight: weight = (0, part)
            case .backCentre: weight = (part / 2, part / 2)
            case .low: weight = (0, 0)
            }
            raw.append(weight)
            sum += weight.left
        }
        weights = raw.map {
            (
                left: Int32(Int64($0.left) * Int64(ChannelMix.unity) / Int64(sum)),
                right: Int32(Int64($0.right) * Int64(ChannelMix.unity) / Int64(sum))
            )
        }
    }

    /// Mixes frames, also in place: each frame is read before it is written.
    func mix(_ from: UnsafePointer<Int16>, to samples: UnsafeMutablePointer<Int16>, frames: Int) {
        for frame in 0..<frames {
            var (left, right): (Int32, Int32) = (ChannelMix.unity / 2, ChannelMix.unity / 2)
            for channel in 0..<channels {
                let sample = Int32(from[frame * channels + channel])
                left += sample * weights[channel].left
                right += sample * weights[channel].right
            }
            samples[2 * frame] = Int16(clamping: left >> 15)
            samples[2 * frame + 1] = Int16(clamping: right >> 15)
        }
    }
}
