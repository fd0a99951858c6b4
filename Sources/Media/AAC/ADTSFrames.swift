// SPDX-License-Identifier: Apache-2.0
/// Walks over the frames of an ADTS stream and skips everything else. A frame counts if another follows at its end, or the stream ends
/// there. One thread at a time.
final class ADTSFrames: UnitWalk {
    /// The most bytes without a frame; beyond that the stream has ended.
    private static let mostRubbish: Int64 = 1 << 20

    let window: ByteWindow
    let extent: AudioExtent
    /// The header of the first frame; frames of another kind are skipped.
    private(set) var first: ADTSHeader?
    /// The place of the next frame, as far as known.
    private(set) var place = UnitPlace()
    /// True if a frame is expected at the place, so that the one behind it need not be checked.
    private var isInStep = false

    init(_ source: any ByteSource, _ extent: AudioExtent) {
        window = ByteWindow(source, bytes: Units.windowBytes)
        self.extent = extent
        place.offset = extent.start
    }

    func jump(to place: UnitPlace) {
        self.place = place
        // Known places were reached frame by frame.
        isInStep = place.unit > 0
    }

    /// Returns the place of the next frame's unit; nil at the end. A truncated last frame does not count.
    func next() throws(SourceError) -> (offset: Int64, bytes: Int64)? {
        var searched: Int64 = 0
        while searched <= ADTSFrames.mostRubbish {
            let bytes = try window.bytes(at: place.offset, count: Int(clamping: min(extent.end - place.offset, 16)))
            let count = Int(clamping: min(Int64(bytes.count), extent.end - place.offset))
            if count < ADTSHeader.leastBytes { return nil }
            if let header = ADTSHeader(bytes, at: 0), try isBelieved(header) {
                if first == nil { first = header }
                isInStep = true
                let unit = (place.offset + Int64(header.headerBytes), Int64(header.frameBytes - header.headerBytes))
                place.offset += Int64(header.frameBytes)
                place.unit += 1
                return unit
            }
            isInStep = false
            // Find the next possible start of a frame.
            let held = try window.bytes(at: place.offset, count: 16)
            var at = 1
            let most = Int(clamping: min(Int64(held.count), extent.end - place.offset))
            while at < most && held[at] != 0xFF { at += 1 }
            place.offset += Int64(at)
            searched += Int64(at)
        }
        return nil
    }

    var entriesAtOnce: Int64 { 1 }

    func settle() throws(SourceError) -> Bool { true }

    func skip(_ count: Int64) throws(SourceError) -> Int64 {
        var done: Int64 = 0
        while done < count, try next() != nil { done += 1 }
        return done
    }

    /// Returns true if a frame begins at the place.
    private func isBelieved(_ header: ADTSHeader) throws(SourceError) -> Bool {
        if let first, !header.isLike(first) { return false }
        if Int64(header.frameBytes) > extent.end - place.offset { return false }
        if isInStep { return true }
        let end = place.offset + Int64(header.frameBytes)
        if extent.end - end < Int64(ADTSHeader.leastBytes) { return true }
        let bytes = try window.bytes(at: place.offset, count: header.frameBytes + ADTSHeader.leastBytes)
        guard bytes.count >= header.frameBytes + ADTSHeader.leastBytes,
            let next = ADTSHeader(bytes, at: header.frameBytes)
        else { return false }
        return next.isLike(header)
    }
}
