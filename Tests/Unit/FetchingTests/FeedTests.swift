// SPDX-License-Identifier: Apache-2.0
import CPosix
import Expat
import Foundation
import Posix
import Streams
import TestSupport
import Testing

@testable import Fetching

/// Reads a feed in pieces. Returns its content, and the reason if the reader gave up.
private func read(
    _ text: [UInt8], pieces: Int = 16 * 1024, most: Int = .max, base: String = ""
) -> (feed: FeedRecord, episodes: [FeedRecord], problem: String?, newAddress: String) {
    var episodes: [FeedRecord] = []
    let reader = FeedReader(base: base) {
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
    } catch { return (reader.feed, episodes, error.message, reader.newAddress) }
    return (reader.feed, episodes, nil, reader.newAddress)
}

private func read(
    _ text: String, base: String = ""
) -> (feed: FeedRecord, episodes: [FeedRecord], problem: String?, newAddress: String) {
    read(Array(text.utf8), base: base)
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
    /// Feeds that are serials or not, and the part number of an episode.
    @Test(arguments: [
        ("<itunes:type>serial</itunes:type>", "serial"), ("<itunes:type> Serial\n</itunes:type>", "serial"),
        ("<podcast:medium>audiobook</podcast:medium>", "serial"), ("<itunes:type>episodic</itunes:type>", ""),
        ("<podcast:medium>podcast</podcast:medium>", ""), ("", ""),
    ])
    func aSerialIsKnown(element: String, order: String) {
        let parts = [
            ("<itunes:season>2</itunes:season><itunes:episode>13</itunes:episode>", "200013"),
            ("<itunes:episode>7</itunes:episode>", "7"), ("<podcast:episode>3.5</podcast:episode>", "3"),
            ("<itunes:episode>123456</itunes:episode>", ""), ("<itunes:episode>-4</itunes:episode>", ""),
            ("<itunes:season>1</itunes:season>", "100000"), ("", ""),
        ]
        let items = parts.enumerated().map { number, part in
            "<item><title>T</title><enclosure url=\"https://h/\(number).mp3\"/>\(part.0)</item>"
        }
        let read = read(
            "<rss xmlns:itunes=\"i\" xmlns:podcast=\"p\"><channel><title>F</title>\(element)\(items.joined())</channel></rss>"
        )
        #expect(read.problem == nil && read.feed[.order] ?? "" == order)
        #expect(read.episodes.map { $0[.number] ?? "" } == parts.map { $0.1 })
    }

    /// Podlove's simple chapters, as far as there is room for them.
    @Test func chaptersInTheFeedAreRead() {
        func marks(_ list: String) -> String? {
            let item = "<item><enclosure url='https://h/1.mp3'/><psc:chapters>\(list)</psc:chapters></item>"
            return read("<rss><channel>\(item)</channel></rss>").episodes[0][.marks]
        }
        func chapter(_ start: String, _ title: String) -> String { "<psc:chapter start='\(start)' title='\(title)'/>" }
        let list = chapter("00:00:00.000", "Dusk &amp; dawn") + chapter("1:02:03.5", " A  b ") + chapter("3.25", "")
        #expect(marks(list) == "0 Dusk & dawn\n3723500 A b\n3250 \n")
        #expect(marks("<psc:chapter title='x'/>" + chapter("a", "x") + chapter("-1", "x")) == nil)
        let many = marks((0..<20_000).map { chapter("\($0)", "\($0)") }.joined())
        #expect((7000...8192).contains(many?.utf8.count ?? 0) && many?.hasSuffix("\n") == true)
    }

    @Test func allThatCountsIsRead() {
        let found = read(sample)
        #expect(found.problem == nil)
        #expect(found.feed[.title] == "Owls & more")
        #expect(found.feed[.author] == "Ann")
        #expect(found.feed[.picture] == "https://h/p.png")
        #expect(found.feed[.details] == "All about ö ö owls")
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

    /// Text of inner elements belongs to the element around them.
    @Test func elementsWithinTexts() {
        let found = read(
            """
            <feed><title>A <b>B</b> C</title><subtitle type="xhtml"><div><p>One</p><p>Two <i>three</i></p></div></subtitle>
            <entry><title>T<sub><sub>i</sub></sub></title><link rel="enclosure" href="http://h/1"/>
            <content><div><title>no</title>Yes<link rel="enclosure" href="http://h/2"/></div></content><id>1</id></entry></feed>
            """)
        #expect(found.problem == nil)
        #expect(found.feed[.title] == "A B C")
        #expect(found.feed[.details] == "One Two three")
        #expect(found.episodes.map { $0[.title] } == ["T i"])
        #expect(found.episodes[0][.details] == "no Yes" && found.episodes[0][.identity] == "1")
        #expect(found.episodes[0][.address] == "http://h/1")
        let many = "<rss><channel><title>" + String(repeating: "<b/>x", count: 20_000) + "</title></channel></rss>"
        #expect(read(many).problem == nil)
        #expect(read(many).feed[.title]?.utf8.count ?? 0 > 390)
    }

    @Test func marksThatAreNotClosed() {
        func line(_ html: String) -> String {
            String(decoding: PlainText.line(Array(html.utf8), most: 100), as: UTF8.self)
        }
        #expect(line("one <b two") == "one <b two")
        #expect(line("one <b two <i>three</i> four") == "one <b two three four")
        #expect(line("a < b > c <!-- <p>--> d <br/>e") == "a < b > c --> d e")
        #expect(line("x<") == "x<" && line("<b>") == "" && line("x</") == "x</")
        let many = Array(String(repeating: "<b", count: 200_000).utf8)
        #expect(PlainText.line(many, most: 1 << 20) == many)
    }

    /// The feed's language goes before the better format.
    @Test func transcriptsInSeveralLanguages() {
        func chosen(_ channel: String, _ transcripts: [(type: String, language: String?)], item: String = "") -> String?
        {
            let elements = transcripts.enumerated().map { at, transcript in
                "<podcast:transcript url='https://h/\(at)' type='\(transcript.type)'"
                    + (transcript.language.map { " language='\($0)'" } ?? "") + "/>"
            }
            return read(
                "<rss><channel>\(channel)<item><enclosure url='https://h/a'/>\(elements.joined())\(item)</item></channel></rss>"
            ).episodes[0][.transcript]
        }
        let english = "<language>en</language>"
        #expect(chosen(english, [("application/json", "es"), ("text/vtt", "en")]) == "https://h/1")
        #expect(
            chosen(english, [("application/json", "es"), ("text/vtt", "EN_us"), ("text/srt", nil)]) == "https://h/2")
        #expect(chosen(english, [("application/json", "es"), ("text/vtt", "en-GB")]) == "https://h/1")
        #expect(chosen("", [("text/vtt", "en"), ("application/json", "es")]) == "https://h/1")
        #expect(chosen(english, [("text/vtt", "en"), ("application/json", nil)]) == "https://h/1")
        #expect(chosen(english, [("text/vtt", "es")]) == "https://h/0")
        #expect(chosen(english, [("text/html", "en"), ("text/vtt", "es")]) == "https://h/1")
        #expect(
            chosen(english, [("text/vtt", "es"), ("text/vtt", "en")], item: "<dc:language>es</dc:language>")
                == "https://h/0")
    }

    @Test func pagesWithOlderEpisodes() throws {
        func next(_ link: String) throws -> String {
            let reader = FeedReader(base: "https://h/feed?page=1") { _ in true }
            let item = "<item><link rel='next' href='http://h/no'/><enclosure url='http://h/1'/></item>"
            try XMLStream(reader).take(Array("<rss><channel>\(link)\(item)</channel></rss>".utf8), isLast: true)
            return reader.nextAddress
        }
        #expect(try next("<atom:link rel='next' href='?page=2'/>") == "https://h/feed?page=2")
        #expect(try next("<atom:link rel='self' href='/feed'/><link>https://h</link>") == "")
        #expect(try next("<atom:link rel='next' href='file:///etc/passwd'/>") == "")
        #expect(try next("<atom:link rel='next'/>") == "")
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
        #expect(read("<a/>").problem?.contains("no feed of RSS or Atom") == true)
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
        bytes = Array("<rss><channel><title>".utf8) + [0xE9, 0xC3, 0x28] + Array("</title></channel></rss>".utf8)
        #expect(read(bytes).feed[.title] == "éÃ(")
        for (name, letters, expected) in [
            ("ISO-8859-15", [0xA4, 0xBD], "€œ"), ("windows-1251", [0xCF, 0xF0], "Пр"), ("KOI8-R", [0xF0, 0xD2], "Пр"),
            ("GB2312", [0xC4, 0xE3, 0xBA, 0xC3], "你好"), ("Shift_JIS", [0x83, 0x65, 0x83, 0x58], "テス"),
            ("iso-8859-1", [0x93, 0xE9], "\u{201C}é"),
        ] as [(String, [UInt8], String)] {
            bytes = Array("<?xml version='1.0' encoding='\(name)'?><rss><channel><title>".utf8) + letters
            bytes += Array("</title></channel></rss>".utf8)
            for pieces in [1, 3, 1000] { #expect(read(bytes, pieces: pieces).feed[.title] == expected, "\(name)") }
        }
        for (mark, isLittle) in [([0xFF, 0xFE], true), ([0xFE, 0xFF], false), ([], true)] as [([UInt8], Bool)] {
            bytes = mark
            for unit in "<rss><channel><title>Öwl</title></channel></rss>".utf16 {
                let pair = [UInt8(unit & 255), UInt8(unit >> 8)]
                bytes += isLittle ? pair : pair.reversed()
            }
            for pieces in [1, 3, 1000] { #expect(read(bytes, pieces: pieces).feed[.title] == "Öwl") }
        }
        #expect(
            read("<?xml version='1.0' encoding='klingon'?><rss/>").problem
                == "an encoding that is not known here: klingon")
    }

    /// The usual mistakes of feeds do not keep the rest from being read.
    @Test func whatIsWrongIsMended() {
        func title(_ text: [UInt8], front: String = "") -> String? {
            let bytes = Array((front + "<rss><channel><title>").utf8) + text + Array("</title></channel></rss>".utf8)
            let found = read(bytes)
            #expect(found.problem == nil)
            for pieces in [1, 2, 5] { #expect(read(bytes, pieces: pieces).feed == found.feed) }
            return found.feed[.title]
        }
        func title(_ text: String) -> String? { title(Array(text.utf8)) }
        #expect(title("a & b &x; &; && &amp &#x26; &#38;&#xZ;") == "a & b &x; &; && &amp & &&#xZ;")
        #expect(title("a&nbsp;b &eacute; &ldquo;x&rdquo; &szlig; &lt;&hellip;") == "a b é “x” ß <…")
        #expect(title("a\u{1}b\u{B}c &#0;&#31;&#xD800;&#xFFFFFF; d") == "a b c d")
        #expect(title(Array("caf".utf8) + [0xE9] + Array(" ö".utf8) + [0xF0, 0x9F]) == "café öðŸ")
        #expect(title([0xED, 0xA0, 0x80, 0xC0, 0xAF, 0xEF, 0xBF, 0xBF] + Array("x".utf8))?.hasSuffix("x") == true)
        #expect(title("<![CDATA[a & b &eacute; ]] ]>]]]>&amp;") == "a & b é ]] ]>]&")
        for front in ["\n\n <?xml version='1.0'?>", "\u{FEFF}", "\u{FEFF}\r\n<?xml version='1.0' encoding='UTF-8'?>"] {
            #expect(title(Array("x".utf8), front: front) == "x", "\(front.utf8.count)")
        }
        let found = read("<rss><channel><item><enclosure url='http://h/a?x=1&y=2&copy=3'/></item></channel></rss>")
        #expect(found.episodes.first?[.address] == "http://h/a?x=1&y=2&copy=3")
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

@Suite struct OtherFeedsTests {
    @Test func atom() {
        let found = read(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>Owls</title><subtitle>All of them</subtitle><logo>/p.png</logo>
            <author><name>Ann</name></author><link rel="self" href="https://h/feed"/>
            <entry><title>One</title><id>urn:1</id><updated>2026-11-21T00:00:00Z</updated><published>2026-11-20T17:00:00Z</published>
            <author><name>Bob</name></author><link rel="alternate" href="https://h/page"/><summary>S</summary>
            <link rel="enclosure" type="audio/mpeg" length="5" href="1.mp3"/></entry>
            <entry><title>Two</title><id>urn:2</id><updated>2026-11-21T00:00:00Z</updated>
            <link rel="enclosure" href="//o/2.mp3"/></entry>
            <entry><title>News</title><id>urn:3</id><link href="https://h/3"/></entry></feed>
            """, base: "https://h/feeds/all")
        #expect(found.problem == nil && found.feed[.title] == "Owls" && found.feed[.author] == "Ann")
        #expect(found.feed[.details] == "All of them" && found.feed[.picture] == "https://h/p.png")
        #expect(found.episodes.map { $0[.address] } == ["https://h/feeds/1.mp3", "https://o/2.mp3"])
        #expect(found.episodes.map { $0[.identity] } == ["urn:1", "urn:2"])
        #expect(found.episodes.map { $0[.author] } == ["Bob", nil])
        #expect(found.episodes[0].number(.published) == 1_795_194_000 && found.episodes[0][.details] == "S")
        #expect(found.episodes[1].number(.published) == 1_795_219_200)
    }

    @Test func mediaAndMoves() {
        let found = read(
            """
            <rss><channel><title>T</title><itunes:new-feed-url> https://new/feed </itunes:new-feed-url>
            <item><title>One</title><media:group><media:content url="https://h/1.mp4" medium="video"/>
            <media:content url="/1.mp3" type="audio/mpeg" fileSize="7"/></media:group></item>
            <item><title>Two</title><media:content url="https://h/2.mp3" medium="audio"/></item>
            <item><title>Three</title><media:content url="https://h/3.png"/></item>
            <item><title>Four</title><enclosure url="../4.mp3"/><media:content url="https://h/no.mp3" medium="audio"/></item>
            </channel></rss>
            """, base: "https://h/a/b/feed.xml")
        #expect(found.problem == nil && found.newAddress == "https://new/feed")
        #expect(found.episodes.map { $0[.address] } == ["https://h/1.mp3", "https://h/2.mp3", "https://h/a/4.mp3"])
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

    /// A name that two episodes share is that of the first; the other goes by its address.
    @Test func sharedNames() throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var file = try FeedFile(folder: folder)
        for (name, address) in [("x", "https://h/1"), ("x", "https://h/2"), ("x", "https://h/1"), ("y", "https://h/3")]
        {
            var record = episode(name, 5)
            record[.address] = address
            let isAdded = file.add(record)
            #expect(isAdded)
        }
        let pages = FeedPages(try file.finish(FeedRecord()))
        #expect(pages.next(most: 10).dropFirst().map { $0[.identity] } == ["x", "https://h/2", "y"])
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
        #expect(try OPML.read(OPML.bytes(of: outlines)).outlines == outlines)
    }

    /// Other programs write the attribute, its scheme and its case in other ways.
    @Test func otherSpellings() throws {
        let text = """
            <OPML><Body><outline xmlurl="http://h.example/1"/><outline xmlURL="http://h.example/2"/>
            <outline type="rss" url="http://h.example/3"/><outline type="link" URL="http://h.example/4"/>
            <outline xmlUrl="feed://h.example/5"/><outline TEXT="Six" xmlUrl="h.example/6"/>
            <outline type="audio" URL="http://h.example/station"/><outline text="Folder"/>
            <outline text="A file" xmlUrl="file:///etc/passwd"/><outline xmlUrl="C:/a.xml"/>
            <outline text="Empty" xmlUrl=""/><outline text="Spaces" xmlUrl="http://h/a b"/></Body></OPML>
            """
        let found = try OPML.read(Array(text.utf8))
        #expect(
            found.outlines.map(\.address)
                == ["http", "http", "http", "http", "https", "https"].enumerated().map {
                    "\($0.element)://h.example/\($0.offset + 1)"
                })
        #expect(found.outlines.last?.title == "Six")
        #expect(found.leftOut == 4 && found.leftOutNames == ["A file", "C:/a.xml", "Empty"])
    }

    @Test func foldersDoublesAndFiles() throws {
        let text = """
            <opml><body><outline text="Folder"><outline text="One" xmlUrl="http://h/1"/></outline>
            <outline xmlUrl="http://h/1"/><outline xmlUrl="file:///a"/><outline xmlUrl=" http://h/2 "/></body></opml>
            """
        #expect(
            try OPML.read(Array(text.utf8)).outlines == [
                OPML.Outline(title: "One", address: "http://h/1"), OPML.Outline(title: "h", address: "http://h/2"),
            ])
        #expect(throws: OPML.Refusal.self) { try OPML.read(Array("<rss/>".utf8)) }
        #expect(throws: OPML.Refusal.self) { try OPML.read([]) }
    }
}
