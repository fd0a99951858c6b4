// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import Posix
import TestSupport
import Testing

@testable import Streams

@Suite struct FeedRecordTests {
    private var sample: FeedRecord {
        var record = FeedRecord()
        record[.title] = "Öwls"
        record[.identity] = "g"
        record[.address] = "https://h/x"
        record[.published] = "1700000000"
        return record
    }

    @Test func whatIsWrittenIsRead() {
        let bytes = sample.bytes
        #expect(FeedRecord.length(bytes[...]) == bytes.count - 4)
        #expect(FeedRecord(bytes[4...]) == sample)
        #expect(sample.number(.published) == 1_700_000_000)
        #expect(sample.number(.title) == nil)
    }

    @Test func noBytesHurt() throws {
        var generator = SeededGenerator(seed: 3)
        let path = FileManager.default.temporaryDirectory.path + "/records-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: path) }
        for _ in 0..<500 {
            var bytes: [UInt8] = []
            for _ in 0..<5 { bytes += sample.bytes }
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
            try Files.replace(path, with: bytes)
            let pages = FeedPages(try FileDescriptor.open(path, O_RDONLY))
            var count = 0
            while count < 10 {
                let page = pages.next(most: 2)
                if page.isEmpty { break }
                count += page.count
            }
            #expect(count <= 5)
        }
    }

    @Test func questions() {
        let plain = StreamQuestion(address: "https://h/a")
        #expect(plain.text == "https://h/a" && !plain.isOfFeed)
        #expect(StreamQuestion(text: plain.text) == plain)
        let named = StreamQuestion(address: "https://h/a", name: "episode 7", kind: .document)
        #expect(named.isOfFeed && StreamQuestion(text: named.text) == named)
        for (feed, address, isHome) in [
            ("http://nas:80/feed", "http://nas/1.mp3", true), ("http://nas:8080/feed", "http://nas/1.mp3", false),
            ("http://nas/feed", "http://router/1.mp3", false), ("", "http://nas/1.mp3", false),
        ] {
            let question = StreamQuestion(address: address, name: "episode 7", feed: feed)
            #expect(question.isOfFeed == !isHome && StreamQuestion(text: question.text) == question)
        }
        let offers = StreamOffers(
            StreamOffers.Offer(address: "https://h/a", bits: 128_000),
            [StreamOffers.Offer(address: "http://h/b", bits: 32_000)])
        #expect(offers.text == "https://h/a 128000 http://h/b 32000" && StreamOffers(text: offers.text) == offers)
        let several = StreamQuestion(address: offers.text, name: "episode 7")
        #expect(several.address == "https://h/a" && several.offers == offers)
        #expect(StreamQuestion(text: several.text) == several)
        for wrong in [
            "https://h/a 1 ftp://h/b 2\nn\nsound", "https://h/a 1 https://h/b\nn\nsound", "https://h/a x\nn\nsound",
            "https://h/a 1 https://h/b 2", "https://h/a 1 https://h/b 9999999999\nn\nsound", " 1\nn\nsound",
        ] {
            #expect(StreamQuestion(text: wrong) == nil)
        }
        let many = StreamOffers(offers.offers[0], Array(repeating: offers.offers[1], count: 50))
        #expect(many.offers.count == StreamOffers.most)
        for wrong in [
            "", "file:///a", "https://h/a\nb", "https://h/a\n\nsound", "https://h/a\nhttp://h/b\nsound",
            "https://h/a\nb\nc",
        ] {
            #expect(StreamQuestion(text: wrong) == nil)
        }
    }
}
