// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Posix

/// The bytes to send to one client: lines go in at one end, and the descriptor takes them at the other as fast as the client reads. Holds
/// no memory while empty.
package struct ResponseBuffer {
    /// True if the client's terminal acts on control characters.
    package var isForTerminal = false
    package private(set) var bytes: [UInt8] = []
    private var sentCount = 0

    package init() {}

    /// The number of bytes that the kernel has not taken yet.
    package var count: Int { bytes.count - sentCount }
    package var isEmpty: Bool { count == 0 }
    /// The size of its memory.
    package var heldBytes: Int { bytes.capacity }

    package mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    package mutating func bytes(_ more: ArraySlice<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Adds text as it is.
    @inline(never)
    package mutating func text(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    // Not inlined, here and below: they have many callers, and the binary has to stay small.

    /// Adds a line of the speaker's own text.
    @inline(never)
    package mutating func line(_ line: String) {
        bytes.append(contentsOf: line.utf8)
        bytes.append(.newline)
    }

    /// Adds "name: value". Control characters in the value become spaces, since any file's tags may contain them: a newline would end the
    /// line, and an escape would reach a terminal.
    @inline(never)
    package mutating func field(_ name: String, _ value: String) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(.space)
        textWithoutControls(value)
        bytes.append(.newline)
    }

    /// Adds a value in UTF-8.
    @inline(never)
    package mutating func field(_ name: String, _ value: ArraySlice<UInt8>) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(.space)
        for byte in value { bytes.append(byte < .space || byte == 0x7F ? .space : byte) }
        bytes.append(.newline)
    }

    @inline(never)
    package mutating func field(_ name: String, _ value: Int) {
        line("\(name): \(value)")
    }

    package mutating func field(_ name: String, _ value: Int64) {
        line("\(name): \(value)")
    }

    /// Adds "name: 12.345".
    package mutating func field(_ name: String, milliseconds: Int) {
        line(name + ": " + Seconds.text(milliseconds))
    }

    /// Adds "name: -17.5", with as few digits as needed.
    package mutating func field(_ name: String, shortest thousandths: Int) {
        var digits = "\(abs(thousandths) % 1000 + 1000)".dropping(bytes: 1)
        while digits.utf8.last == UInt8(ascii: "0") { digits = String(digits.unicodeScalars.dropLast()) }
        let whole = (thousandths < 0 ? "-" : "") + "\(abs(thousandths) / 1000)"
        field(name, digits.isEmpty ? whole : whole + "." + digits)
    }

    /// Adds "name: 2024-05-21T20:00:00Z".
    package mutating func field(_ name: String, date secondsSince1970: Int64) {
        var parts = tm()
        var seconds = time_t(clamping: secondsSince1970)
        guard gmtime_r(&seconds, &parts) != nil else { return }
        text(name)
        text(": ")
        number(parts.tm_year + 1900, digits: 4, then: "-")
        number(parts.tm_mon + 1, digits: 2, then: "-")
        number(parts.tm_mday, digits: 2, then: "T")
        number(parts.tm_hour, digits: 2, then: ":")
        number(parts.tm_min, digits: 2, then: ":")
        number(parts.tm_sec, digits: 2, then: "Z")
        byte(.newline)
    }

    private mutating func number(_ number: Int32, digits: Int, then end: Unicode.Scalar) {
        let start = bytes.count
        var rest = number
        for _ in 0..<digits {
            bytes.insert(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: abs(rest % 10)), at: start)
            rest /= 10
        }
        bytes.append(UInt8(ascii: end))
    }

    /// Adds text with spaces in the place of control characters, including U+0080 to U+009F: terminals obey them.
    package mutating func textWithoutControls(_ text: String) {
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if previous == 0xC2 && (0x80...0x9F).contains(byte) {
                bytes[bytes.count - 1] = .space
            } else {
                bytes.append(byte < .space || byte == 0x7F ? .space : byte)
            }
            previous = byte
        }
    }

    /// Forgets everything not yet sent.
    package mutating func removeAll() {
        bytes = []
        sentCount = 0
    }

    /// Writes as much as the non-blocking descriptor takes now. Throws if the client is gone.
    package mutating func flush(to descriptor: Int32, isSocket: Bool) throws(PosixError) {
        while sentCount < bytes.count {
            let offset = sentCount
            let count = bytes.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[offset...])
                // MSG_NOSIGNAL: a closed connection is an error here, not a signal that kills the process.
                return isSocket
                    ? send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                    : write(descriptor, rest.baseAddress, rest.count)
            }
            if count > 0 {
                sentCount += count
            } else if count == 0 || ns_errno() == EAGAIN {
                break
            } else if ns_errno() != EINTR {
                throw .last("write")
            }
        }
        if isEmpty {
            removeAll()
        } else if sentCount > 1 << 16 {
            bytes.removeFirst(sentCount)
            sentCount = 0
        }
    }
}
