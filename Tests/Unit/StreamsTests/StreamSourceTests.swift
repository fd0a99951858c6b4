// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Media
import Posix
import Synchronization
import TestSupport
import Testing

@testable import Streams

/// The speaker's reads while another process writes.
@Suite struct StreamSourceTests {
    private let channel: StreamChannel
    private let writer: Int32

    init() throws {
        channel = try StreamChannel("http://h/a", StreamQuestion(address: "http://h/a"))
        let path = FileManager.default.temporaryDirectory.path + "/streams-\(getpid())-\(UInt32.random(in: 0...(.max)))"
        writer = ns_open(path, O_RDWR | O_CREAT, 0o600)
        channel.didOpen(try FileDescriptor.open(path, O_RDONLY), isLive: false)
        unlink(path)
    }

    private func write(_ count: Int, of byte: UInt8, state: Int = StreamState.flowing) {
        let bytes = [UInt8](repeating: byte, count: count)
        let page = channel.shared.page
        let front = page.pointee.front.load(ordering: .relaxed)
        _ = bytes.withUnsafeBytes { pwrite(writer, $0.baseAddress, count, off_t(front)) }
        page.pointee.front.store(front + Int64(count), ordering: .releasing)
        page.pointee.state.store(state, ordering: .releasing)
    }

    @Test func nothingIsReadBeforeASecondIsThere() throws {
        let source = try channel.open()
        #expect(source.readyBytes(at: 0, most: 100) == nil)
        #expect(!channel.isReady)
        #expect(channel.shared.page.pointee.wanted.load(ordering: .relaxed) == 0)
        write(16 * 1024, of: 1)
        #expect(channel.isReady)
        #expect(source.readyBytes(at: 0, most: 100) == 100)
        #expect(source.readyBytes(at: 0, most: 1 << 20) == 16 * 1024)
        #expect(source.readyBytes(at: 10_000, most: 100) == nil)
        #expect(source.byteCount == nil)
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        let count = try bytes.withUnsafeMutableBytes { (buffer) in try source.read(into: buffer, at: 0) }
        #expect(count == 16 * 1024 && bytes.allSatisfy { $0 == 1 })
        #expect(throws: SourceError.self) {
            try bytes.withUnsafeMutableBytes { (buffer) in _ = try source.read(into: buffer, at: 1) }
        }
        write(10, of: 2, state: StreamState.whole)
        #expect(source.readyBytes(at: 16 * 1024, most: 100) == 10)
        #expect(source.readyBytes(at: 16 * 1024 + 10, most: 100) == 0)
        #expect(source.byteCount == Int64(16 * 1024 + 10))
        #expect(channel.isWhole)
    }

    /// A reader without a part looks again once a second of it has arrived, and not with every few bytes: each look opens and parses anew.
    @Test func whatIsMissedIsMissingUntilASecondOfItIsThere() throws {
        let source = try channel.open()
        #expect(!channel.isMissingBytes)
        #expect(source.readyBytes(at: 0, most: 100) == nil)
        var looks = 0
        for _ in 0..<16 {
            #expect(channel.isMissingBytes)
            write(1024, of: 1)
            if !channel.isMissingBytes { looks += 1 }
        }
        #expect(looks == 1)
        // A place far ahead, which never comes as the stream ends before.
        #expect(source.readyBytes(at: 5_000_000, most: 100) == nil)
        #expect(channel.isMissingBytes)
        write(10, of: 2, state: StreamState.whole)
        #expect(!channel.isMissingBytes)
    }

    /// At a server that cannot keep up sound and silence would go in turns of a second else.
    @Test func whoStallsOftenWaitsForMore() throws {
        let source = try channel.open()
        let second = channel.secondBytes
        var place = 0
        for seconds in [1, 4, 8, 16, 16] {
            #expect(source.readyBytes(at: Int64(place), most: 100) == nil)
            for _ in 0..<3 { channel.starves() }
            write((seconds - 1) * second, of: 1)
            #expect(source.readyBytes(at: Int64(place), most: 100) == nil)
            write(second, of: 1)
            #expect(source.readyBytes(at: Int64(place), most: 100) == 100)
            // Then all of that is read before it waits again.
            place += (seconds - 1) * second
            #expect(source.readyBytes(at: Int64(place), most: 100) == 100)
            place += second
        }
        // The end is not waited behind.
        channel.starves()
        write(100, of: 1)
        channel.shared.page.pointee.length.store(Int64(place + 100), ordering: .relaxed)
        #expect(source.readyBytes(at: Int64(place), most: 100) == 100)
    }

    @Test func beyondAHole() throws {
        let source = try channel.open()
        write(16 * 1024, of: 1)
        let page = channel.shared.page
        page.pointee.length.store(1_000_000, ordering: .relaxed)
        page.pointee.takesJumps.store(1, ordering: .relaxed)
        var spans = ByteSpans()
        spans.insert(0..<16 * 1024)
        spans.insert(980_000..<1_000_000)
        page.pointee.publish(spans)
        #expect(channel.takesJumps && channel.lengthBytes == 1_000_000)
        #expect(source.readyBytes(at: 981_000, most: 100) == 100)
        // Less than a second, but all there is.
        #expect(source.readyBytes(at: 999_000, most: 10_000) == 1000)
        #expect(source.readyBytes(at: 1_000_000, most: 100) == 0)
        #expect(source.readyBytes(at: 500_000, most: 100) == nil)
        #expect(page.pointee.wanted.load(ordering: .relaxed) == 500_000)
        #expect(page.pointee.jump.load(ordering: .relaxed) == 500_000)
        // The other process is woken for it, once.
        #expect(ns_eventfd_clear(channel.jumpWake.number) == 0)
        #expect(source.readyBytes(at: 500_000, most: 100) == nil)
        #expect(ns_eventfd_clear(channel.jumpWake.number) == -1)
        var bytes = [UInt8](repeating: 0, count: 100)
        #expect(throws: SourceError.self) {
            try bytes.withUnsafeMutableBytes { (buffer) in _ = try source.read(into: buffer, at: 16_384 - 50) }
        }
        #expect(page.pointee.wanted.load(ordering: .relaxed) == 16_384)
        // Continuing there is no jump.
        #expect(page.pointee.jump.load(ordering: .relaxed) == 500_000)
        channel.learn(secondBytes: 8000)
        page.pointee.consumed.store(984_000, ordering: .relaxed)
        #expect(channel.aheadMilliseconds == 2000)
    }

    /// The page's numbers are not trusted.
    @Test func numbersThatCannotBe() throws {
        let source = try channel.open()
        let page = channel.shared.page
        var bytes = [UInt8](repeating: 0, count: 1000)
        for front in [Int64.min, -1, 1 << 31, 1 << 62, Int64.max] {
            for state in [-5, 0, 1, 2, 3, 99] {
                for second in [Int.min, 0, Int.max] {
                    page.pointee.secondBytes.store(second, ordering: .relaxed)
                    page.pointee.front.store(front, ordering: .relaxed)
                    page.pointee.state.store(state, ordering: .relaxed)
                    for offset in [0, 5000, Int64.max] {
                        _ = source.readyBytes(at: offset, most: 1000)
                        _ = try? bytes.withUnsafeMutableBytes { (buffer) in try source.read(into: buffer, at: offset) }
                    }
                    _ = (channel.isReady, channel.isWhole, channel.aheadBytes, source.byteCount)
                    #expect(channel.aheadMilliseconds >= 0)
                }
            }
        }
    }

    /// The page is the other process's, and its words come by another way: it has failed once both are here, and is read as one thing.
    @Test func aFailureIsOneOnceItsWordsAreHere() throws {
        let source = try channel.open()
        var bytes = [UInt8](repeating: 0, count: 100)
        channel.shared.page.pointee.state.store(StreamState.failed, ordering: .releasing)
        #expect(source.readyBytes(at: 0, most: 100) == nil)
        #expect(channel.isHopeless && channel.failureWords == nil)
        channel.didFail("the server has no such recording (404)")
        channel.didFail("something else")
        do throws(SourceError) {
            var failure: SourceError?
            bytes.withUnsafeMutableBytes { buffer in
                do throws(SourceError) { _ = try source.read(into: buffer, at: 0) } catch { failure = error }
            }
            if let failure { throw failure }
            Issue.record("it has failed")
        } catch { #expect(error.cause.message.contains("404")) }
        #expect(channel.failureWords == "the server has no such recording (404)")
    }

    /// Any number at the edges of numbers in any field of the page, one and two at a time: nothing traps, and what is read is no more than asked.
    @Test(arguments: [false, true])
    func anyNumberInThePage(_ isLive: Bool) throws {
        let channel = try StreamChannel("http://h/b", StreamQuestion(address: "http://h/b"))
        let path = FileManager.default.temporaryDirectory.path + "/streams-\(getpid())-\(UInt32.random(in: 0...(.max)))"
        close(ns_open(path, O_RDWR | O_CREAT, 0o600))
        channel.didOpen(try FileDescriptor.open(path, O_RDONLY), isLive: isLive)
        unlink(path)
        let page = channel.shared.page
        var edges: [Int64] = [.min, -1, 0, 1, .max - 1, .max, .max / 4, .max / 4 + 1]
        for power in [7, 8, 16, 31, 32, 53, 62] {
            for apart in [-1, 0, 1] { edges.append(1 << Int64(power) + Int64(apart)) }
        }
        func put(_ field: Int, _ value: Int64) {
            switch field {
            case 0: page.pointee.front.store(value, ordering: .relaxed)
            case 1: page.pointee.state.store(Int(clamping: value), ordering: .relaxed)
            case 2: page.pointee.secondBytes.store(Int(clamping: value), ordering: .relaxed)
            case 3: page.pointee.length.store(value, ordering: .relaxed)
            case 4: page.pointee.takesJumps.store(Int(clamping: value), ordering: .relaxed)
            case 5: page.pointee.consumed.store(value, ordering: .relaxed)
            case 6: page.pointee.pace.store(Int(clamping: value), ordering: .relaxed)
            case 7: page.pointee.wanted.store(value, ordering: .relaxed)
            default: page.pointee.jump.store(value, ordering: .relaxed)
            }
        }
        var chance = SeededGenerator(seed: 12)
        var bytes = [UInt8](repeating: 0, count: 1000)
        let cases = ProcessInfo.processInfo.environment["NIGHTSTAND_FUZZ_CASES"].flatMap(Int.init) ?? 3000
        for round in 0..<cases {
            for _ in 0...round % 2 {
                put(Int.random(in: 0..<9, using: &chance), edges.randomElement(using: &chance)!)
            }
            guard let source = try? channel.open() else { continue }
            for offset in [0, edges.randomElement(using: &chance)!] {
                #expect((0...1000).contains(source.readyBytes(at: offset, most: 1000) ?? 0))
                #expect((0...1000).contains(source.available(at: offset, most: 1000)))
                _ = try? bytes.withUnsafeMutableBytes { (buffer) in try source.read(into: buffer, at: offset) }
            }
            #expect(channel.aheadMilliseconds >= 0 && channel.aheadBytes >= 0 && (source.byteCount ?? 0) >= 0)
            _ = (channel.isReady, channel.isWhole, channel.takesJumps, channel.lengthBytes, channel.hasAll(upTo: .max))
        }
    }
}
