import Posix

/// What the speaker wants with `StreamPacket.get`: an address that a person gave, or one that a podcast's feed named. The latter goes by a
/// name of its own, so that its file in the cache stays its own when the address gets another token, and it may lead nowhere into the
/// local network.
public struct StreamQuestion: Equatable, Sendable {
    public let address: String
    /// The same in other qualities, of which the fetching process chooses; the first is the address itself.
    public let offers: StreamOffers
    /// Of the file in the cache: the address itself where a person gave that.
    public let name: String
    /// Words or a picture are wanted, and no sound.
    public let isDocument: Bool

    static let mostNameBytes = 100

    /// - Parameter address: one, or the text of `StreamOffers`.
    public init(address: String, name: String? = nil, isDocument: Bool = false) {
        offers = StreamOffers(text: address) ?? StreamOffers(StreamOffers.Offer(address: address, bits: 0), [])
        self.address = offers.offers[0].address
        self.name = name ?? self.address
        self.isDocument = isDocument
    }

    /// A feed named it.
    public var isOfFeed: Bool { !name.utf8.elementsEqual(address.utf8) }

    /// As it is sent.
    public var text: String {
        isOfFeed ? offers.text + "\n" + name + (isDocument ? "\ndocument" : "\nsound") : address
    }

    /// As it came; nil for what is no question.
    public init?(text: String) {
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        let address = lines.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        if lines.count == 1 {
            if StreamAddress.problem(address) != nil { return nil }
            self.init(address: address)
            return
        }
        guard lines.count == 3, StreamOffers(text: address) != nil, !lines[1].isEmpty,
            lines[1].count <= StreamQuestion.mostNameBytes
        else { return nil }
        let name = String(decoding: lines[1], as: UTF8.self)
        let isDocument = lines[2].elementsEqual("document".utf8)
        if StreamAddress.isOne(name) || !isDocument && !lines[2].elementsEqual("sound".utf8) { return nil }
        self.init(address: address, name: name, isDocument: isDocument)
    }
}
