import Foundation
import Testing

@testable import Realtime

/// Where two threads share a ring, it outlives both.
private final class Shared<Value: ~Copyable>: @unchecked Sendable {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
}

@Suite struct RingTests {
    @Test func bytesArriveInOrderWhateverTheSizesOfPieces() {
        var random = SystemRandomNumberGenerator()
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

    @Test func messagesCrossThreadsWholeAndInOrder() {
        let ring = Shared(MessageRing(capacity: 8))
        let total = 200_000
        let producer = Thread {
            var next = 1
            while next <= total {
                if ring.value.send(Message(kind: next, a: next * 2, b: Int64(next) * 3, c: -next)) { next += 1 }
            }
        }
        producer.start()
        var expected = 1
        var wrong = 0
        while expected <= total {
            guard let message = ring.value.receive() else { continue }
            if message.kind != expected || message.a != expected * 2 || message.b != expected * 3
                || message.c != -expected
            {
                wrong += 1
            }
            expected += 1
        }
        let rest = ring.value.receive()
        #expect(wrong == 0 && rest?.kind == nil)
    }

    @Test func aFullQueueRefusesAndLosesNothing() {
        let ring = MessageRing(capacity: 3)
        func send(_ message: Message) -> Bool { ring.send(message) }
        func kind() -> Int? { ring.receive()?.kind }
        for i in 1...3 { #expect(send(Message(kind: i))) }
        #expect(!send(Message(kind: 4)))
        #expect(kind() == 1)
        #expect(send(Message(kind: 4)))
        for i in 2...4 { #expect(kind() == i) }
        #expect(kind() == nil)
    }

    @Test func aSnapshotIsNeverTorn() {
        let snapshot = Shared(Snapshot())
        let rounds: Int64 = 100_000
        let writer = Thread {
            for round in 1...rounds {
                snapshot.value.publish(InlineArray<12, Int64>(repeating: round))
            }
        }
        writer.start()
        var last: Int64 = 0
        var torn = 0
        while last < rounds {
            let values = snapshot.value.read()
            for i in 1..<12 where values[i] != values[0] { torn += 1 }
            if values[0] < last { torn += 1 }
            last = values[0]
        }
        #expect(torn == 0)
    }
}
