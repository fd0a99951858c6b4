// SPDX-License-Identifier: Apache-2.0
import Core

/// A recording in several qualities, from a podcast's feed (`podcast:alternateEnclosure`). The text has no spaces in addresses: `ADDRESS
/// BITS ADDRESS BITS…`, the feed's own enclosure first; or the address alone, if there is no choice.
public struct StreamOffers: Equatable, Sendable {
    public static let most = 8
    /// The limit of all but the first address.
    public static let mostBytes = 4096

    public struct Offer: Equatable, Sendable {
        public let address: String
        /// The bits per second; 0 if unknown.
        public let bits: Int

        public init(address: String, bits: Int) {
            self.address = address
            self.bits = bits
        }
    }

    /// The offers, at least one.
    public private(set) var offers: [Offer]

    /// Makes the offers, without those that make the text too long.
    public init(_ first: Offer, _ others: [Offer]) {
        offers = [first]
        var bytes = 0
        for other in others where other.bits > 0 && offers.count < StreamOffers.most {
            bytes += other.address.utf8.count + 12
            if bytes <= StreamOffers.mostBytes { offers.append(other) }
        }
    }

    /// nil for any other text.
    public init?(text: String) {
        let words = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 1 || words.count % 2 == 0, words.count <= 2 * StreamOffers.most else { return nil }
        offers = []
        for at in stride(from: 0, to: words.count, by: 2) {
            let address = String(decoding: words[at], as: UTF8.self)
            let bits = at + 1 < words.count ? Int64(digits: words[at + 1], most: 9) : 0
            guard StreamAddress.problem(address) == nil, let bits else { return nil }
            offers.append(Offer(address: address, bits: Int(bits)))
        }
    }

    public var text: String {
        if offers.count < 2 { return offers[0].address }
        var text = ""
        for offer in offers { text += (text.isEmpty ? "" : " ") + offer.address + " \(offer.bits)" }
        return text
    }
}
