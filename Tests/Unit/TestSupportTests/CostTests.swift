// SPDX-License-Identifier: Apache-2.0
import CPosix
import TestSupport
import Testing

/// The measure that the parsers' tests rely on sees what it should and nothing else.
@Suite struct CostTests {
    private func sumOfAll(_ bytes: [UInt8]) -> Int { bytes.reduce(0) { $0 + Int($1) } }

    /// As a parser that looks through the rest of the file for each of its bytes.
    private func sumOfAllTails(_ bytes: [UInt8]) -> Int {
        var sum = 0
        bytes.withUnsafeBufferPointer { bytes in
            for start in bytes.indices { for index in start..<bytes.count { sum &+= Int(bytes[index]) } }
        }
        return sum
    }

    @Test func aPeakIsSeenAlthoughItIsGivenBack() {
        let cost = Cost.of {
            for _ in 0..<4 { #expect([UInt8](repeating: 1, count: 1 << 20).count == 1 << 20) }
        }.cost
        #expect((1 << 20...(1 << 20) + (64 << 10)).contains(cost.peakBytes))
    }

    @Test func whatGrowsIsSeen() {
        let cost = Cost.of {
            var bytes: [UInt8] = []
            for index in 0..<1 << 20 { bytes.append(UInt8(truncatingIfNeeded: index)) }
            #expect(bytes.count == 1 << 20)
        }.cost
        #expect((1 << 20...(4 << 20)).contains(cost.peakBytes))
    }

    /// malloc, calloc, realloc and the aligned ones: C libraries use them all.
    @Test func everyWayToAllocate() {
        let ways: [(String, () -> UnsafeMutableRawPointer?)] = [
            ("malloc", { malloc(1 << 20) }), ("calloc", { calloc(1 << 10, 1 << 10) }),
            ("realloc", { realloc(malloc(1), 1 << 20) }), ("aligned_alloc", { aligned_alloc(64, 1 << 20) }),
            (
                "posix_memalign",
                {
                    var memory: UnsafeMutableRawPointer?
                    #expect(posix_memalign(&memory, 4096, 1 << 20) == 0)
                    return memory
                }
            ),
        ]
        for (name, allocate) in ways {
            let (left, outer) = Cost.of {
                let (memory, cost) = Cost.of(allocate)
                #expect((1 << 20...(1 << 20) + 8192).contains(cost.peakBytes), "\(name)")
                free(memory)
                return Cost.of {}.cost.peakBytes
            }
            // The outer measurement contains the inner one; and after `free` nothing is left.
            #expect(left == 0)
            #expect((1 << 20...(1 << 20) + 65_536).contains(outer.peakBytes), "\(name)")
            let next = Cost.of { free(allocate()) }.cost
            #expect((1 << 20...(1 << 20) + 8192).contains(next.peakBytes), "\(name)")
        }
    }

    @Test func processorTimeIsSeen() {
        let bytes = [UInt8](repeating: 1, count: 4000)
        let cost = Cost.of { #expect(sumOfAllTails(bytes) == 4000 * 4001 / 2) }.cost
        #expect(cost.nanoseconds > 1_000_000)
        // Waiting costs nothing.
        #expect(Cost.of { usleep(200_000) }.cost.nanoseconds < 100_000_000)
    }

    /// Another thread's work and memory are its own.
    @Test func otherThreadsAreNotSeen() {
        var thread = pthread_t()
        let cost = Cost.of {
            let failure = pthread_create(
                &thread, nil,
                { _ in
                    var sum = 0
                    for round in 0..<200 { sum += [UInt8](repeating: UInt8(round), count: 1 << 20).count }
                    return sum == 200 << 20 ? nil : UnsafeMutableRawPointer(bitPattern: 1)
                }, nil)
            #expect(failure == 0)
            var result: UnsafeMutableRawPointer?
            pthread_join(thread, &result)
            #expect(result == nil)
        }.cost
        #expect(cost.peakBytes < 256 << 10)
    }

    @Test func withinItsBound() {
        let bytes = [UInt8](repeating: 1, count: 100_000)
        #expect(expectCost(inputBytes: bytes.count) { sumOfAll(bytes) } == 100_000)
        expectLinear(smallBytes: 1 << 15, make: { [UInt8](repeating: 1, count: $0) }, work: { _ = sumOfAll($0) })
    }

    @Test func tooMuchTimeIsAnIssue() {
        let bytes = [UInt8](repeating: 1, count: 10_000)
        withKnownIssue {
            expectCost(CostBound(fixedMilliseconds: 1), inputBytes: bytes.count) { _ = sumOfAllTails(bytes) }
        }
        withKnownIssue {
            expectLinear(
                smallBytes: 1 << 11, make: { [UInt8](repeating: 1, count: $0) }, work: { _ = sumOfAllTails($0) })
        }
    }

    @Test func tooMuchMemoryIsAnIssue() {
        let inputBytes = 100_000
        withKnownIssue {
            expectCost(inputBytes: inputBytes) { #expect([Int](repeating: 0, count: inputBytes).count == inputBytes) }
        }
        withKnownIssue {
            expectLinear(
                smallBytes: 500, make: { $0 },
                work: { #expect([UInt8](repeating: 0, count: $0 * $0).count == $0 * $0) })
        }
    }
}
