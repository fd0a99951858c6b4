import CPosix
import Posix

/// What is to be sent to one peer: lines go in at one end, the descriptor takes them at the other as fast as the peer reads.
/// Holds no memory while empty.
struct ResponseBuffer {
    private(set) var bytes: [UInt8] = []
    private var sentCount = 0

    /// Bytes not yet taken by the kernel.
    var count: Int { bytes.count - sentCount }
    var isEmpty: Bool { count == 0 }

    mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func bytes(_ more: ArraySlice<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Adds text as it is.
    mutating func text(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Adds a line of our own words.
    mutating func line(_ line: String) {
        bytes.append(contentsOf: line.utf8)
        bytes.append(.newline)
    }

    /// Adds "name: value". Control characters in the value, which may come from any file's tags, become spaces: a newline
    /// would end the line, an escape would reach a terminal.
    mutating func field(_ name: String, _ value: String) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(.space)
        textWithoutControls(value)
        bytes.append(.newline)
    }

    mutating func field(_ name: String, _ value: Int) {
        line("\(name): \(value)")
    }

    /// Adds "name: 12.345".
    mutating func field(_ name: String, milliseconds: Int) {
        line(name + ": " + ResponseBuffer.seconds(milliseconds))
    }

    /// Adds "name: 2024-05-21T20:00:00Z".
    mutating func field(_ name: String, date secondsSince1970: Int64) {
        var parts = tm()
        var seconds = time_t(secondsSince1970)
        guard gmtime_r(&seconds, &parts) != nil else { return }
        let year = ResponseBuffer.padded(Int(parts.tm_year) + 1900, 4)
        let month = ResponseBuffer.padded(Int(parts.tm_mon) + 1, 2)
        let day = ResponseBuffer.padded(Int(parts.tm_mday), 2)
        let hour = ResponseBuffer.padded(Int(parts.tm_hour), 2)
        let minute = ResponseBuffer.padded(Int(parts.tm_min), 2)
        let second = ResponseBuffer.padded(Int(parts.tm_sec), 2)
        line("\(name): \(year)-\(month)-\(day)T\(hour):\(minute):\(second)Z")
    }

    /// "12.345"; never negative.
    static func seconds(_ milliseconds: Int) -> String {
        let clamped = max(0, milliseconds)
        return "\(clamped / 1000).\(padded(clamped % 1000, 3))"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        var digits = "\(number)"
        while digits.utf8.count < width { digits = "0" + digits }
        return digits
    }

    mutating func textWithoutControls(_ text: String) {
        for byte in text.utf8 { bytes.append(byte < .space || byte == 0x7F ? .space : byte) }
    }

    /// Forgets everything not yet sent.
    mutating func removeAll() {
        bytes = []
        sentCount = 0
    }

    /// Gives the kernel what it takes now; a non-blocking descriptor. Throws when the peer is gone.
    mutating func flush(to descriptor: Int32, isSocket: Bool) throws(PosixError) {
        while sentCount < bytes.count {
            let offset = sentCount
            let count = bytes.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[offset...])
                // MSG_NOSIGNAL: a peer that is gone is an error here, not a signal that kills the process.
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
