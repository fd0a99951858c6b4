// SPDX-License-Identifier: Apache-2.0
import Core
import TestSupport
import Testing

@testable import Media

/// The tag for each frame. The tags of MPD 0.23 were measured with it and its libid3tag.
@Suite struct TagMappingTests {
    private func said(_ frames: [[UInt8]], version: UInt8 = 4) -> [String] {
        TagWriter.tags(TagWriter.tag(frames, version: version) + TagWriter.audio).list.all.map {
            "\($0.tag.name)=\($0.value)"
        }
    }

    private func said(_ id: String, _ text: String, version: UInt8 = 4) -> [String] {
        said([TagWriter.text(id, text, version: version)], version: version)
    }

    @Test(arguments: [UInt8(3), 4])
    func textFrames(version: UInt8) {
        let wanted: [(String, String)] = [
            ("TIT1", "Grouping"), ("TIT2", "Title"), ("TALB", "Album"), ("TPE1", "Artist"), ("TPE2", "AlbumArtist"),
            ("TPE3", "Conductor"), ("TPE4", "Performer"), ("TSOA", "AlbumSort"), ("TSOP", "ArtistSort"),
            ("TSO2", "AlbumArtistSort"), ("TDOR", "OriginalDate"), ("TDRC", "Date"), ("TPUB", "Label"),
            ("TLAN", "Language"), ("GRP1", "Series"), ("MVNM", "Series"), ("MVIN", "SeriesPart"),
        ]
        for (id, name) in wanted { #expect(said(id, "x y", version: version) == ["\(name)=x y"]) }
        #expect(said("TCOM", "x", version: version) == ["Composer=x", "Narrator=x"])
        for id in ["TIT3", "TEXT", "TOPE", "TKEY", "TENC", "TIPL", "TMCL", "TCOP"] {
            #expect(said(id, "x", version: version) == [])
        }
    }

    @Test func framesOfVersion2() {
        let wanted = [
            ("TT1", "Grouping"), ("TT2", "Title"), ("TAL", "Album"), ("TP1", "Artist"), ("TP2", "AlbumArtist"),
            ("TP3", "Conductor"), ("TP4", "Performer"), ("TPB", "Label"), ("TLA", "Language"),
        ]
        for (id, name) in wanted { #expect(said(id, "x", version: 2) == ["\(name)=x"]) }
        #expect(said("TYE", "2002", version: 2) == ["Date=2002"])
        #expect(said("TOR", "1998", version: 2) == ["OriginalDate=1998"])
        #expect(said("TRK", "3/12", version: 2) == ["Track=3"])
        #expect(said("TCO", "(17)", version: 2) == ["Genre=Rock"])
        #expect(
            said(
                [
                    TagWriter.own("MusicBrainz Album Id", "id", version: 2),
                    TagWriter.frame("COM", Array("\u{3}eng\0hello".utf8), version: 2),
                ], version: 2) == ["Comment=hello", "MUSICBRAINZ_ALBUMID=id"])
    }

    @Test func severalTexts() {
        #expect(said("TPE1", "A\0B\0C") == ["Artist=A", "Artist=B", "Artist=C"])
        #expect(said("TPE1", "\0A\0\0B") == ["Artist=A", "Artist=B"])
        #expect(said("TPE1", "A/B") == ["Artist=A/B"])
        #expect(said([TagWriter.text("TPE1", "A"), TagWriter.text("TPE1", "B")]) == ["Artist=A", "Artist=B"])
        let utf16 = [1, 0xFF, 0xFE, 0x41, 0, 0, 0, 0xFF, 0xFE, 0x42, 0] as [UInt8]
        #expect(said([TagWriter.frame("TPE1", utf16, version: 3)], version: 3) == ["Artist=A", "Artist=B"])
    }

    /// Of two tags in a file the first counts; the second says what that leaves out.
    @Test func twoTags() {
        let file =
            TagWriter.tag([TagWriter.text("TIT2", "First")])
            + TagWriter.tag([TagWriter.text("TIT2", "Second"), TagWriter.text("TPE1", "B\0C")]) + TagWriter.audio
        #expect(TagWriter.tags(file).list == TagList([(.artist, "B"), (.artist, "C"), (.title, "First")]))
    }

    @Test func numbers() {
        let wanted = [
            ("3/12", ["Track=3"]), ("03/12", ["Track=3"]), ("/12", []), ("A1", []), (" 7 /9", ["Track=7"]), ("0", []),
            ("00", []), ("-7", []), ("5.5", ["Track=5"]), ("", []),
        ]
        for (text, tags) in wanted { #expect(said("TRCK", text) == tags) }
        #expect(said("TPOS", "1/2") == ["Disc=1"])
    }

    @Test func dates() {
        func old(_ frames: [(String, String)]) -> [String] {
            said(frames.map { TagWriter.text($0.0, $0.1, version: 3) }, version: 3)
        }
        #expect(old([("TYER", "2002")]) == ["Date=2002"])
        #expect(old([("TDAT", "2312"), ("TYER", "2002")]) == ["Date=2002-12-23"])
        #expect(old([("TYER", "2002"), ("TDAT", "2312"), ("TIME", "1530")]) == ["Date=2002-12-23T15:30"])
        #expect(old([("TYER", "2002-05-06")]) == ["Date=2002"])
        #expect(old([("TYER", "2002"), ("TDAT", "xx")]) == ["Date=2002"])
        #expect(old([("TDAT", "2312")]) == [])
        #expect(old([("TYER", "02")]) == [])
        #expect(old([("TORY", "1990"), ("TYER", "2000")]) == ["Date=2000", "OriginalDate=1990"])
        #expect(old([("TYER", "2002"), ("TDRC", "2003-01-01")]) == ["Date=2003-01-01"])
        #expect(said("TDRL", "2010-02") == ["Date=2010-02"])
        #expect(said([TagWriter.text("TDRL", "2010"), TagWriter.text("TDRC", "2009")]) == ["Date=2009"])
    }

    @Test func genres() {
        let old: [(String, [String])] = [
            ("(17)", ["Rock"]), ("17", ["Rock"]), ("(17)(18)", ["Rock", "Techno"]), ("(17)Rock2", ["Rock", "Rock2"]),
            ("(RX)", ["Remix"]), ("CR", ["Cover"]), ("(4)Eurodisco", ["Disco", "Eurodisco"]), ("((Foo)", ["(Foo)"]),
            ("Foo", ["Foo"]), ("147", ["Synthpop"]), ("(183)", ["Audiobook"]), ("200", ["200"]), ("(12", ["(12"]),
            ("(0)", ["Blues"]), ("191", ["Psybient"]), ("Science Fiction/Fantasy", ["Science Fiction/Fantasy"]),
        ]
        for (text, names) in old { #expect(said("TCON", text, version: 3) == names.map { "Genre=\($0)" }) }
        #expect(said("TCON", "17\0" + "18\0Own") == ["Genre=Rock", "Genre=Techno", "Genre=Own"])
        #expect(said("TCON", "(17)") == ["Genre=(17)"])
    }

    @Test func framesOfTheirOwnKind() {
        let comments = ["\u{3}eng\0plain", "\u{3}deudescribed\0second\nline"].map {
            TagWriter.frame("COMM", Array($0.utf8))
        }
        #expect(said(comments) == ["Comment=plain", "Comment=second line"])
        let identifiers = ["http://other\0zzz", "http://musicbrainz.org\0abc-def"]
        #expect(said(identifiers.map { TagWriter.frame("UFID", Array($0.utf8)) }) == ["MUSICBRAINZ_TRACKID=abc-def"])
        let ids = [
            ("Artist Id", "ARTISTID"), ("Album Id", "ALBUMID"), ("Album Artist Id", "ALBUMARTISTID"),
            ("Track Id", "TRACKID"), ("Release Track Id", "RELEASETRACKID"), ("Work Id", "WORKID"),
        ]
        for (name, tag) in ids {
            #expect(said([TagWriter.own("MusicBrainz " + name, "x")]) == ["MUSICBRAINZ_\(tag)=x"])
        }
        #expect(said([TagWriter.own("ALBUMARTISTSORT", "x")]) == ["AlbumArtistSort=x"])
        #expect(said([TagWriter.own("albumartistsort", "x"), TagWriter.own("MOOD", "x")]) == [])
    }

    @Test func theOrderIsMPDs() {
        let frames =
            [
                TagWriter.frame("UFID", Array("http://musicbrainz.org\0u".utf8)),
                TagWriter.frame("COMM", Array("\u{3}eng\0c".utf8)),
            ]
            + [
                "TPUB", "TCON", "TDOR", "TDRC", "TSO2", "TSOP", "TSOA", "TPE4", "TPE3", "TPE2", "TPE1", "TALB", "TIT2",
                "TIT1",
            ]
            .map { TagWriter.text($0, $0) } + [TagWriter.text("TPOS", "1"), TagWriter.text("TRCK", "3")]
        #expect(
            said(frames) == [
                "Artist=TPE1", "AlbumArtist=TPE2", "ArtistSort=TSOP", "AlbumSort=TSOA", "AlbumArtistSort=TSO2",
                "Title=TIT2", "Album=TALB", "Track=3", "Date=TDRC", "OriginalDate=TDOR", "Genre=TCON",
                "Conductor=TPE3", "Performer=TPE4", "Grouping=TIT1", "Comment=c", "Disc=1", "Label=TPUB",
                "MUSICBRAINZ_TRACKID=u",
            ])
    }

    // MARK: Books

    @Test func narrators() {
        for name in ["NARRATOR", "narratedby", "Narrated By", "narrated_by"] {
            #expect(
                said([TagWriter.text("TCOM", "Composer"), TagWriter.own(name, "A\0B")]).suffix(2) == [
                    "Narrator=A", "Narrator=B",
                ])
        }
    }

    @Test func series() {
        let all = [
            TagWriter.text("TIT1", "Own, Book 9"), TagWriter.text("GRP1", "Group"), TagWriter.text("MVNM", "Movement"),
            TagWriter.text("MVIN", "2/7"), TagWriter.own("SERIES", "Series"), TagWriter.own("series-part", "2.5"),
        ]
        #expect(said(all).suffix(2) == ["Series=Series", "SeriesPart=2.5"])
        #expect(said(Array(all[..<4])).suffix(2) == ["Series=Movement", "SeriesPart=2"])
        #expect(said(Array(all[..<2])).suffix(2) == ["Series=Own", "SeriesPart=9"])
        #expect(said("GRP1", "Group") == ["Series=Group"])
        #expect(said("TIT1", "A grouping") == ["Grouping=A grouping"])
        #expect(said([TagWriter.own("SERIES", "S"), TagWriter.own("PART", "3")]) == ["Series=S", "SeriesPart=3"])
        #expect(said([TagWriter.own("Language", "eng")]) == ["Language=eng"])
    }

    // MARK: Version 1

    private func version1(_ texts: [(Int, String)], track: UInt8 = 0, genre: UInt8 = 255) -> [UInt8] {
        var tag = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
        for (at, text) in texts { for (i, byte) in text.utf8.enumerated() { tag[at + i] = byte } }
        if track > 0 { tag[126] = track }
        tag[127] = genre
        return tag
    }

    @Test func allOfVersion1() {
        let texts = [(3, "Title"), (33, "Artist"), (63, "Album"), (93, "1999"), (97, "Comment")]
        let full = TagWriter.tags(TagWriter.audio + version1(texts, track: 5, genre: 17)).list
        #expect(
            full
                == TagList([
                    (.artist, "Artist"), (.title, "Title"), (.album, "Album"), (.track, "5"), (.date, "1999"),
                    (.genre, "Rock"), (.comment, "Comment"),
                ]))
        let long = version1([(97, "A comment of thirty characters")], genre: 183)
        #expect(
            TagWriter.tags(TagWriter.audio + long).list
                == TagList([(.genre, "Audiobook"), (.comment, "A comment of thirty characters")]))
        let beside =
            TagWriter.tag([TagWriter.text("TIT2", "New")]) + TagWriter.audio + version1(texts, track: 5, genre: 17)
        #expect(TagWriter.tags(beside).list == TagList([(.artist, "Artist"), (.title, "New"), (.album, "Album")]))
    }

    // MARK: Bounds

    @Test func longTextsAreCutBetweenLetters() {
        for letter in ["x", "ä", "中", "🚢"] {
            let text = String(repeating: letter, count: 6000)
            let title = TagWriter.tags(TagWriter.tag([TagWriter.text("TIT2", text)]) + TagWriter.audio).list[.title]
            #expect(title.map { text.hasPrefix($0) && $0.utf8.count > 4090 && $0.utf8.count <= 4096 } == true)
        }
    }

    @Test func noTagIsTooMuch() {
        let many = (0..<10_000).map { TagWriter.text("TPE1", "Artist \($0)") }
        let texts = (0..<10_000).map { _ in TagWriter.own("SERIES", "x\0y\0z") }
        let values = [TagWriter.text("TCON", String(repeating: "a\0b\0", count: 4000))]
        for frames in [many, texts, values] {
            let file = TagWriter.tag(frames) + TagWriter.audio
            let found = expectCost(inputBytes: file.count) { TagWriter.tags(file) }
            #expect(found.list.bytes.count <= 40_000)
        }
    }

    @Test func framesOfRubbish() {
        var random = SeededGenerator(seed: 31)
        let ids = ["TIT2", "TCON", "TYER", "TDAT", "COMM", "TXXX", "UFID", "TIT1", "MVIN", "TRCK", "GRP1", "TPE1"]
        for _ in 0..<2000 {
            let frames = (0..<random.next() % 8).map { _ in
                let body = (0..<random.next() % 60).map { _ in
                    UInt8.random(in: random.next() % 3 == 0 ? 0...4 : 0...255, using: &random)
                }
                return TagWriter.frame(ids.randomElement(using: &random)!, body)
            }
            for value in TagWriter.tags(TagWriter.tag(frames) + TagWriter.audio).list.all {
                #expect(!value.value.isEmpty && value.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
            }
        }
    }
}
