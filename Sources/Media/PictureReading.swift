// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// Reads the picture of a recording in pieces: from the file's tags, where the front cover comes first, or from a separate file. Worker
/// thread.
public final class PictureReading {
    private static let pieceBytes = 64 * 1024

    private enum Stage {
        case opening
        /// Reads the tags to choose a picture, then to fetch it.
        case choosing, fetching
        /// Copies stored bytes.
        case copying
        case done
    }

    private let source: MediaSource
    private let isEmbedded: Bool
    private let mostBytes: Int
    private var stage = Stage.opening
    private var file: (any ByteSource)?
    private var frames: ID3v2Frames?
    private var tagStart: Int64 = 0
    private var tagEnd: Int64 = 0
    /// The bytes left to copy.
    private var left: Range<Int64> = 0..<0
    private var frameNumber = 0
    private var chosen: Int?
    private var mime = ""
    private var bytes: [UInt8] = []
    private var isWhole = false

    /// - Parameters:
    ///   - isEmbedded: true if the source is a recording with the picture in its tags; false if the source is the picture.
    ///   - mostBytes: the largest picture; a larger one counts as none.
    public init(_ source: MediaSource, isEmbedded: Bool, mostBytes: Int = 16 << 20) {
        self.source = source
        self.isEmbedded = isEmbedded
        self.mostBytes = min(mostBytes, EmbeddedPicture.mostBytes)
    }

    /// The picture; nil before `step` has returned true, or without one.
    public var picture: Picture? {
        stage == .done && isWhole && !bytes.isEmpty ? Picture(mime: mime, bytes: bytes) : nil
    }

    /// Reads once, or a few times a little. Returns true when done.
    public func step() throws(SourceError) -> Bool {
        if stage == .opening && isEmbedded && Fuse.refuses(source.name) { stage = .done }
        let mark = Fuse.begin(source.name)
        defer { Fuse.end(mark) }
        switch stage {
        case .opening:
            let opened = try source.open()
            let isComing = isEmbedded && source.stream != nil && !source.isWhole
            file = isComing ? ArrivedSource(opened, byteCount: source.stream?.lengthBytes) : opened
            if isEmbedded { beginEmbedded() } else { beginFile() }
        case .choosing: choose()
        case .fetching: fetch()
        case .copying: try copy()
        case .done: break
        }
        if stage == .done {
            file = nil
            frames = nil
        }
        return stage == .done
    }

    // MARK: In the file

    private func beginEmbedded() {
        stage = .choosing
        guard let file, let head = try? MediaHead(file), let format = try? MediaFormats.format(of: head) else {
            return begin()
        }
        switch format.picture(head) {
        case .id3(let offset)?:
            tagStart = offset
            begin()
        case .stored(let offset, let count, let mime)?:
            self.mime = mime
            beginCopy(at: offset, byteCount: count)
        case .held(let picture)?:
            mime = picture.mime
            isWhole = true
            stage = .done
            take(picture.bytes)
        case nil: stage = .done
        }
    }

    // MARK: In tags

    /// Starts at the first tag.
    private func begin() {
        tagEnd = 0
        frameNumber = 0
        frames = tag(at: tagStart)
        if frames == nil { stage = .done }
    }

    private func tag(at offset: Int64) -> ID3v2Frames? {
        guard let file else { return nil }
        let frames = ID3v2Frames(file, at: offset)
        if let frames { tagEnd = offset + frames.tagBytes }
        return frames
    }

    /// Returns the next frame of any tag; nil after the last.
    private func nextFrame() -> ID3v2Frames.Frame? {
        while frames != nil {
            if let frame = frames?.next() {
                frameNumber += 1
                return frame
            }
            frames = tag(at: tagEnd)
        }
        return nil
    }

    private static func isPicture(_ frame: ID3v2Frames.Frame) -> Bool { frame.id == "APIC" || frame.id == "PIC" }

    private func choose() {
        guard let frame = nextFrame() else {
            if chosen == nil { stage = .done } else { fetchChosen() }
            return
        }
        guard PictureReading.isPicture(frame), let head = EmbeddedPicture(&frames!) else { return }
        if chosen == nil || head.isFrontCover { chosen = frameNumber }
        if head.isFrontCover { fetchChosen() }
    }

    private func fetchChosen() {
        stage = .fetching
        begin()
    }

    private func fetch() {
        if frameNumber < chosen ?? 0 {
            guard nextFrame() != nil else {
                stage = .done
                return
            }
            if frameNumber == chosen {
                guard let head = EmbeddedPicture(&frames!) else {
                    stage = .done
                    return
                }
                mime = head.mime
                bytes = head.first
            }
            return
        }
        let piece = frames!.body(limit: PictureReading.pieceBytes)
        take(piece)
        if frames!.bodyLeft == 0 && stage == .fetching {
            isWhole = true
            stage = .done
        }
    }

    private func take(_ piece: [UInt8]) {
        bytes += piece
        if bytes.count > mostBytes { giveUp() }
    }

    private func giveUp() {
        bytes = []
        stage = .done
    }

    // MARK: Byte by byte

    private func beginFile() { beginCopy(at: 0, byteCount: file?.byteCount ?? .max) }

    private func beginCopy(at offset: Int64, byteCount: Int64) {
        stage = byteCount > Int64(mostBytes) ? .done : .copying
        left = offset..<max(offset, offset.addingSaturated(byteCount))
    }

    private func copy() throws(SourceError) {
        guard let file else { return }
        let wanted = Int(min(Int64(PictureReading.pieceBytes), left.upperBound - left.lowerBound))
        let piece: [UInt8]
        do throws(SourceError) { piece = try file.bytes(at: left.lowerBound, count: wanted) } catch {
            giveUp()
            throw error
        }
        left = min(left.upperBound, left.lowerBound + Int64(piece.count))..<left.upperBound
        take(piece)
        if (piece.count < wanted || left.isEmpty) && stage == .copying {
            if mime == "" { mime = Picture.mime(of: bytes) }
            // A separate picture that became shorter is complete; an embedded one is truncated.
            isWhole = left.isEmpty || !isEmbedded
            stage = .done
        }
    }
}
