// SPDX-License-Identifier: Apache-2.0
/// An MP4 (M4A, M4B) that was opened: the places of its sound, its tags and its chapters, and the audible part. Small reads only, however
/// long the file.
final class MP4Movie {
    private static let windowBytes = 4096
    private static let mostTracks = 64

    let source: any ByteSource
    /// The track that is played.
    let sound: MP4Track
    let config: AudioConfig
    private(set) var tracks: [MP4Track] = []
    /// Ticks a second of what holds for all tracks.
    private(set) var timescale: Int64 = 0
    /// Holds the list of tags (ilst) and of chapters (chpl); nil where there is none.
    private(set) var userData: Box?
    let window: ByteWindow
    /// The fragments, if the sound's tables are not in front.
    let fragments: Fragments?

    /// The sound stands in fragments, one behind the other.
    struct Fragments {
        let track: UInt32
        /// Of each unit, where a fragment says nothing else; 0 for nothing.
        let unitBytes: Int64
        /// They come behind here.
        let start: Int64
    }

    /// Returns whether the first bytes are those of an MP4, or of the rest that a tagger left.
    static func isOne(_ head: some RandomAccessCollection<UInt8>) -> Bool {
        guard head.count >= 8 else { return false }
        var kind: UInt32 = 0
        for byte in head.dropFirst(4).prefix(4) { kind = kind << 8 | UInt32(byte) }
        switch kind {
        case Box.kind("ftyp"), Box.kind("moov"): return true
        case Box.kind("mdat"), Box.kind("free"), Box.kind("skip"), Box.kind("wide"), Box.kind("pnot"):
            // The boxes that old QuickTime files begin with, of a size that can be.
            return head.first! < 0x40
        default: return false
        }
    }

    /// Worker and feed threads.
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

    /// The content of a file's boxes, before any judgement.
    private struct Contents {
        var tracks: [MP4Track] = []
        var timescale: Int64 = 0
        var userData: Box?
        var isFragmented = false
        var movieEnd: Int64 = 0
        /// By track, of the units of its fragments.
        private var unitBytes: [(track: UInt32, bytes: Int64)] = []
        var sound: MP4Track?
        var config: AudioConfig?
        /// Of the first sound track that cannot be played.
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
    /// The place of the sound: from its first unit to the end of the box of media (mdat) that it stands in. Taggers rewrite only other
    /// parts, so this much of the file stays the same, wherever it is moved.
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

    /// Returns whether the last chunk begins within the file: one that was cut is shorter than its tables say.
    func isWhole() throws(SourceError) -> Bool {
        // The total length of the fragments is not counted yet.
        if fragments != nil { return false }
        let chunks = sound.tables.chunks
        guard chunks.count > 0 else { return false }
        let bytes = Int(chunks.entryBits / 8)
        let last = try window.bytes(at: chunks.offset(of: chunks.count - 1), count: bytes)
        guard last.count >= bytes else { return false }
        return (bytes == 8 ? last.wideNumber(at: 0) : Int64(last.number(at: 0))) < source.byteCount ?? .max
    }
}
