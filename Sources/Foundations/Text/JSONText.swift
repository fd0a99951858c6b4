// SPDX-License-Identifier: Apache-2.0
extension String {
    /// The text as a JSON string, with quotes.
    public var json: String {
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in utf8 {
            if byte < 0x20 {
                let digit = byte & 0xF
                bytes += Array("\\u00".utf8) + [0x30 + (byte >> 4), (digit < 10 ? 0x30 : 0x57) + digit]
                continue
            }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }
}
