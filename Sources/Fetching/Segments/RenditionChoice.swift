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
                rates.lastIndex { $0 <= bits / 2 } ?? 0
            } else {
                rates.lastIndex { $0 <= modestBits } ?? 0
            }
        }
    }

    private var isFixed: Bool { quality != .auto || rates.count < 2 }

    /// A segment has come.
    public mutating func didFetch(bytes: Int, milliseconds: Int) {
        pace.add(bytes: bytes, milliseconds: milliseconds)
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
        let isSlow = rates[current] > bits * 85 / 100
        // It would come later than it is needed, as far as can be foretold.
        let fetching = bits > 0 ? rates[current] / 1000 * lasting / max(1, bits / 1000) : .max
        let isLate = fetching > buffered * 8 / 10 && rates[current] > bits * 60 / 100
        if isSlow || isLate, let lower = lower(than: current, within: bits * 70 / 100) {
            move(to: lower)
        } else if !isSlow && steady >= RenditionChoice.leastBetweenChanges
            && buffered >= min(RenditionChoice.comfortMilliseconds, 2 * lasting),
            let higher = rates.indices.last(where: {
                $0 > current && !unfit.contains($0) && rates[$0] <= bits * 55 / 100
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
    public mutating func givesUp(got: Int, after milliseconds: Int, total: Int?, buffered: Int, lasting: Int) -> Bool {
        guard !isFixed, milliseconds >= 1000 else { return false }
        let bits = got * 8 * 1000 / milliseconds
        let expected = total ?? rates[current] / 8 * lasting / 1000
        let left = max(0, expected - got) * 8
        let leftMilliseconds = bits > 0 ? left * 1000 / bits : Int(Int32.max)
        guard leftMilliseconds > buffered, let lower = lower(than: current, within: bits * 70 / 100),
            // All of the lesser has to come sooner than the rest of this.
            rates[lower] / 1000 * lasting < (bits > 0 ? leftMilliseconds * (bits / 1000) : .max)
        else { return false }
        pace.add(bytes: got, milliseconds: milliseconds)
        move(to: lower)
        return true
    }

    /// One that is within so many bits, or the least.
    private func lower(than rendition: Int, within bits: Int) -> Int? {
        let all = rates.indices.filter { $0 < rendition && !unfit.contains($0) }
        return all.last { rates[$0] <= bits } ?? all.first
    }

    private mutating func move(to rendition: Int) {
        if rendition == current { return }
        current = rendition
        steady = 0
    }
}

/// What the network gives, of what came last: the lesser of two averages, one that follows soon and one that forgets slowly.
public struct NetworkPace: Equatable, Sendable {
    private var soon: Int?
    private var slow: Int?

    public init() {}

    /// nil while nothing was measured.
    public var bitsPerSecond: Int? {
        guard let soon, let slow else { return nil }
        return min(soon, slow)
    }

    public mutating func add(bytes: Int, milliseconds: Int) {
        // Of less nothing can be told.
        guard bytes >= 4096, bytes < 1 << 40 else { return }
        let bits = bytes * 8000 / max(1, milliseconds)
        soon = soon.map { ($0 + bits) / 2 } ?? bits
        slow = slow.map { ($0 * 7 + bits) / 8 } ?? bits
    }
}
