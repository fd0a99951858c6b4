// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Console
@testable import Wire

@Suite struct LineBufferTests {
    private func append(_ bytes: some Collection<UInt8>, _ buffer: inout LineBuffer) {
        Array(bytes).withUnsafeBytes { buffer.append($0) }
    }

    /// However the bytes are cut on their way, the same lines come out; overlong ones are told once each, in their place.
    @Test func linesSurviveAnyCutting() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<300 {
            let limit = Int.random(in: 1...40, using: &random)
            var stream: [UInt8] = []
            var expected: [[UInt8]?] = []
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let count = Int.random(in: 0...(limit * 3 / 2 + 2), using: &random)
                let line = (0..<count).map { _ in UInt8.random(in: 11...255, using: &random) }
                expected.append(count > limit ? nil : line)
                stream += line + [.newline]
            }
            var buffer = LineBuffer(maximumLineBytes: limit)
            var found: [[UInt8]?] = []
            var rest = stream[...]
            expectCost(CostBound(bytesPerByte: 32), inputBytes: stream.count) {
                while !rest.isEmpty {
                    let piece = rest.prefix(Int.random(in: 1...30, using: &random))
                    rest = rest[piece.endIndex...]
                    append(piece, &buffer)
                    while let line = buffer.next() {
                        if case .complete(let bytes) = line { found.append(Array(bytes)) } else { found.append(nil) }
                    }
                    #expect(buffer.count <= limit)
                }
            }
            #expect(found == expected)
            #expect(buffer.count == 0)
        }
    }

    /// Many lines with one read, and one line that comes byte by byte, cost what they are.
    @Test(arguments: [(1, 16_384), (7, 16_384), (16_000, 16_384), (16_000, 1), (100_000, 1), (100_000, 4096)])
    func linesOfAnyLengthInPiecesOfAnySize(lineBytes: Int, pieceBytes: Int) {
        expectLinear(smallBytes: 20_000, "lines of \(lineBytes) in pieces of \(pieceBytes)") { bytes in
            (0..<bytes).map { ($0 + 1) % (lineBytes + 1) == 0 ? UInt8.newline : 0x61 }
        } work: { stream in
            var buffer = LineBuffer(maximumLineBytes: 16_384)
            var told = 0
            stream.withUnsafeBytes { stream in
                for start in stride(from: 0, to: stream.count, by: pieceBytes) {
                    buffer.append(
                        UnsafeRawBufferPointer(rebasing: stream[start..<min(start + pieceBytes, stream.count)]))
                    while buffer.next() != nil { told += 1 }
                }
            }
            #expect(told >= stream.count / (lineBytes + 1))
        }
    }

    @Test func anEndlessLineHoldsNoMemory() {
        var buffer = LineBuffer(maximumLineBytes: 100)
        var told = 0
        for _ in 0..<1000 {
            append([UInt8](repeating: 0x61, count: 1000), &buffer)
            while let line = buffer.next() {
                #expect(line == .tooLong)
                told += 1
            }
            #expect(buffer.count == 0)
        }
        #expect(told == 1)
        append([.newline, 0x62, .newline], &buffer)
        #expect(buffer.next() == .complete([0x62]))
    }
}
