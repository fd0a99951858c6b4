// SPDX-License-Identifier: Apache-2.0
import Core
import Streams

/// The segments of a recording or a station (RFC 8216, 4.3.3). Holds its text, and some numbers for each segment.
public struct MediaPlaylist: Equatable, Sendable {
    public struct Segment: Equatable, Sendable {
        /// The place of the segment's address in the text.
        fileprivate let place: Range<Int32>
        public let milliseconds: Int
        /// The part of the address's file; nil for all.
        public let bytes: Range<Int64>?
        /// True if it does not continue the one before: other timestamps, perhaps another encoder.
        public let isDiscontinuous: Bool
        /// True if the server marks it as missing.
        public let isGap: Bool
    }

    static let mostSegments = 20_000
    static let mostBytes = 2 << 20

    private let text: [UInt8]
    private let base: String
    public private(set) var segments: [Segment] = []
    /// The number of the first segment.
    public private(set) var firstSequence: Int64 = 0
    /// The longest duration of a segment, and the shortest interval of the list's changes.
    public private(set) var targetMilliseconds = 10_000
    /// True for a recording: no more segments follow. False for a station.
    public private(set) var isEnded = false

    /// The playing time of all segments.
    public var milliseconds: Int64 { segments.reduce(0) { $0 + Int64($1.milliseconds) } }

    /// Returns the size of the recording at a bit rate.
    func bytes(bitsPerSecond: Int) -> Int64 {
        milliseconds.multipliedSaturated(by: Int64(bitsPerSecond / 8)) / 1000
    }

    /// Returns the playing time of the segments before one.
    func milliseconds(before index: Int) -> Int64 { segments.prefix(index).reduce(0) { $0 + Int64($1.milliseconds) } }

    /// Makes an empty playlist.
    init() {
        text = []
        base = ""
    }

    public init(_ bytes: [UInt8], base: String) throws(SegmentError) {
        text = bytes
        self.base = base
        var lines = PlaylistLines(bytes)
        var duration = 0
        var range: Range<Int64>?
        var rangeEnd: Int64 = 0
        var isDiscontinuous = false
        var isGap = false
        while let line = lines.next() {
            if lines.value(line, "#") == nil {
                if segments.count >= MediaPlaylist.mostSegments {
                    throw SegmentError(message: "a playlist of more than \(MediaPlaylist.mostSegments) segments")
                }
                segments.append(
                    Segment(
                        place: Int32(line.lowerBound)..<Int32(line.upperBound), milliseconds: duration, bytes: range,
                        isDiscontinuous: isDiscontinuous, isGap: isGap))
                (duration, range, isDiscontinuous, isGap) = (0, nil, false, false)
            } else if let value = lines.value(line, "#EXTINF:") {
                duration = lines.milliseconds(value) ?? 0
            } else if let value = lines.value(line, "#EXT-X-BYTERANGE:") {
                guard let part = MediaPlaylist.part(lines, value, after: rangeEnd) else {
                    throw SegmentError(message: "a playlist with a part of a file that makes no sense")
                }
                range = part
                rangeEnd = part.upperBound
            } else if let value = lines.value(line, "#EXT-X-TARGETDURATION:") {
                if let number = lines.milliseconds(value) { targetMilliseconds = max(1000, min(60_000, number)) }
            } else if let value = lines.value(line, "#EXT-X-MEDIA-SEQUENCE:") {
                firstSequence = lines.number(value).map { min($0, 1 << 53) } ?? 0
            } else if lines.value(line, "#EXT-X-DISCONTINUITY") != nil {
                // Its number does not matter.
                if lines.value(line, "#EXT-X-DISCONTINUITY-") == nil { isDiscontinuous = true }
            } else if lines.value(line, "#EXT-X-ENDLIST") != nil {
                isEnded = true
            } else if lines.value(line, "#EXT-X-GAP") != nil {
                isGap = true
            } else if let value = lines.value(line, "#EXT-X-KEY:") {
                try MediaPlaylist.refuseKey(lines, value)
            } else if lines.value(line, "#EXT-X-STREAM-INF:") != nil {
                throw SegmentError(message: "playlists that only name other playlists")
            } else if lines.value(line, "#EXT-X-MAP:") != nil {
                throw SegmentError(message: "segments of fragmented MP4, which are not played")
            }
        }
        if isEnded && segments.isEmpty { throw SegmentError(message: "a playlist without a segment") }
    }

    private static func refuseKey(_ lines: PlaylistLines, _ value: Range<Int>) throws(SegmentError) {
        guard let method = lines.attribute(value, "METHOD"), !lines.isSame(method, "NONE") else { return }
        let name =
            lines.isSame(method, "AES-128") ? "AES-128" : lines.isSame(method, "SAMPLE-AES") ? "SAMPLE-AES" : "a key"
        throw SegmentError(message: "encrypted (\(name)), which is not played")
    }

    /// Parses `LENGTH@OFFSET`, or `LENGTH` for the part that follows the one before.
    private static func part(_ lines: PlaylistLines, _ value: Range<Int>, after end: Int64) -> Range<Int64>? {
        guard let count = lines.number(value), count > 0, count < 1 << 40 else { return nil }
        var at = value.lowerBound
        while at < value.upperBound, !lines.isSame(at..<at + 1, "@") { at += 1 }
        let offset = at < value.upperBound ? lines.number(at + 1..<value.upperBound) : end
        guard let offset, offset < 1 << 40 else { return nil }
        return offset..<offset + count
    }

    /// Returns a segment's address; nil if it is not http or https.
    public func address(_ index: Int) -> String? {
        let place = segments[index].place
        let bytes = text[Int(place.lowerBound)..<Int(place.upperBound)]
        return RelativeAddress.resolved(String(decoding: bytes, as: UTF8.self), base: base)
    }

    /// Returns the segment that begins nearest to a place.
    public func index(near milliseconds: Int64) -> Int {
        var start: Int64 = 0
        for index in segments.indices {
            if milliseconds < start + Int64(segments[index].milliseconds) / 2 { return index }
            start += Int64(segments[index].milliseconds)
        }
        return segments.count
    }
}
