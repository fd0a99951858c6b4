// SPDX-License-Identifier: Apache-2.0
import CMpg123
import Core
import TestSupport
import Testing

@testable import Media

@Suite struct TagsTests {
    // MARK: Writing tags, as id3.org lays them down

    private func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { bigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
    }

    /// A text in one of the four encodings, its number first.
    private func encoded(_ text: String, _ encoding: UInt8) -> [UInt8] {
        switch encoding {
        case 0: [0] + text.unicodeScalars.map { UInt8($0.value) }
        case 1: [1, 0xFF, 0xFE] + utf16(text, bigEndian: false)
        case 2: [2] + utf16(text, bigEndian: true)
        default: [3] + Array(text.utf8)
        }
    }

    private func frame(_ id: String, _ body: [UInt8], version: UInt8) -> [UInt8] {
        let count = body.count
        if version == 2 {
            return Array(id.utf8) + [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)] + body
        }
        let bits = version == 4 ? 7 : 8
        let mask = (1 << bits) - 1
        return Array(id.utf8) + [3, 2, 1, 0].map { UInt8(count >> (bits * $0) & mask) } + [0, 0] + body
    }

    private func tag(_ frames: [[UInt8]], version: UInt8) -> [UInt8] {
        let body = frames.flatMap { $0 } + [UInt8](repeating: 0, count: 37)
        return Array("ID3".utf8) + [version, 0, 0] + [3, 2, 1, 0].map { UInt8(body.count >> (7 * $0) & 127) } + body
    }

    private func tags(_ file: [UInt8]) -> Tags { TagWriter.tags(file) }

    private let audio = [UInt8](repeating: 0x55, count: 3000)

    // MARK: Tests

    @Test(arguments: [UInt8](2...4), [UInt8](0...3))
    func everyVersionAndEncoding(version: UInt8, encoding: UInt8) {
        let names = version == 2 ? ["TT2", "TP1", "TAL"] : ["TIT2", "TPE1", "TALB"]
        let texts = encoding == 0 ? ["Fähre", "Ünal", "Été"] : ["Паром → 🚢", "Ünal", "夜"]
        let frames = zip(names, texts).map { frame($0, encoded($1, encoding), version: version) }
        let found = tags(tag(frames, version: version) + audio)
        #expect([found.title, found.artist, found.album] == texts)
        #expect(!found.hasArtwork)
    }

    @Test func whatVersionTwoLeavesOutComesFromVersionOne() {
        var old = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
        for (place, text) in [(3, "Old title"), (33, "K\u{F6}nig"), (63, "Old album   ")] {
            for (i, scalar) in text.unicodeScalars.enumerated() { old[place + i] = UInt8(scalar.value) }
        }
        let new = tag([frame("TIT2", encoded("New title", 3), version: 3)], version: 3)
        let both = tags(new + audio + old)
        #expect([both.title, both.artist, both.album] == ["New title", "König", "Old album"])
        let alone = tags(audio + old)
        #expect(alone.title == "Old title")
        let none = tags(audio)
        #expect([none.title, none.artist, none.album] == ["", "", ""])
    }

    @Test func picturesAreSeenAndPassedOver() {
        let picture = [0] + Array("image/png\0".utf8) + [3, 0] + [UInt8](repeating: 0x89, count: 200_000)
        let found = tags(
            tag([frame("APIC", picture, version: 3), frame("TIT2", encoded("After", 0), version: 3)], version: 3)
                + audio)
        #expect(found.hasArtwork && found.title == "After")
    }

    /// Some taggers set the flag of an extended header and write none.
    @Test func aMissingExtendedHeaderIsNotMissed() {
        for version in [3, 4] as [UInt8] {
            var file = tag([frame("TIT2", encoded("Title", 3), version: version)], version: version)
            file[5] = 0x40
            #expect(tags(file + audio).title == "Title")
        }
    }

    @Test func controlCharactersAndSpacesAreTidied() {
        let found = tags(tag([frame("TIT2", encoded("  A\ttitle\n", 3), version: 4)], version: 4) + audio)
        #expect(found.title == "A title")
        let several = tags(tag([frame("TIT2", encoded("First\0Second", 3), version: 4)], version: 4) + audio)
        #expect(several.title == "First")
    }

    /// Declared Latin-1, and really UTF-8 or Windows-1252.
    @Test func looseLatin1() {
        for (stored, wanted) in [
            (Array("Été à Ünal".utf8), "Été à Ünal"), ([0x93, 0x48, 0x69, 0x94, 0x85], "“Hi”…"),
            ([0x46, 0xE4, 0x68, 0x72, 0x65], "Fähre"), ([0xC3], "Ã"), ([0x41, 0, 0x42], "A"), ([0], ""), ([], ""),
        ] as [([UInt8], String)] {
            let found = tags(tag([frame("TIT2", [0] + stored, version: 3)], version: 3) + audio)
            #expect(found.title == wanted)
        }
    }

    /// Texts of all kinds in all versions and encodings, with pictures between, are what libmpg123's own parser makes of them.
    @Test func agreesWithLibmpg123() {
        var random = SeededGenerator(seed: 20)
        let letters = Array("abc XYZ 019 äöüßéñ ÀÿÆ")
        let more = letters + Array("ЖяПаромŁőα→“夜中🚢👩‍🚀\u{301}")
        let mpegFrame = [0xFF, 0xFB, 0x90, 0xC4] + [UInt8](repeating: 0, count: 413)
        var compared = 0
        for _ in 0..<400 {
            let version = UInt8.random(in: 2...4, using: &random)
            var frames: [[UInt8]] = []
            for (old, new) in [("TT2", "TIT2"), ("TP1", "TPE1"), ("TAL", "TALB"), ("COM", "COMM"), ("PIC", "APIC")] {
                if random.next() % 5 == 0 { continue }
                let encoding = UInt8.random(in: 0...3, using: &random)
                let source = encoding == 0 ? letters : more
                var text = String(
                    (0..<Int.random(in: 0...60, using: &random)).map { _ in source.randomElement(using: &random)! })
                // Three letters of Latin-1 together are another alphabet for us, and for libmpg123 are not.
                if encoding == 0 { text = text.map { "\($0)a" }.joined() }
                var body = encoded(text, encoding)
                if new == "COMM" { body = [0, 0x65, 0x6E, 0x67, 0] + Array("comment".utf8) }
                if new == "APIC" {
                    body = [0] + Array("image/png".utf8) + [0, 3, 0] + [UInt8](repeating: 7, count: 900)
                }
                frames.append(frame(version == 2 ? old : new, body, version: version))
            }
            frames.shuffle(using: &random)
            let file = tag(frames, version: version) + mpegFrame + mpegFrame + mpegFrame
            let found = tags(file)
            let theirs = libmpg123Texts(file)
            #expect([found.title, found.artist, found.album] == theirs.map(tidied))
            compared += theirs.count { !$0.isEmpty }
        }
        #expect(compared > 600)
    }

    private func tidied(_ text: String) -> String {
        var words = text[...]
        while words.first == " " { words.removeFirst() }
        while words.last == " " { words.removeLast() }
        return String(words)
    }

    private func libmpg123Texts(_ file: [UInt8]) -> [String] {
        let handle = mpg123_new(nil, nil)!
        defer { mpg123_delete(handle) }
        _ = ns_mpg123_set(handle, MPG123_ADD_FLAGS, Int(MPG123_QUIET.rawValue))
        mpg123_open_feed(handle)
        file.withUnsafeBufferPointer { _ = mpg123_feed(handle, $0.baseAddress, $0.count) }
        var rate = 0
        var channels: Int32 = 0
        var encoding: Int32 = 0
        #expect(mpg123_getformat(handle, &rate, &channels, &encoding) == 0)
        var old: UnsafeMutablePointer<mpg123_id3v1>?
        var new: UnsafeMutablePointer<mpg123_id3v2>?
        mpg123_id3(handle, &old, &new)
        return [new?.pointee.title, new?.pointee.artist, new?.pointee.album].map {
            guard let text = $0?.pointee, let characters = text.p, text.fill > 0 else { return "" }
            return String(cString: characters)
        }
    }

    /// Foreign bytes never crash, and never make text that is no text.
    @Test func damagedTags() {
        var random = SeededGenerator(seed: 7)
        let good =
            tag(
                [
                    frame("TIT2", encoded("Паром", 1), version: 3), frame("TPE1", encoded("Ünal", 2), version: 3),
                    frame("USLT", [1, 0x65, 0x6E, 0x67, 0xFF, 0xFE, 0, 0] + encoded("x", 1).dropFirst(), version: 3),
                    frame("SYLT", [UInt8](repeating: 1, count: 90), version: 3),
                ], version: 3) + audio
        for _ in 0..<3000 {
            var bytes = Array(good.prefix(Int.random(in: 0...good.count, using: &random)))
            for _ in 0..<Int.random(in: 0...12, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<min(bytes.count, 300), using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            let found = expectCost(inputBytes: bytes.count) { tags(bytes) }
            for text in [found.title, found.artist, found.album] {
                #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
                #expect(text.utf8.count <= 3 * 4096)
            }
        }
    }
}

extension Tags {
    fileprivate var title: String { list[.title] ?? "" }
    fileprivate var artist: String { list[.artist] ?? "" }
    fileprivate var album: String { list[.album] ?? "" }
}
