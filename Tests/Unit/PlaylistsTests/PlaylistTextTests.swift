// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Playlists

@Suite struct PlaylistTextTests {
    private func text(_ entries: [String]) -> PlaylistText {
        var text = PlaylistText()
        for entry in entries { text.append(Array(entry.utf8)[...]) }
        return text
    }

    private func entries(_ text: PlaylistText) -> [String] {
        (0..<text.count).map { String(decoding: text[$0], as: UTF8.self) }
    }

    @Test func whatALineCannotHoldIsLeftOut() {
        #expect(entries(text(["a", "", "b\nc", "d\0", "e"])) == ["a", "e"])
    }

    /// Edits at random, against an array.
    @Test(arguments: UInt64(1)...30) func editsAreThoseOfAnArray(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model = (0..<10).map { "entry \($0)" }
        var text = text(model)
        for round in 0..<60 {
            switch Int.random(in: 0...2, using: &random) {
            case 0:
                let more = (0..<Int.random(in: 0...4, using: &random)).map { "new \(round) \($0)" }
                let place = Int.random(in: 0...model.count, using: &random)
                model.insert(contentsOf: more, at: place)
                try text.insert(self.text(more), at: place)
            case 1 where !model.isEmpty:
                let start = Int.random(in: 0..<model.count, using: &random)
                let end = Int.random(in: start + 1...model.count + 3, using: &random)
                model.removeSubrange(start..<min(end, model.count))
                try text.remove(start..<end)
            case 2 where !model.isEmpty:
                let from = Int.random(in: 0..<model.count, using: &random)
                let to = Int.random(in: 0..<model.count, using: &random)
                model.insert(model.remove(at: from), at: to)
                try text.move(from, to: to)
            default: break
            }
            #expect(entries(text) == model)
        }
    }

    @Test func placesThatAreNotThereAreRefused() {
        var text = text(["a", "b"])
        #expect(throws: PlaylistError.self) { try text.remove(2..<3) }
        #expect(throws: PlaylistError.self) { try text.move(0, to: 2) }
        #expect(throws: PlaylistError.self) { try text.move(2, to: 0) }
        #expect(throws: PlaylistError.self) { try text.insert(PlaylistText(), at: 3) }
        #expect(entries(text) == ["a", "b"])
    }

    @Test(arguments: [
        ("a.mp3", "", "a.mp3"), ("../a.mp3", "lists", "a.mp3"), ("b.mp3", "lists", "lists/b.mp3"),
        ("./b.mp3", "a/b", "a/b/b.mp3"), ("../../../etc/passwd", "a", "etc/passwd"), ("/m/x/y.mp3", "a", "x/y.mp3"),
        ("/etc/passwd", "", "/etc/passwd"), ("/mm/x.mp3", "", "/mm/x.mp3"), ("http://x/../y", "a", "http://x/../y"),
        ("a//b.mp3", "", "a/b.mp3"), ("..", "", ""),
    ])
    func pathsAreReckoned(entry: String, folder: String, uri: String) {
        let got = PlaylistPath.uri(Array(entry.utf8)[...], in: Array(folder.utf8), root: Array("/m".utf8))
        #expect(String(decoding: got, as: UTF8.self) == uri)
    }

    @Test(arguments: [
        ("file:///m/Tales/a%201.mp3", "Tales/a 1.mp3"), ("FILE://localhost/m/x%2F%c3%BC.mp3", "x/ü.mp3"),
        ("file:///etc/passwd", "/etc/passwd"), ("file:///m/../../x%00%zz%", "x%00%zz%"),
        ("file://nas", "lists"), ("file://", "file://"),
    ])
    func addressesOfFiles(entry: String, uri: String) {
        let got = PlaylistPath.uri(Array(entry.utf8)[...], in: Array("lists".utf8), root: Array("/m".utf8))
        #expect(String(decoding: got, as: UTF8.self) == uri)
        #expect(PlaylistPath.isURL(Array(entry.utf8)[...]) == (entry == "file://"))
    }

    @Test func otherSpellings() {
        func other(_ entry: [UInt8], root: String = "/m") -> [String] {
            PlaylistPath.otherSpellings(entry[...], root: Array(root.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(other(Array("a\\b.mp3".utf8)) == ["a/b.mp3"])
        #expect(other([0x66, 0xFC, 0x72]) == ["für"])
        #expect(other(Array("für".utf8)).isEmpty)
        #expect(other(Array("b/a%201.mp3".utf8)) == ["b/a 1.mp3"])
        #expect(
            other(Array("E:\\Audio\\Tales\\a.mp3".utf8))
                == ["E:/Audio/Tales/a.mp3", "/m/E:/Audio/Tales/a.mp3", "/m/Audio/Tales/a.mp3", "/m/Tales/a.mp3"])
        #expect(
            other(Array("/media/STICK/Tales/a.mp3".utf8))
                == ["/m/media/STICK/Tales/a.mp3", "/m/STICK/Tales/a.mp3", "/m/Tales/a.mp3"])
        #expect(other(Array("file:///home/x/Tales/a%201.mp3".utf8)).last == "/m/Tales/a 1.mp3")
        #expect(other(Array("/a/b.mp3".utf8), root: "").isEmpty)
        // As many as may be looked for.
        #expect(other(Array(String(repeating: "/\\%41\u{FC}", count: 700).utf8) + [0xFF]).count < 40)
    }
}
