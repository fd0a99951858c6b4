// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Audio

@Suite struct CardQueueTests {
    /// The content of a card's queue, as a plain list.
    private struct Model {
        /// Numbers of frames; nil for silence.
        var held: [Int64?] = []
        /// The audio frame heard next.
        func heard(cursor: Int64) -> Int64 { held.compactMap { $0 }.first ?? cursor }
    }

    @Test func silenceBehindAPauseShiftsLaterSound() {
        var queue = CardQueue()
        queue.begin()
        queue.didDecode(2000)
        queue.didWrite(1000)
        queue.didWriteSilence(200)
        // Audio, then silence, during which the place stands.
        #expect(queue.heardFrame(delay: 1200) == 0 && queue.heardFrame(delay: 300) == 900)
        #expect(queue.heardFrame(delay: 200) == 1000 && queue.heardFrame(delay: 50) == 1000)
        queue.didWrite(500)
        #expect(queue.heardFrame(delay: 600) == 1000 && queue.heardFrame(delay: 500) == 1000)
        #expect(queue.heardFrame(delay: 499) == 1001)
        // A frame behind the silence comes later by it.
        #expect(queue.framesUntil(1000, delay: 700) == 200)
        #expect(queue.framesUntil(999, delay: 701) == 0)
    }

    @Test func whatIsTakenBackIsSoundThenSilenceThenSound() {
        var queue = CardQueue()
        queue.begin()
        queue.didDecode(5000)
        queue.didWrite(1000)
        queue.didWriteSilence(300)
        queue.didWrite(100)
        queue.takeBack(250)
        #expect(queue.cursor == 1000 && queue.padFrames == 150 && queue.given == 1150)
        queue.takeBack(150 + 400)
        #expect(queue.cursor == 600 && queue.padFrames == 0 && queue.given == 600)
        queue.didWrite(10)
        #expect(queue.heardFrame(delay: 610) == 0)
    }

    @Test func aCardThatForgotAllGoesBackNoFurtherThanTheHistory() {
        var queue = CardQueue()
        queue.didDecode(9000)
        queue.didWrite(8000)
        queue.goBack(to: 3000, oldest: 4000)
        #expect(queue.cursor == 4000 && queue.floorFrame == 4000 && queue.given == 0)
        queue.goBack(to: 99_000, oldest: 0)
        #expect(queue.cursor == 4000)
    }

    /// Compares with a plain list. After any writes, playing and taking back, the position is that of the next frame in the list, and the
    /// next write follows the remaining frames.
    @Test(arguments: 0..<40) func cutsNeitherRepeatNorLose(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = CardQueue()
        var model = Model()
        queue.begin()
        for step in 0..<400 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let count = Int64.random(in: 1...300, using: &random)
                queue.didDecode(max(0, count - queue.ready))
                for frame in queue.cursor..<queue.cursor + count { model.held.append(frame) }
                queue.didWrite(count)
            case 2:
                // The loop writes silence only if none but what the card is about to fetch is left of an earlier one.
                if model.held.contains(nil) { break }
                let count = Int64.random(in: 1...300, using: &random)
                model.held.append(contentsOf: [Int64?](repeating: nil, count: Int(count)))
                queue.didWriteSilence(count)
            case 3:
                let count = Int.random(in: 0...model.held.count, using: &random)
                model.held.removeFirst(count)
            default:
                let count = Int.random(in: 0...model.held.count, using: &random)
                let left = model.held.dropLast(count)
                let taken = model.held.suffix(count).compactMap { $0 }.first
                model.held = Array(left)
                queue.takeBack(Int64(count))
                #expect(taken == nil || queue.cursor == taken, "seed \(seed), step \(step)")
            }
            let heard = queue.heardFrame(delay: Int64(model.held.count))
            #expect(heard == model.heard(cursor: queue.cursor), "seed \(seed), step \(step)")
        }
    }
}
