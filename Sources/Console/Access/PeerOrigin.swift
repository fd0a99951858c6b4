// SPDX-License-Identifier: Apache-2.0
import Posix

/// The address of a client, as precisely as it can tell clients apart: an IPv4 address, or the upper half of an IPv6 address, since one
/// client owns a whole lower half.
struct PeerOrigin: Equatable {
    /// The shared origin of all clients beyond the limit.
    static let elsewhere = PeerOrigin(bytes: [])

    private let bytes: [UInt8]

    private init(bytes: [UInt8]) { self.bytes = bytes }

    init(_ address: InternetAddress) {
        let bytes = address.bytes
        self.bytes = bytes.count == 16 ? Array(bytes.prefix(8)) : bytes
    }

    /// The text of the origin, for messages.
    var text: String {
        switch bytes.count {
        case 4: return InternetAddress(bytes: bytes, port: 0).host
        case 8: return InternetAddress(bytes: bytes + [UInt8](repeating: 0, count: 8), port: 0).host + "/64"
        default: return "many addresses"
        }
    }
}
