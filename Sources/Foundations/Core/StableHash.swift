// SPDX-License-Identifier: Apache-2.0
/// A 64-bit hash of texts and numbers that is the same tomorrow and on another machine (FNV-1a). No defense against deliberate collisions.
public struct StableHash {
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    public init() {}

    public mutating func add(_ number: UInt64) { value = (value ^ number) &* 0x100_0000_01B3 }
    public mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }
    public mutating func add(_ text: String) { for byte in text.utf8 { add(UInt64(byte)) } }
}

extension String {
    public var stableHash: UInt64 {
        var hash = StableHash()
        hash.add(self)
        return hash.value
    }
}
