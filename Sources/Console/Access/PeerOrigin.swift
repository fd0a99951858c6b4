import Posix

/// Where in a network a peer is, as far as two of its connections are known to be of the same: an IPv4 address, or the upper half of
/// an IPv6 address, since whoever has one has all of the lower half.
struct PeerOrigin: Equatable {
    /// Where all are that are not told apart.
    static let elsewhere = PeerOrigin(bytes: [])

    private let bytes: [UInt8]

    private init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ address: InternetAddress) {
        let bytes = address.bytes
        self.bytes = bytes.count == 16 ? Array(bytes.prefix(8)) : bytes
    }

    /// For messages.
    var text: String {
        switch bytes.count {
        case 4: return InternetAddress(bytes: bytes, port: 0).host
        case 8: return InternetAddress(bytes: bytes + [UInt8](repeating: 0, count: 8), port: 0).host + "/64"
        default: return "many addresses"
        }
    }
}
