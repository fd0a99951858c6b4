// SPDX-License-Identifier: Apache-2.0
import Posix

/// The form of the names of files and folders, which may hold any byte, on a line and back.
///
/// All that goes out is valid UTF-8, since programs that decode lines would stumble over one old name and read no list at all: a byte that
/// is no part of UTF-8 goes out as `String(pathBytes:)` holds it, as the private-use scalar U+F700 and the byte. A newline would end the
/// line, so U+F70A stands for it. A person at a terminal, where control characters act, gets such a scalar for each of them. Names with
/// such scalars of their own are kept byte by byte, so that nothing collides; all other names are as they are.
///
/// `String(nameOnTheWire:)` is the way back, for every argument of every command. It takes raw bytes that are no UTF-8, too.
extension ResponseBuffer {
    @inline(never)
    package mutating func field(_ name: String, path: String) {
        text(name)
        text(": ")
        if isForTerminal {
            for scalar in path.unicodeScalars {
                switch scalar.value {
                case 0..<0x20, 0x7F: bytes(ControlName.standIn(UInt8(scalar.value)))
                // In UTF-8 too these are controls to a terminal.
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
    /// U+F700 + `byte` in UTF-8.
    package static func standIn(_ byte: UInt8) -> ArraySlice<UInt8> { [0xEF, 0x9C + byte >> 6, 0x80 | byte & 0x3F] }
}

extension String {
    package init(nameOnTheWire bytes: ArraySlice<UInt8>) {
        self = (String(validating: bytes, as: UTF8.self) ?? String(pathBytes: bytes)).withControlsRestored
    }

    /// With the characters back that `ControlName` stands for.
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
