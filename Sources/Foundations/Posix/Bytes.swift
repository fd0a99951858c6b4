// SPDX-License-Identifier: Apache-2.0
/// Byte-wise operations on text. `hasPrefix`, `split(separator:)` and `dropFirst` of String work on characters. That pulls Unicode's rules
/// into the binary (15 KB), and misses a "/" with an accent behind it.
extension String {
    @inline(never)
    public func begins(with start: String) -> Bool { utf8.starts(with: start.utf8) }

    /// Returns the bytes after the first `count`.
    @inline(never)
    public func dropping(bytes count: Int) -> String { String(Substring(utf8.dropFirst(count))) }

    /// Returns the parts between ASCII separators.
    @inline(never)
    public func parts(between separator: Unicode.Scalar, keepingEmpty: Bool = false) -> [String] {
        utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: !keepingEmpty)
            .map { String(Substring($0)) }
    }
}

/// Returns the whole numbers from after the first `name` to the end of its line; nil without that name. Anything but digits separates them.
/// Reads the kernel's files under /proc, and the speaker's own `counters`.
public func numbers(after name: StaticString, in bytes: [UInt8]) -> [Int64]? {
    let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    var start = 0
    while start + wanted.count <= bytes.count {
        var matched = 0
        while matched < wanted.count && bytes[start + matched] == wanted[matched] { matched += 1 }
        if matched == wanted.count { break }
        start += 1
    }
    if start + wanted.count > bytes.count { return nil }
    var numbers: [Int64] = []
    var isWithin = false
    for byte in bytes[(start + wanted.count)...] {
        if byte == UInt8(ascii: "\n") { break }
        let isDigit = byte >= 0x30 && byte <= 0x39
        if isDigit && !isWithin { numbers.append(0) }
        if isDigit { numbers[numbers.count - 1] = numbers[numbers.count - 1] &* 10 &+ Int64(byte - 0x30) }
        isWithin = isDigit
    }
    return numbers
}

extension UInt8 {
    /// The lower case of an ASCII letter; any other byte unchanged.
    public var lowerCase: UInt8 { self >= 0x41 && self <= 0x5A ? self + 0x20 : self }
}
