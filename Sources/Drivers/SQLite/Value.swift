// SPDX-License-Identifier: Apache-2.0
/// The value of one column.
public enum Value: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// A text as valid UTF-8, to avoid a String's copy of a very long one. Only for binding.
    case utf8([UInt8])

    /// Returns `.null` for nil.
    public static func optional(_ value: Int64?) -> Value { value.map { .integer($0) } ?? .null }
    public static func optional(_ value: Int?) -> Value { value.map { .integer(Int64($0)) } ?? .null }
    public static func optional(_ value: String?) -> Value { value.map { .text($0) } ?? .null }
    public static func integer(_ value: Int) -> Value { .integer(Int64(value)) }
}
