// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Realtime

/// Two threads share a ring, so it outlives both.
private final class Shared<Value: ~Copyable>: @unchecked Sendable {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
}

@Suite struct RingTests {
    @Test func bytesArriveInOrderWhateverTheSizesOfPieces() {
        var random = SeededGenerator(seed: 1)
        for capacity in [1, 2, 7, 64, 1000] {
            let ring = ByteRing(capacityBytes: capacity)
            var sent: UInt8 = 0
            var expected: UInt8 = 0
            for _ in 0..<5000 {
                let room = ring.reserve()
                #expect(room.count <= capacity)
                let count = Int.random(in: 0...room.count, using: &random)
                for i in 0..<count {
                    room[i] = sent
                    sent &+= 1
                }
                ring.commit(count)
                let ready = ring.peek()
                let taken = Int.random(in: 0...ready.count, using: &random)
                for i in 0..<taken {
                    #expect(ready[i] == expected)
                    expected &+= 1
                }
                ring.consume(taken)
                let filled = ring.filledBytes()
                #expect(filled & 255 == Int(sent &- expected))
            }
        }
    }

    @Test func bytesCrossThreads() {
        let ring = Shared(ByteRing(capacityBytes: 4096))
        let total = 2_000_000
        let producer = Thread {
            var sent = 0
            while sent < total {
                let room = ring.value.reserve()
                let count = min(room.count, total - sent)
                for i in 0..<count { room[i] = UInt8(truncatingIfNeeded: (sent + i) &* 31 &+ (sent + i) >> 8) }
                ring.value.commit(count)
                sent += count
            }
        }
        producer.start()
        var received = 0
        var wrong = 0
        while received < total {
            let ready = ring.value.peek()
            for i in 0..<ready.count {
                let n = received + i
                if ready[i] != UInt8(truncatingIfNeeded: n &* 31 &+ n >> 8) { wrong += 1 }
            }
            ring.value.consume(ready.count)
            received += ready.count
        }
        #expect(wrong == 0)
    }

    private enum Said: BitwiseCopyable, Equatable {
        case nothing
        case number(Int64, doubled: Int)
        case place(UnsafeMutablePointer<Int>, UInt8)
    }

    @Test func messagesCrossThreadsWholeAndInOrder() {
        let ring = Shared(MessageRing<Said>(capacity: 8))
        let total = 200_000
        @Sendable func said(_ number: Int) -> Said {
            switch number % 3 {
            case 0: .nothing
            case 1: .number(Int64(number) * 3, doubled: number * 2)
            default: .place(UnsafeMutablePointer(bitPattern: number * 8)!, UInt8(number % 251))
            }
        }
        let producer = Thread {
            var next = 1
            while next <= total {
                if ring.value.send(said(next)) { next += 1 }
            }
        }
        producer.start()
        var expected = 1
        var wrong = 0
        while expected <= total {
            guard let message = ring.value.receive() else { continue }
            if message != said(expected) { wrong += 1 }
            expected += 1
        }
        let rest = ring.value.receive()
        #expect(wrong == 0 && rest == nil)
    }

    @Test func aFullQueueRefusesAndLosesNothing() {
        let ring = MessageRing<Int>(capacity: 3)
        func send(_ message: Int) -> Bool { ring.send(message) }
        func receive() -> Int? { ring.receive() }
        for i in 1...3 { #expect(send(i)) }
        #expect(!send(4))
        #expect(receive() == 1)
        #expect(send(4))
        for i in 2...4 { #expect(receive() == i) }
        #expect(receive() == nil)
    }

    /// Of a size that is no multiple of a word.
    private struct Numbers: BitwiseCopyable {
        var first: Int64 = 0
        var many = InlineArray<12, Int32>(repeating: 0)
        var last: Int16 = 0
        var isOdd = false
    }

    @Test func whatIsPublishedIsNeverTorn() {
        let published = Shared(Published(Numbers()))
        let rounds: Int64 = 100_000
        let writer = Thread {
            for round in 1...rounds {
                published.value.publish(
                    Numbers(
                        first: round, many: InlineArray(repeating: Int32(round)),
                        last: Int16(truncatingIfNeeded: round), isOdd: round & 1 == 1))
            }
        }
        writer.start()
        var last: Int64 = 0
        var torn = 0
        while last < rounds {
            let values = published.value.read()
            for i in 0..<12 where Int64(values.many[i]) != values.first { torn += 1 }
            if values.last != Int16(truncatingIfNeeded: values.first) || values.isOdd != (values.first & 1 == 1) {
                torn += 1
            }
            if values.first < last { torn += 1 }
            last = values.first
        }
        #expect(torn == 0)
    }
}
