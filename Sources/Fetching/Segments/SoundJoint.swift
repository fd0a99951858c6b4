import Media

/// Has the sound of one rendition follow that of another. Frames of AAC stand for themselves. Those of MP3 do not: a frame's data may begin
/// in the frames before it (the bit reservoir), which the other rendition does not have. So the first frame is written anew: longer, with all
/// of its data in it, and with what the next one takes from it at its end. No frame is added, and none is left out.
enum SoundJoint {
    /// So much of the segment before has all that a frame may look back to.
    static let tailBytes = 4096

    enum Joined {
        case bytes([UInt8])
        /// The end of the segment before is needed: its bytes, or as much as `tailBytes` of them.
        case needsTail
    }

    /// - Parameters:
    ///   - skipped: frames at the start that the other rendition has given already.
    ///   - tail: the end of the segment before, of the same rendition; nil where it was not asked for.
    static func join(_ sound: SegmentSound, skipping skipped: Int, tail: [UInt8]?) -> Joined {
        guard skipped < sound.frames.count else { return .bytes([]) }
        let first = sound.frames[skipped]
        let plain = Array(sound.bytes[first.place...])
        return sound.bytes.withUnsafeBytes { bytes -> Joined in
            guard let frame = LayerThreeFrame(bytes, first), frame.lookBack > 0 else { return .bytes(plain) }
            // What the frames before it hold, the last of it first.
            var reservoir: [UInt8] = []
            for before in sound.frames[..<skipped].reversed() where reservoir.count < frame.lookBack {
                if let other = LayerThreeFrame(bytes, before) { reservoir = bytes[other.data] + reservoir }
            }
            if reservoir.count < frame.lookBack {
                guard let tail else { return .needsTail }
                reservoir = SoundJoint.data(atEndOf: tail, kind: sound.kind) + reservoir
            }
            guard reservoir.count >= frame.lookBack else { return .bytes(plain) }
            let next = skipped + 1 < sound.frames.count ? LayerThreeFrame(bytes, sound.frames[skipped + 1]) : nil
            guard
                let rewritten = frame.standingAlone(
                    bytes, reservoir.suffix(frame.lookBack), nextLooksBack: next?.lookBack ?? 0)
            else { return .bytes(plain) }
            return .bytes(rewritten + plain[first.count...])
        }
    }

    /// The data of the frames that end where the bytes do.
    private static func data(atEndOf tail: [UInt8], kind: SegmentSound.Kind) -> [UInt8] {
        tail.withUnsafeBytes { bytes in
            for start in 0..<bytes.count {
                var at = start
                var data: [UInt8] = []
                while let frame = SegmentSound.frame(bytes, at: at), frame.kind == kind {
                    if let other = LayerThreeFrame(bytes, SegmentSound.Frame(place: at, count: frame.count)) {
                        data += bytes[other.data]
                    }
                    at += frame.count
                }
                if at == bytes.count && at > start { return data }
            }
            return []
        }
    }
}

/// A frame of layer III, and where its data is.
private struct LayerThreeFrame {
    let header: FrameHeader
    let place: Int
    /// Behind head, checksum and side information.
    let data: Range<Int>
    /// So many bytes before it, of data alone, its own begins.
    let lookBack: Int

    init?(_ bytes: UnsafeRawBufferPointer, _ frame: SegmentSound.Frame) {
        let at = frame.place
        let word =
            UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8 | UInt32(bytes[at + 3])
        guard let header = FrameHeader(word), header.layer == 3, frame.count >= 4 + header.sideBytes else { return nil }
        self.header = header
        place = at
        data = at + 4 + header.sideBytes..<at + frame.count
        let side = at + (header.hasCRC ? 6 : 4)
        guard side + 2 <= bytes.count else { return nil }
        lookBack = header.version == .mpeg1 ? Int(bytes[side]) << 1 | Int(bytes[side + 1] >> 7) : Int(bytes[side])
    }

    /// The same with all of its data in it; nil where no frame is long enough.
    func standingAlone(
        _ bytes: UnsafeRawBufferPointer, _ reservoir: ArraySlice<UInt8>, nextLooksBack: Int
    ) -> [UInt8]? {
        // Its own data, and what of its end belongs to the next.
        var content = Array(reservoir) + bytes[data]
        let shared = min(nextLooksBack, content.count)
        var own = content.count - shared
        let sideStart = place + (header.hasCRC ? 6 : 4)
        var side = Array(bytes[sideStart..<data.lowerBound])
        guard let most = longest() else { return nil }
        if content.count > most {
            // What is neither its own nor the next one's fills up.
            let needed = min(own, dataBytes(side))
            guard needed + shared <= most else { return nil }
            content = Array(content[..<needed]) + content[(content.count - shared)...]
            own = needed
        }
        for index in 1..<15 {
            // Without a checksum, and without padding.
            let word = header.word & 0xFFFF_0DFF | 0x0001_0000 | UInt32(index) << 12
            guard let candidate = FrameHeader(word), let count = candidate.frameBytes else { continue }
            let room = count - 4 - side.count
            if room < content.count { continue }
            if header.version == .mpeg1 {
                side[0] = 0
                side[1] &= 0x7F
            } else {
                side[0] = 0
            }
            var frame = [UInt8(word >> 24), UInt8(word >> 16 & 255), UInt8(word >> 8 & 255), UInt8(word & 255)]
            frame += side
            frame += content[..<own]
            frame += [UInt8](repeating: 0, count: room - content.count)
            frame += content[own...]
            return frame
        }
        return nil
    }

    /// Data that fits into the longest frame there is.
    private func longest() -> Int? {
        guard let longest = FrameHeader(header.word & 0xFFFF_0DFF | 0x0001_0000 | 14 << 12),
            let count = longest.frameBytes
        else { return nil }
        return count - 4 - longest.sideBytes
    }

    /// Of its own data, as its side information says.
    private func dataBytes(_ side: [UInt8]) -> Int {
        let isFirst = header.version == .mpeg1
        let channels = header.channels
        var bit = isFirst ? (channels == 1 ? 18 : 20) : (channels == 1 ? 9 : 10)
        var bits = 0
        for _ in 0..<(isFirst ? 2 : 1) * channels {
            var length = 0
            for at in bit..<bit + 12 where at / 8 < side.count {
                // Fits: twelve bits.
                length = length << 1 | Int(side[at / 8] >> UInt8(7 - at % 8) & 1)
            }
            bits += length
            bit += isFirst ? 59 : 63
        }
        return (bits + 7) / 8
    }
}
