// SPDX-License-Identifier: Apache-2.0
import CAllocations
import CPosix
import Testing

/// The use of processor time and memory by a piece of work on its thread. Neither figure counts other threads, so suites that run at the
/// same time do not disturb each other, nor does a busy host.
public struct Cost: CustomStringConvertible {
    /// Processor time, not the clock's.
    public var nanoseconds: Int64
    /// The most that was allocated at any moment, beyond what was when the work began.
    public var peakBytes: Int64
    /// The bytes that were still allocated at the end, with the result.
    public var keptBytes: Int64 = 0

    /// Measures work that stays on the calling thread. One measurement may stand within another.
    public static func of<Result>(_ work: () throws -> Result) rethrows -> (result: Result, cost: Cost) {
        let outerPeak = ns_allocated_peak()
        let allocated = ns_allocated_bytes()
        ns_set_allocated_peak(allocated)
        defer { ns_set_allocated_peak(max(outerPeak, ns_allocated_peak())) }
        let began = processorNanoseconds()
        let result = try work()
        let cost = Cost(
            nanoseconds: processorNanoseconds() - began, peakBytes: ns_allocated_peak() - allocated,
            keptBytes: ns_allocated_bytes() - allocated)
        return (result, cost)
    }

    public var description: String { "\(nanoseconds / 1000) µs of the processor, a peak of \(peakBytes) bytes" }

    private static func processorNanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// The limit of the cost of work on input of a size.
///
/// The bound is for the ordinary build, which is not optimized, on a host where everything takes several times as long as it should: many
/// times the need of a linear parser. Quadratic work exceeds it at some 100 KB of input, so a test gives input of that size as well as
/// small pieces.
public struct CostBound {
    public var fixedMilliseconds: Int64
    public var nanosecondsPerByte: Int64
    public var fixedBytes: Int64
    public var bytesPerByte: Int64

    public init(
        fixedMilliseconds: Int64 = 200, nanosecondsPerByte: Int64 = 5000, fixedBytes: Int64 = 256 << 10,
        bytesPerByte: Int64 = 4
    ) {
        self.fixedMilliseconds = fixedMilliseconds
        self.nanosecondsPerByte = nanosecondsPerByte
        self.fixedBytes = fixedBytes
        self.bytesPerByte = bytesPerByte
    }

    /// Most nanoseconds and bytes for input of this size.
    public func most(inputBytes: Int) -> Cost {
        Cost(
            nanoseconds: fixedMilliseconds * 1_000_000 + nanosecondsPerByte * Int64(inputBytes),
            peakBytes: fixedBytes + bytesPerByte * Int64(inputBytes))
    }
}

/// Does the work, and records an issue if it cost more than the bound allows for input of this size.
@discardableResult
public func expectCost<Result>(
    _ bound: CostBound = CostBound(), inputBytes: Int, _ comment: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Result
) rethrows -> Result {
    let (result, cost) = try Cost.of(work)
    let most = bound.most(inputBytes: inputBytes)
    if cost.nanoseconds > most.nanoseconds || cost.peakBytes > most.peakBytes {
        Issue.record(
            "\(inputBytes) bytes of input took \(cost); they may take \(most). \(comment())",
            sourceLocation: sourceLocation)
    }
    return result
}

/// Does the work for input of a size and of eight times that. Records an issue if the larger one cost more than 24 times the processor time
/// or the memory of the smaller: eight would be linear and 64 quadratic.
/// - Parameter smallBytes: the size for which the work takes a millisecond or more. Shorter work counts as a millisecond, and memory below
/// 64 KB as 64 KB.
/// - Parameter make: makes the input. Its cost does not count.
public func expectLinear<Input>(
    smallBytes: Int, _ comment: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation,
    make: (_ bytes: Int) -> Input, work: (Input) throws -> Void
) rethrows {
    let least = Cost(nanoseconds: 1_000_000, peakBytes: 64 << 10)
    /// The least of up to three measurements: a cold cache or a busy neighbour on the same core makes one too large, never too small.
    func cost(_ bytes: Int, until isEnough: (Cost) -> Bool) throws -> Cost {
        let input = make(bytes)
        var best = Cost(nanoseconds: .max, peakBytes: .max)
        for _ in 0..<3 where !isEnough(best) {
            let cost = try Cost.of { try work(input) }.cost
            best.nanoseconds = min(best.nanoseconds, max(cost.nanoseconds, least.nanoseconds))
            best.peakBytes = min(best.peakBytes, max(cost.peakBytes, least.peakBytes))
        }
        return best
    }
    let small = try cost(smallBytes) { _ in false }
    let most = Cost(nanoseconds: 24 * small.nanoseconds, peakBytes: 24 * small.peakBytes)
    let large = try cost(8 * smallBytes) { $0.nanoseconds <= most.nanoseconds && $0.peakBytes <= most.peakBytes }
    if large.nanoseconds > most.nanoseconds || large.peakBytes > most.peakBytes {
        Issue.record(
            "\(smallBytes) bytes of input took \(small), eight times as many took \(large): more than linear. \(comment())",
            sourceLocation: sourceLocation)
    }
}
