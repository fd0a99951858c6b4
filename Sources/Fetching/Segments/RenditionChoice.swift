/// What is wanted where there is a choice.
public enum RenditionQuality: Equatable, Sendable {
    /// What the network gives.
    case auto
    case low, high
    /// As much as there is up to so many kbit/s.
    case kilobits(Int)
}

/// Which of several renditions to fetch next: by what the network was measured to give, and by how much there is to play before it runs
/// dry. A value without a clock.
public struct RenditionChoice: Equatable, Sendable {
    /// With nothing measured yet: speech is clear at that, and little is lost where the network gives less.
    public static let modestBits = 64_000
    /// Up only with so much in hand, so that it need not go down again.
    static let comfortMilliseconds = 8000
    static let leastBetweenChanges = 2

    /// Bits per second, from the least to the greatest; what is not said is 0.
    public private(set) var rates: [Int]
    public private(set) var current: Int
    public private(set) var pace: NetworkPace
    private let quality: RenditionQuality
    /// Segments since the last change.
    private var steady = RenditionChoice.leastBetweenChanges
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

    private var isFixed: Bool { quality != .auto || rates.count < 2 }

    /// A segment has come.
    public mutating func didFetch(bytes: Int, milliseconds: Int64) {
        pace.add(bytes: Int64(bytes), milliseconds: milliseconds)
        steady += 1
    }

    /// What came of it cannot follow what is there. False where nothing is left that can.
    public mutating func isUnfit(_ rendition: Int) -> Bool {
        unfit.insert(rendition)
        guard
            let other = rates.indices.filter({ !unfit.contains($0) }).min(by: { abs($0 - current) < abs($1 - current) })
        else { return false }
        move(to: other)
        return true
    }

    /// The one to fetch the next segment of.
    /// - Parameters:
    ///   - buffered: what plays before it runs dry.
    ///   - lasting: what a segment plays.
    public mutating func next(buffered: Int, lasting: Int) -> Int {
        guard !isFixed, let bits = pace.bitsPerSecond else { return current }
        let rate = Int64(rates[current])
        let isSlow = rate > bits * 85 / 100
        // It would come later than it is needed, as far as can be foretold.
        let fetching = bits > 0 ? rate / 1000 * Int64(lasting) / max(1, bits / 1000) : .max
        let isLate = fetching > Int64(buffered) * 8 / 10 && rate > bits * 60 / 100
        if isSlow || isLate, let lower = lower(than: current, within: bits * 70 / 100) {
            move(to: lower)
        } else if !isSlow && steady >= RenditionChoice.leastBetweenChanges
            && buffered / 2 >= min(RenditionChoice.comfortMilliseconds / 2, lasting),
            let higher = rates.indices.last(where: {
                $0 > current && !unfit.contains($0) && Int64(rates[$0]) <= bits * 55 / 100
            })
        {
            move(to: higher)
        }
        return current
    }

    /// Whether what is on its way is better given up for less of it.
    /// - Parameters:
    ///   - got: bytes of it that are there, after so many milliseconds.
    ///   - total: of all of it; nil where nobody knows.
    public mutating func givesUp(
        got: Int, after milliseconds: Int64, total: Int64?, buffered: Int, lasting: Int
    ) -> Bool {
        guard !isFixed, milliseconds >= 1000 else { return false }
        let got = Int64(got)
        let bits = got * 8 * 1000 / milliseconds
        // More than that no segment has; what the server says of it may be anything.
        let expected = min(total ?? rate(current) / 8 * Int64(lasting) / 1000, NetworkPace.mostBytes)
        let left = max(0, expected - got) * 8
        let leftMilliseconds = bits > 0 ? left * 1000 / bits : Int64(Int32.max)
        guard leftMilliseconds > Int64(buffered), let lower = lower(than: current, within: bits * 70 / 100),
            // All of the lesser has to come sooner than the rest of this.
            rate(lower) / 1000 * Int64(lasting) < (bits > 0 ? leftMilliseconds * (bits / 1000) : .max)
        else { return false }
        pace.add(bytes: got, milliseconds: milliseconds)
        move(to: lower)
        return true
    }

    /// One that is within so many bits, or the least.
    private func lower(than rendition: Int, within bits: Int64) -> Int? {
        let all = rates.indices.filter { $0 < rendition && !unfit.contains($0) }
        return all.last { rate($0) <= bits } ?? all.first
    }

    private func rate(_ rendition: Int) -> Int64 { Int64(rates[rendition]) }

    private mutating func move(to rendition: Int) {
        if rendition == current { return }
        current = rendition
        steady = 0
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
