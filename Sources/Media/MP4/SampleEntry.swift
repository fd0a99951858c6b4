// SPDX-License-Identifier: Apache-2.0
/// The format of a sound track, from the first entry of its sample description (stsd).
enum SampleEntry {
    case aac(AudioConfig)
    /// An unplayable format, by its common name.
    case refused(String)

    private static let mostBytes = 4096

    /// - Parameter description: the stsd box.
    init?(_ description: Box, _ window: ByteWindow) throws(SourceError) {
        // Version, flags and the number of entries precede the first entry.
        var entries = BoxWalk(window, in: description, skipping: 8)
        guard let entry = try entries.next() else { return nil }
        if let name = SampleEntry.refused(entry.kind) {
            self = .refused(name)
            return
        }
        // QuickTime's longer entries have 16 or 36 more bytes.
        let head = try window.bytes(at: entry.start, count: Int(min(28, entry.byteCount)))
        guard head.count >= 28 else { return nil }
        let version = Int(head[8]) << 8 | Int(head[9])
        let more: Int64 = version == 1 ? 16 : version == 2 ? 36 : 0
        guard let config = try SampleEntry.config(BoxWalk(window, in: entry, skipping: 28 + more), window) else {
            self = .refused("MPEG-4 audio that does not say how it is to be decoded")
            return
        }
        self = config
    }

    /// Reads the esds, which QuickTime puts into a wave box.
    private static func config(_ boxes: BoxWalk, _ window: ByteWindow) throws(SourceError) -> SampleEntry? {
        var boxes = boxes
        while let box = try boxes.next() {
            if box.isNamed("sinf") { return .refused("encrypted (FairPlay)") }
            if box.isNamed("wave") {
                var within = BoxWalk(window, in: box)
                while let inner = try within.next() {
                    if inner.isNamed("esds") { return try config(esds: inner, window) }
                }
            }
            if box.isNamed("esds") { return try config(esds: box, window) }
        }
        return nil
    }

    /// Reads nested descriptors: a tag, a length of one to four bytes, a body (ISO/IEC 14496-1, 7.2.6).
    private static func config(esds: Box, _ window: ByteWindow) throws(SourceError) -> SampleEntry? {
        let bytes = try window.copy(at: esds.start, count: Int(min(esds.byteCount, Int64(mostBytes))))
        var at = 4
        func descriptor(_ tag: UInt8) -> Int? {
            guard at < bytes.count, bytes[at] == tag else { return nil }
            at += 1
            var length = 0
            for _ in 0..<4 where at < bytes.count {
                let byte = bytes[at]
                at += 1
                // No overflow: four times seven bits.
                length = length << 7 | Int(byte & 0x7F)
                if byte < 0x80 { break }
            }
            return length
        }
        // The stream descriptor: its number, and flags for optional fields.
        guard descriptor(3) != nil, at + 3 <= bytes.count else { return nil }
        let flags = bytes[at + 2]
        at += 3
        if flags & 0x80 != 0 { at += 2 }
        if flags & 0x40 != 0 { at += 1 + (at < bytes.count ? Int(bytes[at]) : 0) }
        if flags & 0x20 != 0 { at += 2 }
        // The decoder descriptor: the codec, and its configuration.
        guard descriptor(4) != nil, at + 13 <= bytes.count else { return nil }
        let kind = bytes[at]
        switch kind {
        case 0x40, 0x66, 0x67: break
        case 0x68: return .refused("AAC-SSR")
        case 0x69, 0x6B: return .refused("MP3 in an MP4")
        case 0xA5: return .refused("AC-3")
        case 0xDD: return .refused("Vorbis in an MP4")
        default: return .refused("MPEG-4 audio of an unknown kind")
        }
        at += 13
        guard let length = descriptor(5), length > 0, length <= AudioConfig.mostBytes, at + length <= bytes.count,
            let config = AudioConfig(Array(bytes[at..<at + length]))
        else { return nil }
        return config.refusal.map { .refused($0) } ?? .aac(config)
    }

    /// Returns the name of an unplayable format; nil if the entry may be AAC.
    private static func refused(_ kind: UInt32) -> String? {
        switch kind {
        case Box.kind("mp4a"): nil
        case Box.kind("drms"): "encrypted (FairPlay)"
        case Box.kind("enca"): "encrypted"
        case Box.kind("aavd"), Box.kind("aaxc"): "encrypted (Audible)"
        case Box.kind("alac"): "ALAC"
        case Box.kind("fLaC"): "FLAC in an MP4"
        case Box.kind("Opus"): "Opus in an MP4"
        case Box.kind("ac-3"), Box.kind("ec-3"): "AC-3"
        case Box.kind("samr"), Box.kind("sawb"): "AMR"
        case Box.kind(".mp3"): "MP3 in an MP4"
        default: "a codec \(Box.spelled(kind))"
        }
    }
}

extension Box {
    /// Returns the kind in letters, as far as they are printable.
    static func spelled(_ kind: UInt32) -> String {
        var letters: [UInt8] = []
        for shift in [24, 16, 8, 0] as [UInt32] {
            let byte = UInt8(truncatingIfNeeded: kind >> shift)
            letters.append(byte > 0x20 && byte < 0x7F ? byte : UInt8(ascii: "?"))
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
