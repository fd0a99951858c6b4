/// Keys out of the bytes that a terminal in raw mode sends. Bytes may come in any portions; rubbish gives no key.
public struct TerminalKeyboard {
    public enum Key: Equatable, Sendable {
        case space, enter, up, down, left, right
        /// A printable ASCII character but the space, as typed.
        case character(UInt8)
        /// Control-C and control-D, where the terminal sends them as bytes.
        case interrupt, endOfInput
    }

    private enum State {
        case ground, escape, parameters, linuxFunctionKey, application
    }

    private var state = State.ground

    public init() {}

    /// The keys that these bytes complete, in order. A lone ESC is no key, so there is nothing to wait for.
    public mutating func keys<Bytes: Sequence>(in bytes: Bytes) -> [Key] where Bytes.Element == UInt8 {
        var keys: [Key] = []
        for byte in bytes {
            if let key = key(byte) { keys.append(key) }
        }
        return keys
    }

    private mutating func key(_ byte: UInt8) -> Key? {
        if byte == 0x1B {
            state = .escape
            return nil
        }
        switch state {
        case .ground:
            return Self.plainKey(byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): state = .parameters
            case UInt8(ascii: "O"): state = .application
            default:
                // Alt and a key, or ESC struck before it: the key counts.
                state = .ground
                return Self.plainKey(byte)
            }
            return nil
        case .parameters:
            switch byte {
            case UInt8(ascii: "["):
                // The Linux console's function keys: ESC [ [ A.
                state = .linuxFunctionKey
                return nil
            case 0x20...0x3F:
                // Modifiers, as in ESC [ 1 ; 5 C.
                return nil
            default:
                state = .ground
                return Self.arrow(byte)
            }
        case .application:
            if (0x30...0x3F).contains(byte) { return nil }
            state = .ground
            return Self.arrow(byte)
        case .linuxFunctionKey:
            state = .ground
            return nil
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

    private static func arrow(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        default: nil
        }
    }
}
