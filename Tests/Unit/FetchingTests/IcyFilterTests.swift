// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Fetching

@Suite struct IcyFilterTests {
    /// A stream with these words behind each piece of sound.
    private func stream(_ interval: Int, _ words: [String]) -> (bytes: [UInt8], sound: [UInt8]) {
        var bytes: [UInt8] = []
        var sound: [UInt8] = []
        for (number, text) in words.enumerated() {
            let piece = [UInt8](repeating: UInt8(number + 1), count: interval)
            sound += piece
            var padded = Array(text.utf8)
            while padded.count % 16 != 0 { padded.append(0) }
            bytes += piece + [UInt8(padded.count / 16)] + padded
        }
        return (bytes, sound)
    }

    @Test func soundAndWordsAreParted() {
        let (bytes, sound) = stream(100, ["StreamTitle='One';StreamUrl='';", "", "StreamTitle='Owl's hour';"])
        for step in [1, 7, 100, 101, 1000] {
            var filter = IcyFilter(interval: 100)
            var heard: [UInt8] = []
            var titles: [String] = []
            var at = 0
            while at < bytes.count {
                let part = Array(bytes[at..<min(bytes.count, at + step)])
                if part.withUnsafeBytes({ filter.take($0) { heard += $0 } }) { titles.append(filter.title) }
                at += step
            }
            #expect(heard == sound)
            #expect(titles == (step < 1000 ? ["One", "Owl's hour"] : ["Owl's hour"]))
        }
    }

    @Test func titlesInTheLettersOfWesternEurope() {
        #expect(IcyFilter.title(in: Array("StreamTitle='Fu".utf8) + [0xDF] + Array("';".utf8)) == "Fu\u{DF}")
        #expect(IcyFilter.title(in: Array("StreamTitle='Fu\u{DF}';".utf8)) == "Fu\u{DF}")
    }

    @Test func withoutWordsAllIsSound() {
        var filter = IcyFilter(interval: 0)
        var heard = 0
        let has = [UInt8](repeating: 1, count: 300).withUnsafeBytes { filter.take($0) { heard += $0.count } }
        #expect(!has && heard == 300)
    }

    @Test func noBytesHurt() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<300 {
            var filter = IcyFilter(interval: Int.random(in: 1...50, using: &generator))
            let bytes = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &generator) }
            var heard = 0
            _ = bytes.withUnsafeBytes { filter.take($0) { heard += $0.count } }
            #expect(heard <= bytes.count)
            #expect(filter.title.utf8.count <= 600)
            var head = ResponseHead()
            for line in bytes.split(separator: 0x0A) { Array(line).withUnsafeBytes { head.take($0) } }
        }
        for name in ["content-range: bytes ", "Content-Length: ", "icy-metaint:", "Retry-After: ", "icy-br:", "ETag: "]
        {
            for _ in 0..<500 {
                var head = ResponseHead()
                let tail = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    "0123456789-/*\"W bytes:,;".utf8.randomElement(using: &generator)!
                }
                (Array(name.utf8) + tail).withUnsafeBytes { head.take($0) }
                #expect((head.contentLength ?? 0) >= 0 && head.icyInterval <= 1 << 20)
                var plan = FetchPlan(CacheMap(address: "http://h"), mostBytes: 1000)
                _ = plan.request()
                _ = plan.judge(head, finalAddress: "")
            }
        }
    }
}
