// SPDX-License-Identifier: Apache-2.0
/// Finds the escape sequences of keys in a terminal's bytes. The bytes may come in any portions, with garbage among them. A lone ESC means
/// nothing, so no timeout is needed.
public struct EscapeSequences {
    public enum Event: Equatable, Sendable {
        /// A byte outside any sequence.
        case byte(UInt8)
        /// A byte typed with Alt, or after ESC.
        case altered(UInt8)
        case up, down, right, left, home, end
    }

    private enum State {
        case ground, escape, parameters, application, linuxFunctionKey
    }

    private var state = State.ground
    /// The number in a sequence; 255 for more than one digit.
    private var number: UInt8 = 0

    public init() {}

    /// Returns the event that the byte completes; nil within a sequence, and for an unknown one.
    public mutating func receive(_ byte: UInt8) -> Event? {
        if byte == 0x1B {
            state = .escape
            return nil
        }
        if byte < 0x20 {
            // A control character cancels a sequence, and counts itself.
            state = .ground
            return .byte(byte)
        }
        switch state {
        case .ground:
            return .byte(byte)
        case .escape:
            switch byte {
            case UInt8(ascii: "["): (state, number) = (.parameters, 0)
            case UInt8(ascii: "O"): state = .application
            default:
                state = .ground
                return .altered(byte)
            }
            return nil
        case .parameters where byte == UInt8(ascii: "["):
            // The Linux console's function keys: ESC [ [ A.
            state = .linuxFunctionKey
            return nil
        case .parameters where byte < 0x40, .application where (0x30..<0x40).contains(byte):
            // Keys with a number, such as ESC [ 1 ~, and modifiers, such as ESC [ 1 ; 5 C.
            number = number == 0 && (0x31..<0x3A).contains(byte) ? byte - 0x30 : 255
            return nil
        case .parameters, .application:
            state = .ground
            return key(byte)
        case .linuxFunctionKey:
            state = .ground
            return nil
        }
    }

    private func key(_ byte: UInt8) -> Event? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "~") where number == 1 || number == 7: .home
        case UInt8(ascii: "~") where number == 4 || number == 8: .end
        default: nil
        }
    }
}
