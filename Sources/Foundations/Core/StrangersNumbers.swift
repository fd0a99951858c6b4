// SPDX-License-Identifier: Apache-2.0
/// Arithmetic with numbers that strangers chose: in files, feeds and messages. A plain `+` traps on overflow and ends the process. Each
/// name says what an overflow gives: *Saturated* the nearest possible number, *Exactly* nil.
///
/// `Int` has 32 bits on some boards: a value beyond the count of things in memory belongs in an `Int64`.
extension FixedWidthInteger {
    @inlinable @inline(__always)
    public func addingSaturated(_ other: Self) -> Self {
        let (sum, isTooMuch) = addingReportingOverflow(other)
        return isTooMuch ? (other < 0 ? .min : .max) : sum
    }

    @inlinable @inline(__always)
    public func subtractingSaturated(_ other: Self) -> Self {
        let (difference, isTooMuch) = subtractingReportingOverflow(other)
        return isTooMuch ? (other < 0 ? .max : .min) : difference
    }

    @inlinable @inline(__always)
    public func multipliedSaturated(by other: Self) -> Self {
        let (product, isTooMuch) = multipliedReportingOverflow(by: other)
        return isTooMuch ? ((self < 0) == (other < 0) ? .max : .min) : product
    }

    /// Shifts to the left, toward larger numbers; by nothing for a count below one.
    @inlinable @inline(__always)
    public func shiftedSaturated(by bits: Int) -> Self {
        if bits <= 0 || self == 0 { return self }
        let shifted = self << bits
        return bits < Self.bitWidth && shifted >> bits == self ? shifted : self < 0 ? .min : .max
    }

    /// Multiplies by a factor and divides by a divisor, of at least one. Rounds toward zero. Exact if the factor times the divisor fits
    /// this type, otherwise too small.
    @inlinable @inline(__always)
    public func scaledSaturated(by factor: Self, over divisor: Self) -> Self {
        let divisor = Swift.max(1, divisor)
        let rest = (self % divisor).multipliedSaturated(by: factor) / divisor
        return (self / divisor).multipliedSaturated(by: factor).addingSaturated(rest)
    }

    /// Appends a decimal digit to a number read from left to right.
    @inlinable @inline(__always)
    public func appendingSaturated(digit: UInt8) -> Self {
        multipliedSaturated(by: 10).addingSaturated(Self(truncatingIfNeeded: digit & 0x0F))
    }

    @inlinable @inline(__always)
    public func addingExactly(_ other: Self) -> Self? {
        let (sum, isTooMuch) = addingReportingOverflow(other)
        return isTooMuch ? nil : sum
    }

    @inlinable @inline(__always)
    public func subtractingExactly(_ other: Self) -> Self? {
        let (difference, isTooMuch) = subtractingReportingOverflow(other)
        return isTooMuch ? nil : difference
    }

    @inlinable @inline(__always)
    public func multipliedExactly(by other: Self) -> Self? {
        let (product, isTooMuch) = multipliedReportingOverflow(by: other)
        return isTooMuch ? nil : product
    }
}

extension Int64 {
    /// Reads at most `most` decimal digits and nothing else; nil for anything else.
    public init?(digits: some Sequence<UInt8>, most: Int) {
        self = 0
        var count = 0
        for digit in digits {
            guard digit >= 0x30, digit <= 0x39, count < most else { return nil }
            self = appendingSaturated(digit: digit)
            count += 1
        }
        if count == 0 { return nil }
    }
}
