// SPDX-License-Identifier: Apache-2.0
import CXXHash

/// Identifies a picture by its content, so that the hundred files of a book share one: by its length, and XXH64 over its first and last 4
/// KB. This is cheap enough for a scan, and no defense against deliberate collisions.
public struct Cover: Hashable, Sendable {
    public let hash: UInt64
    public let byteCount: Int64

    static let sampleBytes = 4096

    public init(hash: UInt64, byteCount: Int64) {
        self.hash = hash
        self.byteCount = byteCount
    }

    /// - Parameters:
    ///   - first: the first `sampleBytes` bytes, or all of them.
    ///   - last: the last `sampleBytes` bytes, or all of them.
    init(byteCount: Int64, first: [UInt8], last: [UInt8]) {
        let samples = first + last
        let seed = UInt64(byteCount)
        hash = samples.withUnsafeBytes { ns_xxh64($0.baseAddress, $0.count, seed) }
        self.byteCount = byteCount
    }
}
