// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// A record that the devices of a household share: a favorite, the place in a recording. The last change on any device counts everywhere.
public struct SharedRecord: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        case favourite, bookmark, place, speed, skip, subscription, playlist
    }

    public var kind: Kind
    /// The key: the words of a `SharedKey`, a feed's address at the time of subscribing, or a playlist's name.
    public var key: String
    /// The value as JSON; nil if it was removed. That is remembered, so that an older record does not bring it back.
    public var value: String?
    public var time: HybridTime
    /// The device of the change.
    public var device: UInt64
    /// A name for people, on devices without the audio.
    public var name: String

    public init(kind: Kind, key: String, value: String?, time: HybridTime, device: UInt64, name: String) {
        self.kind = kind
        self.key = key
        self.value = value
        self.time = time
        self.device = device
        self.name = name
    }

    /// Returns the record that counts, of two for one key: the later. For equal times the other fields decide, so that no two devices ever
    /// disagree. The result does not depend on the order of the arguments, on repetition, or on the order among many.
    public static func later(_ one: SharedRecord, _ other: SharedRecord) -> SharedRecord {
        if one.time != other.time { return one.time > other.time ? one : other }
        if one.device != other.device { return one.device > other.device ? one : other }
        // No JSON is empty.
        let (value, otherValue) = (one.value ?? "", other.value ?? "")
        if !value.utf8.elementsEqual(otherValue.utf8) {
            return value.utf8.lexicographicallyPrecedes(otherValue.utf8) ? other : one
        }
        return one.name.utf8.lexicographicallyPrecedes(other.name.utf8) ? other : one
    }

    /// Compares byte by byte: two spellings of one text are two values, on every device.
    public static func == (one: SharedRecord, other: SharedRecord) -> Bool {
        one.kind == other.kind && one.key.utf8.elementsEqual(other.key.utf8) && one.hasValue(of: other)
            && one.time == other.time && one.device == other.device && one.name.utf8.elementsEqual(other.name.utf8)
    }

    public func hasValue(of other: SharedRecord) -> Bool {
        (value == nil) == (other.value == nil) && (value ?? "").utf8.elementsEqual((other.value ?? "").utf8)
    }
}

/// The key of audio, or of a place in it, which is the same on every device: "00000000deadbeef-5000", "00000000deadbeef-5000-61000".
public struct SharedKey: Equatable, Sendable {
    public var content: ContentIdentity
    /// The place of a bookmark; nil for the audio as a whole.
    public var milliseconds: Int64?

    public init(_ content: ContentIdentity, milliseconds: Int64? = nil) {
        self.content = content
        self.milliseconds = milliseconds
    }

    public var words: String {
        content.hash.hexadecimal + "-\(content.audioBytes)" + (milliseconds.map { "-\($0)" } ?? "")
    }

    /// Parses the form of `words`; nil for anything else.
    public init?(_ words: String) {
        let parts = words.utf8.split(separator: 0x2D, omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let hash = UInt64(hexadecimal: parts[0]),
            let bytes = Int64(digits: parts[1], most: 18)
        else { return nil }
        content = ContentIdentity(hash: hash, audioBytes: bytes)
        if parts.count == 3 {
            guard let place = Int64(digits: parts[2], most: 10), place <= Int64(Int32.max) else { return nil }
            milliseconds = place
        }
        // Only one spelling is valid for each key.
        if !self.words.utf8.elementsEqual(words.utf8) { return nil }
    }
}
