// SPDX-License-Identifier: Apache-2.0
/// The ASCII classes of a byte, in any text with other bytes of 0x80 and above.
extension UInt8 {
    public var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    public var isLetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }
    /// True for ASCII white space.
    public var isSpace: Bool { self == UInt8(ascii: " ") || (self >= 9 && self <= 13) }
}
