// SPDX-License-Identifier: Apache-2.0
import CPosix

/// An extended POSIX regular expression, plus Perl's `\d` and `\D`, which some clients write. Any thread.
///
/// A stranger may have written it. So it is limited to patterns that compile in little memory and match in linear time: no back references,
/// no long chains of repetitions.
public final class TextPattern: @unchecked Sendable {
    public struct Malformed: Error {
        /// The message, in the system's words.
        public let message: String
    }

    public let text: String
    public let foldsCase: Bool
    /// The compiled pattern. Several threads may pass it to regexec(3) at once.
    private let compiled: UnsafeMutablePointer<regex_t>

    private static let mostBytes = 256
    /// The limit of the product of all repetition counts: glibc creates a state for each copy.
    private static let mostRepeats = 256

    public init(_ text: String, foldsCase: Bool) throws(Malformed) {
        self.text = text
        self.foldsCase = foldsCase
        var pattern = try TextPattern.translated(text)
        pattern.append(0)
        let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
        compiled.initialize(to: regex_t())
        let flags = REG_EXTENDED | REG_NOSUB | (foldsCase ? REG_ICASE : 0)
        let code = pattern.withUnsafeBytes { ns_regcomp(compiled, $0.bindMemory(to: CChar.self).baseAddress, flags) }
        // Once the pattern is stored, `deinit` frees it, even after a throw.
        if code == 0 {
            self.compiled = compiled
            return
        }
        var words = [UInt8](repeating: 0, count: 128)
        _ = words.withUnsafeMutableBytes {
            regerror(code, compiled, $0.bindMemory(to: CChar.self).baseAddress, $0.count)
        }
        compiled.deallocate()
        throw Malformed(message: String(decoding: words.prefix { $0 != 0 }, as: UTF8.self))
    }

    deinit {
        regfree(compiled)
        compiled.deallocate()
    }

    /// Returns true if the pattern occurs anywhere in the text.
    public func isFound(in text: UnsafeRawBufferPointer) -> Bool {
        guard text.count < Int32.max else { return false }
        let start = text.bindMemory(to: CChar.self).baseAddress
        return start.map { ns_regexec(compiled, $0, text.count) == 0 } ?? (ns_regexec(compiled, "", 0) == 0)
    }

    public func isFound(in text: String) -> Bool {
        var text = text
        return text.withUTF8 { isFound(in: UnsafeRawBufferPointer($0)) }
    }

    /// Returns the pattern in POSIX syntax. Throws if it is not allowed.
    private static func translated(_ text: String) throws(Malformed) -> [UInt8] {
        let bytes = Array(text.utf8)
        if bytes.count > mostBytes { throw Malformed(message: "Regular expression too long") }
        if bytes.contains(0) { throw Malformed(message: "Invalid regular expression") }
        var pattern: [UInt8] = []
        var repeats = 1
        var index = 0
        /// The start of the list in brackets being read.
        var list: Int?
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if let start = list {
                // The first character of a list may be the bracket itself.
                let isFirst = index - 1 == start || (index - 2 == start && bytes[start] == UInt8(ascii: "^"))
                if byte == UInt8(ascii: "]") && !isFirst { list = nil }
                pattern.append(byte)
                continue
            }
            switch byte {
            case UInt8(ascii: "["): list = index
            case UInt8(ascii: "{"):
                var count = 0
                var most = 0
                for digit in bytes[index...] {
                    if digit >= 0x30 && digit <= 0x39 {
                        count = min(mostRepeats + 1, count * 10 + Int(digit - 0x30))
                        most = max(most, count)
                    } else if digit == UInt8(ascii: ",") {
                        count = 0
                    } else {
                        break
                    }
                }
                repeats *= max(1, most)
                if repeats > mostRepeats { throw Malformed(message: "Regular expression too big") }
            case UInt8(ascii: "\\") where index < bytes.count:
                let next = bytes[index]
                index += 1
                switch next {
                case UInt8(ascii: "d"): pattern += Array("[0-9]".utf8)
                case UInt8(ascii: "D"): pattern += Array("[^0-9]".utf8)
                case 0x31...0x39: throw Malformed(message: "Invalid back reference")
                default: pattern += [byte, next]
                }
                continue
            default: break
            }
            pattern.append(byte)
        }
        return pattern
    }
}
