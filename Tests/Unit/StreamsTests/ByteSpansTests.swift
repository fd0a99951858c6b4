// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Streams

@Suite struct ByteSpansTests {
    private func made(_ ranges: Range<Int64>...) -> ByteSpans {
        var spans = ByteSpans()
        for range in ranges { spans.insert(range) }
        return spans
    }

    @Test func whatTouchesIsOne() {
        #expect(made(0..<10, 10..<20).spans == [0..<20])
        #expect(made(0..<10, 20..<30, 10..<20).spans == [0..<30])
        #expect(made(20..<30, 0..<5).spans == [0..<5, 20..<30])
        #expect(made(5..<8, 0..<100, 40..<50).spans == [0..<100])
        #expect(made(3..<3).spans == [])
    }

    @Test func whatIsThereIsFound() {
        let spans = made(0..<10, 20..<30)
        #expect(spans.front == 10 && spans.end == 30)
        #expect(made(20..<30).front == 0)
        #expect(spans.reach(from: 3) == 10 && spans.reach(from: 10) == 10 && spans.reach(from: 29) == 30)
        #expect(spans.reach(from: 0) == 10 && spans.reach(from: 15) == 15 && spans.reach(from: 20) == 30)
        #expect(spans.next(after: 10) == 20 && spans.next(after: 30) == nil)
    }

    /// Never more than a few spans, and never an absent byte; nor does a reader see one while another writes the page.
    @Test func againstASetOfBytes() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<50 {
            var spans = ByteSpans()
            var bytes = [Bool](repeating: false, count: 400)
            let page = try SharedPage()
            for _ in 0..<60 {
                let from = Int.random(in: 0..<400, using: &generator)
                let to = min(400, from + Int.random(in: 0...20, using: &generator))
                spans.insert(Int64(from)..<Int64(to))
                for index in from..<to { bytes[index] = true }
                #expect(spans.spans.count <= ByteSpans.most)
                page.page.pointee.publish(spans)
                for place in stride(from: Int64(0), to: 400, by: 7) {
                    let reach = spans.reach(from: place)
                    #expect(bytes[Int(place)..<Int(reach)].allSatisfy { $0 })
                    #expect(page.page.pointee.reach(from: place) == reach)
                }
            }
        }
    }
}
