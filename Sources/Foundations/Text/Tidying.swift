// SPDX-License-Identifier: Apache-2.0
extension TextDecoding {
    /// Returns a text of one line, without control characters and outer white space. A text that is too long is cut between characters.
    /// - Parameter text: UTF-8.
    public static func tidied(_ text: [UInt8], most: Int) -> [UInt8] {
        var bytes = text[...]
        while let first = bytes.first, first <= 0x20 || first == 0x7F { bytes.removeFirst() }
        if bytes.count > most {
            bytes = bytes.prefix(most)
            // Do not cut within a character.
            while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
            if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
        }
        while let last = bytes.last, last <= 0x20 || last == 0x7F { bytes.removeLast() }
        var tidied = Array(bytes)
        for i in tidied.indices where tidied[i] < 0x20 || tidied[i] == 0x7F { tidied[i] = 0x20 }
        return tidied
    }
}
