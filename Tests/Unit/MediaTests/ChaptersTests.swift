// SPDX-License-Identifier: Apache-2.0
import Core
import TestSupport
import Testing

@testable import Media

@Suite struct ChaptersTests {
    private typealias Pair = (Int, String)

    private func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }

    /// CHAP with what stands before its title.
    private func chapter(
        _ id: String, _ start: Int, _ title: String?, version: UInt8 = 4, before: [UInt8] = []
    ) -> [UInt8] {
        var body = Array(id.utf8) + [0] + big(start) + big(start + 1000) + big(0xFFFF_FFFF) + big(0xFFFF_FFFF) + before
        if let title { body += TagWriter.text("TIT2", title, version: version) }
        return TagWriter.frame("CHAP", body, version: version)
    }

    private func table(_ id: String, isTop: Bool = false, _ children: [String]) -> [UInt8] {
        let names = children.flatMap { (child: String) -> [UInt8] in Array(child.utf8) + [0] }
        let body = Array(id.utf8) + [0, isTop ? 3 : 1, UInt8(children.count)] + names
        return TagWriter.frame("CTOC", body + TagWriter.text("TIT2", "Contents"))
    }

    private func chapters(_ frames: [[UInt8]], version: UInt8 = 4, within duration: Int? = nil) -> [Chapter] {
        TagWriter.tags(TagWriter.tag(frames, version: version) + TagWriter.audio).chapters.within(duration)
    }

    private func made(_ pairs: [(Int, String)]) -> [Chapter] {
        pairs.map { Chapter(startMilliseconds: $0.0, title: $0.1) }
    }

    // MARK: ID3

    @Test func marksOfAFeed() {
        let text = "62500 Two\n0 One more\n 5 none\nnone\n99999999999999999999 late\n70000\n70000 Three"
        #expect(
            FetchedChapters.marks(text) == [
                Chapter(startMilliseconds: 0, title: "One more"), Chapter(startMilliseconds: 62_500, title: "Two"),
                Chapter(startMilliseconds: 70_000, title: "Three"),
            ])
        #expect(FetchedChapters.marks("").isEmpty)
    }

    @Test(arguments: [UInt8(3), 4]) func ofBothVersions(version: UInt8) {
        let frames = [
            chapter("b", 5000, "Zwei", version: version), chapter("a", 0, "Eins", version: version),
            chapter("c", 70_000, nil, version: version),
        ]
        #expect(chapters(frames, version: version) == made([(0, "Eins"), (5000, "Zwei"), (70_000, "")]))
    }

    /// A picture may be larger than all that is read of a chapter at a time.
    @Test(arguments: [100, 2000, 2040, 5000, 300_000]) func titlesBehindPictures(bytes: Int) {
        for version in [3, 4] as [UInt8] {
            let picture = TagWriter.frame("APIC", [UInt8](repeating: 0x41, count: bytes), version: version)
            let frames = [
                chapter("a", 7, "Behind", version: version, before: picture), chapter("b", 9, "Next", version: version),
            ]
            #expect(chapters(frames, version: version) == made([(7, "Behind"), (9, "Next")]))
        }
    }

    @Test func tablesSayWhatCounts() {
        let entries = [chapter("a", 0, "A"), chapter("b", 10, "B"), chapter("c", 20, "C"), chapter("p", 15, "Picture")]
        // Nested, unordered, and one that leads back.
        let nested = [
            table("toc", isTop: true, ["two", "one"]), table("one", ["a", "toc"]), table("two", ["c", "b", "x"]),
        ]
        #expect(chapters(entries + nested) == made([(0, "A"), (10, "B"), (20, "C")]))
        #expect(chapters(nested + entries) == made([(0, "A"), (10, "B"), (20, "C")]))
        // None at the top, or one that leads nowhere: all count.
        let all = made([(0, "A"), (10, "B"), (15, "Picture"), (20, "C")])
        #expect(chapters(entries) == all)
        #expect(chapters(entries + [table("toc", ["a"])]) == all)
        #expect(chapters(entries + [table("toc", isTop: true, ["x", "y"])]) == all)
    }

    @Test func onlyWhatCanBePlayedCounts() {
        let entries = [
            chapter("a", 0, "A"), chapter("b", 10_000, nil), chapter("c", 10_000, "C"), chapter("d", 10_000, "D"),
            chapter("e", 30_000, "At the end"), chapter("f", 0xFFFF_FFFF, "By bytes"), chapter("g", 0xFFFF_FFFE, "Far"),
        ]
        #expect(chapters(entries, within: 30_000) == made([(0, "A"), (10_000, "C")]))
        #expect(chapters(entries).last == Chapter(startMilliseconds: 30_000, title: "At the end"))
    }

    @Test func chaptersAreBounded() {
        let frames = (0..<12_000).map { chapter("c\($0)", 12_000 - $0, String(repeating: "long ", count: 200)) }
        let file = TagWriter.tag(frames) + TagWriter.audio
        let found = expectCost(inputBytes: file.count) { TagWriter.tags(file).chapters }
        #expect(found.count <= 10_000 && found.count > 500)
        #expect(found.reduce(0) { $0 + $1.title.utf8.count } <= 512 * 1024)
        #expect(found.allSatisfy { $0.title.utf8.count <= 512 })
    }

    @Test func rubbish() {
        var random = SeededGenerator(seed: 12)
        let good =
            TagWriter.tag([
                table("t", isTop: true, ["a", "b"]), chapter("a", 1, "A", before: [UInt8](repeating: 65, count: 30)),
                chapter("b", 2, "B"),
            ]) + TagWriter.audio
        for _ in 0..<3000 {
            var bytes = Array(good.prefix(Int.random(in: 0...good.count, using: &random)))
            for _ in 0..<random.next() % 8 where !bytes.isEmpty {
                bytes[Int.random(in: 0..<min(200, bytes.count), using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let found = expectCost(inputBytes: bytes.count) { TagWriter.tags(bytes).chapters.within(5000) }
            #expect(found.allSatisfy { $0.startMilliseconds < 5000 })
        }
    }

    // MARK: Cue sheets

    private func cue(_ text: String, _ name: String = "book.mp3", within duration: Int? = nil) -> [Chapter] {
        CueSheet(Array(text.utf8), audioName: name).chapters.within(duration)
    }

    private let sheet = """
        REM GENRE Speech
        PERFORMER "Someone"
        TITLE "The whole"
        FILE "book.wav" WAVE
          TRACK 01 AUDIO
            TITLE "One "quoted" thing"
            PERFORMER "Someone"
            INDEX 01 00:00:00
          TRACK 02 AUDIO
            TITLE Plain words
            INDEX 00 01:00:00
            INDEX 01 01:01:15
          TRACK 03 AUDIO
            INDEX 01 123:59:74
        """

    @Test func cueSheets() {
        let wanted = made([(0, "One \"quoted\" thing"), (61_200, "Plain words"), (7_439_986, "")])
        #expect(cue(sheet) == wanted)
        #expect(cue(sheet.split(separator: "\n").joined(separator: "\r\n")) == wanted)
        #expect(cue(sheet.split(separator: "\n").joined(separator: "\r")) == wanted)
        #expect(cue("\u{FEFF}" + sheet.lowercased()).map(\.startMilliseconds) == wanted.map(\.startMilliseconds))
        #expect(cue(sheet, within: 61_200) == [wanted[0]])
    }

    @Test func cueSheetsSayWhatTheWholeIs() {
        let tags = CueSheet(Array(sheet.utf8), audioName: "book.mp3").tags
        #expect(tags == TagList([(.artist, "Someone"), (.title, "The whole"), (.album, "The whole")]))
        // Of a sheet for several files it is no file's title.
        let several = sheet + "\nFILE \"two.wav\" WAVE\n  TRACK 04 AUDIO\n    INDEX 01 00:00:00\n"
        let ofSeveral = CueSheet(Array(several.utf8), audioName: "two.wav").tags
        #expect(ofSeveral == TagList([(.artist, "Someone"), (.album, "The whole")]))
        #expect(CueSheet(Array("FILE \"a\" WAVE\nTRACK 1 AUDIO\nTITLE \"x\"".utf8), audioName: "a").tags.isEmpty)
    }

    /// A sheet for a whole rip, made for WAV files: it has a name of its own.
    @Test func cueSheetsThatAreShared() {
        let text = """
            PERFORMER "Ann"
            TITLE "The Book"
            FILE "01 - Part.wav" WAVE
              TRACK 01 AUDIO
                TITLE "One"
                PERFORMER "Bob"
                INDEX 01 00:00:00
            FILE 02 - Part.wav WAVE
              TRACK 02 AUDIO
                TITLE "Two"
                INDEX 01 00:00:00
              TRACK 03 AUDIO
                TITLE "Three"
                INDEX 01 00:10:00
            """
        func sheet(_ name: String, isShared: Bool = true) -> CueSheet {
            CueSheet(Array(text.utf8), audioName: name, isShared: isShared)
        }
        let whole: [(Core.Tag, String)] = [(.artist, "Ann"), (.album, "The Book")]
        #expect(sheet("01 - part.MP3").tags == TagList(whole + [(.title, "One")]))
        #expect(sheet("01 - part.MP3").chapters.isEmpty)
        #expect(sheet("02 - Part.mp3").tags == TagList(whole))
        #expect(sheet("02 - Part.mp3").chapters == made([(0, "Two"), (10_000, "Three")]))
        #expect(sheet("01 - Part.mp3", isShared: false).chapters == made([(0, "One")]))
        for other in ["03 - Part.mp3", "01 - Par.mp3", "01 - Part 2.mp3", "01 - Part.old.wav.mp3", "", ".mp3"] {
            #expect(sheet(other).tags.isEmpty && sheet(other).chapters.isEmpty, "\(other)")
        }
        // One that is about another file says nothing of this one.
        let single = Array("TITLE \"X\"\nFILE \"x.wav\" WAVE\nTRACK 1 AUDIO\nINDEX 01 0:0:0\n".utf8)
        #expect(CueSheet(single, audioName: "y.mp3", isShared: true).tags.isEmpty)
        #expect(CueSheet(single, audioName: "x.mp3", isShared: true).tags[.album] == "X")
    }

    @Test func cueSheetsInOtherEncodings() {
        let text = "FILE \"x\" MP3\nTRACK 1 AUDIO\nTITLE \"Über\"\nINDEX 1 0:0:0\n"
        let wanted = [Chapter(startMilliseconds: 0, title: "Über")]
        #expect(CueSheet(text.unicodeScalars.map { UInt8($0.value) }, audioName: "x").chapters == wanted)
        let utf16 =
            [0xFF, 0xFE] + text.utf16.flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit & 255), UInt8(unit >> 8)] }
        #expect(CueSheet(utf16, audioName: "x").chapters == wanted)
    }

    @Test func cueSheetsOfSeveralFiles() {
        let text = """
            FILE "C:\\Audio\\One.MP3" MP3
              TRACK 01 AUDIO
                TITLE "A"
                INDEX 01 00:00:00
              TRACK 02 AUDIO
                TITLE "B"
                INDEX 01 00:10:00
            FILE two words.mp3 MP3
              TRACK 03 AUDIO
                TITLE "C"
                INDEX 01 00:00:00
            """
        #expect(cue(text, "one.mp3") == made([(0, "A"), (10_000, "B")]))
        #expect(cue(text, "two words.mp3") == made([(0, "C")]))
        #expect(cue(text, "three.mp3") == [])
    }

    @Test func cueSheetsOfRubbish() {
        for text in [
            "", "TRACK", "INDEX 01 00:00:00", "TRACK 1\nINDEX 01", "TRACK 1\nINDEX 01 99999999:00:00",
            "TRACK 1\nINDEX 01 00:60:00", "TRACK 1\nINDEX 01 00:00:75", "TRACK 1\nINDEX 01 -1:00:00", "\0\0\0",
            "FILE \"\n\"",
        ] {
            #expect(cue(text) == [])
        }
        let many = String(
            repeating: "TRACK 1\nTITLE \"\(String(repeating: "x", count: 50))\"\nINDEX 01 00:01:00\n", count: 3000)
        expectCost(inputBytes: many.utf8.count) { #expect(cue(many).count == 1) }
        let lines = [UInt8](repeating: 0x0A, count: 1 << 20)
        expectCost(inputBytes: lines.count) { #expect(CueSheet(lines, audioName: "x").chapters.isEmpty) }
    }

    // MARK: JSON

    private func json(_ text: String, within duration: Int? = nil) -> [Chapter] {
        let reader = ChaptersJSON()
        try? reader.take(Array(text.utf8))
        return reader.chapters.within(duration)
    }

    @Test func podcastChapters() {
        let text = """
            {"version": "1.2.0", "title": "x", "chapters": [
              {"startTime": 61.2004, "title": "Two\\nlines", "img": "http://x"},
              {"startTime": 0, "title": "\\u00dcber", "endTime": 5},
              {"startTime": 30, "title": "Hidden", "toc": false}, {"startTime": "45.5"},
              {"title": "nowhere"}, {"startTime": -1, "title": "before"}, {"startTime": 1e300, "title": "after"}],
             "more": [{"startTime": 1, "title": "not this"}], "deep": {"chapters": [{"startTime": 2}]}}
            """
        #expect(json(text) == made([(0, "Über"), (45_500, ""), (61_200, "Two lines")]))
        #expect(json(text, within: 61_200).count == 2)
        // The part before a fault counts.
        #expect(json(String(text[...text.firstIndex(of: "}")!])) == made([(61_200, "Two lines")]))
        for rubbish in ["", "[]", "{", "nonsense", "{\"chapters\": 7}", "{\"chapters\": [[[[]]]]}"] {
            #expect(json(rubbish) == [])
        }
    }
}
