// SPDX-License-Identifier: Apache-2.0
import Streams

/// A recording or a station in several qualities (RFC 8216, 4.3.4), without renditions that have only pictures.
public struct MasterPlaylist: Equatable, Sendable {
    public struct Rendition: Equatable, Sendable {
        public let address: String
        /// The bits per second, from the playlist; 0 if it does not say.
        public let bandwidth: Int
        /// The codecs in their written form; "" for none.
        public let codecs: String
    }

    static let mostRenditions = 64

    /// The renditions with one family of codecs, from the lowest bandwidth to the highest.
    public private(set) var renditions: [Rendition] = []

    /// Returns whether this is a playlist of segments or renditions, and no list of addresses.
    public static func isHLS(_ bytes: [UInt8]) -> Bool {
        var lines = PlaylistLines(bytes)
        guard let first = lines.next(), lines.holds(first, "#EXTM3U") else { return false }
        while let line = lines.next() { if lines.value(line, "#EXT-X-") != nil { return true } }
        return false
    }

    /// nil for a list of segments.
    /// - Parameter base: the playlist's address.
    public init?(_ bytes: [UInt8], base: String) throws(SegmentError) {
        var lines = PlaylistLines(bytes)
        var streams: [(Rendition, group: String, hasPicture: Bool)] = []
        var groups: [(name: String, address: String)] = []
        var pending: Range<Int>?
        var isMaster = false
        while let line = lines.next() {
            if let list = lines.value(line, "#EXT-X-MEDIA:") {
                isMaster = true
                guard let type = lines.attribute(list, "TYPE"), lines.isSame(type, "AUDIO"),
                    groups.count < MasterPlaylist.mostRenditions,
                    let name = lines.attribute(list, "GROUP-ID"), let uri = lines.attribute(list, "URI"),
                    let address = RelativeAddress.resolved(lines.text(uri), base: base)
                else { continue }
                // If there are several languages, it takes the default.
                let isDefault = lines.attribute(list, "DEFAULT").map { lines.isSame($0, "YES") } ?? false
                let group = lines.text(name)
                let known = groups.firstIndex { $0.name.utf8.elementsEqual(group.utf8) }
                if let known {
                    if isDefault { groups[known].address = address }
                } else {
                    groups.append((group, address))
                }
            } else if let list = lines.value(line, "#EXT-X-STREAM-INF:") {
                isMaster = true
                pending = list
            } else if let list = pending, lines.value(line, "#") == nil {
                pending = nil
                guard streams.count < MasterPlaylist.mostRenditions,
                    let address = RelativeAddress.resolved(lines.text(line), base: base)
                else { continue }
                let codecs = lines.attribute(list, "CODECS").map { lines.text($0) } ?? ""
                let bandwidth = lines.attribute(list, "BANDWIDTH").flatMap { lines.number($0) } ?? 0
                let group = lines.attribute(list, "AUDIO").map { lines.text($0) } ?? ""
                streams.append(
                    (
                        Rendition(address: address, bandwidth: Int(min(bandwidth, 1 << 30)), codecs: codecs), group,
                        lines.attribute(list, "RESOLUTION") != nil || MasterPlaylist.hasPicture(codecs)
                    ))
            }
        }
        if !isMaster { return nil }
        var found: [Rendition] = []
        var pictured: [Rendition] = []
        for (stream, group, hasPicture) in streams.sorted(by: { $0.0.bandwidth < $1.0.bandwidth }) {
            var rendition = stream
            var isPictured = hasPicture
            if let sound = groups.first(where: { $0.name.utf8.elementsEqual(group.utf8) }) {
                rendition = Rendition(
                    address: sound.address, bandwidth: stream.bandwidth,
                    codecs: hasPicture ? "" : stream.codecs)
                isPictured = false
            }
            if MasterPlaylist.family(rendition.codecs) == .foreign { continue }
            if found.contains(where: { $0.address.utf8.elementsEqual(rendition.address.utf8) }) { continue }
            if isPictured { pictured.append(rendition) } else { found.append(rendition) }
        }
        // Audio within pictures only if there is no other; then the smallest of them.
        if found.isEmpty { found = Array(pictured.prefix(1)) }
        if found.isEmpty { throw SegmentError(message: "a playlist without sound that can be played (MP3 or AAC)") }
        renditions = MasterPlaylist.largestFamily(found)
    }

    /// Returns the renditions that can follow one another in one decoder.
    private static func largestFamily(_ all: [Rendition]) -> [Rendition] {
        var best: [Rendition] = []
        for family in [Family.aac, .mp3, .efficient, .unknown] {
            let those = all.filter { MasterPlaylist.family($0.codecs) == family }
            if those.count > best.count { best = those }
        }
        return best
    }

    private enum Family { case mp3, aac, efficient, unknown, foreign }

    private static func holds(_ text: String, _ words: StaticString...) -> Bool {
        let lines = PlaylistLines(Array(text.utf8))
        return words.contains { lines.holds(0..<text.utf8.count, $0) }
    }

    private static func hasPicture(_ codecs: String) -> Bool { holds(codecs, "avc", "hvc", "hev", "vp0", "av01") }

    private static func family(_ codecs: String) -> Family {
        if codecs.isEmpty { return .unknown }
        if holds(codecs, "mp4a.40.34", "mp4a.69", "mp4a.6B", "mp3") { return .mp3 }
        // HE-AAC, with half the rate in its ADTS.
        if holds(codecs, "mp4a.40.5", "mp4a.40.29") { return .efficient }
        if holds(codecs, "mp4a.40.2") { return .aac }
        if holds(codecs, "mp4a") || hasPicture(codecs) { return .unknown }
        return .foreign
    }
}

/// An unplayable stream, with the reason.
public struct SegmentError: Error, Equatable, Sendable {
    public let message: String
}
