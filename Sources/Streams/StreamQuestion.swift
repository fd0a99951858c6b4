// SPDX-License-Identifier: Apache-2.0
import Posix

/// The request of `StreamPacket.get`: an address from the listener, or one from a podcast's feed. The latter has a name of its own, so that
/// its file in the cache stays the same when the address gets another token. It must not lead into the local network, except to the host
/// and port at which the listener subscribed to the feed. Words beside a recording have names of their own, too, and lie at the listener's
/// address.
public struct StreamQuestion: Equatable, Sendable {
    public let address: String
    /// The same recording in other qualities, of which the fetching process chooses; the first is the address itself.
    public let offers: StreamOffers
    /// The name of the file in the cache: the address itself, if it comes from the listener.
    public let name: String
    public let kind: Kind

    public enum Kind: String, Sendable {
        case sound
        /// Words or a picture.
        case document
        /// Words that may lie beside a recording at the listener's address. Their absence is no error.
        case beside
    }

    /// True for words or a picture, without sound.
    public var isDocument: Bool { kind != .sound }

    /// True if the address lies at the host and port at which the listener subscribed to its feed.
    public let isWhereSubscribed: Bool

    static let mostNameBytes = 100
    private static let subscribed = "subscribed"

    /// - Parameters:
    ///   - address: an address, or the text of `StreamOffers`.
    ///   - feed: the address at which the listener subscribed to its feed; nil without a feed.
    public init(address: String, name: String? = nil, kind: Kind = .sound, feed: String? = nil) {
        let origin = StreamAddress.origin(StreamOffers(text: address)?.offers[0].address ?? address)
        let isWhereSubscribed = feed.map { origin != nil && StreamAddress.origin($0) == origin } ?? false
        self.init(address: address, name: name, kind: kind, isWhereSubscribed: isWhereSubscribed)
    }

    private init(address: String, name: String?, kind: Kind, isWhereSubscribed: Bool) {
        self.isWhereSubscribed = isWhereSubscribed
        offers = StreamOffers(text: address) ?? StreamOffers(StreamOffers.Offer(address: address, bits: 0), [])
        self.address = offers.offers[0].address
        self.name = name ?? self.address
        self.kind = kind
    }

    /// True if it has a name of its own.
    private var hasOwnName: Bool { !name.utf8.elementsEqual(address.utf8) }

    /// True if the address comes only from a feed, and its host not from the listener.
    public var isOfFeed: Bool { hasOwnName && kind != .beside && !isWhereSubscribed }

    /// The form on the socket.
    public var text: String {
        hasOwnName
            ? offers.text + "\n" + name + "\n" + kind.rawValue
                + (isWhereSubscribed ? "\n" + StreamQuestion.subscribed : "")
            : address
    }

    /// Parses that text; nil for any other.
    public init?(text: String) {
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        let address = lines.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        if lines.count == 1 {
            if StreamAddress.problem(address) != nil { return nil }
            self.init(address: address)
            return
        }
        let isWhereSubscribed = lines.count == 4 && lines[3].elementsEqual(StreamQuestion.subscribed.utf8)
        guard lines.count == 3 || isWhereSubscribed, StreamOffers(text: address) != nil, !lines[1].isEmpty,
            lines[1].count <= StreamQuestion.mostNameBytes
        else { return nil }
        let name = String(decoding: lines[1], as: UTF8.self)
        guard let kind = Kind(rawValue: String(decoding: lines[2], as: UTF8.self)), !StreamAddress.isOne(name) else {
            return nil
        }
        self.init(address: address, name: name, kind: kind, isWhereSubscribed: isWhereSubscribed)
    }
}
