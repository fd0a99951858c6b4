// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Playlists

@Suite struct PlaylistParserTests {
    private func entries(
        _ bytes: [UInt8], _ format: PlaylistFormat = .m3u, pieces: [Int] = [Int.max]
    ) -> [String] {
        var parser = PlaylistParser(format)
        var text = PlaylistText()
        var at = 0
        var piece = 0
        while at < bytes.count {
            let end = min(bytes.count, at + min(pieces[piece % pieces.count], bytes.count))
            _ = bytes[at..<end].withUnsafeBytes { parser.take($0, into: &text) }
            at = end
            piece += 1
        }
        _ = parser.finish(into: &text)
        return (0..<text.count).map { String(decoding: text[$0], as: UTF8.self) }
    }

    private func entries(_ text: String, _ format: PlaylistFormat = .m3u) -> [String] {
        entries(Array(text.utf8), format)
    }

    @Test func aPathALine() {
        let text = "\u{FEFF}#EXTM3U\r\n#EXTINF:123,One\r\nbook/01.mp3\r\n\r\n  b c.mp3 \t\r\nhttp://x/y.mp3\n../up.mp3"
        #expect(entries(text) == ["book/01.mp3", "b c.mp3", "http://x/y.mp3", "../up.mp3"])
        #expect(entries("") == [] && entries("\n\n") == [] && entries("#only") == [])
    }

    @Test func utf16AndOldMacs() {
        let lines = ["#EXTM3U", "Märchen/a 1.mp3", "", "😀/b.mp3"]
        for lineBreak in ["\r", "\n", "\r\n"] {
            let text = lines.joined(separator: lineBreak) + lineBreak
            for pieces in [[1], [2, 3], [Int.max]] {
                #expect(entries(Array(text.utf8), pieces: pieces) == [lines[1], lines[3]])
                for isLittle in [true, false] {
                    let bytes = ("\u{FEFF}" + text).utf16.flatMap {
                        isLittle ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 255)]
                    }
                    #expect(entries(bytes, pieces: pieces) == [lines[1], lines[3]])
                    #expect(entries(bytes + [0x41], pieces: pieces) == [lines[1], lines[3]])
                }
            }
        }
        // A CR within a name, where lines end otherwise.
        #expect(entries("a.mp3\nb\rc.mp3\n") == ["a.mp3", "b\rc.mp3"])
        #expect(
            entries("a") == ["a"] && entries("\r") == [] && entries([0xFF, 0xFE]) == [] && entries([0xFF]).count == 1)
    }

    @Test func namesThatLookLikeComments() {
        var text = PlaylistText()
        text.append(Array("#1.mp3".utf8)[...])
        text.append(Array(" a.mp3".utf8)[...])
        #expect(entries(text.bytes) == ["./#1.mp3", "./ a.mp3"])
    }

    @Test func pls() {
        let text =
            "[playlist]\nFile1=a.mp3\nTitle1=One\nfile10 = b.mp3\nLength1=5\nFileX=no\nNumberOfEntries=2\nVersion=2\n"
        #expect(entries(text, .pls) == ["a.mp3", "b.mp3"])
    }

    @Test func aSheetNamesEachFileOnce() {
        let text =
            "PERFORMER \"X\"\nFILE \"a b.mp3\" MP3\n TRACK 01 AUDIO\nFILE \"a b.mp3\" MP3\n  FILE c.mp3 MP3\nFILEX \"d\"\n"
        #expect(entries(text, .cue) == ["a b.mp3", "c.mp3"])
    }

    @Test func whatNoPathCanBeIsLeftOut() {
        let long = [UInt8](repeating: 0x61, count: 5000)
        #expect(entries(Array("a\0b.mp3\nc.mp3\n".utf8)) == ["c.mp3"])
        #expect(entries(long + Array("\nc.mp3".utf8)) == ["c.mp3"])
        #expect(entries(long) == [])
    }

    /// However the bytes come, what comes out is the same; and no bytes do harm.
    @Test(arguments: UInt64(1)...40) func piecesMakeNoDifference(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("ab/.#\r\n\n \"=FileFILE1\0\u{FEFF}é".utf8) + [0xFF, 0xFE, 0xC3]
        let bytes = (0..<2000).map { _ in alphabet.randomElement(using: &random)! }
        for format in [PlaylistFormat.m3u, .pls, .cue] {
            let whole = entries(bytes, format)
            let pieces = (0..<20).map { _ in Int.random(in: 1...60, using: &random) }
            #expect(entries(bytes, format, pieces: pieces) == whole)
        }
    }

    @Test func itCostsNoMoreThanItsBytes() {
        for format in [PlaylistFormat.m3u, .pls, .cue] {
            expectLinear(smallBytes: 50_000) { count in
                var random = SeededGenerator(seed: 3)
                return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            } work: { bytes in
                var parser = PlaylistParser(format)
                var text = PlaylistText()
                for start in stride(from: 0, to: bytes.count, by: 16_384) {
                    _ = bytes[start..<min(bytes.count, start + 16_384)].withUnsafeBytes { parser.take($0, into: &text) }
                }
            }
        }
    }

    @Test func aPlaylistIsNoLargerThanItMayBe() {
        var parser = PlaylistParser(.m3u)
        var text = PlaylistText()
        let bytes: [UInt8] = [0x61, 0x0A]
        var isTaken = true
        var count = 0
        while isTaken {
            isTaken = bytes.withUnsafeBytes { parser.take($0, into: &text) }
            count += 1
        }
        #expect(count == PlaylistText.mostEntries + 1 && text.count == PlaylistText.mostEntries)
    }
}
