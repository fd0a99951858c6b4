// SPDX-License-Identifier: Apache-2.0
import Text

/// Wireless headphones, as reported by the process that drives BlueZ.
public struct Headphones: Equatable, Sendable {
    public enum State: String, Sendable {
        /// The headphones are near, but not paired.
        case found
        /// The headphones are paired, but away.
        case known
        case connected
        /// The last attempt to pair or to connect failed.
        case failed
    }

    /// The limit of listed headphones.
    public static let most = 32
    private static let mostNameBytes = 248

    /// The address: six bytes in hexadecimal, with colons between.
    public let address: String
    public var name: String
    public var state: State
    /// False if the speaker has no key for it.
    public var isPaired: Bool

    /// nil if the address is invalid, or the name is empty.
    public init?(address: String, name: String, state: State, isPaired: Bool) {
        let name = String(
            decoding: name.utf8.prefix(Headphones.mostNameBytes).filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
        guard Headphones.isAddress(address), !name.isEmpty else { return nil }
        self.address = address
        self.name = name
        self.state = state
        self.isPaired = isPaired
    }

    /// Parses the form of `words`.
    public init?(words: String) {
        let parts = words.utf8.split(separator: 0x20, maxSplits: 3, omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        guard parts.count == 4, let state = State(rawValue: parts[0]) else { return nil }
        self.init(address: parts[2], name: parts[3], state: state, isPaired: parts[1] == "paired")
    }

    public var words: String { state.rawValue + (isPaired ? " paired " : " new ") + address + " " + name }

    /// The PCM of bluez-alsa.
    public var device: String { "bluealsa:DEV=" + address + ",PROFILE=a2dp" }

    public static func isAddress(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(18))
        return bytes.count == 17
            && bytes.indices.allSatisfy { index in
                if index % 3 == 2 { return bytes[index] == UInt8(ascii: ":") }
                return (0x30...0x39).contains(bytes[index]) || (0x41...0x46).contains(bytes[index])
            }
    }
}

/// The wireless headphones that are known or near.
public struct HeadphoneList: Equatable, Sendable {
    public var all: [Headphones]
    /// True during a search for new ones.
    public var isScanning: Bool

    public init(_ all: [Headphones], isScanning: Bool) {
        self.all = Array(all.prefix(Headphones.most))
        self.isScanning = isScanning
    }

    public var known: [Headphones] { all.filter { $0.isPaired } }
    public var new: [Headphones] { all.filter { !$0.isPaired } }
    public var connected: Headphones? { all.first { $0.state == .connected } }
}

/// A listener's request to the process that drives BlueZ.
public enum HeadphoneRequest: Equatable, Sendable {
    case scan
    /// The requests with an address.
    case pair(String)
    case connect(String)
    case disconnect(String)
    case forget(String)

    /// nil for other words.
    public init?(words: String) {
        if words == "scan" {
            self = .scan
            return
        }
        let parts = words.utf8.split(separator: 0x20, omittingEmptySubsequences: false).map { String(Substring($0)) }
        guard parts.count == 2, Headphones.isAddress(parts[1]) else { return nil }
        switch parts[0] {
        case "pair": self = .pair(parts[1])
        case "connect": self = .connect(parts[1])
        case "disconnect": self = .disconnect(parts[1])
        case "forget": self = .forget(parts[1])
        default: return nil
        }
    }

    public var words: String {
        switch self {
        case .scan: "scan"
        case .pair(let address): "pair " + address
        case .connect(let address): "connect " + address
        case .disconnect(let address): "disconnect " + address
        case .forget(let address): "forget " + address
        }
    }
}
