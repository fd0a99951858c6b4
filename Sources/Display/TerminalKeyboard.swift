// SPDX-License-Identifier: Apache-2.0
import Posix

/// Finds keys in the bytes of a terminal in raw mode. The bytes may come in any portions; garbage gives no key.
public struct TerminalKeyboard {
    public enum Key: Equatable, Sendable {
        case space, enter, up, down, left, right
        /// A printable ASCII character other than space.
        case character(UInt8)
        /// Control-C and Control-D, if the terminal sends them as bytes.
        case interrupt, endOfInput
    }

    private var sequences = EscapeSequences()

    public init() {}

    /// Returns the keys that these bytes complete, in order. A lone ESC is no key, so no timeout is needed.
    public mutating func keys<Bytes: Sequence>(in bytes: Bytes) -> [Key] where Bytes.Element == UInt8 {
        var keys: [Key] = []
        for byte in bytes {
            if let key = key(byte) { keys.append(key) }
        }
        return keys
    }

    private mutating func key(_ byte: UInt8) -> Key? {
        switch sequences.receive(byte) {
        // A key typed with Alt, or after ESC, counts as the plain key.
        case .byte(let byte), .altered(let byte): TerminalKeyboard.plainKey(byte)
        case .up: .up
        case .down: .down
        case .left: .left
        case .right: .right
        case .home, .end, nil: nil
        }
    }

    private static func plainKey(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x03: .interrupt
        case 0x04: .endOfInput
        case 0x0A, 0x0D: .enter
        case 0x20: .space
        case 0x21...0x7E: .character(byte)
        default: nil
        }
    }
}
