// SPDX-License-Identifier: Apache-2.0
import Streams

/// An episode in another quality, from a feed (`podcast:alternateEnclosure`).
struct FeedAlternate {
    private let bits: Int
    private let bytes: Int64?
    /// True for the enclosure itself.
    private let isDefault: Bool
    private var isUsable: Bool
    private var address = ""

    init(_ attribute: (StaticString) -> [UInt8]?) {
        bits = attribute("bitrate").map { FeedAlternate.bits($0) } ?? 0
        bytes = attribute("length").flatMap { ResponseHead.number($0) }
        isDefault = attribute("default").map { $0.elementsEqual("true".utf8) } ?? false
        // In another language it is another recording.
        isUsable = attribute("lang") == nil && FeedAlternate.isSound(attribute("type"))
    }

    private static func isSound(_ type: [UInt8]?) -> Bool { type.map { $0.starts(with: "audio/".utf8) } ?? false }

    /// Returns the bits per second, without their fraction.
    private static func bits(_ text: [UInt8]) -> Int {
        Int(min(ResponseHead.number(text.prefix { $0 >= 0x30 && $0 <= 0x39 }) ?? 0, 99_999_999))
    }

    /// Takes the first usable source.
    mutating func take(_ source: [UInt8], _ type: [UInt8]?) {
        if let type, !FeedAlternate.isSound(type) { return }
        if address.isEmpty { address = String(decoding: source, as: UTF8.self) }
    }

    private func rate(_ seconds: Int64?) -> Int { bits > 0 ? bits : FeedAlternate.rate(bytes, seconds) }

    private static func rate(_ bytes: Int64?, _ seconds: Int64?) -> Int {
        guard let bytes, let seconds, seconds > 0, bytes > 0, bytes < 1 << 40 else { return 0 }
        return Int(min(bytes * 8 / seconds, 99_999_999))
    }

    /// - Parameters:
    ///   - bytes: the length of the enclosure itself, from the feed.
    ///   - seconds: the playing time of all qualities.
    static func offers(_ enclosure: String, bytes: Int64?, seconds: Int64?, _ all: [FeedAlternate]) -> StreamOffers {
        let own = all.first {
            $0.isUsable && ($0.isDefault || $0.address.utf8.elementsEqual(enclosure.utf8)) && $0.rate(seconds) > 0
        }
        let rate = own?.rate(seconds) ?? FeedAlternate.rate(bytes, seconds)
        var others: [StreamOffers.Offer] = []
        for one in all where one.isUsable && !one.isDefault && !one.address.isEmpty {
            if one.address.utf8.elementsEqual(enclosure.utf8) { continue }
            others.append(StreamOffers.Offer(address: one.address, bits: one.rate(seconds)))
        }
        return StreamOffers(StreamOffers.Offer(address: enclosure, bits: rate), others)
    }
}
