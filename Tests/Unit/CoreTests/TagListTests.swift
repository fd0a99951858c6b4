// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Core

@Suite struct TagListTests {
    @Test func whatWasPutInComesOutInOrder() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var expected: [(Core.Tag, String)] = []
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                let tag = Core.Tag.allCases.randomElement(using: &random)!
                let text = String(repeating: "ä", count: Int.random(in: 1...300, using: &random)) + "\(expected.count)"
                expected.append((tag, text))
            }
            let list = TagList(bytes: TagList(expected).bytes)
            #expect(list.all.elementsEqual(expected) { $0.tag == $1.0 && $0.value == $1.1 })
            for tag in Core.Tag.allCases {
                #expect(list.values(of: tag) == expected.filter { $0.0 == tag }.map { $0.1 })
                #expect(list[tag] == expected.first { $0.0 == tag }?.1)
            }
        }
    }

    @Test func nothingAndTheSameTwiceAreLeftOut() {
        let list = TagList([(.title, ""), (.genre, "Crime"), (.genre, "Crime"), (.genre, "Night"), (.artist, "Crime")])
        #expect(list.all.map { $0.value } == ["Crime", "Night", "Crime"])
        #expect(TagList([(.title, "")]).isEmpty)
    }

    @Test func garbledBytesEndTheListAndHarmNothing() {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(TagList(bytes: bytes).all.count <= bytes.count)
        }
        #expect(TagList(bytes: [0, 5, 65]).isEmpty == false)
        #expect(TagList(bytes: [0, 5, 65]).all.isEmpty)
        #expect(TagList(bytes: [0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]).all.isEmpty)
    }

    @Test func rawValuesStandInDatabases() {
        #expect(
            Core.Tag.artist.rawValue == 0 && Core.Tag.musicBrainzWork.rawValue == 30 && Core.Tag.format.rawValue == 35)
        #expect(Core.Tag.ofMPD.count == 31 && Set(Core.Tag.allCases.map { $0.name }).count == Core.Tag.allCases.count)
    }
}
