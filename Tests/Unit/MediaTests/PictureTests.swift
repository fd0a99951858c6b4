// SPDX-License-Identifier: Apache-2.0
import Foundation
import Posix
import TestSupport
import Testing

@testable import Media

@Suite struct PictureTests {
    private func picture(_ seed: Int, _ count: Int) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0, 0xFF]
            + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* seed) | ($0 % 7 == 0 ? 0xFF : 0) }
    }

    private func frame(
        _ bytes: [UInt8], kind: UInt8, mime: String = "image/jpeg", version: UInt8 = 4, encoding: UInt8 = 0
    )
        -> [UInt8]
    {
        let name: [UInt8] = version == 2 ? Array("JPG".utf8) : Array(mime.utf8) + [0]
        let text: [UInt8] = encoding == 1 ? [0xFF, 0xFE, 0x41, 0, 0, 0] : [0x41, 0]
        return TagWriter.frame(
            version == 2 ? "PIC" : "APIC", [encoding] + name + [kind] + text + bytes, version: version)
    }

    /// As 2.2 and 2.3 do it: the whole tag.
    private func unsynchronised(_ tag: [UInt8]) -> [UInt8] {
        var body: [UInt8] = []
        for byte in tag[10...] {
            if body.last == 0xFF && (byte == 0 || byte >= 0xE0) { body.append(0) }
            body.append(byte)
        }
        return Array(tag[..<5]) + [0x80] + [3, 2, 1, 0].map { UInt8(body.count >> (7 * $0) & 127) } + body
    }

    private func read(_ file: [UInt8], mostBytes: Int = 16 << 20) throws -> Picture? {
        let path = NSTemporaryDirectory() + "picture-\(UInt64.random(in: 0 ... .max)).mp3"
        try Data(file).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let reading = PictureReading(.file(path: path), isEmbedded: true, mostBytes: mostBytes)
        var steps = 0
        while try !reading.step() { steps += 1 }
        #expect(steps < 500)
        return reading.picture
    }

    @Test(arguments: [UInt8(2), 3, 4], [10, 1000, 4096, 8192, 100_000])
    func theFrontGoesBeforeOthers(version: UInt8, count: Int) throws {
        let (back, front) = (picture(3, count), picture(5, count + 1))
        for encoding in [UInt8(0), 1] {
            let frames = [
                frame(back, kind: 4, version: version, encoding: encoding),
                TagWriter.text(version == 2 ? "TT2" : "TIT2", "x", version: version),
                frame(front, kind: 3, version: version, encoding: encoding),
            ]
            for file in [
                TagWriter.tag(frames, version: version), unsynchronised(TagWriter.tag(frames, version: version)),
            ] {
                if version == 4 && file[5] != 0 { continue }
                let found = try #require(try read(file + TagWriter.audio))
                #expect(found.bytes == front && found.mime == "image/jpeg")
            }
        }
        let alone = try read(
            TagWriter.tag([frame(back, kind: 0, version: version)], version: version) + TagWriter.audio)
        #expect(alone?.bytes == back)
    }

    /// The same picture is the same cover, wherever it stands and however it is coded.
    @Test func coversAreKnownByTheirContent() throws {
        var all: Set<Cover> = []
        for count in [1, 100, 1000, 4090, 4096, 5000, 8187, 9000, 60_000] {
            let bytes = picture(3, count)
            var covers: Set<Cover?> = []
            for version in [2, 3, 4] as [UInt8] {
                let frames = [
                    TagWriter.text("TIT2", String(repeating: "t", count: count % 50)),
                    frame(bytes, kind: 3, version: version),
                ]
                let tag = TagWriter.tag(Array(frames.suffix(version == 4 ? 2 : 1)), version: version)
                covers.insert(TagWriter.tags(tag + TagWriter.audio).cover)
                if version < 4 { covers.insert(TagWriter.tags(unsynchronised(tag) + TagWriter.audio).cover) }
            }
            let path = NSTemporaryDirectory() + "cover-\(count).jpg"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            covers.insert(Cover(file: path))
            #expect(covers.count == 1)
            let cover = try #require(covers.first ?? nil)
            #expect(cover.byteCount == Int64(bytes.count))
            all.insert(cover)
        }
        #expect(all.count == 9)
    }

    @Test func whatIsNoPicture() throws {
        #expect(try read(TagWriter.audio) == nil)
        #expect(try read(TagWriter.tag([frame([], kind: 3)]) + TagWriter.audio) == nil)
        #expect(try read(TagWriter.tag([frame(Array("http://x".utf8), kind: 3, mime: "-->")]) + TagWriter.audio) == nil)
        #expect(try read(TagWriter.tag([TagWriter.frame("APIC", [0, 1, 2])]) + TagWriter.audio) == nil)
        let large = TagWriter.tag([frame(picture(3, 200_000), kind: 3)]) + TagWriter.audio
        #expect(try read(large, mostBytes: 100_000) == nil)
        #expect(try read(large)?.bytes.count == 200_005)
        #expect(try read(TagWriter.tag([frame(picture(1, 9), kind: 3, mime: "")]))?.mime == "image/jpeg")
    }

    @Test func damagedPictures() throws {
        var random = SeededGenerator(seed: 3)
        let good =
            TagWriter.tag([frame(picture(3, 3000), kind: 4), frame(picture(3, 200), kind: 3)], version: 4)
            + TagWriter.audio
        for _ in 0..<300 {
            var bytes = Array(good.prefix(Int.random(in: 0...good.count, using: &random)))
            for _ in 0..<random.next() % 6 where !bytes.isEmpty {
                bytes[Int.random(in: 0..<min(60, bytes.count), using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let found = try read(bytes)
            #expect(found.map { $0.bytes.count <= bytes.count } ?? true)
            _ = expectCost(inputBytes: bytes.count) { TagWriter.tags(bytes).cover }
        }
    }

    @Test func picturesOfAFolder() throws {
        let folder = NSTemporaryDirectory() + "pictures-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func find() -> String? { FolderPicture.find(beside: folder + "/Book One.mp3").map { $0.pathName } }
        func put(_ name: String) throws { try Data([1]).write(to: URL(fileURLWithPath: folder + "/" + name)) }
        #expect(find() == nil)
        for name in ["other.jpg", "folder.png", "Cover.PNG", "FOLDER.jpg", "cover.JPG", "book one.jpeg"] {
            try put(name)
            #expect(find() == (name == "other.jpg" ? nil : name))
        }
        #expect(FolderPicture.find(beside: "/nowhere/a.mp3") == nil)
    }
}
