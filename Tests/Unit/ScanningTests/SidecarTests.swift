// SPDX-License-Identifier: Apache-2.0
import Foundation
import Library
import Media
import TestSupport
import Testing

@testable import Scanning

/// Files beside audio belong to it, and a change makes the scan look into them again.
@Suite struct SidecarTests {
    private func cue(_ seconds: Int) -> [UInt8] {
        Array("FILE \"a\" MP3\nTRACK 1 AUDIO\nTITLE \"x\"\nINDEX 01 00:0\(seconds):00\n".utf8)
    }

    private func sidecars(_ names: [String], of name: String) throws -> FileSidecars {
        let folder = NSTemporaryDirectory() + "sidecars-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let beside = SidecarFolder(folder)
        for other in names + [name] {
            try Data([1]).write(to: URL(fileURLWithPath: folder + "/" + other))
            beside.take(other, isAudio: ScanFolder.isAudio(other))
        }
        beside.finish()
        let found = beside.sidecars(of: name)
        return FileSidecars(
            picture: found.picture?.pathName, chapters: found.chapters?.pathName, isShared: found.isShared,
            stamp: found.stamp)
    }

    @Test func whichFileBelongs() throws {
        #expect(try sidecars([], of: "a.mp3").stamp == 0)
        #expect(try sidecars(["b.jpg", "c.mp3", "chapters.json", "x.json"], of: "a.mp3").stamp == 0)
        #expect(try sidecars(["b.cue", "d.cue", "c.mp3"], of: "a.mp3").stamp == 0)
        let own = try sidecars(["A.JPG", "cover.jpg", "A.cue", "a.CHAPTERS.json", "b.mp3"], of: "a.mp3")
        #expect(own.picture == "A.JPG" && own.chapters == "a.CHAPTERS.json" && own.stamp != 0)
        #expect(try sidecars(["Folder.jpg", "cover.png", "b.mp3"], of: "a.mp3").picture == "Folder.jpg")
        #expect(try sidecars(["a.mp3.cue", "b.mp3"], of: "a.mp3").chapters == "a.mp3.cue")
        #expect(try sidecars(["chapters.json", "disc.cue"], of: "a.mp3").chapters == "chapters.json")
        #expect(try sidecars(["disc.cue"], of: "a.mp3").chapters == "disc.cue")
        // It may be about all of them.
        let shared = try sidecars(["disc.cue", "b.mp3"], of: "a.mp3")
        #expect(shared.chapters == "disc.cue" && shared.isShared && shared.stamp != 0)
    }

    @Test func aChangedSidecarIsLookedIntoAgain() throws {
        let desk = try ScanDesk()
        try desk.write("a.mp3", ScanDesk.audio(1))
        try desk.write("sub/b.mp3", ScanDesk.audio(2))
        try desk.scan()
        desk.forgetEvents()
        try desk.scan()
        #expect(desk.changed == [])
        let id = try #require(desk.library.itemIDs(inFolder: nil).first)
        for (name, bytes) in [
            ("cover.jpg", [1, 2, 3]), ("cover.jpg", [1, 2, 3, 4]), ("a.cue", cue(0)), ("a.jpg", [9]),
        ] as [(String, [UInt8])] {
            try desk.write(name, bytes)
            desk.forgetEvents()
            try desk.scan()
            #expect(desk.changed == [id])
            desk.forgetEvents()
            try desk.scan()
            #expect(desk.changed == [])
        }
        #expect(desk.library.item(id)?.artwork?.pathName == "a.jpg")
        try desk.remove("a.jpg")
        desk.forgetEvents()
        try desk.scan()
        #expect(desk.changed == [id] && desk.library.item(id)?.artwork?.pathName == "cover.jpg")
    }

    @Test func whatIsWrongBesideIsSaidOnce() throws {
        let desk = try ScanDesk()
        try desk.write("a.mp3", ScanDesk.audio(1))
        try desk.write("a.cue", Array("nonsense".utf8))
        try desk.scan()
        try desk.scan()
        #expect(desk.warnings == [desk.path("a.cue") + ": no chapters found in it"])
        #expect(desk.names == ["a.mp3"])
    }

    @Test func aSheetForAllFilesOfAFolder() throws {
        let desk = try ScanDesk()
        for name in ["1.mp3", "2.mp3", "other.mp3"] { try desk.write(name, ScanDesk.audio(1)) }
        var sheet = "PERFORMER \"Ann\"\nTITLE \"The Book\"\n"
        for number in 1...2 {
            sheet += "FILE \"\(number).wav\" WAVE\nTRACK \(number) AUDIO\nTITLE \"Part \(number)\"\nINDEX 01 0:0:0\n"
        }
        try desk.write("Rip.cue", Array(sheet.utf8))
        try desk.scan()
        #expect(desk.warnings == [])
        let tags = desk.queue.compactMap { desk.library.item($0)?.tags }
        #expect(tags.map { $0[.title] } == ["Part 1", "Part 2", "other"])
        #expect(tags.map { $0[.album] } == ["The Book", "The Book", nil])
        #expect(tags.map { $0[.artist] } == ["Ann", "Ann", nil])
    }

    /// By its first bytes, once; a folder's other files are none of a library's business.
    @Test func audioThatCannotBePlayedIsNamed() throws {
        let desk = try ScanDesk()
        func write(_ name: String, _ head: [UInt8]) throws {
            try desk.write(name, head + [UInt8](repeating: 0, count: 2000))
        }
        try desk.write("a.mp3", ScanDesk.audio(1))
        try write("b.wma", [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11])
        try write("c.WebM", [0x1A, 0x45, 0xDF, 0xA3])
        try write("d.caf", Array("caff".utf8))
        try write("e.txt", Array("caff".utf8))
        try desk.scan()
        try desk.scan()
        #expect(desk.names == ["a.mp3"])
        #expect(
            desk.warnings == [
                desk.path("b.wma") + ": is Windows Media audio, which cannot be played",
                desk.path("c.WebM") + ": is a Matroska or WebM file, which cannot be played",
                desk.path("d.caf") + ": is a Core Audio file, which cannot be played",
            ])
    }

    @Test func aChapterBehindTheEndIsSaidAndLeftOut() throws {
        let desk = try ScanDesk()
        try desk.write("a.mp3", ScanDesk.audio(1))
        let cue = "FILE \"a.mp3\" MP3\nTRACK 1 AUDIO\nTITLE \"One\"\nINDEX 01 0:0:0\nTRACK 2 AUDIO\nINDEX 01 60:00:00\n"
        try desk.write("a.cue", Array(cue.utf8))
        try desk.scan()
        #expect(
            desk.warnings == [
                desk.path("a.cue") + ": 1 of 2 chapters begin behind the end of the audio and are left out"
            ])
        #expect(desk.library.chapters(of: desk.queue[0]).map { $0.title } == ["One"])
    }

    @Test func whatIsNoFileIsNone() throws {
        let desk = try ScanDesk()
        try desk.write("a.mp3", ScanDesk.audio(1))
        mkfifo(desk.path("a.cue"), 0o644)
        try desk.link("cover.jpg", to: "/dev/zero")
        try desk.link("a.jpg", to: "/nowhere")
        try desk.makeFolder("folder.jpg")
        try desk.scan()
        #expect(desk.names == ["a.mp3"] && desk.warnings == [])
        #expect(desk.library.item(desk.queue[0])?.artwork == nil)
    }
}
