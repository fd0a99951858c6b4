// SPDX-License-Identifier: Apache-2.0
import Core

/// The same recording in several qualities, as a podcast's feed names them (`podcast:alternateEnclosure`). As text, in which addresses have no
/// spaces: `ADDRESS BITS ADDRESS BITS…`, the feed's own enclosure first; or the address alone, where there is no choice.
public struct StreamOffers: Equatable, Sendable {
    public static let most = 8
    /// Of all but the first address.
    public static let mostBytes = 4096

    public struct Offer: Equatable, Sendable {
        public let address: String
        /// Bits per second; 0 if it is unknown.
        public let bits: Int

        public init(address: String, bits: Int) {
            self.address = address
            self.bits = bits
        }
    }

    /// Never empty.
    public private(set) var offers: [Offer]

    /// Offers that make the text too long are left out.
    public init(_ first: Offer, _ others: [Offer]) {
        offers = [first]
        var bytes = 0
        for other in others where other.bits > 0 && offers.count < StreamOffers.most {
            bytes += other.address.utf8.count + 12
            if bytes <= StreamOffers.mostBytes { offers.append(other) }
        }
    }

    /// Nil for what is not such a text.
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
