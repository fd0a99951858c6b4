/// What ASCII says of a byte, in any text whose other bytes are 0x80 and above.
extension UInt8 {
    public var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    public var isLetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }
    /// ASCII white space.
    public var isSpace: Bool { self == UInt8(ascii: " ") || (self >= 9 && self <= 13) }
}

/// Lower case for ASCII letters; all others stay as they are.
public func asciiLowerCase(_ text: Substring) -> String {
    String(decoding: text.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 32 : $0 }, as: UTF8.self)
}
