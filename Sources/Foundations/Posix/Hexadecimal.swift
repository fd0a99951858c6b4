extension UInt64 {
    /// Sixteen digits: "00000000deadbeef". For names of files.
    public var hexadecimal: String {
        var text = ""
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(self >> UInt64(shift) & 15)
            text.unicodeScalars.append(Unicode.Scalar(digit < 10 ? 0x30 + digit : 0x57 + digit))
        }
        return text
    }
}
