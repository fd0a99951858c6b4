// SPDX-License-Identifier: Apache-2.0
import Core
import TestSupport
import Testing

@testable import Media

@Suite struct APETagTests {
    private func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }

    private func item(_ name: String, _ value: [UInt8], flags: Int = 0) -> [UInt8] {
        number(value.count) + number(flags) + Array(name.utf8) + [0] + value
    }

    private func item(_ name: String, _ value: String) -> [UInt8] { item(name, Array(value.utf8)) }

    private func tag(_ items: [[UInt8]], stored: Int? = nil, count: Int? = nil) -> [UInt8] {
        let body = items.flatMap { $0 }
        return body + Array("APETAGEX".utf8) + number(2000) + number(stored ?? body.count + 32)
            + number(count ?? items.count) + number(0) + [UInt8](repeating: 0, count: 8)
    }

    private func version1(_ title: String) -> [UInt8] {
        var old = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
        old.replaceSubrange(3..<3 + title.utf8.count, with: title.utf8)
        old[127] = 255
        return old
    }

    private func tags(_ file: [UInt8]) -> Tags { TagWriter.tags(file) }

    private let audio = TagWriter.audio

    @Test func aloneAndBeforeVersion1() {
        let items = [
            item("Title", "Die Nachtigall und die Rose, erster Teil"), item("ARTIST", "Ünal"), item("album", "Märchen"),
            item("Track", "03/12"), item("Disc", "2"), item("Year", "1998"), item("Genre", "Audiobook"),
            item("Comment", "Liest gut"), item("Album Artist", "Oscar Wilde"), item("REPLAYGAIN_TRACK_GAIN", "-6.5 dB"),
            item("Cover Art (Front)", [1, 0, 2], flags: 2),
        ]
        for file in [audio + tag(items), audio + tag(items) + version1("Die Nachtigall und die Rose, e")] {
            let found = tags(file)
            #expect(found.list[.title] == "Die Nachtigall und die Rose, erster Teil")
            #expect(found.list[.artist] == "Ünal" && found.list[.album] == "Märchen")
            #expect(found.list[.track] == "3" && found.list[.disc] == "2")
            #expect(found.list[.albumArtist] == "Oscar Wilde" && found.list[.date] == "1998")
            #expect(found.list[.genre] == "Audiobook" && found.list[.comment] == "Liest gut")
            #expect(found.gains.track == -650)
        }
    }

    @Test func onlyWhatVersion2LeavesOut() {
        let new = TagWriter.tag([TagWriter.text("TIT2", "New"), TagWriter.own("replaygain_track_gain", "1 dB")])
        let found = tags(
            new + audio + tag([item("Title", "Old"), item("Artist", "A\0B"), item("replaygain_track_gain", "2 dB")]))
        #expect(found.list[.title] == "New" && found.list[.artist] == "A" && found.gains.track == 100)
    }

    @Test func whatIsWrittenWrongHurtsNobody() {
        let title = item("Title", "T")
        for file in [
            tag([title], stored: 5), tag([title], stored: -1), tag([title], stored: 1 << 30), tag([], count: -1),
            tag([number(-1) + number(0) + Array("Title\0T".utf8)]), tag([[1, 0, 0, 0]]), tag([number(1) + number(0)]),
            tag([number(1 << 20) + number(0) + [0]]), Array("APETAGEX".utf8),
            tag([item("Title", [UInt8](repeating: 0x41, count: 20_000))]),
        ] {
            #expect(tags(audio + file).list[.title] == nil)
            _ = tags(file)
        }
        let many = tag([[UInt8]](repeating: item("Genre", "x"), count: 50_000) + [title])
        expectCost(inputBytes: many.count) { #expect(tags(many).list[.title] == nil) }
    }
}
