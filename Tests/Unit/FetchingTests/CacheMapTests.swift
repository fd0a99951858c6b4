// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Posix
import Streams
import TestSupport
import Testing

@testable import Fetching

@Suite struct CacheMapTests {
    @Test func whatIsWrittenIsRead() {
        var map = CacheMap(address: "https://h/ä b?x=1")
        #expect(CacheMap(map.bytes) == map)
        map.finalAddress = "https://cdn/x"
        map.strongTag = "\"abc\""
        map.length = 12_345_678_901
        map.spans.insert(0..<77)
        map.takesRanges = true
        map.spans.insert(1000..<2000)
        map.spans.insert(5000..<5001)
        #expect(CacheMap(map.bytes) == map)
        map.parts = CacheMap.Parts(done: 3, all: 40, milliseconds: 400_123, kind: 4_294_705_152, rendition: 1)
        map.offeredBits = 64_000
        #expect(CacheMap(map.bytes) == map)
        map.spans.insert(0..<12_345_678_901)
        map.isWhole = true
        #expect(CacheMap(map.bytes) == map)
    }

    @Test func whatIsDamagedIsNone() {
        var map = CacheMap(address: "http://h/a")
        map.length = 100
        map.spans.insert(0..<50)
        let bytes = map.bytes
        for count in 0..<bytes.count { #expect(CacheMap(Array(bytes[..<count])) == nil) }
        map.spans.insert(0..<101)
        #expect(CacheMap(map.bytes) == nil)
        map.spans = ByteSpans()
        map.spans.insert(0..<50)
        map.isWhole = true
        #expect(CacheMap(map.bytes) == nil)
    }

    @Test func noBytesHurt() {
        var generator = SeededGenerator(seed: 5)
        var map = CacheMap(address: "http://h/a")
        map.length = 1000
        map.spans.insert(0..<500)
        map.strongTag = "\"x\""
        map.spans.insert(700..<900)
        for _ in 0..<5000 {
            var bytes = map.bytes
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if let read = CacheMap(bytes) { #expect(read.front >= 0 && read.spans.end <= read.length ?? .max) }
        }
    }

    @Test func whatWasHeardLongestAgoGoesFirst() throws {
        let path =
            FileManager.default.temporaryDirectory.path + "/fetching-\(getpid())-\(UInt32.random(in: 0...(.max)))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try CacheFolder(path: path, mostBytes: 1000)
        var keys: [String] = []
        for number in 0..<4 {
            let entry = try folder.open("http://h/\(number)")
            try [UInt8](repeating: UInt8(number), count: 250).withUnsafeBytes { (bytes) in
                try entry.file.writeAll(bytes)
            }
            entry.map.spans.insert(0..<250)
            folder.save(entry)
            keys.append(entry.key)
            let day = Date(timeIntervalSince1970: 1_000_000 + Double(number) * 100)
            try FileManager.default.setAttributes(
                [.modificationDate: day], ofItemAtPath: path + "/" + entry.key + ".map")
        }
        // The oldest is played, so that the next has to go.
        #expect(folder.makeRoom(100, keeping: [keys[0]]) == nil)
        let left = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".audio") }
        #expect(Set(left) == Set([keys[0], keys[2], keys[3]].map { $0 + ".audio" }))
        #expect(try folder.open("http://h/0").map.front == 250)
        #expect(try folder.open("http://h/1").map.front == 0)
        #expect(folder.makeRoom(2000, keeping: keys) != nil)
    }
}
