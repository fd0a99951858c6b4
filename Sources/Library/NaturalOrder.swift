// SPDX-License-Identifier: Apache-2.0
import Model
import Posix

/// Returns bytes that sort as a person would order the texts: "Chapter 2" before "Chapter 10", "élan" beside "elan", capitals as small
/// letters, and a folder's files together. Compare them byte by byte.
///
/// In a key, "/" is 1. A run of digits is "0", its length without leading zeros, and those digits. Other characters are their UTF-8 in
/// small letters; Latin letters lose their accents. A key of "a/" begins every key of "a/…".
public func naturalKey(_ text: String) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(text.utf8.count + 8)
    var digits: [UInt8] = []
    var isInNumber = false
    func endNumber() {
        key.append(UInt8(ascii: "0"))
        key.append(UInt8(digits.count))
        key += digits
        digits.removeAll(keepingCapacity: true)
        isInNumber = false
    }
    func append(_ byte: UInt8) {
        if byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") {
            // Longer than any number that a person wrote: the rest is a number of its own.
            if digits.count == 255 { endNumber() }
            isInNumber = true
            if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte) }
            return
        }
        if isInNumber { endNumber() }
        key.append(byte == UInt8(ascii: "/") ? 1 : byte)
    }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
        for byte in text.utf8 { append(byte.lowerCase) }
    } else {
        for scalar in text.lowerCase.unicodeScalars {
            switch scalar.value {
            case 0x300...0x36F: break  // combining accents, as file names from a Mac have them
            case 0xE0...0x17F: append(latinBases.utf8Start[Int(scalar.value - 0xE0)])
            case 0xDF: append(UInt8(ascii: "s"))
            default: for byte in UTF8.encode(scalar)! { append(byte) }
            }
        }
    }
    if isInNumber { endNumber() }
    return key
}
