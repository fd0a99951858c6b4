// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Media

@Suite struct MediaMarkersTests {
    private func markers(_ list: [(String, String)]) -> String {
        "<Markers>" + list.map { "<Marker><Name>\($0.0)</Name><Time>\($0.1)</Time></Marker>" }.joined() + "</Markers>"
    }

    private func chapters(_ text: String) -> [String] {
        let tag = TagWriter.tag([TagWriter.own("OverDrive MediaMarkers", text)])
        return TagWriter.tags(tag + TagWriter.audio).chapters.map { "\($0.startMilliseconds) \($0.title)" }
    }

    @Test func chaptersOfLoans() {
        #expect(
            chapters(
                markers([
                    ("Opening &amp; credits", "0:00.000"), ("  Chapter One ", "0:06.000"), ("Chapter Two", "75:03.500"),
                    ("   Chapter Two (00:03)", "76:00.000"), ("Chapter Two (01:10:03)", "1:16:30.000"),
                    ("   Chapter Two", "1:17:00.000"), ("Chapter Three (a fable)", "1:20:00"),
                ])) == [
                    "0 Opening & credits", "6000 Chapter One", "4503500 Chapter Two", "4800000 Chapter Three (a fable)",
                ])
        // A later part of the book.
        #expect(
            chapters(markers([("Chapter Three (continued)", "0:00.000"), ("Chapter Four", "12:00.250")]))
                == ["720250 Chapter Four"])
        #expect(chapters(markers([("Chapter Three (Continued)", "0:00")])).isEmpty)
        #expect(
            chapters("<markers>\n <marker id='1'>\n<NAME>A</NAME>\n<time> 0:01.5 </time></marker></markers>") == [
                "1500 A"
            ])
    }

    @Test func framesOfChaptersGoFirst() {
        let own = TagWriter.own("OverDrive MediaMarkers", markers([("Own", "0:01.000")]))
        let chapter = TagWriter.frame(
            "CHAP",
            Array("c\0".utf8) + [0, 0, 0, 5, 0, 0, 0, 9] + [UInt8](repeating: 255, count: 8)
                + TagWriter.text("TIT2", "Frame"))
        #expect(TagWriter.tags(TagWriter.tag([own, chapter]) + TagWriter.audio).chapters.map(\.title) == ["Frame"])
    }

    @Test func whatIsNoListHurtsNobody() {
        for text in [
            "", "<", "<Markers>", "<Marker><Name>A", "<Marker><Time>0:01</Time>", "<Marker><Name>A</Name></Marker>",
            "<Marker><Time>99999999999999:00</Time></Marker>", "<Marker><Time>0:75</Time></Marker>",
            "<Time>0:01</Time><Marker></Marker>", "</Marker>", "<>&;&#;",
        ] {
            #expect(chapters(text).isEmpty, "\(text)")
        }
        #expect(chapters("<Marker><Time>0:01</Time></Marker>") == ["1000 "])
        for piece in ["<", "<Name>", "<Name>&", "<Marker><Time>0:01</Time></Marker>", "(", "<>"] {
            expectLinear(smallBytes: 30_000) { count in
                Array(String(repeating: piece, count: count / piece.utf8.count).utf8)
            } work: {
                _ = MediaMarkers.chapters($0)
            }
        }
    }
}
