// SPDX-License-Identifier: Apache-2.0
/// The classes of a byte in ASCII, in any text with other bytes of 0x80 and above.
extension UInt8 {
    public var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    public var isLetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }
    /// ASCII white space.
    public var isSpace: Bool { self == UInt8(ascii: " ") || (self >= 9 && self <= 13) }
}
