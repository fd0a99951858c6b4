// SPDX-License-Identifier: Apache-2.0
import Media

/// The audio frames in a segment, without the bytes around them. MPEG audio and AAC in ADTS, plain or in an MPEG transport stream.
struct SegmentSound {
    /// The properties that two segments must share to follow one another. Never 0.
    struct Kind: Equatable {
        let number: UInt32
        let samplesPerFrame: Int
        let rate: Int
    }

    /// The audio, without tags. Before the first frame there may be the end of the previous segment's last one.
    let bytes: [UInt8]
    let kind: Kind
    /// The number of whole frames.
    let frameCount: Int

    /// - Throws: the reason why it is unplayable.
    init(_ segment: [UInt8]) throws(SegmentError) {
        var start = 0
        while let tag = SegmentSound.tag(segment, at: start) { start = tag }
        var sound = SegmentSound.rest(of: segment, from: start)
        if let demuxed = sound.withUnsafeBytes({ TransportStream($0) }) {
            guard demuxed.kind != nil else {
                throw SegmentError(
                    message: demuxed.foreign.map { "segments of MPEG-TS with \($0), which is not played" }
                        ?? "segments of MPEG-TS without sound")
            }
            sound = demuxed.sound
        }
        let found = sound.withUnsafeBytes { SegmentSound.firstFrame($0) }
        guard let found else { throw SegmentError(message: "segments of " + SegmentSound.name(segment)) }
        kind = found.kind
        // An encoder's Xing header is wrong for a part, and audible as silence in the middle.
        let isInfo = found.kind.number & 1 == 0 && sound.withUnsafeBytes { SegmentSound.isInfo($0, at: found.place) }
        var ends = [found.place]
        sound.withUnsafeBytes { sound in
            while let frame = SegmentSound.frame(sound, at: ends[ends.count - 1]), frame.kind == found.kind {
                ends.append(ends[ends.count - 1] + frame.count)
            }
        }
        let leavesInfo = isInfo && ends.count > 2
        bytes = leavesInfo ? SegmentSound.rest(of: sound, from: ends[1]) : sound
        frameCount = ends.count - (leavesInfo ? 2 : 1)
    }

    /// Copies at once: an array of a slice is filled byte by byte.
    private static func rest(of bytes: [UInt8], from start: Int) -> [UInt8] {
        if start == 0 { return bytes }
        return bytes.withUnsafeBytes { whole in
            [UInt8](unsafeUninitializedCapacity: whole.count - start) { room, got in
                UnsafeMutableRawBufferPointer(room).copyMemory(from: UnsafeRawBufferPointer(rebasing: whole[start...]))
                got = whole.count - start
            }
        }
    }

    private static func isInfo(_ bytes: UnsafeRawBufferPointer, at: Int) -> Bool {
        guard let header = FrameHeader(word(bytes, at)), at + 8 + header.sideBytes <= bytes.count else { return false }
        let word = word(bytes, at + 4 + header.sideBytes)
        return word == 0x5869_6E67 || word == 0x496E_666F
    }

    var milliseconds: Int { Int(Int64(frameCount) * Int64(kind.samplesPerFrame) * 1000 / Int64(kind.rate)) }

    // MARK: Frames

    private static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
        UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8 | UInt32(bytes[at + 3])
    }

    /// Returns the whole frame at a place; nil for none.
    static func frame(_ bytes: UnsafeRawBufferPointer, at: Int) -> (kind: Kind, count: Int)? {
        guard at + ADTSHeader.leastBytes <= bytes.count, bytes[at] == 0xFF else { return nil }
        if let header = ADTSHeader(bytes, at: at) {
            guard at + header.frameBytes <= bytes.count else { return nil }
            // Odd, so that it differs from all others.
            let number = UInt32(header.objectType << 16 | header.rateIndex << 8 | header.channels << 1 | 1)
            return (Kind(number: number, samplesPerFrame: 1024, rate: header.rate), header.frameBytes)
        }
        guard let header = FrameHeader(word(bytes, at)), let count = header.frameBytes, count >= 4 + header.sideBytes,
            at + count <= bytes.count
        else { return nil }
        let kind = Kind(
            number: header.word & 0xFFFE_0C00 | (header.mode == .mono ? 2 : 0), samplesPerFrame: header.samplesPerFrame,
            rate: header.sampleRate)
        return (kind, count)
    }

    /// Returns the first frame that two more follow, or the end.
    private static func firstFrame(_ bytes: UnsafeRawBufferPointer) -> (place: Int, kind: Kind)? {
        var at = 0
        while at < min(bytes.count, 64 * 1024) {
            if let first = frame(bytes, at: at) {
                var place = at + first.count
                var count = 1
                while count < 3, let next = frame(bytes, at: place), next.kind == first.kind {
                    place += next.count
                    count += 1
                }
                if count == 3 || bytes.count - place < 4 { return (at, first.kind) }
            }
            at += 1
        }
        return nil
    }

    // MARK: Tags

    /// Returns the end of the ID3 tag at a place; nil for none.
    private static func tag(_ bytes: [UInt8], at: Int) -> Int? {
        guard let tag = ID3v2Header(bytes[at...]), tag.tagBytes <= bytes.count - at else { return nil }
        return at + Int(tag.tagBytes)
    }

    /// Returns the segment's likely format, for a message.
    private static func name(_ bytes: [UInt8]) -> String {
        func holds(_ word: StaticString, at: Int) -> Bool {
            bytes.count >= at + word.utf8CodeUnitCount
                && word.withUTF8Buffer { bytes[at..<at + word.utf8CodeUnitCount].elementsEqual($0) }
        }
        for box: StaticString in ["ftyp", "styp", "moof", "moov", "sidx"] where holds(box, at: 4) {
            return "fragmented MP4, which are not played"
        }
        if holds("WEBVTT", at: 0) { return "words" }
        if holds("<", at: 0) { return "text: a page of the web?" }
        if bytes.count > 1 && bytes[0] == 0x0B && bytes[1] == 0x77 { return "AC-3, which is not played" }
        return "what is neither MP3 nor AAC, or is encrypted"
    }
}
