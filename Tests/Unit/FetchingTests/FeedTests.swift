import CPosix
import Expat
import Foundation
import Posix
import Streams
import TestSupport
import Testing

@testable import Fetching

/// Reads a feed in pieces; what it says, and why it was given up.
private func read(
    _ text: [UInt8], pieces: Int = 16 * 1024, most: Int = .max
) -> (feed: FeedRecord, episodes: [FeedRecord], problem: String?) {
    var episodes: [FeedRecord] = []
    let reader = FeedReader {
        episodes.append($0)
        return episodes.count < most
    }
    do throws(XMLError) {
        let stream = try XMLStream(reader)
        var at = 0
        while at < text.count {
            let end = min(text.count, at + pieces)
            try stream.take(Array(text[at..<end]))
            at = end
        }
        try stream.take([], isLast: true)
    } catch { return (reader.feed, episodes, error.message) }
    return (reader.feed, episodes, nil)
}

private func read(_ text: String) -> (feed: FeedRecord, episodes: [FeedRecord], problem: String?) {
    read(Array(text.utf8))
}

private let sample = """
    <?xml version="1.0" encoding="UTF-8"?>
    <rss version="2.0" xmlns:itunes="i" xmlns:podcast="p"><channel>
    <title>Owls &amp; more</title><itunes:author>Ann</itunes:author><itunes:image href="https://h/p.png"/>
    <image><url>https://h/old.png</url><title>not this</title></image>
    <description><![CDATA[<p>All   about &ouml; &#246; owls</p>]]></description>
    <item><title>One</title><guid>g1</guid><pubDate>Fri, 20 Nov 2026 18:00:00 +0100</pubDate>
    <enclosure url="https://h/1.mp3?x=1&amp;y=2" type="audio/mpeg" length="5"/><itunes:duration>1:02:03</itunes:duration>
    <podcast:transcript url="https://h/1.srt" type="application/srt"/><podcast:transcript url="https://h/1.vtt" type="text/vtt"/>
    <podcast:transcript url="https://h/1.html" type="text/html"/><podcast:chapters url="https://h/1.json" type="j"/>
    <itunes:image href="https://h/1.png"/></item>
    <item><title>News</title><guid>g2</guid></item>
    <item><title>Three</title><enclosure url="https://h/3.mp3"/><itunes:summary>S</itunes:summary></item>
    <item><title>Film</title><enclosure url="https://h/4.mp4" type="video/mp4"/></item>
    <item><title>File</title><enclosure url="file:///etc/passwd"/></item>
    </channel></rss>
    """

@Suite struct FeedReaderTests {
    @Test func allThatCountsIsRead() {
        let found = read(sample)
        #expect(found.problem == nil)
        #expect(found.feed[.title] == "Owls & more")
        #expect(found.feed[.author] == "Ann")
        #expect(found.feed[.picture] == "https://h/p.png")
        #expect(found.feed[.details] == "All about &ouml; ö owls")
        #expect(found.episodes.count == 2)
        let one = found.episodes[0]
        #expect(one[.title] == "One")
        #expect(one[.identity] == "g1")
        #expect(one[.address] == "https://h/1.mp3?x=1&y=2")
        #expect(one.number(.published) == 1_795_194_000)
        #expect(one.number(.seconds) == 3723)
        #expect(one[.transcript] == "https://h/1.vtt")
        #expect(one[.transcriptType] == "text/vtt")
        #expect(one[.chapters] == "https://h/1.json")
        #expect(one[.picture] == "https://h/1.png")
        // Without a guid it goes by its address.
        #expect(found.episodes[1][.identity] == "https://h/3.mp3")
        #expect(found.episodes[1][.details] == "S")
    }

    @Test func qualities() {
        let found = read(
            """
            <rss><channel><title>T</title><item><title>One</title><guid>g</guid>
            <enclosure url="https://h/1.mp3" type="audio/mpeg" length="16000000"/><itunes:duration>1000</itunes:duration>
            <podcast:alternateEnclosure type="audio/mpeg" length="16000000" bitrate="128000" default="true">
            <podcast:source uri="https://h/1.mp3"/></podcast:alternateEnclosure>
            <podcast:alternateEnclosure type="audio/aac" length="4000000"><podcast:source uri="ipfs://x"/>
            <podcast:source uri="https://h/low.aac"/><podcast:source uri="https://h/again.aac"/></podcast:alternateEnclosure>
            <podcast:alternateEnclosure type="audio/mpeg" bitrate="96000.5" lang="de"><podcast:source uri="https://h/de"/></podcast:alternateEnclosure>
            <podcast:alternateEnclosure type="video/mp4" bitrate="900000"><podcast:source uri="https://h/v"/></podcast:alternateEnclosure>
            <podcast:alternateEnclosure type="audio/mpeg" bitrate="900000"><podcast:source uri="file:///etc/passwd"/></podcast:alternateEnclosure>
            </item><item><title>Two</title><enclosure url="https://h/2.mp3"/></item></channel></rss>
            """)
        #expect(found.problem == nil)
        #expect(found.episodes[0][.identity] == "g" && found.episodes[0][.address] == "https://h/1.mp3")
        #expect(found.episodes[0][.offers] == "https://h/1.mp3 128000 https://h/low.aac 32000")
        #expect(found.episodes[1][.offers] == nil)
    }

    @Test func piecesOfAnySizeAreOne() {
        let whole = read(sample)
        for pieces in [1, 2, 7, 100] {
            let found = read(Array(sample.utf8), pieces: pieces)
            #expect(found.problem == nil && found.feed == whole.feed && found.episodes == whole.episodes)
        }
    }

    @Test func whatIsNoFeedIsNamed() {
        #expect(read("<html><body>x</body></html>").problem?.contains("page of the web") == true)
        #expect(read("<feed xmlns='a'/>").problem?.contains("Atom") == true)
        #expect(read("<a/>").problem?.contains("no feed of RSS") == true)
        #expect(read("").problem != nil)
        #expect(read("hello").problem?.begins(with: "line 1") == true)
        #expect(read(sample + "<a>").problem != nil)
    }

    @Test func entitiesAreRefused() {
        var laughs = "<!DOCTYPE r [<!ENTITY a0 \"ha\">"
        for level in 1...9 {
            laughs += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        laughs += "]><rss><channel><title>&a9;</title></channel></rss>"
        #expect(read(laughs).problem?.contains("entities") == true)
        #expect(
            read("<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><rss>&x;</rss>").problem?.contains("entities")
                == true)
        #expect(read("<!DOCTYPE rss PUBLIC \"a\" \"http://127.0.0.1/x.dtd\"><rss><channel/></rss>").problem == nil)
    }

    @Test func depthAndTokensAreBounded() {
        #expect(read(String(repeating: "<a>", count: 100_000)).problem != nil)
        let deep = "<rss><channel>" + String(repeating: "<b>", count: 100)
        #expect(read(deep).problem?.contains("deep") == true)
        let long = "<rss><channel a=\"" + String(repeating: "x", count: 3 << 20) + "\"/></rss>"
        #expect(read(long).problem != nil)
    }

    @Test func longTextsAreCut() {
        let title = String(repeating: "ö", count: 5000)
        let found = read(
            "<rss><channel><title>\(title)</title><item><enclosure url='http://h/a'/><title>\(title)</title></item></channel></rss>"
        )
        #expect(found.problem == nil)
        let count = found.episodes.first?[.title]?.utf8.count ?? 0
        #expect(count <= FeedRecord.Field.title.mostBytes && count > FeedRecord.Field.title.mostBytes - 4)
    }

    @Test func otherEncodings() {
        var bytes = Array("<?xml version=\"1.0\" encoding=\"windows-1252\"?><rss><channel><title>".utf8)
        bytes += [0x93, 0xE4, 0x94]
        bytes += Array("</title></channel></rss>".utf8)
        #expect(read(bytes).feed[.title] == "\u{201C}ä\u{201D}")
        bytes = Array("<rss><channel><title>".utf8) + [0xFF, 0xC3, 0x28] + Array("</title></channel></rss>".utf8)
        #expect(read(bytes).problem?.begins(with: "line 1") == true)
    }

    @Test func mutatedFeedsHurtNobody() {
        var generator = SeededGenerator(seed: 7)
        let bytes = Array(sample.utf8)
        for _ in 0..<3000 {
            var other = bytes
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                other[Int.random(in: 0..<other.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            for episode in read(other, pieces: Int.random(in: 1...3000, using: &generator)).episodes {
                #expect(episode[.address] != nil && episode.bytes.count <= FeedRecord.mostBytes + 4)
            }
        }
    }

    @Test func dates() {
        func date(_ text: String) -> Int64? { FeedDate.seconds(Array(text.utf8)) }
        #expect(date("Thu, 01 Jan 1970 00:00:00 GMT") == nil)
        #expect(date("Sat, 01 Jan 2000 00:00:00 GMT") == 946_684_800)
        #expect(date("1 Jan 2000 00:00 +0000") == 946_684_800)
        #expect(date("29 Feb 2024 12:00:00 -0500") == 1_709_226_000)
        #expect(date("29 Feb 2024 12:00:00 EST") == 1_709_226_000)
        #expect(date("2024-02-29T17:00:00Z") == 1_709_226_000)
        #expect(date("") == nil)
        #expect(date("Jan") == nil)
        #expect(date("99 Jan 2000 00:00:00 GMT") == nil)
        #expect(date("1 Jan 999999999 00:00:00 GMT") == nil)
        func duration(_ text: String) -> Int64? { FeedDate.duration(Array(text.utf8)) }
        #expect(duration("3723") == 3723)
        #expect(duration("62:03") == 3723)
        #expect(duration("12.7") == 12)
        #expect(duration("1:2:3:4") == nil)
        #expect(duration("99999999999999") == nil)
        #expect(duration("-5") == nil)
    }
}

@Suite struct FeedFileTests {
    private func folder() -> String {
        let path = FileManager.default.temporaryDirectory.path + "/feed-\(getpid())-\(UInt32.random(in: 0...(.max)))"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private func episode(_ name: String, _ seconds: Int64?) -> FeedRecord {
        var record = FeedRecord()
        record[.identity] = name
        record[.title] = "T " + name
        record[.address] = "https://h/" + name
        if let seconds { record[.published] = "\(seconds)" }
        return record
    }

    @Test func newestFirstEachOnce() throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var file = try FeedFile(folder: folder)
        var feed = FeedRecord()
        feed[.title] = "F"
        for (name, seconds) in [("b", 20), ("none", nil), ("c", 30), ("b", 5), ("a", 10)] as [(String, Int64?)] {
            let isAdded = file.add(episode(name, seconds))
            #expect(isAdded)
        }
        let pages = FeedPages(try file.finish(feed))
        let first = pages.next(most: 3)
        #expect(first.map { $0[.title] } == ["F", "T c", "T b"])
        #expect(pages.next(most: 10).map { $0[.identity] } == ["none", "a"])
        #expect(pages.next(most: 10).isEmpty && !pages.isGarbled)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    /// A feed of 10 MB costs what one of 10 KB does, and a part of it is kept.
    @Test func longFeedsTakeLittle() throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var file = try FeedFile(folder: folder)
        var added = 0
        let reader = FeedReader { record in
            added += 1
            return file.add(record)
        }
        let stream = try XMLStream(reader)
        func take(_ text: String) throws(XMLError) {
            try stream.take(Array(text.utf8))
        }
        try take("<rss><channel><title>F</title>")
        let words = String(repeating: "word ", count: 1000)
        var bytes = 0
        let (count, cost) = try Cost.of {
            for number in 0..<2000 {
                let item =
                    "<item><guid>\(number)</guid><enclosure url='http://h/\(number)'/><description>\(words)</description></item>"
                bytes += item.utf8.count
                try take(item)
            }
            try take("</channel></rss>")
            let pages = FeedPages(try file.finish(reader.feed))
            var count = -1
            while true {
                let page = pages.next(most: 64)
                if page.isEmpty { break }
                count += page.count
            }
            return count
        }
        #expect(bytes > 10_000_000 && added == 2000)
        #expect(count == FeedRecord.mostEpisodes)
        #expect(cost.peakBytes < 4_000_000, "\(cost)")
    }
}

@Suite struct OPMLTests {
    @Test func whatIsWrittenIsRead() throws {
        let outlines = [
            OPML.Outline(title: "A \"b\" & <c>", address: "https://h/?a=1&b=2"),
            OPML.Outline(title: "ö", address: "http://h/2"),
        ]
        #expect(try OPML.read(OPML.bytes(of: outlines)) == outlines)
    }

    @Test func foldersDoublesAndFiles() throws {
        let text = """
            <opml><body><outline text="Folder"><outline text="One" xmlUrl="http://h/1"/></outline>
            <outline xmlUrl="http://h/1"/><outline xmlUrl="file:///a"/><outline xmlUrl=" http://h/2 "/></body></opml>
            """
        #expect(
            try OPML.read(Array(text.utf8)) == [
                OPML.Outline(title: "One", address: "http://h/1"), OPML.Outline(title: "h", address: "http://h/2"),
            ])
        #expect(throws: OPML.Refusal.self) { try OPML.read(Array("<rss/>".utf8)) }
        #expect(throws: OPML.Refusal.self) { try OPML.read([]) }
    }
}
