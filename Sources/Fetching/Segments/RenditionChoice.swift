import Streams

/// What is wanted where there is a choice.
public enum RenditionQuality: Equatable, Sendable {
    /// What the network gives.
    case auto
    case low, high
    /// As much as there is up to so many kbit/s.
    case kilobits(Int)
}

/// Which of several renditions to fetch: chosen when fetching begins, by what the network was measured to give, and again, a lesser one, when
/// the speaker ran dry. Speech needs 32 to 128 kbit/s, so a change in the middle of listening is not worth its code. A value without a clock.
public struct RenditionChoice: Equatable, Sendable {
    /// With nothing measured yet: speech is clear at that, and little is lost where the network gives less.
    public static let modestBits = 64_000

    /// Bits per second, from the least to the greatest; what is not said is 0.
    public private(set) var rates: [Int]
    public private(set) var current: Int
    public private(set) var pace: NetworkPace
    private let quality: RenditionQuality
    /// Those that cannot follow what is there already.
    private var unfit: Set<Int> = []

    /// - Parameter pace: what the network gave before.
    public init(_ rates: [Int], quality: RenditionQuality, pace: NetworkPace = NetworkPace()) {
        self.rates = rates
        self.quality = quality
        self.pace = pace
        current = RenditionChoice.first(rates, quality, pace)
    }

    /// What to begin with.
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

    /// Which of several qualities that a feed offers: the one that is there in part, or what the network gives and the configuration wants.
    /// Where nothing was measured, and nothing is wanted, the feed's own, which is the first.
    static func offer(
        of offers: [StreamOffers.Offer], _ map: CacheMap, _ quality: RenditionQuality, _ pace: NetworkPace
    ) -> StreamOffers.Offer {
        if map.front > 0 { return offers.first { Int64($0.bits) == map.offeredBits } ?? offers[0] }
        let known = offers.filter { $0.bits > 0 }.sorted { $0.bits < $1.bits }
        let isMeasured = pace.bitsPerSecond != nil && known.count == offers.count
        guard quality != .auto || isMeasured, !known.isEmpty else { return offers[0] }
        return known[first(known.map { $0.bits }, quality, pace)]
    }

    /// A segment has come.
    /// - Parameter ranDry: all before it had been heard by then. What the network gave earlier counts no more, and where this is too little
    ///   for the rendition, a lesser one is the next.
    public mutating func didFetch(bytes: Int, milliseconds: Int64, ranDry: Bool) {
        if ranDry { pace = NetworkPace() }
        pace.add(bytes: Int64(bytes), milliseconds: milliseconds)
        guard ranDry, quality == .auto, let bits = pace.bitsPerSecond, Int64(rates[current]) > bits / 2 else { return }
        let lesser = rates.indices.filter { $0 < current && !unfit.contains($0) }
        current = lesser.last { Int64(rates[$0]) <= bits / 2 } ?? lesser.first ?? current
    }

    /// What came of it cannot follow what is there. False where nothing is left that can.
    public mutating func isUnfit(_ rendition: Int) -> Bool {
        unfit.insert(rendition)
        guard
            let other = rates.indices.filter({ !unfit.contains($0) }).min(by: { abs($0 - current) < abs($1 - current) })
        else { return false }
        current = other
        return true
    }
}

/// What the network gives, of what came last: the lesser of two averages, one that follows soon and one that forgets slowly.
public struct NetworkPace: Equatable, Sendable {
    /// What is reckoned with at most: with more products would leave 64 bits, on a board of 32 bits as on any other.
    static let mostBytes: Int64 = 1 << 36

    private var soon: Int64?
    private var slow: Int64?

    public init() {}

    /// nil while nothing was measured.
    public var bitsPerSecond: Int64? {
        guard let soon, let slow else { return nil }
        return min(soon, slow)
    }

    public mutating func add(bytes: Int64, milliseconds: Int64) {
        // Of less nothing can be told.
        guard bytes >= 4096, bytes <= NetworkPace.mostBytes else { return }
        let bits = bytes * 8000 / max(1, milliseconds)
        soon = soon.map { ($0 + bits) / 2 } ?? bits
        slow = slow.map { ($0 * 7 + bits) / 8 } ?? bits
    }
}
