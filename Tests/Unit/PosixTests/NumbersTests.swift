// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Posix

@Suite struct NumbersTests {
    private func found(_ name: StaticString, _ text: String) -> [Int64]? { numbers(after: name, in: Array(text.utf8)) }

    @Test func numbersOfALine() {
        let status = "Name:\tx\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t545\n"
        #expect(found("\nvoluntary_ctxt_switches:", status) == [150])
        #expect(found("nonvoluntary_ctxt_switches:", status) == [545])
        #expect(found("sound:", "silence: 1\nsound: 5933494  68:2 70:1\nfirst: 9") == [5_933_494, 68, 2, 70, 1])
        #expect(found(") ", "71 (a b) S 1 71 71 0 -1 4194560 5") == [1, 71, 71, 0, 1, 4_194_560, 5])
        #expect(found("a", "a") == [])
        #expect(found("a:", "a: none\n7") == [])
        #expect(found("b", "a 1") == nil)
        #expect(found("long", "lon") == nil)
        #expect(found("x", "") == nil)
        // More than fits is no number, and no end either.
        #expect(found("x", "x99999999999999999999999999 3")?.last == 3)
    }

    @Test func anyBytes() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? UInt8.random(in: 0x2F...0x3A, using: &random) : UInt8.random(in: 0...255, using: &random)
            }
            let all = expectCost(inputBytes: bytes.count) { numbers(after: ":", in: bytes) }
            #expect((all == nil) == !bytes.contains(UInt8(ascii: ":")))
            guard let start = bytes.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let line = bytes[(start + 1)...].prefix { $0 != 0x0A }
            let expected = line.split { $0 < 0x30 || $0 > 0x39 }.count
            #expect(all?.count == expected)
        }
    }

    /// A name that is nearly there in every place, and more numbers than any file of the kernel has.
    @Test(arguments: ["aaaaaaaa", "12 ", "9", "a:", "\n"]) func largeFilesCostTheirLength(piece: String) {
        expectLinear(
            smallBytes: 32 << 10,
            make: {
                Array("aaab:".utf8) + Array(repeatElement(Array(piece.utf8), count: $0 / piece.utf8.count).joined())
            },
            work: {
                #expect(numbers(after: "aaab:", in: $0) != nil)
                #expect(numbers(after: "aaaaaaac", in: $0) == nil)
            })
    }
}
