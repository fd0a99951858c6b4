// SPDX-License-Identifier: Apache-2.0
/// An open MP4 (M4A, M4B): its sound, tags and chapters, and the audible part. It needs only small reads, however long the file.
final class MP4Movie {
    private static let windowBytes = 4096
    private static let mostTracks = 64

    let source: any ByteSource
    /// The track that is played.
    let sound: MP4Track
    let config: AudioConfig
    private(set) var tracks: [MP4Track] = []
    /// The number of the movie's ticks a second.
    private(set) var timescale: Int64 = 0
    /// The box with the lists of tags (ilst) and chapters (chpl); nil without one.
    private(set) var userData: Box?
    let window: ByteWindow
    /// The fragments, if the sound's tables are not at the beginning.
    let fragments: Fragments?

    /// The consecutive fragments that contain the sound.
    struct Fragments {
        let track: UInt32
        /// The default size of a unit; 0 for none.
        let unitBytes: Int64
        /// The offset after which they follow.
        let start: Int64
    }

    /// Returns true for the first bytes of an MP4, or of an MP4 that a tagger rewrote.
    static func isOne(_ head: some RandomAccessCollection<UInt8>) -> Bool {
        guard head.count >= 8 else { return false }
        var kind: UInt32 = 0
        for byte in head.dropFirst(4).prefix(4) { kind = kind << 8 | UInt32(byte) }
        switch kind {
        case Box.kind("ftyp"), Box.kind("moov"): return true
        case Box.kind("mdat"), Box.kind("free"), Box.kind("skip"), Box.kind("wide"), Box.kind("pnot"):
            // Old QuickTime files begin with these boxes, of a plausible size.
            return head.first! < 0x40
        default: return false
        }
    }

    /// Opens the file. Worker and feed threads.
    init(_ source: any ByteSource) throws(MediaError) {
        self.source = source
        let window = ByteWindow(source, bytes: MP4Movie.windowBytes)
        self.window = window
        let contents: Contents
        do throws(SourceError) { contents = try Contents(window) } catch { throw .source(error) }
        guard let sound = contents.sound, let config = contents.config, sound.timescale > 0, sound.timescale <= 1 << 31
        else { throw contents.refusal.map { .unsupported($0) } ?? .noAudio }
        if sound.tables.unitCount > 0 {
            fragments = nil
        } else {
            guard contents.isFragmented else { throw .noAudio }
            fragments = Fragments(
                track: sound.id, unitBytes: contents.unitBytes(of: sound.id), start: contents.movieEnd)
        }
        self.sound = sound
        self.config = config
        tracks = contents.tracks
        timescale = contents.timescale
        userData = contents.userData
    }

    /// The boxes of a file, before any decision.
    private struct Contents {
        var tracks: [MP4Track] = []
        var timescale: Int64 = 0
        var userData: Box?
        var isFragmented = false
        var movieEnd: Int64 = 0
        /// The default sizes of units in fragments, by track.
        private var unitBytes: [(track: UInt32, bytes: Int64)] = []
        var sound: MP4Track?
        var config: AudioConfig?
        /// The refusal of the first sound track that cannot be played.
        var refusal: String?

        init(_ window: ByteWindow) throws(SourceError) {
            var top = BoxWalk(window, 0..<(window.source.byteCount ?? .max))
            guard let movie = try top.next("moov") else { return }
            movieEnd = movie.end
            var boxes = BoxWalk(window, in: movie)
            while let box = try boxes.next() {
                switch box.kind {
                case Box.kind("mvhd"):
                    let head = try window.bytes(at: box.start, count: Int(min(24, box.byteCount)))
                    if head.count >= 24 { timescale = Int64(head.number(at: head[0] == 1 ? 20 : 12)) }
                case Box.kind("mvex"):
                    isFragmented = true
                    try takeDefaults(box, window)
                case Box.kind("udta"), Box.kind("meta"): if userData == nil || box.isNamed("udta") { userData = box }
                case Box.kind("trak"):
                    if tracks.count == MP4Movie.mostTracks { break }
                    let track = try MP4Track(box, window)
                    tracks.append(track)
                    if track.isSound && sound == nil { try take(sound: track, window) }
                default: break
                }
            }
        }

        func unitBytes(of track: UInt32) -> Int64 { unitBytes.first { $0.track == track }?.bytes ?? 0 }

        private mutating func takeDefaults(_ box: Box, _ window: ByteWindow) throws(SourceError) {
            var boxes = BoxWalk(window, in: box)
            while unitBytes.count < MP4Movie.mostTracks, let part = try boxes.next("trex") {
                let head = try window.bytes(at: part.start, count: Int(min(20, part.byteCount)))
                if head.count >= 20 { unitBytes.append((head.number(at: 4), Int64(head.number(at: 16)))) }
            }
        }

        private mutating func take(sound track: MP4Track, _ window: ByteWindow) throws(SourceError) {
            guard let description = track.description, let entry = try SampleEntry(description, window) else { return }
            switch entry {
            case .aac(let config):
                sound = track
                self.config = config
            case .refused(let name): if refusal == nil { refusal = name }
            }
        }
    }
}

extension MP4Movie {
    /// Returns the extent of the sound: from its first unit to the end of its mdat box. Taggers rewrite only other parts, so these bytes
    /// stay the same wherever they move.
    func audioExtent() throws(SourceError) -> AudioExtent {
        if let fragments {
            let cursor = FragmentCursor(source, fragments)
            let start = try cursor.settle() ? cursor.place.offset : fragments.start
            return AudioExtent(start: start, end: max(start, source.byteCount ?? .max))
        }
        let cursor = UnitCursor(source, sound.tables, windowBytes: MP4Movie.windowBytes)
        guard try cursor.settle() else { return AudioExtent(start: 0, end: 0) }
        let start = cursor.place.offset
        let fileEnd = source.byteCount ?? .max
        var boxes = BoxWalk(window, 0..<fileEnd)
        while let box = try boxes.next() {
            if box.isNamed("mdat") && box.start <= start && start < box.end {
                return AudioExtent(start: start, end: box.end)
            }
        }
        return AudioExtent(start: min(start, fileEnd), end: fileEnd)
    }

    /// Returns true if the last chunk begins within the file. A truncated file is shorter than its tables say.
    func isWhole() throws(SourceError) -> Bool {
        // The fragments are not counted yet.
        if fragments != nil { return false }
        let chunks = sound.tables.chunks
        guard chunks.count > 0 else { return false }
        let bytes = Int(chunks.entryBits / 8)
        let last = try window.bytes(at: chunks.offset(of: chunks.count - 1), count: bytes)
        guard last.count >= bytes else { return false }
        return (bytes == 8 ? last.wideNumber(at: 0) : Int64(last.number(at: 0))) < source.byteCount ?? .max
    }
}
