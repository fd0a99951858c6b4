// SPDX-License-Identifier: Apache-2.0
import Posix

/// The encoding of names of files and folders, which may contain any byte, for a line, and the decoding.
///
/// All output is valid UTF-8, because one old name would make some programs fail on the whole list. A byte outside UTF-8 is sent as
/// `String(pathBytes:)` holds it: as the private-use scalar U+F700 plus the byte. A newline would end the line, so U+F70A replaces it. On a
/// terminal, where control characters act, such a scalar replaces each of them. Names that contain such scalars are encoded byte by byte,
/// so that nothing collides; all other names stay unchanged.
///
/// `String(nameOnTheWire:)` decodes every argument of every command. It also accepts raw bytes that are no UTF-8.
extension ResponseBuffer {
    @inline(never)
    package mutating func field(_ name: String, path: String) {
        text(name)
        text(": ")
        if isForTerminal {
            for scalar in path.unicodeScalars {
                switch scalar.value {
                case 0..<0x20, 0x7F: bytes(ControlName.standIn(UInt8(scalar.value)))
                // A terminal obeys these controls in UTF-8, too.
                case 0x80..<0xA0: bytes([0xEF, 0xBF, 0xBD])
                default: for byte in UTF8.encode(scalar)! { self.byte(byte) }
                }
            }
        } else {
            for byte in path.utf8 {
                if byte == .newline { bytes(ControlName.standIn(byte)) } else { self.byte(byte) }
            }
        }
        byte(.newline)
    }
}

extension ResponseBuffer {
    /// Writes a line of an answer for a terminal, with the names still encoded.
    package mutating func bytesForTerminal(_ line: ArraySlice<UInt8>) {
        for byte in line {
            if byte.isControl { bytes(ControlName.standIn(byte)) } else { self.byte(byte) }
        }
    }
}

package enum ControlName {
    /// Returns U+F700 + `byte` in UTF-8.
    package static func standIn(_ byte: UInt8) -> ArraySlice<UInt8> { [0xEF, 0x9C + byte >> 6, 0x80 | byte & 0x3F] }
}

extension String {
    package init(nameOnTheWire bytes: ArraySlice<UInt8>) {
        self = (String(validating: bytes, as: UTF8.self) ?? String(pathBytes: bytes)).withControlsRestored
    }

    /// The text with the characters restored that `ControlName` replaces.
    private var withControlsRestored: String {
        if !utf8.contains(0xEF) { return self }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0xF701..<0xF720, 0xF77F: result.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value & 0x7F)))
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
