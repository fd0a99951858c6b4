// SPDX-License-Identifier: Apache-2.0
import Core
import Text

/// The gains in a file's tags, in hundredths of a decibel, relative to -18 LUFS: ReplayGain (https://wiki.hydrogenaud.io, "ReplayGain 2.0
/// specification"), those of Opus (RFC 7845, 5.2.1), iTunes's, and RVA2 of ID3v2.4. Unreadable or absurd gains count as missing.
public struct TagGains: Equatable, Sendable {
    private static let most = 6000

    public private(set) var track: Int?
    public private(set) var album: Int?
    /// The gain of iTunes, used only without any other: its reference level was never published, but is near ReplayGain's.
    private var iTunes: Int?

    init() {}

    /// True without any gain.
    public var isEmpty: Bool { track == nil && album == nil && iTunes == nil }

    public var loudness: Loudness {
        var loudness = Loudness()
        loudness.track = track ?? (album == nil ? iTunes : nil)
        loudness.album = album
        return loudness
    }

    /// Returns true for the name of a gain.
    static func isName(_ name: [UInt8]) -> Bool {
        var gains = TagGains()
        return gains.take(named: name, [])
    }

    /// - Returns: false for another name.
    mutating func take(named name: [UInt8], _ text: [UInt8]) -> Bool {
        if name.count > 32 || name.count < 8 { return false }
        switch String(decoding: name.map { $0.isLetter ? $0 & ~0x20 : $0 }, as: UTF8.self) {
        case "REPLAYGAIN_TRACK_GAIN": set(track: TagGains.decibels(text))
        case "REPLAYGAIN_ALBUM_GAIN": set(album: TagGains.decibels(text))
        // In 256ths, relative to -23 LUFS.
        case "R128_TRACK_GAIN": set(track: TagGains.whole(text).map { $0 * 100 / 256 + 500 })
        case "R128_ALBUM_GAIN": set(album: TagGains.whole(text).map { $0 * 100 / 256 + 500 })
        case "ITUNNORM": if iTunes == nil { iTunes = TagGains.inRange(TagGains.soundCheck(text)) }
        default: return false
        }
        return true
    }

    /// Reads RVA2: a name, then for each channel its kind, the gain in 512ths, and a peak.
    mutating func take(relativeVolume body: [UInt8]) {
        guard let end = body.firstIndex(of: 0) else { return }
        let isAlbum = body[..<end].elementsEqual("album".utf8)
        var at = end + 1
        while at + 4 <= body.count {
            let gain = Int(Int16(truncatingIfNeeded: Int(body[at + 1]) << 8 | Int(body[at + 2]))) * 100 / 512
            if body[at] == 1 { return isAlbum ? set(album: gain) : set(track: gain) }
            at += 4 + (Int(body[at + 3]) + 7) / 8
        }
    }

    /// Sets the gain; the first one counts.
    private mutating func set(track gain: Int?) { if track == nil { track = TagGains.inRange(gain) } }
    private mutating func set(album gain: Int?) { if album == nil { album = TagGains.inRange(gain) } }

    private static func inRange(_ gain: Int?) -> Int? { gain.flatMap { abs($0) <= most ? $0 : nil } }

    /// Returns the gain of "-6.48 dB", "+3 dB" or "2.1".
    private static func decibels(_ text: [UInt8]) -> Int? {
        var at = text.startIndex
        func skipSpaces() { while at < text.endIndex && text[at] == 0x20 { at += 1 } }
        skipSpaces()
        var isNegative = false
        if at < text.endIndex, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") {
            isNegative = text[at] == UInt8(ascii: "-")
            at += 1
        }
        var value = 0
        var digits = 0
        // The number of decimals read; nil before the point.
        var places: Int?
        while at < text.endIndex {
            if text[at].isDigit {
                digits += 1
                if digits > 12 { return nil }
                if places ?? 0 < 2 {
                    value = value.appendingSaturated(digit: text[at])
                    places = places.map { $0 + 1 }
                }
            } else if text[at] == UInt8(ascii: "."), places == nil {
                places = 0
            } else {
                break
            }
            at += 1
        }
        if digits == 0 { return nil }
        for _ in (places ?? 0)..<2 { value = value.appendingSaturated(digit: 0) }
        skipSpaces()
        let rest = text[at...]
        let isUnit = rest.count == 2 && rest[at] | 0x20 == UInt8(ascii: "d") && rest[at + 1] | 0x20 == UInt8(ascii: "b")
        if !rest.isEmpty && !isUnit { return nil }
        return isNegative ? -value : value
    }

    private static func whole(_ text: [UInt8]) -> Int? {
        text.count <= 6 ? Int(String(decoding: text, as: UTF8.self)) : nil
    }

    /// Returns the gain of iTunes: ten hexadecimal numbers of eight digits. The first two are the loudness of the two channels in
    /// thousandths; the louder counts.
    private static func soundCheck(_ text: [UInt8]) -> Int? {
        var most = 0
        var numbers = 0
        for part in text.split(separator: 0x20).prefix(2) {
            guard part.count == 8, let value = Int(String(decoding: part, as: UTF8.self), radix: 16) else { return nil }
            most = max(most, value)
            numbers += 1
        }
        if numbers < 2 || most == 0 || most > 65_536_000 { return nil }
        // 1000 means a gain of 0, a factor of ten means 10 dB. Each halving is a gain of 3.01 dB.
        var gain = 0
        var value = Double(most) / 1000
        while value >= 2 {
            value /= 2
            gain -= 30103
        }
        while value < 1 {
            value *= 2
            gain += 30103
        }
        // Between 1 and 2, use three terms of the logarithm around the middle.
        let x = (value - 1) / (value + 1)
        let log = 2 * x * (1 + x * x / 3 + x * x * x * x / 5)
        return (gain - Int(log * 43429.4)) / 100
    }
}
