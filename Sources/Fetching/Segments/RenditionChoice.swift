// SPDX-License-Identifier: Apache-2.0
import Streams

/// The wanted quality.
public enum RenditionQuality: Equatable, Sendable {
    /// The network's speed decides.
    case auto
    case low, high
    /// The highest quality up to this number of kbit/s.
    case kilobits(Int)
}

/// Chooses one of several renditions: at the start by the measured speed of the network, and again, a lower one, when the speaker ran dry.
/// Speech needs 32 to 128 kbit/s, so other changes during playback are not worth their code. A value without a clock.
public struct RenditionChoice: Equatable, Sendable {
    /// The rate without a measurement: speech is clear at that, and little is lost with a slower network.
    public static let modestBits = 64_000

    /// The bits per second, from the lowest to the highest; 0 for an unknown rate.
    public private(set) var rates: [Int]
    public private(set) var current: Int
    public private(set) var pace: NetworkPace
    private let quality: RenditionQuality
    /// The renditions that cannot follow the present bytes.
    private var unfit: Set<Int> = []

    /// - Parameter pace: the network's earlier speed.
    public init(_ rates: [Int], quality: RenditionQuality, pace: NetworkPace = NetworkPace()) {
        self.rates = rates
        self.quality = quality
        self.pace = pace
        current = RenditionChoice.first(rates, quality, pace)
    }

    /// Returns the first choice.
    public static func first(_ rates: [Int], _ quality: RenditionQuality, _ pace: NetworkPace) -> Int {
        switch quality {
        case .low: 0
        case .high: max(0, rates.count - 1)
        case .kilobits(let most): rates.lastIndex { $0 <= most * 1000 } ?? 0
        case .auto:
            if let bits = pace.bitsPerSecond {
                rates.lastIndex { Int64($0) <= bits / 2 } ?? 0
            } else {
                rates.lastIndex { $0 <= modestBits } ?? 0
            }
        }
    }

    /// Chooses one of a feed's qualities: the one that is cached in part, or the one that suits the network and the configuration. Without
    /// a measurement or a wish it takes the feed's own, which is the first.
    static func offer(
        of offers: [StreamOffers.Offer], _ map: CacheMap, _ quality: RenditionQuality, _ pace: NetworkPace
    ) -> StreamOffers.Offer {
        if map.front > 0 { return offers.first { Int64($0.bits) == map.offeredBits } ?? offers[0] }
        let known = offers.filter { $0.bits > 0 }.sorted { $0.bits < $1.bits }
        let isMeasured = pace.bitsPerSecond != nil && known.count == offers.count
        guard quality != .auto || isMeasured, !known.isEmpty else { return offers[0] }
        return known[first(known.map { $0.bits }, quality, pace)]
    }

    /// Notes that a segment has come.
    /// - Parameter ranDry: true if all sound before it had been heard by then. Then the network's earlier speed no longer counts, and if
    ///   the new one is too low for the rendition, a lower one is next.
    public mutating func didFetch(bytes: Int, milliseconds: Int64, ranDry: Bool) {
        if ranDry { pace = NetworkPace() }
        pace.add(bytes: Int64(bytes), milliseconds: milliseconds)
        guard ranDry, quality == .auto, let bits = pace.bitsPerSecond, Int64(rates[current]) > bits / 2 else { return }
        let lesser = rates.indices.filter { $0 < current && !unfit.contains($0) }
        current = lesser.last { Int64(rates[$0]) <= bits / 2 } ?? lesser.first ?? current
    }

    /// Notes that the rendition cannot follow the present bytes. Returns false if none is left that can.
    public mutating func isUnfit(_ rendition: Int) -> Bool {
        unfit.insert(rendition)
        guard
            let other = rates.indices.filter({ !unfit.contains($0) }).min(by: { abs($0 - current) < abs($1 - current) })
        else { return false }
        current = other
        return true
    }
}

/// The network's speed, from its last bytes: the lower of a fast and a slow average.
public struct NetworkPace: Equatable, Sendable {
    /// The limit of accepted values: with larger ones, products would exceed 64 bits.
    static let mostBytes: Int64 = 1 << 36

    private var soon: Int64?
    private var slow: Int64?

    public init() {}

    /// The speed; nil before a measurement.
    public var bitsPerSecond: Int64? {
        guard let soon, let slow else { return nil }
        return min(soon, slow)
    }

    public mutating func add(bytes: Int64, milliseconds: Int64) {
        // Fewer bytes do not tell the speed.
        guard bytes >= 4096, bytes <= NetworkPace.mostBytes else { return }
        let bits = bytes * 8000 / max(1, milliseconds)
        soon = soon.map { ($0 + bits) / 2 } ?? bits
        slow = slow.map { ($0 * 7 + bits) / 8 } ?? bits
    }
}
