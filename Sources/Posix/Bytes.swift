/// Text taken apart by its bytes. `hasPrefix`, `split(separator:)` and `dropFirst` of a String go by characters, which pulls
/// Unicode's rules for their borders into the binary (15 KB), and finds no "/" that an accent follows.
extension String {
    @inline(never)
    public func begins(with start: String) -> Bool { utf8.starts(with: start.utf8) }

    /// What stands behind the first `count` bytes.
    @inline(never)
    public func dropping(bytes count: Int) -> String { String(Substring(utf8.dropFirst(count))) }

    /// The parts between ASCII separators.
    @inline(never)
    public func parts(between separator: Unicode.Scalar, keepingEmpty: Bool = false) -> [String] {
        utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: !keepingEmpty)
            .map { String(Substring($0)) }
    }
}
