// SPDX-License-Identifier: Apache-2.0
import Core
import Posix

/// The facts about a feed or an episode, on their way from the fetching process to the speaker.
///
/// Each record in their common file is its length (4 bytes, the lowest first) and its values. A value is the field (1 byte), its length (2
/// bytes) and its text in UTF-8. The first record is the feed's own; the episodes follow, the newest first. The content comes from a
/// stranger, and both processes bound it.
public struct FeedRecord: Equatable, Sendable {
    public enum Field: UInt8, CaseIterable, Sendable {
        case title = 1
        /// An episode's permanent name: its guid.
        case identity
        /// The address of an episode's audio; for a feed its permanent new address, if it has moved.
        case address
        case author, details, picture
        /// The time of publication in seconds since 1970, and the duration in seconds, as decimal numbers.
        case published, seconds
        case transcript, transcriptType, chapters
        /// A feed's validators for the next request.
        case entityTag, lastModified
        /// An episode's audio in several qualities, as the text of `StreamOffers`.
        case offers
        /// A notice about the unusable parts of a feed, for people.
        case notice
        /// An episode's chapters in the feed itself, a line for each: milliseconds, a space, its title.
        case marks
        /// A feed's order: "serial" if a listener should start with the oldest.
        case order
        /// An episode's number by season and episode: a season counts a hundred thousand.
        case number

        /// The limit of the field's text.
        public var mostBytes: Int {
            switch self {
            case .title, .author: 400
            case .identity: 1024
            case .address, .picture, .transcript, .chapters: StreamAddress.mostBytes
            case .offers: StreamAddress.mostBytes + 16 + StreamOffers.mostBytes
            case .details: 1200
            case .notice: 300
            case .marks: 8 * 1024
            case .published, .seconds, .order, .number: 16
            case .transcriptType: 64
            case .entityTag, .lastModified: 1024
            }
        }
    }

    /// The limit of a record: more than all fields at their longest.
    public static var mostBytes: Int { 32 * 1024 }
    /// The limit of episodes: a book may have no more files.
    public static let mostEpisodes = 1500

    private var values: [(field: Field, text: [UInt8])] = []

    public init() {}

    public static func == (left: FeedRecord, right: FeedRecord) -> Bool { left.bytes == right.bytes }

    /// The text of a field; nil if the record lacks it. Longer texts are cut between letters.
    public subscript(field: Field) -> String? {
        get {
            for value in values where value.field == field { return String(decoding: value.text, as: UTF8.self) }
            return nil
        }
        set {
            values.removeAll { $0.field == field }
            guard let newValue else { return }
            set(field, Array(newValue.utf8))
        }
    }

    public mutating func set(_ field: Field, _ text: [UInt8]) {
        values.removeAll { $0.field == field }
        var text = text
        if text.count > field.mostBytes {
            text.removeLast(text.count - field.mostBytes)
            while let last = text.last, last & 0xC0 == 0x80 { text.removeLast() }
            if let last = text.last, last >= 0xC0 { text.removeLast() }
        }
        if !text.isEmpty { values.append((field, text)) }
    }

    /// Returns a field's decimal number of not too many digits; nil for anything else.
    public func number(_ field: Field) -> Int64? {
        self[field].flatMap { Int64(digits: $0.utf8, most: 12) }
    }

    // MARK: Bytes

    /// The record's bytes, with the length in front.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0]
        for value in values {
            bytes.append(value.field.rawValue)
            bytes.append(UInt8(truncatingIfNeeded: value.text.count))
            bytes.append(UInt8(truncatingIfNeeded: value.text.count >> 8))
            bytes += value.text
        }
        let count = bytes.count - 4
        for place in 0..<4 { bytes[place] = UInt8(truncatingIfNeeded: count >> (8 * place)) }
        return bytes
    }

    /// Returns the length in front of a record; nil for an impossible one.
    public static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 4 else { return nil }
        var count: UInt32 = 0
        for byte in bytes.prefix(4).reversed() { count = count << 8 | UInt32(byte) }
        return count <= UInt32(mostBytes) ? Int(count) : nil
    }

    /// - Parameter bytes: the record without its length.
    public init?(_ bytes: ArraySlice<UInt8>) {
        var at = bytes.startIndex
        while at < bytes.endIndex {
            guard bytes.endIndex - at >= 3, let field = Field(rawValue: bytes[at]) else { return nil }
            let count = Int(bytes[at + 1]) | Int(bytes[at + 2]) << 8
            at += 3
            guard count <= field.mostBytes, count <= bytes.endIndex - at else { return nil }
            set(field, Array(bytes[at..<at + count]))
            at += count
        }
    }
}
