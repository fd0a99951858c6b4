// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Transcript

@Suite struct SidecarsTests {
    private func sidecars(_ audio: String, _ names: [String]) -> [String] {
        Sidecars(folder: names).names(for: audio)
    }

    @Test func inOrderOfPreference() {
        let best = [
            "book.vtt", "book.SRT", "book.lrc", "book.json", "book.mp3.vtt", "book.mp3.srt", "book.mp3.json",
            "book.de.vtt", "book.en-GB.srt", "book.pt_BR.srt", "book.mp3.en.srt", "book.en.forced.srt",
        ]
        let others = [
            "book.mp3", "book.jpg", "books.srt", "boo.srt", "book", "book.txt", "x.srt", ".srt", "book.part2.srt",
            "book2.vtt",
        ]
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<50 {
            let found = sidecars("book.mp3", (best + others).shuffled(using: &generator))
            #expect(Set(found) == Set(best))
            // The order between de, en-GB and pt_BR of one format is the folder's.
            #expect(found.filter { $0 != "book.pt_BR.srt" } == best.filter { $0 != "book.pt_BR.srt" })
        }
        #expect(sidecars("book.mp3", best + others) == best)
    }

    @Test func whatBelongsToAnother() {
        let names = [
            "book.mp3", "book.en.mp3", "book.en.srt", "book.ogg", "book.ogg.srt", "book.txt", "book.fr.srt",
            "book.fr.txt",
        ]
        #expect(sidecars("book.mp3", names) == ["book.fr.srt"])
        #expect(sidecars("book.en.mp3", names) == ["book.en.srt"])
        #expect(sidecars("book.ogg", names) == ["book.ogg.srt", "book.fr.srt"])
    }

    @Test func oddNames() {
        #expect(sidecars("a.b.c.mp3", ["a.b.c.srt", "a.b.c.de.srt"]) == ["a.b.c.srt", "a.b.c.de.srt"])
        #expect(sidecars("noextension", ["noextension.srt"]) == ["noextension.srt"])
        #expect(sidecars(".mp3", [".mp3.srt", ".srt"]) == [".mp3.srt"])
        #expect(sidecars("", [""]) == [])
        #expect(sidecars("book.mp3", ["book..srt", "book.-.srt", "book.e.srt", "book.english.srt"]) == [])
        // The accent composed by one system and decomposed by another.
        #expect(sidecars("caf\u{E9}.mp3", ["cafe\u{301}.srt"]) == ["cafe\u{301}.srt"])
    }

    /// A flat folder of thousands of files, and names made to be hard to tell apart.
    @Test(arguments: ["book", "é", "a.a.a.a.a.a", "-"]) func largeFolders(stem: String) {
        var generator = SeededGenerator(seed: 7)
        let endings = [".mp3", ".srt", ".en.srt", ".forced.vtt", ".lrc", ".en.cc.json", "", ".", "..srt", ".jpg"]
        expectLinear(
            smallBytes: 16 << 10,
            make: { bytes -> [String] in
                var names: [String] = []
                var count = 0
                while count < bytes {
                    names.append(
                        "\(stem)\(Int.random(in: 0..<bytes, using: &generator))" + endings.randomElement(
                            using: &generator)!)
                    count += names.last!.utf8.count
                }
                return names
            },
            work: { names in
                let alike = Sidecars.namesAlike(stem + ".mp3", in: names)
                #expect(alike.count == names.count)
                _ = Sidecars(folder: alike).names(for: stem + ".mp3")
            })
    }
}
